import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { rejectCases } from '../../generators/index.ts';
import { livenessViolations } from '../../judge/outcome.ts';
import type { Answer, ApiRequest } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckPlan,
  covering,
  minimalApiRequest,
  type Violation,
} from '../../protocol/check.ts';
import { asDryRun, createsForGood } from './dry-run.ts';

/** A request that no client should send, and the judge of its answer. */
export interface OddCase {
  readonly title: string;
  readonly request: ApiRequest;
  readonly judge: (answer: Answer) => readonly Violation[];
  /** Puts back what it changed, where it was accepted. */
  readonly putBack?: ApiRequest;
  /** What an answer to it could show to be broken, beside that it comes, in time and below 500. */
  readonly covers?: readonly RequirementId[];
}

/** The requirements that any odd request can show. */
export const robustness = ['robust.never-5xx', 'robust.no-hang', 'robust.no-drop', 'robust.alive-after'] as const;

/** What every answer to an odd request could show to be broken. */
const survived = ['robust.never-5xx', 'robust.no-hang', 'robust.no-drop'] as const;

/** The violations, with one requirement cited in the place of another. */
export const citing = (
  violations: readonly Violation[],
  from: RequirementId,
  to: RequirementId,
): readonly Violation[] => violations.map(one => (one.requirement === from ? { ...one, requirement: to } : one));

/** After odd requests a minimal one gets an answer below 500 (RFC 9110 section 15), whether or not it is accepted. */
const aliveViolations = (answer: Answer): readonly Violation[] =>
  livenessViolations(answer).map(one => ({ ...one, requirement: 'robust.alive-after' }));

/**
/**
 * A body that leaves nothing where the minimal one would create something: its dry run, or else one that breaks a rule.
 * Undefined where the minimal one leaves nothing that could not be put back.
 */
export const harmlessBody = (context: CheckContext): JsonObject | undefined => harmless(context).body;

/** Once for each context: every odd case of a plan asks for it, and it takes all cases of the endpoint to find one. */
const harmless = memoized((context: CheckContext): { body: JsonObject | undefined } => {
  const { row, minimal, target } = context;
  if (!createsForGood(context) || row.body === null) return { body: undefined };
  if (hasDryRun(row)) return { body: asDryRun(minimal.body ?? {}) };
  const { cases } = rejectCases(row.body, minimal.body ?? {}, target);
  return { body: cases.find(({ level }) => level === 'MUST')?.body };
});

/**
 * The plan of a check that sends odd requests in turn, and then the minimal request, unless that works only once. What
 * it survives shows something only of an endpoint that works: where nothing is accepted there is nothing to break.
 */
export function planOfOddCases(context: CheckContext, cases: readonly OddCase[]): CheckPlan<OddCase> {
  const afterwards: OddCase = {
    title: 'the minimal request after all of them',
    request: minimalApiRequest(context, harmlessBody(context)),
    judge: aliveViolations,
    covers: ['robust.alive-after'],
  };
  return {
    cases: context.oneShot ? cases : [...cases, afterwards],
    parallel: false,
    describe: ({ title }) => ({ title, pointer: '' }),
    async run({ request, judge, putBack, covers = [] }, session) {
      const answer = await session.send(request);
      if (answer.success && putBack !== undefined) await session.send(putBack);
      return { ...covering(judge(answer), [...survived, ...covers]), onlyIfAccepted: true };
    },
  };
}
