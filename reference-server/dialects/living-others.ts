import { othersAct, othersChange, othersMove, perServer, rotated } from '../decorators/index.ts';
import type { ConfigHistory, LoggedEvent, Metric, QualifyingEvent, Segment } from '../entities.ts';
import { configs, type DialectTable, experiments, gates, metrics, pagesMove, sources } from './dialect.ts';

/** Services that others use at the same time: people edit, jobs run, events are logged, independently of the run. */

const byOthers = { lastModifierID: 'user-brice', lastModifierName: 'Brice Lambert' };

const grown = (list: readonly Segment[], count: number): readonly Segment[] =>
  Array.from({ length: count }, (_, index) => ({ ...(list[0] as Segment), id: `by_others_${index}`, ...byOthers }));

/** Every third request finds one more segment. */
const grows = othersMove('segments', (list, seen) => [...list, ...grown(list, Math.floor(seen / 3))]);

const sourcesGrow = othersMove('qualifyingEvents', (list, seen) => [
  ...Array.from(
    { length: Math.floor(seen / 4) },
    (_, index): QualifyingEvent => ({
      ...(list.at(-1) as QualifyingEvent),
      name: `by_others_${index}`,
    }),
  ).toReversed(),
  ...list,
]);

const record = (name: string, number: number): LoggedEvent => ({
  timestamp: String(1_760_000_000_000 + number * 997),
  name,
  source: 'web',
  value: String(number),
  userID: `user-${number % 1000}`,
  metadata: { number: String(number) },
});
/** Adds two records of each event with every request, at the top, because the newest come first. */
const logged = (window: boolean) =>
  othersAct(1, async (transaction, turn) => {
    for (const log of await transaction.list('events')) {
      const fresh = [record(log.name, 2 * turn), record(log.name, 2 * turn - 1)];
      const kept = window ? log.records.slice(0, -2) : log.records;
      await transaction.put('events', log.name, { ...log, records: [...fresh, ...kept] });
    }
  });

/** Others create a metric over the first event. */
const metricsGrow = othersAct(15, async (transaction, turn) => {
  const [model] = await transaction.list('metrics');
  const name = `by_others_${turn}`;
  const metric = { ...(model as Metric), name, id: `${name}::event_count`, type: 'event_count' };
  await transaction.put('metrics', metric.id, metric);
});

/** Somebody cleans up once: the metrics that were created since the first request go. */
const metricsGo = perServer(() => {
  let lasting: readonly Metric[] = [];
  return othersAct(1, async (transaction, turn) => {
    const all = await transaction.list('metrics');
    if (turn === 1) lasting = all;
    if (turn !== 60) return;
    for (const { id } of all) if (!lasting.some(one => one.id === id)) await transaction.remove('metrics', id);
  });
});

const savesVersions = othersChange(5, 'configs', ({ versions }: ConfigHistory, turn) => ({
  versions: [
    { ...(versions[0] as ConfigHistory['versions'][0]), version: versions.length + 1, checksPerHour: turn },
    ...versions,
  ],
}));

/** Others change the id type of the current version back and forth. */
const turnsRules = othersChange(3, 'configs', ({ versions: [first, ...rest] }: ConfigHistory, turn) => ({
  versions: [{ ...(first as ConfigHistory['versions'][0]), idType: turn % 2 === 0 ? 'userID' : 'stableID' }, ...rest],
}));

const edited = (turn: number) => ({ description: `Edited by Brice, ${turn} times.` });
const tagged = (turn: number) => ({ tags: ['Core', `by_brice_${turn}`] });

const paged = pagesMove('list-segments');

