import { cachedByUrl } from '../../decorators/caches.ts';
import { worksBeforeRefusing } from '../../decorators/keys.ts';
import { counting, type Decorator, does } from '../../decorators/layers.ts';
import type { Mutable } from '../../decorators/members.ts';
import { aroundWork, onValidBody } from '../../decorators/operations.ts';
import { changingList } from '../../decorators/paging.ts';
import { onEntity, shownWith } from '../../decorators/responses.ts';
import { dry, refused, reserves } from '../../decorators/sequels.ts';
import { falsyIgnored, forgets, keepsWhere, stored, type WhenStored } from '../../decorators/stores.ts';
import { cut, to } from '../../decorators/values.ts';
import type { FaultTable } from '../fault.ts';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const changes =
  (field: string): WhenStored =>
  (value, before) =>
    JSON.stringify(value[field]) !== JSON.stringify(before[field]);

/** Loses a field if another changes with it. */
const lostBeside = (field: string, other: string) =>
  does(
    `\`${field}\` is lost where \`${other}\` changes with it.`,
    keepsWhere((value, before) => changes(field)(value, before) && changes(other)(value, before), field),
  );

/** Keeps the last item when a list is cleared. */
const keepsLastItem = (field: string) =>
  does(
    `Clearing \`${field}\` keeps the last item.`,
    stored(field, (now, before) => (list(now).length === 0 ? list(before).slice(-1) : now)),
  );

/** Keeps the old items behind the new ones when a list gets shorter. */
const keepsTail = (field: string) =>
  does(
    `\`${field}\` that gets shorter keeps what stood behind.`,
    stored(field, (now, before) => [...list(now), ...list(before).slice(list(now).length)]),
  );

/** Stores only the first two items of a list. */
const keepsTwo = (field: string) =>
  does(
    `Of \`${field}\` the first two items are stored.`,
    stored(field, now => list(now).slice(0, 2)),
  );

/** Loses a field with every third write. */
const thirdLoses = (field: string) =>
  does(
    `Every third write loses \`${field}\`.`,
    counting(next => keepsWhere(() => next() % 3 === 0, field)),
  );

const text = (value: unknown): string => String(value ?? '');
const taken = 'A metric of this name exists already.';
const whole = ['description', 'tags', 'isEnabled', 'type', 'measureMetricLifts'] as const;
const sourceMust = ['sql', 'timestampColumn', 'idTypeMapping'] as const;

/** Always shows the first total that was counted. */
const totalStands: Decorator = () => {
  const counted = new Map<string, unknown>();
  const standing = changingList((page, { param }) => {
    if (!counted.has(param)) counted.set(param, page.pagination.totalItems);
    page.pagination.totalItems = counted.get(param);
  });
  return { decorate: (id, handler) => (id === 'list-event-metrics' ? standing(handler) : handler) };
};

const every = 'state.patch-every-sent';
const only = 'state.patch-only-sent';
const visible = 'state.qualifying-event-visible';
const also = [
  'state.patch-only-sent',
  'state.concurrent-answers',
  'state.neighbours',
  'state.disable-gate-false',
  'state.disable-gate-frame',
] as const;
const beside = ['state.dry-run-qualifying-event', 'state.neighbours'] as const;

