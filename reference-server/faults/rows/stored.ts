import { refusal } from '../../api/response.ts';
import { worksBeforeRefusing } from '../../decorators/keys.ts';
import type { Decorator } from '../../decorators/layers.ts';
import type { Mutable } from '../../decorators/members.ts';
import { counting } from '../../decorators/now-and-then.ts';
import { onValidBody, sentBy } from '../../decorators/operations.ts';
import { changingList } from '../../decorators/paging.ts';
import { onEntity } from '../../decorators/responses.ts';
import { stores } from '../../decorators/stores.ts';
import type { FaultTable } from '../fault.ts';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Keeps fields as they were whenever something holds of what is written. */
const keepsWhere = (holds: (value: Mutable, before: Mutable) => boolean, ...fields: readonly string[]): Decorator =>
  stores(({ value, before }) =>
    holds(value, before) ? { ...value, ...Object.fromEntries(fields.map(field => [field, before[field]])) } : value,
  );

const changes =
  (field: string) =>
  (value: Mutable, before: Mutable): boolean =>
    JSON.stringify(value[field]) !== JSON.stringify(before[field]);

/** A field is not stored where another changes with it. */
const lostBeside = (field: string, other: string): Decorator =>
  keepsWhere((value, before) => changes(field)(value, before) && changes(other)(value, before), field);

/** Clearing a list keeps its last item. */
const keepsLastItem = (field: string): Decorator =>
  stores(({ value, before }) => ({
    ...value,
    [field]: list(value[field]).length === 0 ? list(before[field]).slice(-1) : value[field],
  }));

/** A list that gets shorter keeps its length: the old items stay behind the new ones. */
const keepsTail = (field: string): Decorator =>
  stores(({ value, before }) => ({
    ...value,
    [field]: [...list(value[field]), ...list(before[field]).slice(list(value[field]).length)],
  }));

/** What is falsy is taken for nothing sent. */
const falsyIgnored = (field: string): Decorator => keepsWhere(value => !value[field], field);

/** Every third write loses a field. */
const thirdLoses = (field: string): Decorator =>
  counting(next => stores(({ value, before }) => (next() % 3 === 0 ? { ...value, [field]: before[field] } : value)));

/** Texts are stored cut. */
const cut = (field: string, length: number): Decorator =>
  stores(({ value }) => ({
    ...value,
    [field]: typeof value[field] === 'string' ? (value[field] as string).slice(0, length) : value[field],
  }));

const text = (value: unknown): string => String(value ?? '');
const whole = ['description', 'tags', 'isEnabled', 'type', 'measureMetricLifts'] as const;
const sourceMust = ['sql', 'timestampColumn', 'idTypeMapping'] as const;

/** Refuses what was tried in a dry run. */
const reserves: Decorator = () => {
  const taken = new Set<string>();
  return {
    decorateOperation: (_id, handler) => async (request, store, settings) => {
      const { name, dryRun } = sentBy(request);
      if (dryRun === true) taken.add(text(name));
      else if (taken.has(text(name))) return refusal(409, 'A metric of this name exists already.');
      return handler(request, store, settings);
    },
  };
};

/** Refuses what was refused before: its name is taken. */
const reservesRefused: Decorator = () => {
  const taken = new Set<string>();
  return {
    decorate: (_id, handler) => async (request, store, settings) => {
      const { name } = sentBy(request);
      if (taken.has(text(name))) return refusal(409, 'A metric of this name exists already.');
      const response = await handler(request, store, settings);
      if (response.status === 400 && typeof name === 'string') taken.add(name);
      return response;
    },
  };
};

/** The total of a list is the one that was counted first. */
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

