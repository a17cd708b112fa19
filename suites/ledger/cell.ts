import type { Endpoint } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { LedgerNode } from './node.ts';
import type { RelationId } from './relations.ts';

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
