import { allUnits } from '../../checks/units.ts';
import { type CaseOrder, type Rank, rankCases, rankDraws } from '../../engine/case-order.ts';
import { type Trim, trimToFit, untrimmed, within } from '../../engine/trim.ts';
import { drawing, learnOrder } from './learning.fixture.ts';
import type { SoundCase, SoundRun, ToldFault } from './told.fixture.ts';

/** The cases of a unit, with what an order says that each is worth, and what each costs. */
interface Ranked {
  readonly cases: readonly SoundCase[];
  readonly ranks: readonly Rank[];
}

/** The cases of a sound run, ranked by an order. */
export function rankedBy(order: CaseOrder, { cases }: SoundRun): readonly Ranked[] {
  return allUnits().flatMap((unit): Ranked[] => {
    const own = cases.filter(one => one.unit === unit.id);
    if (own.length === 0) return [];
    if (drawing.has(unit.check.id)) {
      const inOrder = [...own].sort((a, b) => Number(a.path) - Number(b.path));
      return [{ cases: inOrder, ranks: rankDraws(unit, own.length, order) }];
    }
    const described = own.map(({ path, title, pointer }) => ({ id: path, description: { title, pointer } }));
    return [{ cases: own, ranks: rankCases(unit, described, 1, order) }];
  });
}

/** What a run sends of ranked cases: their ids (`endpoint/check#path`), and how many requests. */
export function sentOf(ranked: readonly Ranked[], trim: Trim) {
  const sent = ranked.flatMap(({ cases, ranks }) => within(ranks, trim).map(index => cases[index] as SoundCase));
  return {
    ids: new Set(sent.map(({ unit, path }) => `${unit}#${path}`)),
    requests: sent.reduce((sum, { requests }) => sum + requests, 0),
  };
}

/** True where one of the cases sent shows the fault. */
export const isShownBy = ({ told }: ToldFault, sent: ReadonlySet<string>): boolean =>
  Object.entries(told).some(([unit, paths]) => paths.some(path => sent.has(`${unit}#${path}`)));

/** What a run of so many requests in all sends by an order. */
export const sentWithin = (order: CaseOrder, sound: SoundRun, requests: number) => {
  const ranked = rankedBy(order, sound);
  const budget = requests - order.fixed;
  return sentOf(ranked, trimToFit(ranked, untrimmed, budget, { because: '', remedy: '' }));
};

/** How many faults are found with so many requests: by what was learned of all, and by what was learned of others. */
export interface CurvePoint {
  readonly requests: number;
  readonly found: number;
  readonly foundUnseen: number;
}

/** In so many parts the faults are dealt out: each is looked for by what was learned of the other parts. */
const folds = 5;

/** The faults found over the number of requests, with the order and cross-validated. */
export function curveOf(
  told: readonly ToldFault[],
  sound: SoundRun,
  steps: readonly number[],
  order: CaseOrder = learnOrder(told, sound),
): readonly CurvePoint[] {
  const parts = Array.from({ length: folds }, (_, fold) => ({
    order: learnOrder(
      told.filter((_one, index) => index % folds !== fold),
      sound,
    ),
    unseen: told.filter((_one, index) => index % folds === fold),
  }));
  return steps.map(requests => {
    const { ids } = sentWithin(order, sound, requests);
    const unseen = parts.map(part => {
      const sent = sentWithin(part.order, sound, requests).ids;
      return part.unseen.filter(fault => isShownBy(fault, sent)).length;
    });
    return {
      requests,
      found: told.filter(fault => isShownBy(fault, ids)).length,
      foundUnseen: unseen.reduce((sum, count) => sum + count, 0),
    };
  });
}
