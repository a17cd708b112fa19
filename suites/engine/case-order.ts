import { grouped } from '../../contracts/grouped.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { Unit } from '../checks/units.ts';
import { seedOf } from '../generators/index.ts';
import type { CaseDescription } from '../protocol/check.ts';
import { minimalCaseId } from './case-ids.ts';

/**
 * How many cases that are alike the quick profile sends, and how many requests each of them takes. Below 3/4 it sends one
 * at some places only, below 1/4 none.
 */
type Share = readonly [cases: number, requests: number];

/**
 * Cases that try a rule of the contract, at each place. A refusal and a bound are sent one by one; an ordinary value also
 * stands in the bodies that hold every field.
 */
// biome-ignore format: a table
const shareOfRule = {
  /** The specification states it: what keeps it is accepted, what breaks it is refused. */
  stated:   [2, 1],
  /** Nothing is stated, and any value is as good. */
  ordinary: [0.3, 1],
  /** The specification shows it and does not require it: a wrong type, an extreme value; or one fixture has shown it. */
  shown:    [0.2, 1],
} as const satisfies Record<string, Share>;

/** Bodies of several fields, of which there are many that differ in the fields they hold. */
const shareOfPack: Share = [0.5, 2];

/** What a case names in place of a keyword where no rule is stated. */
const ordinary: readonly string[] = ['example', 'boolean', 'unicode', 'extreme'];

/** All other cases, by their check. The random ones of a check are alike. */
// biome-ignore format: a table
export const shares: Readonly<Record<string, Share>> = {
  accepts:                 [1,   1],
  rejects:                 [1,   1],
  values:                  [8,   1.5],
  combinations:            [1.4, 1],
  violations:              [0.18, 1],
  authentication:          [2,   1],
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
  'metric-types':          [2,   2],
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
};

/** The seed does not turn cases of more requests: their check lists first what shows most for its price. */
const mostTurned = 3;

/** The share of a check that the table does not know. */
const usual: Share = [1, 1];

/** The least worth that a case of a profile has; profiles without one send all their cases. */
export const leastWorth: Readonly<Partial<Record<Profile, number>>> = { quick: 1, standard: 0.036 };

/** What a case is worth before it is sent, and what it costs. */
export interface Rank {
  /** From 1 the quick profile sends it. */
  readonly worth: number;
  /** In requests. */
  readonly cost: number;
}

/** A case of a unit as it is ranked. */
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

/** Between 0 and 1, evenly spread over consecutive numbers. */
const spread = (position: number, turn: number): number => (position * 0.618_033_988_749_895 + turn) % 1;

/** The number from 0 to 1 that a seed gives to cases that are alike. */
const turnOf = (seed: number, ...names: readonly [string, string]): number => (seedOf(seed, ...names) >>> 0) / 2 ** 32;

/** The rank of a case that comes after so many like it. */
function rankAt([cases, cost]: Share, before: number, turn: number): Rank {
  return { worth: cases / (before + 1 / 4 + turn / 2), cost };
}

/**
 * Ranks the enumerated cases of a unit. Cases are alike that try one rule at one place, that are packs, or that are
 * neither: each is worth less than the one before it, and the seed decides which comes first. So what is sent follows
 * from the contract and the seed, and never from an answer.
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

/** Ranks so many random cases of a unit: each further one is worth less. */
export function rankDraws({ check }: Pick<Unit, 'check'>, count: number): readonly Rank[] {
  const share = shares[check.id] ?? usual;
  return Array.from({ length: count }, (_, before) => rankAt(share, before, 1 / 2));
}
