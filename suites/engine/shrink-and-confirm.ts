import fc from 'fast-check';
import { requirementById } from '../../contracts/requirements/index.ts';
import { isClientError } from '../judge/outcome.ts';
import { isSilence } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import type { Execution } from './execution.ts';
import type { AttributedViolation, FindingGroup } from './findings.ts';

const mostShrinkExecutions = 120;
/** How often a case that failed is sent again before it is reported. */
const confirmations = 2;

/** What shrinking needs of the unit whose case it is. */
export interface Shrinking {
  /** `endpoint/check`. */
  readonly unit: string;
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly seed: number;
  readonly execute: Execution;
}

/**
 * Searches the smallest case that shows the same violation and puts it into the group in place of the one that was
 * found. An error that ends the run, or this unit, is thrown, and leaves the group as it was.
 */
export async function shrink(group: FindingGroup, { unit, arbitrary, seed, execute }: Shrinking): Promise<void> {
  let executions = 0;
  let smallest: AttributedViolation | undefined;
  const errors: unknown[] = [];
  const property = fc.asyncProperty(arbitrary, async value => {
    executions += 1;
    if (executions > mostShrinkExecutions || errors.length > 0) return true;
    try {
      const { attributed } = await execute(value, `${group.source.path}~`, false);
      // The field that the case is about may change while it shrinks; the broken requirement and its place may not.
      const again = attributed.find(({ violation, owner, signature }) =>
        owner === unit ? violation.requirement === group.violation.requirement : signature === group.signature,
      );
      smallest = again ?? smallest;
      return again === undefined;
    } catch (error) {
      // To fast-check an exception is a failure like any other, to be shrunk.
      errors.push(error);
      return true;
    }
  });
  const details = await fc.check(property, { seed, path: group.source.path, numRuns: 1 });
  if (errors.length > 0) throw errors[0];
  const { failed, counterexamplePath: path, numShrinks } = details;
  const found = smallest as AttributedViolation | undefined;
  if (!failed || path === null || found === undefined) return;
  const { violation, about } = found;
  group.violation = { ...violation, answer: { ...violation.answer, id: `${unit}#${path}` } };
  group.source = { ...group.source, path, description: about };
  group.shrinks = numShrinks;
}

/** Why a violation that was not seen each time is a warning. */
const seenSometimes = (times: number, of: number): string => `seen ${times} of ${of} times`;

/** Why a refusal that could not be asked for again is one: it may have lain in the circumstances. */
const refusedOnce = 'it was refused once, and could not be sent again';

/** True where once is enough: the requirement says so, or the target failed or did not answer. */
export const isSporadicDefect = ({ requirement, answer }: Violation): boolean =>
  requirementById(requirement).sporadic === true || answer.status >= 500 || isSilence(answer);

/**
 * Sends the case of a group again and notes in it how often it showed the same. What is not seen each time is a warning
 * that says so, unless "sometimes" is the defect.
 */
export async function confirm(group: FindingGroup, value: unknown, execute: Execution): Promise<void> {
  let times = 1;
  let of = 1;
  for (let round = 0; round < confirmations; round += 1) {
    const { attributed, isWithheld, requests } = await execute(value, group.source.path, false);
    const isSeen = attributed.some(({ violation }) => violation.requirement === group.violation.requirement);
    // What was not sent again, as it would create more than the run or its check may, says nothing against what was seen.
    if ((isWithheld || requests === 0) && !isSeen) break;
    of += 1;
    if (isSeen) times += 1;
  }
  group.seen = { times, of };
  const { violation } = group;
  if (violation.doubt !== undefined || isSporadicDefect(violation)) return;
  if (times < of) group.violation = { ...violation, doubt: seenSometimes(times, of) };
  else if (of === 1 && isClientError(violation.answer)) group.violation = { ...violation, doubt: refusedOnce };
}
