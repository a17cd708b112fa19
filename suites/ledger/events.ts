import type { EndpointId } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import type { CellGroup, CellsEvent } from '../../contracts/report/ledger.ts';
import { relationOf } from './cells.ts';
import type { CountedCell } from './ledger.ts';
import { type RelationId, relationIds } from './relations.ts';

/** Returns the name of a cell within its relation and operation. */
const placeOf = ({ cell: { node, variant } }: CountedCell): string =>
  [node?.path ?? '', variant].filter(part => part !== '').join(' ');

/** Groups cells of equal state. */
function groupOf(own: readonly CountedCell[]): CellGroup {
  const { cell: _, ...state } = own[0] as CountedCell;
  return { ...state, cells: own.map(placeOf) };
}

/** Tells what a relation sends; if it needs no requests of its own, what counts for it. */
function relationRow(relation: RelationId, own: readonly CountedCell[]) {
  const { price, counts, sends, weight } = relationOf({ relation });
  return {
    relation,
    what: price === 'free' ? counts : sends,
    tenths: Math.round(10 * weight),
    groups: [...grouped(own, ({ cell: _, ...state }) => JSON.stringify(state)).values()].map(groupOf),
  };
}

/** Returns the events on the cells of a run, one for each operation. */
export const cellsEvents = (counted: readonly CountedCell[]): readonly CellsEvent[] =>
  [...grouped(counted, ({ cell }): EndpointId => cell.endpoint)].map(([endpoint, all]) => {
    const byRelation = grouped(all, ({ cell }) => cell.relation);
    return {
      event: 'cells',
      endpoint,
      relations: relationIds.flatMap(id => {
        const own = byRelation.get(id);
        return own ? [relationRow(id, own)] : [];
      }),
    };
  });
