import { othersAct, othersChange, othersMove } from '../decorators/living.ts';
import type { ConfigHistory, LoggedEvent, Metric, QualifyingEvent, Segment } from '../entities.ts';
import type { Dialect } from './dialect.ts';

/** Services that others use at the same time: people edit, jobs run, events are logged. Nothing of it is our doing. */

const byOthers = { lastModifierID: 'user-brice', lastModifierName: 'Brice Lambert' };

const grown = (list: readonly Segment[], count: number): readonly Segment[] =>
  Array.from({ length: count }, (_, index) => ({ ...(list[0] as Segment), id: `by_others_${index}`, ...byOthers }));

const rotated = <T>(list: readonly T[], by: number): readonly T[] => {
  const at = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
};

/** Every third request finds one more. */
const grows = othersMove('segments', (list, seen) => [...list, ...grown(list, Math.floor(seen / 3))]);
const growsAtTop = othersMove('segments', (list, seen) => [...grown(list, Math.floor(seen / 3)).toReversed(), ...list]);
const shrinks = othersMove('segments', (list, seen) => list.slice(Math.min(list.length - 3, Math.floor(seen / 10))));
const reorders = othersMove('segments', (list, seen) => rotated(list, Math.floor(seen / 2)));
const comesAndGoes = othersMove('segments', (list, seen) => (seen % 3 === 0 ? list.slice(1) : list));
const counted = othersMove('segments', (list, seen) => list.map(one => ({ ...one, count: (one.count ?? 0) + seen })));

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
/** Two more of each event with every request: at the top, where the newest stands. */
const logged = (window: boolean) =>
  othersAct(1, async (transaction, turn) => {
    for (const log of await transaction.list('events')) {
      const fresh = [record(log.name, 2 * turn), record(log.name, 2 * turn - 1)];
      const kept = window ? log.records.slice(0, -2) : log.records;
      await transaction.put('events', log.name, { ...log, records: [...fresh, ...kept] });
    }
  });

/** Somebody creates a metric over the first event. */
const metricsGrow = othersAct(15, async (transaction, turn) => {
  const [model] = await transaction.list('metrics');
  const name = `by_others_${turn}`;
  const metric = { ...(model as Metric), name, id: `${name}::event_count`, type: 'event_count' };
  await transaction.put('metrics', metric.id, metric);
});

const savesVersions = othersChange(5, 'configs', ({ versions }: ConfigHistory, turn) => ({
  versions: [
    { ...(versions[0] as ConfigHistory['versions'][0]), version: versions.length + 1, checksPerHour: turn },
    ...versions,
  ],
}));
const configChecks = othersChange(2, 'configs', ({ versions }: ConfigHistory, turn) => ({
  versions: versions.map(version => ({ ...version, checksPerHour: turn })),
}));

const edited = (turn: number) => ({ description: `Edited by Brice, ${turn} times.` });
const tagged = (turn: number) => ({ tags: ['Core', `by_brice_${turn}`] });

