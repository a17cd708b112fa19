import type { Endpoint } from '../../contracts/endpoint.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { keptAnswer } from '../engine/evidence.ts';
import { compareEcho } from '../judge/echo.ts';
import type { NumberedAnswer, Violation } from '../protocol/check.ts';
import type { Breach } from './breach.ts';
import type { SeenExchange } from './seen.ts';
import { shadowCheck } from './shadow-requirements.ts';

/** An exchange whose place among the others is known. */
export interface Moment {
  readonly seen: SeenExchange;
  /** `unknown`: it may have changed something, or not, or something else than it says. */
  readonly effect: 'accepted' | 'refused' | 'unauthorised' | 'unknown';
  /** The key that it was sent with; empty where none is known. */
  readonly key: string;
  /** A write of the same collection was under way at the same time. */
  readonly isOverlapped: boolean;
  /** What was written before may not show yet. */
  readonly isUnsettled: boolean;
}

/** Follows the entities of some resources. */
export interface Tracker {
  readonly resources: ReadonlySet<Endpoint['resource']>;
  note(moment: Moment): void;
  /** What was known may have changed unseen. */
  forget(): void;
  readonly size: () => number;
}

/** Why nothing is said of an answer that came soon after a write. */
export const tooSoon = 'it came sooner after a write than what was written may take to show (--settle)';

/** Why a change is no more than a warning where it may have other reasons than what was written. */
export const seenOnce = 'seen once: what changes by itself looks the same';

/** A write that must have had no effect: a dry run, a refused one, one without a key. */
export interface Idle {
  /** What it sent; undefined where that cannot be read. */
  readonly body: JsonObject | undefined;
  readonly requirement: RequirementId;
}

/** So many of them are remembered of one entity. */
const mostIdle = 5;

/** Remembers one more of them. */
export const withIdle = (known: readonly Idle[], one: Idle): readonly Idle[] => [...known, one].slice(-mostIdle);

/** What a write sent; undefined where its body cannot be read. */
export const bodyOf = ({ answer, body }: SeenExchange): JsonObject | undefined =>
  isObject(answer.sent) ? answer.sent : body?.kind === 'broken' ? undefined : {};

/** The requirement that an idle write breaks, where a field is what it sent, or may be what nobody could read. */
export const leftBy = (
  idle: readonly Idle[],
  field: string,
  after: unknown,
  { body: schema }: Pick<Endpoint, 'body'>,
): RequirementId | undefined =>
  (
    idle.findLast(
      ({ body }) =>
        body !== undefined &&
        Object.hasOwn(body, field) &&
        compareEcho(body[field] ?? null, after, schema?.properties?.[field], '').length === 0,
    ) ?? idle.findLast(({ body }) => body === undefined)
  )?.requirement;

/** The requirement that a write without effect breaks by having one. */
export const idleRequirement = (effect: Moment['effect']): RequirementId =>
  effect === 'unauthorised' ? 'auth.no-effect' : 'reject.no-trace';

/** An answer as a step of a finding. */
export const stepOf = ({ exchange, answer }: SeenExchange): NumberedAnswer => ({
  number: exchange.number,
  // What was sent stands in the bytes of the request.
  answer: { ...keptAnswer(answer), sent: undefined },
});

/** What each of the entities of an answer takes, in bytes, with what is kept of the answer. */
export const weightOf = ({ answer }: SeenExchange): number => {
  const count = Array.isArray(answer.data) ? answer.data.length : 1;
  return (answer.reply.bytes + (answer.reply.request.body?.length ?? 0)) / Math.max(1, count);
};

/** Makes a breach of the server that is about several exchanges. */
export const stateBreach = (violation: Violation, steps: readonly (NumberedAnswer | undefined)[]): Breach => {
  const known = steps.filter(step => step !== undefined);
  return {
    side: 'server',
    check: shadowCheck,
    violation: known.length < 2 ? violation : { ...violation, steps: known },
  };
};

/**
 * What of two showings of an entity differs: what one of them leaves out says nothing, for answers may show more or less
 * of it.
 */
export const shownTwice = <D extends { readonly before: unknown; readonly after: unknown; readonly isSent?: boolean }>(
  deviations: readonly D[],
): D[] =>
  deviations.filter(({ before, after, isSent }) => after !== undefined && (isSent === true || before !== undefined));
