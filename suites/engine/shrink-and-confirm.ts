import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { hasDryRun } from '../../contracts/endpoint.ts';
import { membersOf } from '../../contracts/json.ts';
import { steps } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { asDryRun } from '../checks/active/dry-run.ts';
import { storedWrongly } from '../checks/active/wrong-value.ts';
import { isClientError } from '../judge/outcome.ts';
import { type ApiRequest, isSilence } from '../protocol/answer.ts';
import { minimalApiRequest, type Violation } from '../protocol/check.ts';
import { answerOrNull } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import type { CaseResult, Execution, UnitInput } from './execution.ts';
import { type AttributedViolation, attribute, type FindingGroup, keepable, type Source } from './findings.ts';

const mostShrinkExecutions = 120;
/** Number of times a failed case is repeated before it is reported. */
const confirmations = 2;

/** The context of shrinking, from the unit of the case. */
export interface Shrinking {
  /** `endpoint/check`. */
  readonly unit: string;
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly seed: number;
  readonly execute: Execution;
}

/** True if a group is a warning at most. */
const isMinor = ({ violation }: FindingGroup): boolean => requirementById(violation.requirement).level !== 'MUST';

/**
 * Searches the smallest case that shows the same violation, and stores it in the group. An error that ends the run or
 * the unit is thrown, and leaves the group unchanged.
 */
