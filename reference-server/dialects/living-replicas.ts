import { both } from '../decorators/layers.ts';
import { othersMove } from '../decorators/living.ts';
import { emptyPatchReads, lateByReads, replicasInTurn } from '../decorators/replicas.ts';
import { late } from '../decorators/stores.ts';
import type { CollectionName } from '../entities.ts';
import { type Dialect, lists } from './dialect.ts';

/** Services whose readings come from replicas, up to a second behind what was written. */

const listed: readonly CollectionName[] = ['qualifyingEvents', 'metrics', 'configs', 'segments', 'events'];
const second = 1000;
const briefly = 250;

/** Two replicas in turn, which keep the same segments in different orders. */
const twoOrders = othersMove('segments', (list, seen) => (seen % 2 === 0 ? list.toReversed() : list));

// biome-ignore format: a table
export const replicaDialects: readonly Dialect[] = [
  { id: 'lists-late-by-reads',         section: '4.11 to 4.15', title: 'shows a write in lists after three more readings',                     endpoints: [...lists, 'update-qualifying-event', 'create-metric'], behindMs: briefly, decorator: lateByReads(3, briefly, listed) },
  { id: 'lists-late-by-a-second',      section: '4.11 to 4.15', title: 'lists from a replica that is a second behind',                         endpoints: [...lists, 'update-qualifying-event', 'create-metric'], behindMs: second, decorator: late(second, listed) },
  { id: 'lists-from-two-replicas',     section: '4.11 to 4.15', title: 'lists from two replicas in turn, one of them half a second behind',    endpoints: [...lists, 'update-qualifying-event', 'create-metric'], behindMs: second / 2, decorator: replicasInTurn(second / 2, listed) },
  { id: 'lists-in-two-orders',         section: '4.12', title: 'lists segments from two replicas in turn, each in its own order',              endpoints: ['list-segments'], mayBeUntested: { checks: ['list-segments/pagination*'] }, mayWarn: ['pagination.complete'], decorator: twoOrders },
  { id: 'gate-reads-late-by-reads',    section: '4.6',  title: 'shows a write to a gate after three more readings',                            endpoints: ['patch-gate', 'disable-gate'], behindMs: briefly, decorator: both(lateByReads(3, briefly, ['gates']), emptyPatchReads) },
  { id: 'gate-reads-late-by-a-second', section: '4.6',  title: 'reads gates from a replica that is a second behind',                           endpoints: ['patch-gate', 'disable-gate'], behindMs: second, decorator: both(late(second, ['gates']), emptyPatchReads) },
  { id: 'gate-reads-from-two-replicas', section: '4.6', title: 'reads gates from two replicas in turn, one of them half a second behind',      endpoints: ['patch-gate', 'disable-gate'], behindMs: second / 2, decorator: both(replicasInTurn(second / 2, ['gates']), emptyPatchReads) },
];
