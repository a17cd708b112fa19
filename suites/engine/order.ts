import { endpoints } from '../../contracts/endpoints.ts';
import { effectOrder, isOneShot, lanes, type Unit } from '../checks/units.ts';

/** A place in the order of a lane: compared number by number. */
type Place = readonly number[];

function compared(a: Place, b: Place): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/**
 * The units with some of them as early as their lane allows. What cannot be undone still comes last, the checks that
 * need entities as they were found still come before those that change them (all up to the minimal request), and where
 * an operation works only once nothing moves.
 *
 * @param first ids of units, those of units that are not among `units` included
 */
export function withFirst(units: readonly Unit[], first: ReadonlySet<string>): readonly Unit[] {
  const isFirst = ({ id }: Unit): boolean => first.has(id);
  const early = new Set(units.filter(isFirst).map(({ endpoint }) => endpoint));
  const ids = [...new Set(units.map(({ endpoint }) => endpoint))];
  function placeWithin(unit: Unit, own: readonly Unit[]): number {
    if (isOneShot(unit.endpoint)) return 0;
    const untilMinimal = own.findIndex(({ check }) => check.role === 'minimal-request');
    if (own.indexOf(unit) <= untilMinimal) return 0;
    return isFirst(unit) ? 1 : 2;
  }
  const places = new Map(
    units.map((unit, index): [Unit, Place] => {
      const { endpoint, lane } = unit;
      const own = units.filter(one => one.endpoint === endpoint);
      const effect = effectOrder[endpoints[endpoint].effect];
      const within = placeWithin(unit, own);
      return [unit, [lanes.indexOf(lane), effect, Number(!early.has(endpoint)), ids.indexOf(endpoint), within, index]];
    }),
  );
  return units.toSorted((a, b) => compared(places.get(a) ?? [], places.get(b) ?? []));
}
