import { allUnits } from '../../checks/units.ts';
import { type CaseOrder, caseKind } from '../../engine/case-order.ts';
import type { SoundCase, SoundRun, ToldFault } from './told.fixture.ts';

/** What a case leaves of a fault that it shows: a little, so that a second case which shows it is worth something. */
const leftOfFault = 0.05;
/** A requirement that no case before has exercised is worth so much of a fault. */
const perRequirement = 0.1;
/**
 * What its kind has shown counts so much: more than what is known, for most faults are not in the catalogue. Found by
 * looking for faults that were left out of the learning.
 */
const perKind = 2;
/** A case that another one pays for (its pack) costs something all the same. */
const leastCost = 0.25;
/** A kind of fewer cases says little: that of its check is mixed in, as so many cases. */
const trust = 3;
/** Below so much of a fault a case is worth what its kind is. */
const leastGain = 0.02;
const perThousand = 1000;

/** Cases of which one may be sent: an enumerated one, or the random ones of a unit, of which none is like another. */
interface Candidate {
  readonly unit: string;
  readonly path: string;
  readonly kind: string;
  readonly cost: number;
  readonly requirements: readonly string[];
  /** Faults that it shows, with the part of its random cases that do. */
  readonly shows: Map<string, number>;
  /** Random cases that are left to be taken; null of an enumerated one. */
  draws: { left: number; readonly worths: number[] } | null;
}

const checkOfUnit = (unit: string): string => unit.slice(unit.indexOf('/') + 1);

/** The checks whose cases are random. */
export const drawing: ReadonlySet<string> = new Set(
  allUnits().flatMap(({ check }) => (check.kind === 'active' && check.draws !== undefined ? [check.id] : [])),
);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function candidatesOf({ cases }: SoundRun): readonly Candidate[] {
  const all = new Map<string, Candidate>();
  const random = new Map<string, SoundCase[]>();
  for (const one of cases) {
    const check = checkOfUnit(one.unit);
    if (drawing.has(check)) random.set(one.unit, [...(random.get(one.unit) ?? []), one]);
    else
      all.set(`${one.unit}#${one.path}`, {
        unit: one.unit,
        path: one.path,
        kind: caseKind(check, one),
        cost: Math.max(leastCost, one.requests),
        requirements: one.exercised,
        shows: new Map(),
        draws: null,
      });
  }
  for (const [unit, drawn] of random)
    all.set(unit, {
      unit,
      path: '',
      kind: checkOfUnit(unit),
      cost: Math.max(leastCost, mean(drawn.map(({ requests }) => requests))),
      requirements: [],
      shows: new Map(),
      draws: { left: drawn.length, worths: [] },
    });
  return [...all.values()];
}

/** Notes at each candidate which faults it shows. */
function note(candidates: readonly Candidate[], told: readonly ToldFault[]): void {
  const known = new Map(candidates.map(one => [one.draws === null ? `${one.unit}#${one.path}` : one.unit, one]));
  for (const fault of told)
    for (const [unit, paths] of Object.entries(fault.told)) {
      const drawn = known.get(unit);
      if (drawn !== undefined) drawn.shows.set(fault.id, paths.length / (fault.sent[unit] ?? paths.length));
      else for (const path of paths) known.get(`${unit}#${path}`)?.shows.set(fault.id, 1);
    }
}

/** What the cases of each kind, and of each check, have shown that few others have: its worth and its cost. */
function kindsOf(candidates: readonly Candidate[]): Record<string, readonly [number, number]> {
  const times = new Map<string, number>();
  for (const { shows, draws } of candidates)
    for (const [fault, part] of shows) times.set(fault, (times.get(fault) ?? 0) + part * (draws?.left ?? 1));
  const sums = new Map<string, { credit: number; cost: number; cases: number; check: string }>();
  for (const { unit, kind, cost, shows, draws } of candidates) {
    const cases = draws?.left ?? 1;
    const credit = [...shows].reduce((sum, [fault, part]) => sum + (part * cases) / (times.get(fault) ?? 1), 0);
    for (const name of new Set([kind, checkOfUnit(unit)])) {
      const sum = sums.get(name) ?? { credit: 0, cost: 0, cases: 0, check: checkOfUnit(unit) };
      sum.credit += credit;
      sum.cost += cost * cases;
      sum.cases += cases;
      sums.set(name, sum);
    }
  }
  return Object.fromEntries(
    [...sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, { credit, cost, cases, check }]) => {
        if (name !== check && cases < 2) return [];
        const whole = sums.get(check) ?? { credit, cases };
        const each = (credit + (trust * whole.credit) / whole.cases) / (cases + trust);
        const price = cost / cases;
        return [[name, [Math.round((perThousand * perKind * each) / price), rounded(price)] as const]];
      }),
  );
}