export async function shrink(group: FindingGroup, { unit, arbitrary, seed, execute }: Shrinking): Promise<void> {
  let executions = 0;
  let smallest: AttributedViolation | undefined;
  const errors: unknown[] = [];
  const property = fc.asyncProperty(arbitrary, async value => {
    executions += 1;
    if (executions > mostShrinkExecutions || errors.length > 0) return true;
    try {
      const { attributed } = await execute(value, `${group.source.path}~`, false, { isSparing: true });
      // While a case shrinks, the field that it is about may change; the violated requirement and its place may not.
      const again = attributed.find(({ violation, owner, signature }) =>
        owner === unit ? violation.requirement === group.violation.requirement : signature === group.signature,
      );
      smallest = again ?? smallest;
      return again === undefined;
    } catch (error) {
      // fast-check would treat an exception as a failure to shrink.
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

/** Returns the doubt of a violation that was not seen each time. */
const seenSometimes = (times: number, of: number): string => `seen ${times} of ${of} times`;

/** The doubt of a refusal that could not be repeated: circumstances may have caused it. */
const refusedOnce = 'it was refused once, and could not be sent again';

/** The doubt of what only an accepted request can show, and no further one was accepted. */
const notAccepted = 'seen once, and refused whenever the same was sent again';

/** Returns what of a request goes on the wire, before created things are named. */
const sentOf = ({ about: _, judgedApart: _apart, contested: _met, spare: _spare, ...sent }: ApiRequest) => sent;

/** Returns the requests of a repetition that are the one whose answer shows a violation. */
const sentAgain = ({ answer }: Violation, { asked }: Pick<CaseResult, 'asked'>): CaseResult['asked'] =>
  asked.filter(({ request }) => isDeepStrictEqual(sentOf(request), sentOf(answer.request)));

/** True if a repetition could not show a violation in an accepted answer: each time its request was refused. */
function isRefusedNow(violation: Violation, repetition: Pick<CaseResult, 'asked'>): boolean {
  const again = sentAgain(violation, repetition);
  const { answer } = violation;
  return answer.success && again.length > 0 && again.every(({ isRefused }) => isRefused);
}

/** True if repetitions of the case did not all show the violation, and that makes it a warning. */
export const isUnsteady = ({ seen, violation }: FindingGroup): boolean =>
  seen !== undefined && seen.times < seen.of && violation.doubt !== undefined;

/** True if one occurrence suffices: the requirement says so, or the target failed or did not answer. */
export const isSporadicDefect = ({ requirement, answer }: Violation): boolean =>
  requirementById(requirement).sporadic === true || answer.status >= 500 || isSilence(answer);

/**
 * Repeats the case of a group, and its control, and records how often it showed the same. A violation not seen each
 * time becomes a warning, unless "sometimes" is the defect.
 */
export async function confirm(group: FindingGroup, value: unknown, execute: Execution): Promise<void> {
  let times = 1;
  let of = 1;
  let isRefused = false;
  for (let round = 0; round < confirmations; round += 1) {
    const modes = { isConfirming: true, isSparing: isMinor(group) };
    const again = await execute(value, group.source.path, false, modes);
    const isSeen = again.attributed.some(({ violation }) => violation.requirement === group.violation.requirement);
    // A repetition that was held back says nothing against the first sighting, nor does one that was refused.
    if ((again.isWithheld || again.requests === 0) && !isSeen) break;
    if (!isSeen && isRefusedNow(group.violation, again)) {
      isRefused = true;
      continue;
    }
    of += 1;
    if (isSeen) times += 1;
  }
  group.seen = { times, of };
  const { violation } = group;
  if (violation.doubt !== undefined || isSporadicDefect(violation)) return;
  if (times < of) group.violation = { ...violation, doubt: seenSometimes(times, of) };
  else if (of === 1 && isRefused) group.violation = { ...violation, doubt: notAccepted };
  else if (of === 1 && isClientError(violation.answer)) group.violation = { ...violation, doubt: refusedOnce };
}

/** Returns the violation of a group without a doubt, if it is among these. */
function firmIn(attributed: readonly AttributedViolation[], { signature }: FindingGroup): Violation | undefined {
  const again = attributed.find(one => one.signature === signature)?.violation;
  return again?.doubt === undefined ? again : undefined;
}

/**
 * Repeats another case that showed the violation of a group. If it shows it each time, the group has that case, and no
 * doubt. Only for lists: elsewhere a further series of tries would make a failure of what is seen now and then.
 */
export async function confirmByOther(group: FindingGroup, source: Source, value: unknown, execute: Execution) {
  let violation: Violation | undefined;
  for (let round = 0; round <= confirmations; round += 1) {
    const again = firmIn((await execute(value, source.path, false)).attributed, group);
    if (again === undefined) return;
    violation ??= again;
  }
  const of = confirmations + 1;
  Object.assign(group, { violation: violation && keepable(violation), source, seen: { times: of, of } });
}

/**
 * Repeats the case of an echo that was not seen each time, each time after a write of the value which was wrongly
 * shown: a dry run, if writes create something and the operation has one. A server that ignores the request, or answers
 * as it did before, shows what is right where that was written last. If the case shows the violation then each time,
 * there is no doubt. Where that value is refused, as for one group of several, the minimal request takes its place.
 */
export async function confirmAfterWrongValue(
  group: FindingGroup,
  value: unknown,
  execute: Execution,
  { context, lane }: UnitInput,
): Promise<void> {
  const { violation, seen, source } = group;
  const { answer, pointer, requirement, fault } = violation;
  const { row, minimal } = context;
  const isTried = row.effect === 'additive' && hasDryRun(row);
  const { endpoint, param } = minimalApiRequest(context);
  const isOwn = answer.request.endpoint === endpoint && answer.request.param === param;
  if (!requirement.startsWith('echo.') || !isOwn) return;
  // Any other doubt stays, however often the violation is seen.
  if (seen === undefined || violation.doubt !== seenSometimes(seen.times, seen.of)) return;
  const sent = membersOf(answer.sent);
  const wrong = storedWrongly(row, pointer, fault?.got, sent);
  const isPart = steps(pointer).length > 2;
  // A part means what it did only beside the other fields; a name can be given once.
  const { name } = minimal.body ?? {};
  const beside = isPart ? { ...sent, ...present({ name }) } : {};
  const bodies = [{ ...minimal.body, ...beside, ...wrong }, { ...minimal.body }];
  const store = async (): Promise<boolean> => {
    const session = openSession(lane.run.wire, `${source.unit}#${source.path}~`);
    for (const body of bodies) {
      const request = { endpoint, param, body: isTried ? asDryRun(body) : body };
      if ((await answerOrNull(session, request))?.success === true) return true;
    }
    return false;
  };
  /** Repeats the case, or the request alone if the case sends it only once: a control that leaves something. */
  const repeat = async (): Promise<readonly AttributedViolation[]> => {
    const again = await execute(value, source.path, false);
    const isTold = again.attributed.some(({ signature }) => signature === group.signature);
    if (isTold || again.isWithheld || sentAgain(violation, again).length > 0) return again.attributed;
    const session = openSession(lane.run.wire, `${source.unit}#${source.path}~`, lane.passive);
    if ((await answerOrNull(session, answer.request)) === null) return [];
    return session.passiveResults.flatMap(seen => attribute(seen.unit, seen, again.description, false));
  };
  for (let round = 0; round < confirmations; round += 1) {
    if (!(await store()) || firmIn(await repeat(), group) === undefined) return;
  }
  const { doubt: _cleared, ...firm } = violation;
  Object.assign(group, { violation: firm, seen: { times: confirmations, of: confirmations } });
}
