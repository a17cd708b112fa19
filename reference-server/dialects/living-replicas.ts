import {
  both,
  counting,
  emptyPatchReads,
  late,
  lateByReads,
  type Mutable,
  onBody,
  othersMove,
  replicasInTurn,
} from '../decorators/index.ts';
import { type DialectTable, gates, listed, listedKinds, pagesMove } from './dialect.ts';

/** Services that read from replicas, which lag by up to a second. */

const second = 1000;
const briefly = 250;

/** Two replicas in turn, which list the same segments in different orders. */
const twoOrders = othersMove('segments', (list, seen) => (seen % 2 === 0 ? list.toReversed() : list));

/** Members that one of two servers in turn does not know yet. */
const added = ['owner', 'team', 'creatorName', 'creatorEmail', 'permalink'];

const halfDeployed = counting(next =>
  onBody(({ data }) => {
    const isOld = next() % 2 === 0;
    for (const entity of isOld ? ([data].flat() as Mutable[]) : []) for (const name of added) delete entity[name];
  }),
);

// biome-ignore format: a table
export const replicaDialects: DialectTable = [
  ['lists-late-by-reads',          '4.11 to 4.15', listed, 'shows a write in lists after three more readings',                        lateByReads(3, briefly, listedKinds), { behindMs: briefly }],
  ['lists-late-by-a-second',       '4.11 to 4.15', listed, 'lists from a replica that is a second behind',                            late(second, listedKinds), { behindMs: second }],
  ['lists-from-two-replicas',      '4.11 to 4.15', listed, 'lists from two replicas in turn, one of them half a second behind',       replicasInTurn(second / 2, listedKinds), { behindMs: second / 2 }],
  ['lists-late-now-and-then',      '4.11 to 4.15', listed, 'lists from 23 replicas in turn, one of them half a second behind',        replicasInTurn(second / 2, listedKinds, 23), { behindMs: second / 2, mayWarn: ['state.qualifying-event-visible'] }],
  ['lists-in-two-orders',          '4.12',         'list-segments',                              'lists segments from two replicas in turn, each in its own order',         twoOrders, { ...pagesMove('list-segments'), mayWarn: ['pagination.complete'] }],
  ['lists-half-deployed',          '4.11, 4.14',   ['list-qualifying-events', 'list-event-metrics'], 'lists from two servers in turn, one of which does not know some optional members yet', halfDeployed],
  ['gate-reads-late-by-reads',     '4.6',          gates,               'shows a write to a gate after three more readings',                       both(lateByReads(3, briefly, ['gates']), emptyPatchReads), { behindMs: briefly }],
  ['gate-reads-late-by-a-second',  '4.6',          gates,               'reads gates from a replica that is a second behind',                      both(late(second, ['gates']), emptyPatchReads), { behindMs: second, mayBeAccusedInTraffic: ['state.concurrent-fields'] }],
  ['gate-reads-from-two-replicas', '4.6',          gates,               'reads gates from two replicas in turn, one of them half a second behind', both(replicasInTurn(second / 2, ['gates']), emptyPatchReads), { behindMs: second / 2 }],
];
