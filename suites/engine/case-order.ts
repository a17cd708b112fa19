import { createRequire } from 'node:module';
import type { Profile } from '../../contracts/report/journal.ts';
import type { Unit } from '../checks/units.ts';
import { seedOf } from '../generators/index.ts';
import type { CaseDescription } from '../protocol/check.ts';
import { minimalCaseId } from './case-ids.ts';

/**
 * What was learned of cases from the servers of the fault catalogue. A worth is what a case shows that those of greater
 * worth do not, in thousandths of a fault per request; a cost is in requests.
 */
export interface CaseOrder {
  readonly version: 1;
  /** The least worth that a case of a profile has; profiles without one send all their cases. */
  readonly least: Readonly<Partial<Record<Profile, number>>>;
  /** Requests of a run that belong to no case: snapshot, learning, restoration. */
  readonly fixed: number;
  /** So much more a trimmed run sends than its cases cost on average, for fewer of them share a control. */
  readonly overhead: number;
  /** Worth and cost of the cases that are known by their ids, by unit (`endpoint/check`). */
  readonly cases: Readonly<Record<string, Readonly<Record<string, readonly [worth: number, cost: number]>>>>;
  /** Worth and cost of any other case, by its kind (see `caseKind`), or by its check. */
  readonly kinds: Readonly<Record<string, readonly [worth: number, cost: number]>>;
  /** The worths of the first, second, … random case of a unit; and the cost of one. */
  readonly draws: Readonly<Record<string, { readonly worths: readonly number[]; readonly cost: number }>>;
}

const require = createRequire(import.meta.url);
let known: CaseOrder | undefined;

/** The order that the package ships with; `npm run prove -- kill-matrix --learn` writes it. */
export function shippedOrder(): CaseOrder {
  known ??= require('./case-order.json') as CaseOrder;
  return known;
}

/** What a case is worth before it is sent, and what it costs. */
export interface Rank {
  readonly worth: number;
  readonly cost: number;
}

/**
 * What kind of case it is: its check and what it sends, whatever the field, the name and the number. Titles name the field
 * first, and the fields of a case of several last.
 */
export function caseKind(check: string, { title, pointer }: CaseDescription): string {
  const at = title.indexOf(': ');
  const named = pointer === '' ? title.slice(0, at) : title.slice(at + 2);
  const what = (at < 0 ? title : named).replace(/"[^"]*"/g, '""').replace(/\d[\d,._]*/g, '0');
  return `${check}|${what}`;
}

/** Where nothing at all is known, a case is worth so much, and costs one request. */
const unknown = [10, 1] as const;

/** After so many cases of a kind at one unit, a further one is worth half as much. */
const half = 3;

/** Between 0 and 1, evenly spread over consecutive numbers, and turned by the seed. */
const spread = (position: number, turn: number): number => (position * 0.618_033_988_749_895 + turn) % 1;

/**
 * Ranks the enumerated cases of a unit. Those that were never seen (another field, another vocabulary) are worth what
 * their kind is, the first of each kind most; which those are, the seed decides.
 */
export function rankCases(
  { id: unit, check }: Pick<Unit, 'id' | 'check'>,
  cases: readonly { readonly id: string; readonly description: CaseDescription }[],
  seed: number,
  order: CaseOrder = shippedOrder(),
): readonly Rank[] {
  const byKind = new Map<string, number[]>();
  const ranks = cases.map(({ id, description }, index): Rank => {
    const own = order.cases[unit]?.[id];
    const isMinimal = id === minimalCaseId && check.kind === 'active' && check.role === 'minimal-request';
    const isFirst = isMinimal || description.isBasic === true;
    if (own !== undefined) return { worth: isFirst ? Number.POSITIVE_INFINITY : own[0], cost: own[1] };
    const kind = caseKind(check.id, description);
    const [worth, cost] = order.kinds[kind] ?? order.kinds[check.id] ?? unknown;
    if (isFirst) return { worth: Number.POSITIVE_INFINITY, cost };
    const alike = byKind.get(kind);
    if (alike === undefined) byKind.set(kind, [index]);
    else alike.push(index);
    return { worth, cost };
  });
  for (const [kind, indexes] of byKind) {
    const turn = (seedOf(seed, unit, kind) >>> 0) / 2 ** 32;
    const turned = indexes
      .map((index, position) => ({ index, key: spread(position, turn) }))
      .sort((a, b) => a.key - b.key || a.index - b.index);
    for (const [before, { index }] of turned.entries()) {
      const { worth, cost } = ranks[index] as Rank;
      ranks[index] = { worth: worth / (1 + before / half), cost };
    }
  }
  return ranks;
}

/** Ranks so many random cases of a unit: each further one is worth less. */
export function rankDraws(
  { id: unit, check }: Pick<Unit, 'id' | 'check'>,
  count: number,
  order: CaseOrder = shippedOrder(),
): readonly Rank[] {
  const [worth, usual] = order.kinds[check.id] ?? unknown;
  const { worths, cost } = order.draws[unit] ?? { worths: [], cost: usual };
  return Array.from({ length: count }, (_, index) => ({
    worth: worths[index] ?? worth / (1 + (index - worths.length) / half),
    cost,
  }));
}