/** What of a write is stored, in company and in sequence. */
// biome-ignore format: a table
export const storedFaults: FaultTable = [
  ['gate-tags-lost-beside-type',         'patch-gate',                                 every,                       'Tags are lost where the type changes with them.',                     lostBeside('tags', 'type'), ...also],
  ['gate-type-lost-beside-lifts',        'patch-gate',                                 every,                       'The type is lost where `measureMetricLifts` changes with it.',        lostBeside('type', 'measureMetricLifts'), 'standard', ...also],
  ['gate-description-lost-beside-name',  'patch-gate',                                 every,                       'The description is lost where the name changes with it.',             lostBeside('description', 'name'), ...also],
  ['gate-enabled-lost-beside-tags',      'patch-gate',                                 every,                       '`isEnabled` is lost where tags change with it.',                      lostBeside('isEnabled', 'tags'), ...also],
  ['gate-pipeline-lost-beside-creator',  'patch-gate',                                 every,                       'The id type is lost where the team changes with it.',                 lostBeside('idType', 'team'), 'standard', ...also],
  ['gate-lifts-lost-beside-description', 'patch-gate',                                 every,                       '`measureMetricLifts` is lost where the description changes with it.', lostBeside('measureMetricLifts', 'description'), ...also],
  ['gate-tags-keep-their-last',          'patch-gate',                                 every,                       'Clearing the tags keeps the last of them.',                           keepsLastItem('tags'), ...also],
  ['gate-tags-keep-their-tail',          'patch-gate',                                 every,                       'Tags that get fewer keep what stood behind them.',                    keepsTail('tags'), ...also, 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-lifts-falsy-ignored-beside',    'patch-gate',                                 every,                       'A false `isEnabled` is taken for nothing, unless it stands alone.',   onValidBody(body => { const { isEnabled, ...rest } = body; return isEnabled === false && Object.keys(rest).length > 0 ? rest : body; }), 'standard', ...also, 'echo.sent-field'],
  ['gate-third-write-loses-tags',        'patch-gate',                                 every,                       'Every third write loses its tags.',                                   thirdLoses('tags'), ...also, 'state.concurrent-fields'],
  ['gate-third-write-loses-type',        'patch-gate',                                 every,                       'Every third write loses its type.',                                   thirdLoses('type'), 'standard', ...also, 'state.concurrent-fields'],
  ['gate-third-write-loses-description', 'patch-gate',                                 every,                       'Every third write loses its description.',                            thirdLoses('description'), ...also, 'state.concurrent-fields'],
  ['gate-empty-description-keeps-tags',  'patch-gate',                                 every,                       'An empty description leaves the tags as they were.',                  keepsWhere(({ description }) => description === '', 'tags'), 'standard', ...also],
  ['gate-disabled-keeps-type',           'patch-gate',                                 every,                       'While a gate is disabled its type stays.',                            keepsWhere((_value, { isEnabled }) => isEnabled === false, 'type'), ...also],
  ['gate-permanent-keeps-tags',          'patch-gate',                                 every,                       'The tags of a permanent gate stay.',                                  keepsWhere((_value, { type }) => type === 'PERMANENT', 'tags'), ...also, 'state.concurrent-values', 'state.concurrent-fields'],
  ['gate-permanent-for-ever',            'patch-gate',                                 every,                       'A permanent gate stays permanent.',                                   keepsWhere((_value, { type }) => type === 'PERMANENT', 'type'), ...also],
  ['gate-name-stored-short',             'patch-gate',                                 every,                       'Of a name 60 characters are stored.',                                 cut('name', 60), ...also],
  ['gate-description-stored-short',      'patch-gate',                                 every,                       'Of a description 255 characters are stored.',                         cut('description', 255), ...also],
  ['gate-tags-second-lost',              'patch-gate',                                 every,                       'Of several tags the second is not stored.',                           stores(({ value }) => ({ ...value, tags: list(value.tags).filter((_, index) => index !== 1) })), 'standard', ...also, 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-type-resets-lifts',             'patch-gate',                                 only,                        'A new type turns `measureMetricLifts` off.',                          stores(({ value, before }) => (changes('type')(value, before) ? { ...value, measureMetricLifts: false } : value)), 'standard', every, ...also.slice(1)],
  ['gate-lifts-resets-type',             'patch-gate',                                 only,                        '`measureMetricLifts` makes a gate temporary.',                        stores(({ value, before }) => (changes('measureMetricLifts')(value, before) ? { ...value, type: 'TEMPORARY' } : value)), 'standard', every, ...also.slice(1)],
  ['gate-tags-reset-description',        'patch-gate',                                 only,                        'New tags empty the description.',                                     stores(({ value, before }) => (changes('tags')(value, before) ? { ...value, description: '' } : value)), every, ...also.slice(1), 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-team-resets-tags',              'patch-gate',                                 only,                        'Another team empties the tags.',                                      stores(({ value, before }) => (changes('team')(value, before) ? { ...value, tags: [] } : value)), 'standard', every, ...also.slice(1)],
  ['gate-enabling-empties-tags',         'patch-gate',                                 only,                        'Enabling a gate empties its tags.',                                   stores(({ value, before }) => (value.isEnabled === true && before.isEnabled === false ? { ...value, tags: [] } : value)), 'standard', every, ...also.slice(1), 'state.concurrent-fields'],
  ['gate-refusal-switches-on',           'patch-gate',                                 'reject.no-trace',           'A refused patch has switched the gate.',                              worksBeforeRefusing(400, 'isEnabled')],
  ['gate-refusal-keeps-tags',            'patch-gate',                                 'reject.no-trace',           'A refused patch has stored its tags.',                                worksBeforeRefusing(400, 'tags')],
  ['gate-refusal-keeps-type',            'patch-gate',                                 'reject.no-trace',           'A refused patch has stored its type.',                                worksBeforeRefusing(400, 'type')],
  ['gate-refusal-keeps-lifts',           'patch-gate',                                 'reject.no-trace',           'A refused patch has stored `measureMetricLifts`.',                    worksBeforeRefusing(400, 'measureMetricLifts')],
  ['gate-refusal-keeps-all-but-text',    'patch-gate',                                 'reject.no-trace',           'A refused patch has stored everything but its texts.',                worksBeforeRefusing(400, ...whole.slice(1))],
  ['gate-refusal-keeps-team',            'patch-gate',                                 'reject.no-trace',           'A refused patch has stored its team.',                                worksBeforeRefusing(400, 'team')],
  ['gate-refusal-keeps-id-type',         'patch-gate',                                 'reject.no-trace',           'A refused patch has stored its id type.',                             worksBeforeRefusing(400, 'idType')],

  ['source-tags-lost-beside-day',        'update-qualifying-event',                    visible,                     'Tags are lost where `timestampAsDay` changes with them.',             lostBeside('tags', 'timestampAsDay'), 'standard', ...beside],
  ['source-day-lost-beside-description', 'update-qualifying-event',                    visible,                     '`timestampAsDay` is lost where the description changes.',             lostBeside('timestampAsDay', 'description'), ...beside],
  ['source-fields-lost-beside-tags',     'update-qualifying-event',                    visible,                     'Custom fields are lost where tags change with them.',                 lostBeside('customFieldMapping', 'tags'), 'standard', ...beside],
  ['source-tags-keep-their-last',        'update-qualifying-event',                    visible,                     'Clearing the tags keeps the last of them.',                           keepsLastItem('tags'), ...beside],
  ['source-fields-keep-their-last',      'update-qualifying-event',                    visible,                     'Clearing the custom fields keeps the last of them.',                  keepsLastItem('customFieldMapping'), ...beside],
  ['source-tags-keep-their-tail',        'update-qualifying-event',                    visible,                     'Tags that get fewer keep what stood behind them.',                    keepsTail('tags'), ...beside, 'state.concurrent-values'],
  ['source-fields-not-stored',           'update-qualifying-event',                    visible,                     'Custom fields are answered and not stored.',                          keepsWhere(() => true, 'customFieldMapping'), ...beside],
  ['source-cure-not-stored',             'update-qualifying-event',                    visible,                     '`disableCURE` is answered and not stored.',                           keepsWhere(() => true, 'disableCURE'), ...beside],
  ['source-tags-not-stored',             'update-qualifying-event',                    visible,                     'Tags are answered and not stored.',                                   keepsWhere(() => true, 'tags'), ...beside, 'state.concurrent-values'],
  ['source-day-once-set',                'update-qualifying-event',                    visible,                     '`timestampAsDay` can be set and not unset.',                          falsyIgnored('timestampAsDay'), ...beside],
  ['source-cure-once-set',               'update-qualifying-event',                    visible,                     '`disableCURE` can be set and not unset.',                             falsyIgnored('disableCURE'), ...beside],
  ['source-empty-description-ignored',   'update-qualifying-event',                    visible,                     'An empty description is taken for none.',                             falsyIgnored('description'), ...beside],
  ['source-team-not-stored',             'update-qualifying-event',                    visible,                     'The team is answered and not stored.',                                keepsWhere(() => true, 'team', 'teamID'), ...beside],
  ['source-list-shows-old-tags',         ['update-qualifying-event', 'list-qualifying-events'], visible,                     'Lists show the first tag alone.',                                     onEntity((entity, request) => request.endpoint === 'list-qualifying-events' ? { ...entity, tags: list(entity.tags).slice(0, 1) } : undefined), ...beside, 'state.concurrent-values'],
  ['source-refusal-keeps-tags',          'update-qualifying-event',                    'reject.no-trace',           'A refused update has stored its tags.',                               worksBeforeRefusing(400, ...sourceMust, 'tags')],
  ['source-refusal-keeps-day',           'update-qualifying-event',                    'reject.no-trace',           'A refused update has stored `timestampAsDay`.',                       worksBeforeRefusing(400, ...sourceMust, 'timestampAsDay')],
  ['source-refusal-keeps-fields',        'update-qualifying-event',                    'reject.no-trace',           'A refused update has stored its custom fields.',                      worksBeforeRefusing(400, ...sourceMust, 'customFieldMapping')],
  ['source-refusal-keeps-cure',          'update-qualifying-event',                    'reject.no-trace',           'A refused update has stored `disableCURE`.',                          worksBeforeRefusing(400, ...sourceMust, 'disableCURE')],

  ['metric-dry-run-reserves-its-name',   'create-metric',                              'state.dry-run-metric',      'What a dry run called a metric is taken.',                            reserves],
  ['metric-refusal-reserves-its-name',   'create-metric',                              'reject.no-trace',           'What a refused creation called a metric is taken.',                   reservesRefused, 'standard'],
  ['metric-description-not-stored',      'create-metric',                              'state.metric-as-created',   'The description of a metric is answered and not stored.',             stores(({ value }) => ({ ...value, description: '' }))],
  ['metric-tags-not-stored',             'create-metric',                              'state.metric-as-created',   'The tags of a metric are answered and not stored.',                   stores(({ value }) => ({ ...value, tags: [] }))],
  ['metric-direction-not-stored',        'create-metric',                              'state.metric-as-created',   'The direction of a metric is answered and not stored.',               stores(({ value }) => ({ ...value, directionality: 'increase' }))],
  ['metric-units-not-stored',            'create-metric',                              'state.metric-as-created',   'The unit types of a metric are answered and not stored.',             stores(({ value }) => ({ ...value, unitTypes: ['userID'] }))],
  ['metric-permanent-not-stored',        'create-metric',                              'state.metric-as-created',   '`isPermanent` of a metric is answered and not stored.',               stores(({ value }) => ({ ...value, isPermanent: false }))],
  ['metric-first-event-alone',           'create-metric',                              'state.metric-listed',       'A metric is stored under the first of its events alone.',             stores(({ value }) => ({ ...value, lineage: { ...(value.lineage as Mutable), events: list((value.lineage as Mutable).events).slice(0, 1) } }))],
  ['metric-second-event-not-stored',     'create-metric',                              'state.metric-as-created',   'Of the events of a metric the first is stored.',                      stores(({ value }) => ({ ...value, metricEvents: list(value.metricEvents).slice(0, 1) }))],
  ['metric-total-stands-still',          ['create-metric', 'list-event-metrics'],      'state.metric-listed',       'Created metrics are listed and not counted.',                         totalStands, 'pagination.total'],

  ['enabling-second-drops-tags',         'enable-groups',                              'state.enable-groups-frame', 'Enabling another group than the first drops the tags.',               onEntity((experiment, request) => { if (list(sentBy(request).group_names)[0] !== list(experiment.groups).map(group => (group as Mutable).name)[0]) experiment.tags = []; })],
  ['enabling-several-resets-allocation', 'enable-groups',                              'state.enable-groups-frame', 'Enabling several groups resets the allocation.',                      onEntity((experiment, request) => { if (list(sentBy(request).group_names).length > 1) experiment.allocation = 1; })],
  ['experiment-duration-not-stored',     ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', 'The duration of an experiment is answered and not stored.',           stores(({ value }) => ({ ...value, duration: 14 }))],
  ['experiment-links-not-stored',        ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', 'The links of an experiment are answered and not stored.',             stores(({ value }) => ({ ...value, links: [] }))],
  ['experiment-tags-not-stored',         ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', 'The tags of an experiment are answered and not stored.',              stores(({ value }) => ({ ...value, tags: [] }))],
  ['experiment-hypothesis-stored-short', ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', 'Of a description 255 characters are stored.',                         cut('description', 255)],
  ['experiment-tags-lost-beside-links',  ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', 'Tags are stored only where no links are sent.',                       stores(({ value }) => (list(value.links).length > 0 ? { ...value, tags: [] } : value))],
  ['experiment-second-group-not-stored', ['update-experiment', 'enable-groups'],       'state.enable-groups-frame', 'The second group keeps no description.',                              stores(({ value }) => ({ ...value, groups: list(value.groups).map((group, index) => (index === 1 ? { ...(group as Mutable), size: 50.5 } : group)) }))],
];
