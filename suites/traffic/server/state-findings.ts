import type { Endpoint, Resource } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { keptAnswer } from '../../engine/evidence.ts';
import { citable, neighbours } from '../../model/resources.ts';
import type { Excuse, Suspicion } from '../../model/suspicion.ts';
import type { NumberedAnswer, Violation } from '../../protocol/check.ts';
import type { Tally } from '../exchange/bounded.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The id of the check that compares an answer with earlier writes and readings. */
export const stateCheck = 'observed-state';

/** Returns the requirements of state that the traffic of an operation can show to be broken. */
export const stateRequirements = ({ resource, list }: Endpoint): readonly RequirementId[] => [
  ...citable(resource),
  ...(list ? (['pagination.complete', 'pagination.total'] as const) : []),
];

/** Settings and callbacks of the state judge. */
export interface StateOptions {
  readonly isSoleWriter: boolean;
  /** Maximum time until a write must show, in milliseconds. */
  readonly settleMs: number;
  tell(violation: Violation, seen: SeenExchange): void;
  cover(seen: SeenExchange, requirements: Iterable<RequirementId>): void;
  readonly notJudged: Tally;
}

/** The reason for not judging a suspicion, by its excuse. */
export const becauseOf: Readonly<Record<Excuse, string>> = {
  lag: 'it came sooner after a write than what was written may take to show (--settle)',
  others: 'others may write too: --sole-writer says that nobody does',
  moves: 'it changed while nothing was written: it moves by itself, or others write it',
  unknown: 'it may be anything after what was written',
};

/** The reason for not judging a difference from the first reading after the model was reset. */
export const unsettled = 'what was shown before may be older than a write that is not known any more (--settle)';

/** The doubt about a change that may have other causes than the writes. */
export const seenOnce = 'seen once: what changes by itself looks the same';

/** The doubt about a suspicion without an innocent cause while others may write. */
const mayBeOthers = 'others may have written it back, or elsewhere: --sole-writer says that nobody does';

/** The reason for not judging a missing member. */
const leftOut = 'an answer leaves out what was shown before: it may show less of an entity';

/** Kinds that services compute in part: such values may change by themselves. */
const computed: ReadonlySet<Resource> = new Set(['metric', 'config', 'config-version']);

/** Decides how to report suspicions that have no excuse. */
export function createVerdicts(isSoleWriter: boolean) {
  /** The fields, per kind, that moved by themselves and those whose change was already reported. */
  const moving = new Set<string>();
  const told = new Set<string>();
  const nameOf = ({ resource, field }: Suspicion): string => `${resource} ${field}`;
  return {
    /** Returns why a suspicion is not reported; undefined if it is. */
    unclear(one: Suspicion): string | undefined {
      if (one.got === undefined && one.field !== '') return leftOut;
      const isOwn = computed.has(one.resource) && one.kind === 'disagree';
      if (isOwn) moving.add(nameOf(one));
      return isOwn || moving.has(nameOf(one)) ? becauseOf.moves : undefined;
    },
    /** Returns why a reported suspicion is only a warning; undefined if it is a violation. */
    doubtful(one: Suspicion): string | undefined {
      if (!isSoleWriter) return mayBeOthers;
      const isFirst = !told.has(nameOf(one));
      told.add(nameOf(one));
      if (one.requirements[0] !== neighbours) return undefined;
      const mayMove = computed.has(one.resource) && (isFirst || !one.hasStood);
      return mayMove || (isFirst && one.resource === 'environment') ? seenOnce : undefined;
    },
  };
}

/** Returns an answer as a step of a finding. */
export const stepOf = ({ exchange, answer }: SeenExchange): NumberedAnswer => ({
  number: exchange.number,
  // The bytes of the request already hold the body.
  answer: { ...keptAnswer(answer), sent: undefined },
});

/** Adds the known steps to a violation if there are at least two. */
export function withSteps(violation: Violation, steps: readonly (NumberedAnswer | undefined)[]): Violation {
  const known = steps.filter(step => step !== undefined);
  return known.length < 2 ? violation : { ...violation, steps: known };
}
