import {
  behindBy,
  both,
  cachedByUrl,
  emptyPatchReads,
  fieldsLate,
  lateByReads,
  latestLast,
  restBehind,
} from '../decorators/index.ts';
import type { CollectionName } from '../entities.ts';
import { type DialectTable, gates, listed, listedKinds, lists, metrics, sources } from './dialect.ts';

/** Services with caches, indexes and several replicas; each reading may come from another one. */

const second = 1000;

const ownLags: Partial<Record<CollectionName, number>> = { qualifyingEvents: second, metrics: 400, configs: 700 };
const eachItsOwn = behindBy(collection => ownLags[collection] ?? 0, second, listedKinds);

const replicas = [0, 300, 900];
const inTurn = (_collection: CollectionName, reading: number): number => replicas[reading % replicas.length] ?? 0;
/** Chooses the replica of a reading pseudo-randomly, by a linear congruence over its number. */
const byChance = (_collection: CollectionName, reading: number): number =>
  replicas[Math.floor((reading * 1_103_515_245 + 12_345) / 65_536) % replicas.length] ?? 0;

/** Lists metrics half a second late, but for every fourth reading. */
export const metricsLate = behindBy((_metrics, reading) => (reading % 4 === 0 ? 0 : 500), 500, ['metrics']);

// biome-ignore format: a table
export const cacheDialects: DialectTable = [
  ['lists-late-each-its-own',        '4.11 to 4.15', listed,   'lists every kind with a delay of its own',                                                   eachItsOwn, { behindMs: second }],
  ['lists-from-three-replicas',      '4.11 to 4.15', listed,   'lists from three replicas in turn, two of them behind',                                      behindBy(inTurn, 900, listedKinds), { behindMs: 900 }],
  ['lists-from-any-replica',         '4.11 to 4.15', listed,   'lists from one of three replicas, whichever comes',                                          behindBy(byChance, 900, listedKinds), { behindMs: 900 }],
  ['lists-ahead-once',               '4.11 to 4.15', listed,   'lists a change at once, then four times what was before it, and then the change',            lateByReads(4, second, listedKinds, true), { behindMs: second }],
  ['lists-cached-by-query',          '4.11 to 4.15', lists,   'lists from a cache of each page at each limit, for 0.7 seconds',                             cachedByUrl(700), { behindMs: 700 }],
  ['source-index-late',              '4.11',         sources, 'lists tags and descriptions of sources from an index that is behind',                        fieldsLate(600, 'qualifyingEvents', ['tags', 'description']), { behindMs: 600 }],
  ['sources-latest-last',            '4.11',         sources, 'lists the source last that was changed last',                                                latestLast('qualifyingEvents')],
  ['metrics-latest-first-late',      '4.14',         metrics, 'lists metrics half a second late',                                                           metricsLate, { behindMs: 500 }],
  ['gate-answers-behind',            '4.6',          'patch-gate', 'answers a patch with what it sends, and with all else as it was 0.7 seconds before',    restBehind(700), { behindMs: 700 }],
  ['gate-reads-ahead-once',          '4.6',          gates,   'shows a change of a gate at once, then three times what was before it, and then the change', both(lateByReads(3, second, ['gates'], true), emptyPatchReads), { behindMs: second }],
  ['gate-reads-from-three-replicas', '4.6',          gates,   'reads gates from three replicas in turn, two of them behind',                                both(behindBy(inTurn, 900, ['gates']), emptyPatchReads), { behindMs: 900 }],
  ['gate-reads-from-any-replica',    '4.6',          gates,   'reads gates from one of three replicas, whichever comes',                                    both(behindBy(byChance, 900, ['gates']), emptyPatchReads), { behindMs: 900 }],
];
