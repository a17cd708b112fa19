import { grouped } from '../../contracts/grouped.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { Unit } from '../checks/units.ts';
import { seedOf } from '../generators/index.ts';
import type { CaseDescription } from '../protocol/check.ts';
import { minimalCaseId } from './case-ids.ts';

/**
 * How many similar cases the quick profile sends, and how many requests each takes. Below 3/4 it sends one in some
 * places only, below 1/4 none.
 */
type Share = readonly [cases: number, requests: number];

/**
 * Cases that try a rule of the contract, per place. Refusals and bounds are sent one by one; ordinary values also occur
 * in bodies that hold every field, and where one of those is refused, its fields are tried alone.
 */
// biome-ignore format: a table
const shareOfRule = {
  /** Stated by the specification: values that keep the rule are accepted, others refused. */
  stated:   [2, 1],
  /** Nothing is stated: any value is as good. */
  ordinary: [0.3, 1],
  /** Shown by the specification but not required (a wrong type, an extreme value), or shown by one fixture. */
  shown:    [0.2, 1],
} as const satisfies Record<string, Share>;

/** Bodies of several fields: there are many, with different sets of fields. */
const shareOfPack: Share = [0.5, 2];

/** The pseudo-keywords of cases for which no rule is stated. */
const ordinary: readonly string[] = ['example', 'boolean', 'unicode', 'extreme'];

/** All other cases, by check. The random cases of a check count as similar. */
// biome-ignore format: a table
export const shares: Readonly<Record<string, Share>> = {
  accepts:                 [1,   1],
  rejects:                 [1,   1],
  values:                  [6,   1.5],
  combinations:            [1.4, 1],
  violations:              [0.18, 1],
  authentication:          [1.6, 1],
  spellings:               [3,   1],
  'odd-requests':          [1.5, 1],
  'malformed-bodies':      [1.5, 1],
  pagination:              [2,   3],
  lists:                   [1,   2],
  lineage:                 [1,   1],
  frame:                   [2,   2],
  'rest-unchanged':        [1,   2],
  'event-stored':          [6,   2],
  'metric-stored':         [4,   3],
  'metric-types':          [5,   2],
  'refused-name':          [1,   2],
  disables:                [2,   3],
  'ended-configs':         [1,   2],
  'archive-reason':        [1,   1],
  neighbours:              [0.5, 17],
  'experiment-neighbours': [0.5, 10],
  'no-trace':              [4,   8],
  'experiment-no-trace':   [1,   10],
  courses:                 [6,   9],
  sequences:               [1,   8],
  races:                   [1,   4],
  'at-once':               [1,   6],
  disposable:              [0.2, 8],
};

/** The seed does not rotate cases that take more requests: their check lists the most telling first. */
const mostTurned = 3;

/** The share of a check that is not in the table. */
const usual: Share = [1, 1];

/** The minimum worth of a case that a profile sends; other profiles send all cases. */
export const leastWorth: Readonly<Partial<Record<Profile, number>>> = { quick: 1, standard: 0.036 };

/** The estimated worth of a case, and its cost. */
export interface Rank {
  /** The quick profile sends cases from 1 upwards. */
  readonly worth: number;
  /** In requests. */
  readonly cost: number;
}

/** A case of a unit, before it is ranked. */
interface RankedCase {
  readonly id: string;
  readonly description: CaseDescription;
}

function shareOf(check: string, { rule, isPack }: CaseDescription): Share {
  if (isPack === true) return shareOfPack;
  if (rule === undefined) return shares[check] ?? usual;
  if (rule.level === 'SHOULD' || rule.keyword === 'fixtures') return shareOfRule.shown;
  return ordinary.includes(rule.keyword) ? shareOfRule.ordinary : shareOfRule.stated;
}

/** Returns a number from 0 to 1, evenly spread over positions. */
const spread = (position: number, turn: number): number => (position * 0.618_033_988_749_895 + turn) % 1;

/** Returns the number from 0 to 1 by which a seed rotates similar cases. */
const turnOf = (seed: number, ...names: readonly [string, string]): number => (seedOf(seed, ...names) >>> 0) / 2 ** 32;

/** Returns the rank of a case that follows `before` similar ones. */
function rankAt([cases, cost]: Share, before: number, turn: number): Rank {
  return { worth: cases / (before + 1 / 4 + turn / 2), cost };
}

/**
 * Ranks the enumerated cases of a unit. Cases are similar if they try one rule at one place, if they are packs, or if
 * they are neither. Each is worth less than the one before, and the seed decides which comes first. So the selection
 * depends on the contract and the seed, never on an answer.
 */
export function rankCases(
  { id: unit, check }: Pick<Unit, 'id' | 'check'>,
  cases: readonly RankedCase[],
  seed: number,
): readonly Rank[] {
  const alike = grouped(
    cases.entries(),
    ([
      ,
      {
        description: { rule, pointer, isPack },
      },
    ]) => (rule === undefined ? String(isPack === true) : `${pointer} ${rule.keyword} ${rule.level}`),
  );
  const ranks: Rank[] = [];
  for (const [key, own] of alike) {
    const turn = turnOf(seed, unit, key);
    const placed = own.map(([index, { id, description }], position) => {
      const share = shareOf(check.id, description);
      return { index, id, description, share, at: share[1] > mostTurned ? position : spread(position, turn) };
    });
    placed.sort((a, b) => a.at - b.at || a.index - b.index);
    for (const [before, { index, id, description, share }] of placed.entries()) {
      const isMinimal = id === minimalCaseId && check.role === 'minimal-request';
      const rank = rankAt(share, before, spread(1, turn));
      ranks[index] = isMinimal || description.isBasic === true ? { ...rank, worth: Number.POSITIVE_INFINITY } : rank;
    }
  }
  return ranks;
}

/** Ranks `count` random cases of a unit: each further one is worth less. */
export function rankDraws({ check }: Pick<Unit, 'check'>, count: number): readonly Rank[] {
  const share = shares[check.id] ?? usual;
  return Array.from({ length: count }, (_, before) => rankAt(share, before, 1 / 2));
}
