import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import type { Fixtures } from '../../contracts/target.ts';
import { bodyNodes, type LedgerNode, ledgerNodes } from './node.ts';
import { type Relation, type RelationId, relationIds, relations } from './relations.ts';

/** One thing that the contract suggests to try, of one place of one operation. */
export interface Cell {
  /** `operation relation place variant`, by which it is told apart from every other. */
  readonly id: string;
  readonly relation: RelationId;
  readonly endpoint: EndpointId;
  readonly row: Endpoint;
  /** A place of the body or of `data`; null of a cell of the operation or of a fixture. */
  readonly node: LedgerNode | null;
  /** Which of several: a member, a bound, a sibling, a fixture; the empty text where there is but one. */
  readonly variant: string;
}

/** The row of a relation. */
export const relationOf = ({ relation }: Pick<Cell, 'relation'>): Relation => relations[relation];

/** The fixtures of a target file that an operation has, by what names each in a request. */
export function fixtureNames({ fixture }: Endpoint, fixtures: Fixtures): readonly string[] {
  const named = fixture === null ? [] : (fixtures[fixture] ?? []);
  return named.map(one =>
    typeof one === 'string' ? one : 'id' in one && one.id !== undefined ? one.id : 'name' in one ? one.name : '',
  );
}

/** The cells of one operation, relation by relation. */
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

/** Every cell of the contract, and of the fixtures of a target file. */
export const allCells = (fixtures: Fixtures): readonly Cell[] =>
  endpointIds.flatMap(id => cellsOf(id, endpointRow(id), fixtures));
