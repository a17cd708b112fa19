import type { EndpointId } from '../../contracts/endpoints.ts';
import { aheadOnce, behindBy, cachedByUrl, fieldsLate, latestLast } from '../decorators/caches.ts';
import { both } from '../decorators/layers.ts';
import { emptyPatchReads } from '../decorators/replicas.ts';
import type { CollectionName } from '../entities.ts';
import { type Dialect, lists } from './dialect.ts';

/** Services with caches, indexes and several replicas; each reading may come from another one. */

const listed: readonly CollectionName[] = ['qualifyingEvents', 'metrics', 'configs', 'segments', 'events'];
const shownBy: readonly EndpointId[] = [...lists, 'update-qualifying-event', 'create-metric'];
const gates: readonly EndpointId[] = ['patch-gate', 'disable-gate'];
const sources: readonly EndpointId[] = ['update-qualifying-event', 'list-qualifying-events'];
const metrics: readonly EndpointId[] = ['create-metric', 'list-event-metrics'];
const second = 1000;

const ownLags: Partial<Record<CollectionName, number>> = { qualifyingEvents: second, metrics: 400, configs: 700 };
const eachItsOwn = behindBy(collection => ownLags[collection] ?? 0, second, listed);

const replicas = [0, 300, 900];
const inTurn = (_collection: CollectionName, reading: number): number => replicas[reading % replicas.length] ?? 0;
/** Chooses the replica of a reading pseudo-randomly, by a linear congruence over its number. */
const byChance = (_collection: CollectionName, reading: number): number =>
  replicas[Math.floor((reading * 1_103_515_245 + 12_345) / 65_536) % replicas.length] ?? 0;

// biome-ignore format: a table
export const cacheDialects: readonly Dialect[] = [
  { id: 'lists-late-each-its-own',  section: '4.11 to 4.15', title: 'lists every kind with a delay of its own',                                 endpoints: shownBy, behindMs: second, decorator: eachItsOwn },
  { id: 'lists-from-three-replicas', section: '4.11 to 4.15', title: 'lists from three replicas in turn, two of them behind',                    endpoints: shownBy, behindMs: 900, decorator: behindBy(inTurn, 900, listed) },
  { id: 'lists-from-any-replica',   section: '4.11 to 4.15', title: 'lists from one of three replicas, whichever comes',                        endpoints: shownBy, behindMs: 900, decorator: behindBy(byChance, 900, listed) },
  { id: 'lists-ahead-once',         section: '4.11 to 4.15', title: 'lists a change at once, then four times what was before it, and then the change', endpoints: shownBy, behindMs: second, decorator: aheadOnce(4, second, listed) },
  { id: 'lists-cached-by-query',    section: '4.11 to 4.15', title: 'lists from a cache of each page at each limit, for 0.7 seconds',            endpoints: lists, behindMs: 700, decorator: cachedByUrl(700) },
  { id: 'source-index-late',        section: '4.11',         title: 'lists tags and descriptions of sources from an index that is behind',      endpoints: sources, behindMs: 600, decorator: fieldsLate(600, 'qualifyingEvents', ['tags', 'description']) },
  { id: 'sources-latest-last',      section: '4.11',         title: 'lists the source last that was changed last',                             endpoints: sources, decorator: latestLast('qualifyingEvents') },
  { id: 'metrics-latest-first-late', section: '4.14',        title: 'lists metrics half a second late',                                         endpoints: metrics, behindMs: 500, decorator: behindBy((_metrics, reading) => (reading % 4 === 0 ? 0 : 500), 500, ['metrics']) },
  { id: 'gate-reads-ahead-once',    section: '4.6',          title: 'shows a change of a gate at once, then three times what was before it, and then the change', endpoints: gates, behindMs: second, decorator: both(aheadOnce(3, second, ['gates']), emptyPatchReads) },
  { id: 'gate-reads-from-three-replicas', section: '4.6',    title: 'reads gates from three replicas in turn, two of them behind',              endpoints: gates, behindMs: 900, decorator: both(behindBy(inTurn, 900, ['gates']), emptyPatchReads) },
  { id: 'gate-reads-from-any-replica', section: '4.6',       title: 'reads gates from one of three replicas, whichever comes',                  endpoints: gates, behindMs: 900, decorator: both(behindBy(byChance, 900, ['gates']), emptyPatchReads) },
];
