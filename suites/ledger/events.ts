import type { EndpointId } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import type { CellGroup, CellsEvent } from '../../contracts/report/ledger.ts';
import { relationOf } from './cells.ts';
import type { CountedCell } from './ledger.ts';
import { type RelationId, relationIds } from './relations.ts';
import { seen } from './seen.ts';

/** What tells a cell from the others of its relation and operation. */
const placeOf = ({ cell: { node, variant } }: CountedCell): string =>
  [node?.path ?? '', variant].filter(part => part !== '').join(' ');

/** Cells that came to the same, as a group. */
function groupOf(own: readonly CountedCell[]): CellGroup {
  const { cell: _, ...state } = own[0] as CountedCell;
  return { ...state, cells: own.map(placeOf) };
}

/** What a relation sends, or of what is sent anyway, what counts. */
const whatOf = (id: RelationId): string =>
  relationOf({ relation: id }).price === 'free' ? seen[id].counts : relationOf({ relation: id }).sends;

const relationRow = (relation: RelationId, own: readonly CountedCell[]) => ({
  relation,
  what: whatOf(relation),
  tenths: Math.round(10 * relationOf({ relation }).weight),
  groups: [...grouped(own, ({ cell: _, ...state }) => JSON.stringify(state)).values()].map(groupOf),
});

/** What a run says of its cells, one event for each operation. */
export const cellsEvents = (counted: readonly CountedCell[]): readonly CellsEvent[] =>
  [...grouped(counted, ({ cell }): EndpointId => cell.endpoint)].map(([endpoint, all]) => {
    const byRelation = grouped(all, ({ cell }) => cell.relation);
    return {
      event: 'cells',
      endpoint,
      relations: relationIds.flatMap(id => {
        const own = byRelation.get(id);
        return own === undefined ? [] : [relationRow(id, own)];
      }),
    };
  });