/** Which parts of a write are stored, for combined fields and in sequences. */
// biome-ignore format: a table
export const storedFaults: FaultTable = [
  ['gate-tags-lost-beside-type',         'patch-gate',                                 every, lostBeside('tags', 'type'), ...also],
  ['gate-type-lost-beside-lifts',        'patch-gate',                                 every, lostBeside('type', 'measureMetricLifts'), 'standard', ...also],
  ['gate-description-lost-beside-name',  'patch-gate',                                 every, lostBeside('description', 'name'), ...also],
  ['gate-enabled-lost-beside-tags',      'patch-gate',                                 every, lostBeside('isEnabled', 'tags'), ...also],
  ['gate-pipeline-lost-beside-creator',  'patch-gate',                                 every, lostBeside('idType', 'team'), 'standard', ...also],
  ['gate-lifts-lost-beside-description', 'patch-gate',                                 every, lostBeside('measureMetricLifts', 'description'), ...also],
  ['gate-tags-keep-their-last',          'patch-gate',                                 every, keepsLastItem('tags'), ...also],
  ['gate-tags-keep-their-tail',          'patch-gate',                                 every, keepsTail('tags'), ...also, 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-lifts-falsy-ignored-beside',    'patch-gate',                                 every,                       'A false `isEnabled` is taken for nothing, unless it stands alone.',   onValidBody(body => { const { isEnabled, ...rest } = body; return isEnabled === false && Object.keys(rest).length > 0 ? rest : body; }), 'standard', ...also, 'echo.sent-field'],
  ['gate-third-write-loses-tags',        'patch-gate',                                 every, thirdLoses('tags'), ...also, 'state.concurrent-fields'],
  ['gate-third-write-loses-type',        'patch-gate',                                 every, thirdLoses('type'), 'standard', ...also, 'state.concurrent-fields'],
  ['gate-third-write-loses-description', 'patch-gate',                                 every, thirdLoses('description'), ...also, 'state.concurrent-fields'],
  ['gate-empty-description-keeps-tags',  'patch-gate',                                 every,                       'An empty description leaves the tags as they were.',                  keepsWhere(({ description }) => description === '', 'tags'), 'standard', ...also],
  ['gate-disabled-keeps-type',           'patch-gate',                                 every,                       'While a gate is disabled its type stays.',                            keepsWhere((_value, { isEnabled }) => isEnabled === false, 'type'), ...also],
  ['gate-permanent-keeps-tags',          'patch-gate',                                 every,                       'The tags of a permanent gate stay.',                                  keepsWhere((_value, { type }) => type === 'PERMANENT', 'tags'), ...also, 'state.concurrent-values', 'state.concurrent-fields'],
  ['gate-permanent-for-ever',            'patch-gate',                                 every,                       'A permanent gate stays permanent.',                                   keepsWhere((_value, { type }) => type === 'PERMANENT', 'type'), ...also],
  ['gate-name-stored-short',             'patch-gate',                                 every, stored('name', cut(60)), ...also],
  ['gate-description-stored-short',      'patch-gate',                                 every, stored('description', cut(255)), ...also],
  ['gate-tags-second-lost',              'patch-gate',                                 every,                       'Of several tags the second is not stored.',                           stored('tags', tags => list(tags).filter((_, index) => index !== 1)), 'standard', ...also, 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-type-resets-lifts',             'patch-gate',                                 only,                        'A new type turns `measureMetricLifts` off.',                          stored('measureMetricLifts', to(false), changes('type')), 'standard', every, ...also.slice(1)],
  ['gate-lifts-resets-type',             'patch-gate',                                 only,                        '`measureMetricLifts` makes a gate temporary.',                        stored('type', to('TEMPORARY'), changes('measureMetricLifts')), 'standard', every, ...also.slice(1)],
  ['gate-tags-reset-description',        'patch-gate',                                 only,                        'New tags empty the description.',                                     stored('description', to(''), changes('tags')), every, ...also.slice(1), 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-team-resets-tags',              'patch-gate',                                 only,                        'Another team empties the tags.',                                      stored('tags', to([]), changes('team')), 'standard', every, ...also.slice(1)],
  ['gate-enabling-empties-tags',         'patch-gate',                                 only,                        'Enabling a gate empties its tags.',                                   stored('tags', to([]), (value, before) => value.isEnabled === true && before.isEnabled === false), 'standard', every, ...also.slice(1), 'state.concurrent-fields'],
  ['gate-refusal-switches-on',           'patch-gate',                                 'reject.no-trace', worksBeforeRefusing(400, 'isEnabled')],
  ['gate-refusal-keeps-tags',            'patch-gate',                                 'reject.no-trace', worksBeforeRefusing(400, 'tags')],
  ['gate-refusal-keeps-type',            'patch-gate',                                 'reject.no-trace', worksBeforeRefusing(400, 'type')],
  ['gate-refusal-keeps-lifts',           'patch-gate',                                 'reject.no-trace', worksBeforeRefusing(400, 'measureMetricLifts')],
  ['gate-refusal-keeps-all-but-text',    'patch-gate',                                 'reject.no-trace',           'A refused patch has stored everything but its texts.',                worksBeforeRefusing(400, ...whole.slice(1))],
  ['gate-refusal-keeps-team',            'patch-gate',                                 'reject.no-trace', worksBeforeRefusing(400, 'team')],
  ['gate-refusal-keeps-id-type',         'patch-gate',                                 'reject.no-trace', worksBeforeRefusing(400, 'idType')],

  ['source-tags-lost-beside-day',        'update-qualifying-event',                    visible, lostBeside('tags', 'timestampAsDay'), 'standard', ...beside],
  ['source-day-lost-beside-description', 'update-qualifying-event',                    visible, lostBeside('timestampAsDay', 'description'), ...beside],
  ['source-fields-lost-beside-tags',     'update-qualifying-event',                    visible, lostBeside('customFieldMapping', 'tags'), 'standard', ...beside],
  ['source-tags-keep-their-last',        'update-qualifying-event',                    visible, keepsLastItem('tags'), ...beside],
  ['source-fields-keep-their-last',      'update-qualifying-event',                    visible, keepsLastItem('customFieldMapping'), ...beside],
  ['source-third-mapping-not-stored',    'update-qualifying-event',                    visible, keepsTwo('idTypeMapping'), ...beside],
  ['source-tags-keep-their-tail',        'update-qualifying-event',                    visible, keepsTail('tags'), ...beside, 'state.concurrent-values'],
  ['source-fields-not-stored',           'update-qualifying-event',                    visible, forgets('customFieldMapping'), ...beside],
  ['source-cure-not-stored',             'update-qualifying-event',                    visible, forgets('disableCURE'), ...beside],
  ['source-tags-not-stored',             'update-qualifying-event',                    visible, forgets('tags'), ...beside, 'state.concurrent-values'],
  ['source-day-once-set',                'update-qualifying-event',                    visible, falsyIgnored('timestampAsDay'), ...beside],
  ['source-cure-once-set',               'update-qualifying-event',                    visible, falsyIgnored('disableCURE'), ...beside],
  ['source-empty-description-ignored',   'update-qualifying-event',                    visible, falsyIgnored('description'), ...beside],
  ['source-team-not-stored',             'update-qualifying-event',                    visible, forgets('team', 'teamID'), ...beside],
  ['source-later-pages-kept',            ['update-qualifying-event', 'list-qualifying-events'], visible,                     'Pages of metric sources after the first are kept as they were first listed.', cachedByUrl(Number.POSITIVE_INFINITY, ({ query }) => Number(query.page) > 1), 'standard'],
  ['source-list-shows-old-tags',         ['update-qualifying-event', 'list-qualifying-events'], visible,                     'Lists show the first tag alone.',                                     onEntity((entity, { endpoint }) => { if (endpoint === 'list-qualifying-events') entity.tags = list(entity.tags).slice(0, 1); }), ...beside, 'state.concurrent-values'],
  ['source-refusal-keeps-tags',          'update-qualifying-event',                    'reject.no-trace', worksBeforeRefusing(400, ...sourceMust, 'tags')],
  ['source-refusal-keeps-day',           'update-qualifying-event',                    'reject.no-trace', worksBeforeRefusing(400, ...sourceMust, 'timestampAsDay')],
  ['source-refusal-keeps-fields',        'update-qualifying-event',                    'reject.no-trace', worksBeforeRefusing(400, ...sourceMust, 'customFieldMapping')],
  ['source-refusal-keeps-cure',          'update-qualifying-event',                    'reject.no-trace', worksBeforeRefusing(400, ...sourceMust, 'disableCURE')],

  ['metric-dry-run-reserves-its-name',   'create-metric',                              'state.dry-run-metric', reserves('name', dry, taken, { level: aroundWork, key: text })],
  ['metric-refusal-reserves-its-name',   'create-metric',                              'reject.no-trace',           'What a refused creation called a metric is taken.',                   reserves('name', answered => refused(answered) && typeof answered.body.name === 'string', taken, { dryToo: true, key: text }), 'standard'],
  ['metric-description-not-stored',      'create-metric',                              'state.metric-as-created', stored('description', to(''))],
  ['metric-tags-not-stored',             'create-metric',                              'state.metric-as-created', stored('tags', to([]))],
  ['metric-direction-not-stored',        'create-metric',                              'state.metric-as-created', stored('directionality', to('increase'))],
  ['metric-units-not-stored',            'create-metric',                              'state.metric-as-created', stored('unitTypes', to(['userID']))],
  ['metric-permanent-not-stored',        'create-metric',                              'state.metric-as-created', stored('isPermanent', to(false))],
  ['metric-first-event-alone',           'create-metric',                              'state.metric-listed',       'A metric is stored under the first of its events alone.',             stored('lineage', (lineage: Mutable) => ({ ...lineage, events: list(lineage.events).slice(0, 1) }))],
  ['metric-second-event-not-stored',     'create-metric',                              'state.metric-as-created',   'Of the events of a metric the first is stored.',                      stored('metricEvents', events => list(events).slice(0, 1))],
  ['metric-total-stands-still',          ['create-metric', 'list-event-metrics'],      'state.metric-listed',       'Created metrics are listed and not counted.',                         totalStands, 'pagination.total'],

  ['enabling-second-drops-tags',         'enable-groups',                              'state.enable-groups-frame', 'Enabling another group than the first drops the tags.',               shownWith(({ groups }, { group_names }) => list(group_names)[0] !== (list(groups)[0] as Mutable | undefined)?.name && { tags: [] })],
  ['enabling-several-resets-allocation', 'enable-groups',                              'state.enable-groups-frame', 'Enabling several groups resets the allocation.',                      shownWith((_experiment, { group_names }) => list(group_names).length > 1 && { allocation: 1 })],
  ['experiment-duration-not-stored',     ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', stored('duration', to(14))],
  ['experiment-links-not-stored',        ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', stored('links', to([]))],
  ['experiment-tags-not-stored',         ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', stored('tags', to([]))],
  ['experiment-turbo-mode-not-stored',   ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', forgets('turboMode')],
  ['experiment-maturing-not-stored',     ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', forgets('cohortedMetricsMatureAfterEnd')],
  ['experiment-hypothesis-stored-short', ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', stored('description', cut(255))],
  ['experiment-tags-lost-beside-links',  ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', 'Tags are stored only where no links are sent.',                       stored('tags', to([]), ({ links }) => list(links).length > 0)],
  ['experiment-second-group-not-stored', ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', 'The second group keeps no description.',                              stored('groups', groups => list(groups).map((group, index) => (index === 1 ? { ...(group as Mutable), size: 50.5 } : group)))],
];
