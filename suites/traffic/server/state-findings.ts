import type { Endpoint, Resource } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { keptAnswer } from '../../engine/evidence.ts';
import { citable, neighbours } from '../../model/resources.ts';
import type { Excuse, Suspicion } from '../../model/suspicion.ts';
import type { NumberedAnswer, Violation } from '../../protocol/check.ts';
import type { Tally } from '../exchange/bounded.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The id of the check that holds an answer against what was written and shown before. */
export const stateCheck = 'observed-state';

/** The requirements of state that the traffic of an operation can show to be broken. */
export const stateRequirements = ({ resource, list }: Endpoint): readonly RequirementId[] => [
  ...citable(resource),
  ...(list ? (['pagination.complete', 'pagination.total'] as const) : []),
];

/** What the judge of state tells and asks. */
export interface StateOptions {
  readonly isSoleWriter: boolean;
  /** So long what was written may take to show, in milliseconds. */
  readonly settleMs: number;
  tell(violation: Violation, seen: SeenExchange): void;
  cover(seen: SeenExchange, requirements: Iterable<RequirementId>): void;
  readonly notJudged: Tally;
}

/** Why nothing is said of what has an innocent cause. */
export const becauseOf: Readonly<Record<Excuse, string>> = {
  lag: 'it came sooner after a write than what was written may take to show (--settle)',
  others: 'others may write too: --sole-writer says that nobody does',
  moves: 'it changed while nothing was written: it moves by itself, or others write it',
  unknown: 'it may be anything after what was written',
};

/** Why nothing is said of what differs from the first that was shown after all was forgotten. */
export const unsettled = 'what was shown before may be older than a write that is not known any more (--settle)';

/** Why a change is no more than a warning where it may have other reasons than what was written. */
export const seenOnce = 'seen once: what changes by itself looks the same';

/** Why what no innocent cause explains is no more than a warning where others may write. */
export const mayBeOthers = 'others may have written it back, or elsewhere: --sole-writer says that nobody does';

/** Why nothing is said of a member that an answer lacks. */
const leftOut = 'an answer leaves out what was shown before: it may show less of an entity';

/** Kinds that services compute in part: what changes there may be that. */
const computed: ReadonlySet<Resource> = new Set(['metric', 'config', 'config-version']);

/** What is made of suspicions that nothing excuses. */
export function createVerdicts(isSoleWriter: boolean) {
  /** Fields of kinds that moved by themselves, and those of which a change was told. */
  const moving = new Set<string>();
  const told = new Set<string>();
  const nameOf = ({ resource, field }: Suspicion): string => `${resource} ${field}`;
  return {
    /** Why nothing is said of one; undefined where it is told. */
    unclear(one: Suspicion): string | undefined {
      if (one.got === undefined && one.field !== '') return leftOut;
      const isOwn = computed.has(one.resource) && one.kind === 'disagree';
      if (isOwn) moving.add(nameOf(one));
      return isOwn || moving.has(nameOf(one)) ? becauseOf.moves : undefined;
    },
    /** Why one that is told is no more than a warning; undefined where it is a violation. */
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

/** An answer as a step of a finding. */
export const stepOf = ({ exchange, answer }: SeenExchange): NumberedAnswer => ({
  number: exchange.number,
  // What was sent stands in the bytes of the request.
  answer: { ...keptAnswer(answer), sent: undefined },
});

/** A violation that several exchanges show together, those that are known. */
export function withSteps(violation: Violation, steps: readonly (NumberedAnswer | undefined)[]): Violation {
  const known = steps.filter(step => step !== undefined);
  return known.length < 2 ? violation : { ...violation, steps: known };
}