// biome-ignore format: a table
export const othersDialects: DialectTable = [
  ['others-add-segments',         '4.12', 'list-segments',                              'gains a segment with every third look, at the end',                           grows, paged],
  ['others-add-segments-at-top',  '4.12', 'list-segments',                              'gains a segment with every third look, at the top',                           othersMove('segments', (list, seen) => [...grown(list, Math.floor(seen / 3)).toReversed(), ...list]), paged],
  ['others-remove-segments',      '4.12', 'list-segments',                              'loses a segment with every tenth look',                                       othersMove('segments', (list, seen) => list.slice(Math.min(list.length - 3, Math.floor(seen / 10)))), paged],
  ['others-reorder-segments',     '4.12', 'list-segments',                              'sorts segments by what others use, which changes all the time',               othersMove('segments', (list, seen) => rotated(list, Math.floor(seen / 2))), { ...paged, mayWarn: ['pagination.complete'] }],
  ['others-toggle-a-segment',     '4.12', 'list-segments',                              'has a segment that comes and goes',                                           othersMove('segments', (list, seen) => (seen % 3 === 0 ? list.slice(1) : list)), paged],
  ['others-fill-segments',        '2.8',  'list-segments',                              'counts the members of segments, who come and go',                             othersMove('segments', (list, seen) => list.map(one => ({ ...one, count: (one.count ?? 0) + seen })))],
  ['others-add-sources',          '4.11', 'list-qualifying-events',                     'gains a metric source with every fourth look, at the top',                    sourcesGrow, pagesMove('list-qualifying-events')],
  ['others-log-events',           '4.15', 'list-events',                                'logs two more of every event with every request, and shows the newest first', logged(false), { ...pagesMove('list-events'), changes: ['events'] }],
  ['others-log-events-in-window', '4.15', 'list-events',                                'logs two more of every event with every request, and drops the two oldest',   logged(true), { ...pagesMove('list-events'), changes: ['events'] }],
  ['others-create-metrics',       '4.14', metrics,      'gains a metric over the fixture event with every fifteenth request',          metricsGrow, { ...pagesMove('list-event-metrics'), changes: ['metrics'] }],
  ['others-remove-metrics',       '4.14', metrics,      'loses the metrics that were created, once, as somebody cleans up',            metricsGo, { ...pagesMove('list-event-metrics'), changes: ['metrics'], mayWarn: ['state.metric-listed'] }],
  ['others-verify-metrics',       '4.14', metrics,      'has a team that verifies metrics and takes that back',                        othersChange(3, 'metrics', (_metric, turn) => ({ isVerified: turn % 2 === 0 })), { changes: ['metrics'] }],
  ['others-save-configs',         '4.2',  configs, 'gains a version of every config with every fifth request',                    savesVersions, { ...pagesMove('list-config-versions'), changes: ['configs'] }],
  ['others-turn-configs',         '4.2',  configs, 'has a version of every config changed back and forth with every third request', turnsRules, { changes: ['configs'] }],
  ['others-check-configs',        '2.4',  configs, 'counts how often configs are checked, which never stands still',              othersChange(2, 'configs', ({ versions }: ConfigHistory, turn) => ({ versions: versions.map(version => ({ ...version, checksPerHour: turn }))})), { changes: ['configs'] }],
  ['others-edit-gates',           '4.6',  gates,               'has people who edit gates that are no fixtures',                              othersChange(3, 'gates', (_gate, turn) => edited(turn), ['audit_log', 'beta_reports']), { changes: ['gates/audit_log', 'gates/beta_reports'] }],
  ['others-edit-fixture-gates',   '4.6',  gates,               'has people who edit a gate beside the one that is written to',                othersChange(7, 'gates', (_gate, turn) => tagged(turn), ['dark_mode']), { changes: ['gates/dark_mode/tags'] }],
  ['others-edit-sources',         '4.3',  sources, 'has people who edit metric sources that are no fixtures',                     othersChange(3, 'qualifyingEvents', (_source, turn) => edited(turn), ['logins_recent', 'reviews_daily']), { changes: ['qualifyingEvents/logins_recent', 'qualifyingEvents/reviews_daily'] }],
  ['others-edit-fixture-sources', '4.3',  sources, 'has people who edit a source beside the one that is written to',              othersChange(7, 'qualifyingEvents', (_source, turn) => tagged(turn), ['purchases_recent']), { changes: ['qualifyingEvents/purchases_recent/tags'] }],
  ['job-moves-gate-status',       '3',    gates,               'has a job that moves status and reason of gates',                             othersChange(4, 'gates', (_gate, turn, index) => ({ status: ['In Progress', 'Launched', 'Archived'][(turn + index) % 3] as string, typeReason: turn % 2 === 0 ? 'NONE' : 'STALE' })), { changes: ['gates/*/status', 'gates/*/typeReason'] }],
  ['job-counts-gate-checks',      '2.3',  gates,               'counts how often gates are checked, which never stands still',                othersChange(1, 'gates', (_gate, turn, index) => ({ checksPerHour: 100 * index + turn })), { changes: ['gates/*/checksPerHour'] }],
  ['job-stamps-gates',            '9',    gates,               'has a job that saves gates again: stamps and versions move, nothing else',    othersChange(2, 'gates', (gate, turn) => ({ ...byOthers, lastModifiedTime: 1_760_000_000_000 + turn, version: (gate.version ?? 0) + 1 }))],
  ['job-checks-experiments',      '2.5',  experiments,       'has a job that computes health checks and quality scores again',              othersChange(1, 'experiments', (_experiment, turn) => ({ isStale: turn % 2 === 0, qualityScore: { score: turn % 100, breakdown: [] }, healthChecks: [{ name: 'Balanced exposures', description: `Computed ${turn} times.`, metadata: { type: 'srm', p_value: 1 / turn } }] })), { changes: ['experiments'], mayBeUntested: { checks: ['enable-groups/table-notes'] } }],
];
