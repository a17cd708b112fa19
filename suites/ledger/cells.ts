import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import type { Fixtures } from '../../contracts/target.ts';
import { bodyNodes, type LedgerNode, ledgerNodes } from './node.ts';
import { type Relation, type RelationId, relationIds, relations } from './relations.ts';

/** One thing to try at one place of one operation, as the contract suggests. */
export interface Cell {
  /** `operation relation place variant`, unique among all cells. */
  readonly id: string;
  readonly relation: RelationId;
  readonly endpoint: EndpointId;
  readonly row: Endpoint;
  /** A place of the body or of `data`; null if the cell concerns an operation or a fixture. */
  readonly node: LedgerNode | null;
  /** A member, bound, sibling or fixture, if the relation has several cells here; otherwise empty. */
  readonly variant: string;
}

/** Returns the table row of a relation. */
export const relationOf = ({ relation }: Pick<Cell, 'relation'>): Relation => relations[relation];

/** Returns the names of an operation's fixtures in a target file, as requests use them. */
export function fixtureNames({ fixture }: Endpoint, fixtures: Fixtures): readonly string[] {
  const named = fixture ? (fixtures[fixture] ?? []) : [];
  return named.map(one =>
    typeof one === 'string' ? one : 'id' in one && one.id !== undefined ? one.id : 'name' in one ? one.name : '',
  );
}

/** Returns the cells of one operation, relation by relation. */
export function cellsOf(endpoint: EndpointId, row: Endpoint, fixtures: Fixtures): readonly Cell[] {
  const names = fixtureNames(row, fixtures);
  const made = (relation: RelationId, node: LedgerNode | null, variants: readonly string[]): Cell[] =>
    variants.map(variant => ({
      id: [endpoint, relation, node?.path ?? '', variant].filter(part => part !== '').join(' '),
      relation,
      endpoint,
      row,
      node,
      variant,
    }));
  return relationIds.flatMap(id => {
    const relation: Relation = relations[id];
    if (relation.of === 'operation') return made(id, null, relation.cells(row, names));
    const nodes = relation.of === 'body' ? bodyNodes(row) : ledgerNodes(row.data).slice(1);
    return nodes.flatMap(node => made(id, node, relation.cells(node, row)));
  });
}

/** Returns every cell of some operations, by the contract and the fixtures of a target file. */
export const allCells = (fixtures: Fixtures, ids: readonly EndpointId[] = endpointIds): readonly Cell[] =>
  ids.flatMap(id => cellsOf(id, endpointRow(id), fixtures));