// biome-ignore format: a table
export const othersDialects: readonly Dialect[] = [
  { id: 'others-add-segments',         section: '4.12', title: 'gains a segment with every third look, at the end',                     endpoints: ['list-segments'], mayBeUntested: { checks: ['list-segments/pagination*'] }, decorator: grows },
  { id: 'others-add-segments-at-top',  section: '4.12', title: 'gains a segment with every third look, at the top',                     endpoints: ['list-segments'], mayBeUntested: { checks: ['list-segments/pagination*'] }, decorator: growsAtTop },
  { id: 'others-remove-segments',      section: '4.12', title: 'loses a segment with every tenth look',                                 endpoints: ['list-segments'], mayBeUntested: { checks: ['list-segments/pagination*'] }, decorator: shrinks },
  { id: 'others-reorder-segments',     section: '4.12', title: 'sorts segments by what others use, which changes all the time',         endpoints: ['list-segments'], mayBeUntested: { checks: ['list-segments/pagination*'] }, mayWarn: ['pagination.complete'], decorator: reorders },
  { id: 'others-toggle-a-segment',     section: '4.12', title: 'has a segment that comes and goes',                                     endpoints: ['list-segments'], mayBeUntested: { checks: ['list-segments/pagination*'] }, decorator: comesAndGoes },
  { id: 'others-fill-segments',        section: '2.8',  title: 'counts the members of segments, who come and go',                       endpoints: ['list-segments'], decorator: counted },
  { id: 'others-add-sources',          section: '4.11', title: 'gains a metric source with every fourth look, at the top',              endpoints: ['list-qualifying-events'], mayBeUntested: { checks: ['list-qualifying-events/pagination*'] }, decorator: sourcesGrow },
  { id: 'others-log-events',           section: '4.15', title: 'logs two more of every event with every request, and shows the newest first', endpoints: ['list-events'], mayBeUntested: { checks: ['list-events/pagination*'] }, changes: ['events'], decorator: logged(false) },
  { id: 'others-log-events-in-window', section: '4.15', title: 'logs two more of every event with every request, and drops the two oldest', endpoints: ['list-events'], mayBeUntested: { checks: ['list-events/pagination*'] }, changes: ['events'], decorator: logged(true) },
  { id: 'others-create-metrics',       section: '4.14', title: 'gains a metric over the fixture event with every fifteenth request',    endpoints: ['create-metric', 'list-event-metrics'], mayBeUntested: { checks: ['list-event-metrics/pagination*'] }, changes: ['metrics'], decorator: metricsGrow },
  { id: 'others-verify-metrics',       section: '4.14', title: 'has a team that verifies metrics and takes that back',                  endpoints: ['create-metric', 'list-event-metrics'], changes: ['metrics'], decorator: othersChange(3, 'metrics', (_metric, turn) => ({ isVerified: turn % 2 === 0 })) },
  { id: 'others-save-configs',         section: '4.2',  title: 'gains a version of every config with every fifth request',              endpoints: ['list-config-versions', 'disable-config', 'archive-config'], mayBeUntested: { checks: ['list-config-versions/pagination*'] }, changes: ['configs'], decorator: savesVersions },
  { id: 'others-check-configs',        section: '2.4',  title: 'counts how often configs are checked, which never stands still',        endpoints: ['list-config-versions', 'disable-config', 'archive-config'], changes: ['configs'], decorator: configChecks },
  { id: 'others-edit-gates',           section: '4.6',  title: 'has people who edit gates that are no fixtures',                        endpoints: ['patch-gate', 'disable-gate'], changes: ['gates/audit_log', 'gates/beta_reports'], decorator: othersChange(3, 'gates', (_gate, turn) => edited(turn), ['audit_log', 'beta_reports']) },
  { id: 'others-edit-fixture-gates',   section: '4.6',  title: 'has people who edit a gate beside the one that is written to',          endpoints: ['patch-gate', 'disable-gate'], changes: ['gates/dark_mode/tags'], decorator: othersChange(7, 'gates', (_gate, turn) => tagged(turn), ['dark_mode']) },
  { id: 'others-edit-sources',         section: '4.3',  title: 'has people who edit metric sources that are no fixtures',               endpoints: ['update-qualifying-event', 'list-qualifying-events'], changes: ['qualifyingEvents/logins_recent', 'qualifyingEvents/reviews_daily'], decorator: othersChange(3, 'qualifyingEvents', (_source, turn) => edited(turn), ['logins_recent', 'reviews_daily']) },
  { id: 'others-edit-fixture-sources', section: '4.3',  title: 'has people who edit a source beside the one that is written to',        endpoints: ['update-qualifying-event', 'list-qualifying-events'], changes: ['qualifyingEvents/purchases_recent/tags'], decorator: othersChange(7, 'qualifyingEvents', (_source, turn) => tagged(turn), ['purchases_recent']) },
  { id: 'job-moves-gate-status',       section: '3',    title: 'has a job that moves status and reason of gates',                       endpoints: ['patch-gate', 'disable-gate'], changes: ['gates/*/status', 'gates/*/typeReason'], decorator: othersChange(4, 'gates', (_gate, turn, index) => ({ status: ['In Progress', 'Launched', 'Archived'][(turn + index) % 3] as string, typeReason: turn % 2 === 0 ? 'NONE' : 'STALE' })) },
  { id: 'job-counts-gate-checks',      section: '2.3',  title: 'counts how often gates are checked, which never stands still',          endpoints: ['patch-gate', 'disable-gate'], changes: ['gates/*/checksPerHour'], decorator: othersChange(1, 'gates', (_gate, turn, index) => ({ checksPerHour: 100 * index + turn })) },
  { id: 'job-stamps-gates',            section: '9',    title: 'has a job that saves gates again: stamps and versions move, nothing else', endpoints: ['patch-gate', 'disable-gate'], decorator: othersChange(2, 'gates', (gate, turn) => ({ ...byOthers, lastModifiedTime: 1_760_000_000_000 + turn, version: (gate.version ?? 0) + 1 })) },
  { id: 'job-checks-experiments',      section: '2.5',  title: 'has a job that computes health checks and quality scores again',        endpoints: ['update-experiment', 'enable-groups'], changes: ['experiments'], decorator: othersChange(1, 'experiments', (_experiment, turn) => ({ isStale: turn % 2 === 0, qualityScore: { score: turn % 100, breakdown: [] }, healthChecks: [{ name: 'Balanced exposures', description: `Computed ${turn} times.`, metadata: { type: 'srm', p_value: 1 / turn } }] })) },
];
