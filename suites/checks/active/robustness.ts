import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { livenessViolations } from '../../judge/outcome.ts';
import type { Answer, ApiRequest } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckPlan,
  covering,
  minimalApiRequest,
  type Violation,
} from '../../protocol/check.ts';
import { liveness } from '../scenarios/scenario.ts';
import { mustRefuse, templateOf } from './body.ts';
import { asDryRun, createsForGood } from './dry-run.ts';

/** A request that no client should send, and the judge of its answer. */
export interface OddCase {
  readonly title: string;
  readonly request: ApiRequest;
  readonly judge: (answer: Answer) => readonly Violation[];
  /** Undoes the change, if the request was accepted. */
  readonly putBack?: ApiRequest;
  /** The requirements that an answer could show to be broken, besides liveness. */
  readonly covers?: readonly RequirementId[];
}

/** The requirements that any odd request can show. */
export const robustness = [...liveness, 'robust.alive-after'] as const;

/** Returns the violations with one requirement replaced by another. */
export const citing = (
  violations: readonly Violation[],
  from: RequirementId,
  to: RequirementId,
): readonly Violation[] => violations.map(one => (one.requirement === from ? { ...one, requirement: to } : one));

/** After odd requests a minimal one gets an answer below 500 (RFC 9110 section 15), whether or not it is accepted. */
const aliveViolations = (answer: Answer): readonly Violation[] =>
  livenessViolations(answer).map(one => ({ ...one, requirement: 'robust.alive-after' }));

/**
 * Returns a body that leaves nothing where the minimal one would create something: a dry run, or one that breaks a
 * rule. Undefined if the minimal one leaves nothing permanent.
 */
export const harmlessBody = (context: CheckContext): JsonObject | undefined => harmless(context).body;

/** Computed once per context: every odd case asks for it, and finding one takes all cases of the endpoint. */
const harmless = memoized((context: CheckContext): { body: JsonObject | undefined } => {
  if (!createsForGood(context)) return { body: undefined };
  return { body: hasDryRun(context.row) ? asDryRun(templateOf(context)) : mustRefuse(context)[0]?.body };
});

/**
 * Plans odd requests in turn, then the minimal request, unless the operation works only once. Surviving proves
 * something only of an endpoint that works: if it accepts nothing, there is nothing to break.
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
      return { ...covering(judge(answer), [...liveness, ...covers]), onlyIfAccepted: true };
    },
  };
}