const rounded = (cost: number): number => Math.round(100 * cost) / 100;

/** What is left to be gained: of each fault, and whether a requirement was exercised. */
interface Left {
  readonly faults: Map<string, number>;
  readonly requirements: Set<string>;
}

const gainOf = ({ shows, requirements }: Candidate, left: Left): number =>
  [...shows].reduce((sum, [fault, part]) => sum + part * (left.faults.get(fault) ?? 1), 0) +
  perRequirement * requirements.filter(id => !left.requirements.has(id)).length;

function take({ shows, requirements }: Candidate, left: Left): void {
  for (const [fault, part] of shows)
    left.faults.set(fault, (left.faults.get(fault) ?? 1) * (1 - part * (1 - leftOfFault)));
  for (const id of requirements) left.requirements.add(id);
}

/** Takes what gains most per request, again and again, until nothing gains much. Calls back with each and its gain. */
function greedy(candidates: readonly Candidate[], onTaken: (one: Candidate, perRequest: number) => void): void {
  const left: Left = { faults: new Map(), requirements: new Set() };
  const queue = candidates.map(one => ({ one, perRequest: gainOf(one, left) / one.cost }));
  queue.sort((a, b) => b.perRequest - a.perRequest);
  const putBack = (entry: (typeof queue)[number]): void => {
    const place = queue.findIndex(({ perRequest }) => perRequest < entry.perRequest);
    queue.splice(place < 0 ? queue.length : place, 0, entry);
  };
  for (let first = queue.shift(); first !== undefined; first = queue.shift()) {
    const { one } = first;
    const gain = gainOf(one, left);
    const perRequest = gain / one.cost;
    if (gain < leastGain) continue;
    // What a case gains only shrinks: whoever is first, looked at anew, gains most.
    if (perRequest < (queue[0]?.perRequest ?? 0)) {
      putBack({ one, perRequest });
      continue;
    }
    take(one, left);
    onTaken(one, perRequest);
    if (one.draws === null) continue;
    one.draws.left -= 1;
    if (one.draws.left > 0) putBack({ one, perRequest });
  }
}

/** Learns the worth of cases from what each of them has shown, and what it costs. Without the profiles' least worths. */
export function learnOrder(told: readonly ToldFault[], sound: SoundRun): CaseOrder {
  const candidates = candidatesOf(sound);
  note(candidates, told);
  const kinds = kindsOf(candidates);
  const cases: Record<string, Record<string, readonly [number, number]>> = {};
  const list = (unit: string, path: string, known: readonly [number, number]): void => {
    const own = cases[unit] ?? {};
    own[path] = known;
    cases[unit] = own;
  };
  const ofKind = ({ kind, unit }: Candidate): number => (kinds[kind] ?? kinds[checkOfUnit(unit)] ?? [0])[0];
  greedy(candidates, (one, perRequest) => {
    const worth = Math.round(perThousand * perRequest) + ofKind(one);
    if (one.draws !== null) one.draws.worths.push(worth);
    else list(one.unit, one.path, [worth, rounded(one.cost)]);
  });
  // What could not be carried out says nothing, whatever its kind is worth.
  for (const { unit, path, requests, exercised } of sound.cases)
    if (requests === 0 && exercised.length === 0 && !drawing.has(checkOfUnit(unit))) list(unit, path, [0, leastCost]);
  const draws = Object.fromEntries(
    candidates.flatMap(({ unit, cost, draws: drawn }) =>
      drawn === null ? [] : [[unit, { worths: drawn.worths, cost: rounded(cost) }] as const],
    ),
  );
  const fixed = sound.requests - sound.cases.reduce((sum, { requests }) => sum + requests, 0);
  return { version: 1, least: {}, fixed, overhead: 1, cases, kinds, draws };
}
