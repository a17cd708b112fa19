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
  { id: 'gate-tags-lost-beside-type',          requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'Tags are lost where the type changes with them.',                       decorator: lostBeside('tags', 'type') },
  { id: 'gate-type-lost-beside-lifts',         requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'The type is lost where `measureMetricLifts` changes with it.',          decorator: lostBeside('type', 'measureMetricLifts'), profile: 'standard' },
  { id: 'gate-description-lost-beside-name',   requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'The description is lost where the name changes with it.',               decorator: lostBeside('description', 'name') },
  { id: 'gate-enabled-lost-beside-tags',       requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: '`isEnabled` is lost where tags change with it.',                         decorator: lostBeside('isEnabled', 'tags') },
  { id: 'gate-pipeline-lost-beside-creator',   requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'The id type is lost where the team changes with it.',                    decorator: lostBeside('idType', 'team'), profile: 'standard' },
  { id: 'gate-lifts-lost-beside-description',  requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: '`measureMetricLifts` is lost where the description changes with it.',     decorator: lostBeside('measureMetricLifts', 'description') },
  { id: 'gate-tags-keep-their-last',           requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'Clearing the tags keeps the last of them.',                              decorator: keepsLastItem('tags') },
  { id: 'gate-tags-keep-their-tail',           requirement: every, endpoints: ['patch-gate'], alsoAs: [...also, 'state.concurrent-fields', 'state.concurrent-values'], title: 'Tags that get fewer keep what stood behind them.',                       decorator: keepsTail('tags') },
  { id: 'gate-lifts-falsy-ignored-beside',     requirement: every, endpoints: ['patch-gate'], alsoAs: [...also, 'echo.sent-field'], title: 'A false `isEnabled` is taken for nothing, unless it stands alone.',       decorator: onValidBody(body => { const { isEnabled, ...rest } = body; return isEnabled === false && Object.keys(rest).length > 0 ? rest : body; }), profile: 'standard' },
  { id: 'gate-third-write-loses-tags',         requirement: every, endpoints: ['patch-gate'], alsoAs: [...also, 'state.concurrent-fields'], title: 'Every third write loses its tags.',                                      decorator: thirdLoses('tags') },
  { id: 'gate-third-write-loses-type',         requirement: every, endpoints: ['patch-gate'], alsoAs: [...also, 'state.concurrent-fields'], title: 'Every third write loses its type.',                                      decorator: thirdLoses('type'), profile: 'standard' },
  { id: 'gate-third-write-loses-description',  requirement: every, endpoints: ['patch-gate'], alsoAs: [...also, 'state.concurrent-fields'], title: 'Every third write loses its description.',                               decorator: thirdLoses('description') },
  { id: 'gate-empty-description-keeps-tags',   requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'An empty description leaves the tags as they were.',                     decorator: keepsWhere(({ description }) => description === '', 'tags'), profile: 'standard' },
  { id: 'gate-disabled-keeps-type',            requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'While a gate is disabled its type stays.',                               decorator: keepsWhere((_value, { isEnabled }) => isEnabled === false, 'type') },
  { id: 'gate-permanent-keeps-tags',           requirement: every, endpoints: ['patch-gate'], alsoAs: [...also, 'state.concurrent-values', 'state.concurrent-fields'], title: 'The tags of a permanent gate stay.',                                     decorator: keepsWhere((_value, { type }) => type === 'PERMANENT', 'tags') },
  { id: 'gate-permanent-for-ever',             requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'A permanent gate stays permanent.',                                      decorator: keepsWhere((_value, { type }) => type === 'PERMANENT', 'type') },
  { id: 'gate-name-stored-short',              requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'Of a name 60 characters are stored.',                                    decorator: cut('name', 60) },
  { id: 'gate-description-stored-short',       requirement: every, endpoints: ['patch-gate'], alsoAs: also, title: 'Of a description 255 characters are stored.',                            decorator: cut('description', 255) },
  { id: 'gate-tags-second-lost',               requirement: every, endpoints: ['patch-gate'], alsoAs: [...also, 'state.concurrent-fields', 'state.concurrent-values'], title: 'Of several tags the second is not stored.',                              decorator: stores(({ value }) => ({ ...value, tags: list(value.tags).filter((_, index) => index !== 1) })), profile: 'standard' },
  { id: 'gate-type-resets-lifts',              requirement: only,  endpoints: ['patch-gate'], alsoAs: [every, ...also.slice(1)], title: 'A new type turns `measureMetricLifts` off.',        decorator: stores(({ value, before }) => (changes('type')(value, before) ? { ...value, measureMetricLifts: false } : value)), profile: 'standard' },
  { id: 'gate-lifts-resets-type',              requirement: only,  endpoints: ['patch-gate'], alsoAs: [every, ...also.slice(1)], title: '`measureMetricLifts` makes a gate temporary.',      decorator: stores(({ value, before }) => (changes('measureMetricLifts')(value, before) ? { ...value, type: 'TEMPORARY' } : value)), profile: 'standard' },
  { id: 'gate-tags-reset-description',         requirement: only,  endpoints: ['patch-gate'], alsoAs: [every, ...also.slice(1), 'state.concurrent-fields', 'state.concurrent-values'], title: 'New tags empty the description.',                   decorator: stores(({ value, before }) => (changes('tags')(value, before) ? { ...value, description: '' } : value)) },
  { id: 'gate-team-resets-tags',               requirement: only,  endpoints: ['patch-gate'], alsoAs: [every, ...also.slice(1)], title: 'Another team empties the tags.',                    decorator: stores(({ value, before }) => (changes('team')(value, before) ? { ...value, tags: [] } : value)), profile: 'standard' },
  { id: 'gate-enabling-empties-tags',          requirement: only,  endpoints: ['patch-gate'], alsoAs: [every, ...also.slice(1), 'state.concurrent-fields'], title: 'Enabling a gate empties its tags.',                 decorator: stores(({ value, before }) => (value.isEnabled === true && before.isEnabled === false ? { ...value, tags: [] } : value)), profile: 'standard' },
  { id: 'gate-refusal-switches-on',            requirement: 'reject.no-trace', endpoints: ['patch-gate'], title: 'A refused patch has switched the gate.',                                        decorator: worksBeforeRefusing(400, 'isEnabled') },
  { id: 'gate-refusal-keeps-tags',             requirement: 'reject.no-trace', endpoints: ['patch-gate'], title: 'A refused patch has stored its tags.',                                          decorator: worksBeforeRefusing(400, 'tags') },
  { id: 'gate-refusal-keeps-type',             requirement: 'reject.no-trace', endpoints: ['patch-gate'], title: 'A refused patch has stored its type.',                                          decorator: worksBeforeRefusing(400, 'type') },
  { id: 'gate-refusal-keeps-lifts',            requirement: 'reject.no-trace', endpoints: ['patch-gate'], title: 'A refused patch has stored `measureMetricLifts`.',                              decorator: worksBeforeRefusing(400, 'measureMetricLifts') },
  { id: 'gate-refusal-keeps-all-but-text',     requirement: 'reject.no-trace', endpoints: ['patch-gate'], title: 'A refused patch has stored everything but its texts.',                          decorator: worksBeforeRefusing(400, ...whole.slice(1)) },
  { id: 'gate-refusal-keeps-team',             requirement: 'reject.no-trace', endpoints: ['patch-gate'], title: 'A refused patch has stored its team.',                                          decorator: worksBeforeRefusing(400, 'team') },
  { id: 'gate-refusal-keeps-id-type',          requirement: 'reject.no-trace', endpoints: ['patch-gate'], title: 'A refused patch has stored its id type.',                                       decorator: worksBeforeRefusing(400, 'idType') },

  { id: 'source-tags-lost-beside-day',         requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: 'Tags are lost where `timestampAsDay` changes with them.',     decorator: lostBeside('tags', 'timestampAsDay'), profile: 'standard' },
  { id: 'source-day-lost-beside-description',  requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: '`timestampAsDay` is lost where the description changes.',     decorator: lostBeside('timestampAsDay', 'description') },
  { id: 'source-fields-lost-beside-tags',      requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: 'Custom fields are lost where tags change with them.',         decorator: lostBeside('customFieldMapping', 'tags'), profile: 'standard' },
  { id: 'source-tags-keep-their-last',         requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: 'Clearing the tags keeps the last of them.',                  decorator: keepsLastItem('tags') },
  { id: 'source-fields-keep-their-last',       requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: 'Clearing the custom fields keeps the last of them.',         decorator: keepsLastItem('customFieldMapping') },
  { id: 'source-tags-keep-their-tail',         requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: [...beside, 'state.concurrent-values'], title: 'Tags that get fewer keep what stood behind them.',           decorator: keepsTail('tags') },
  { id: 'source-fields-not-stored',            requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: 'Custom fields are answered and not stored.',                 decorator: keepsWhere(() => true, 'customFieldMapping') },
  { id: 'source-cure-not-stored',              requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: '`disableCURE` is answered and not stored.',                  decorator: keepsWhere(() => true, 'disableCURE') },
  { id: 'source-tags-not-stored',              requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: [...beside, 'state.concurrent-values'], title: 'Tags are answered and not stored.',                          decorator: keepsWhere(() => true, 'tags') },
  { id: 'source-day-once-set',                 requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: '`timestampAsDay` can be set and not unset.',                 decorator: falsyIgnored('timestampAsDay') },
  { id: 'source-cure-once-set',                requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: '`disableCURE` can be set and not unset.',                    decorator: falsyIgnored('disableCURE') },
  { id: 'source-empty-description-ignored',    requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: 'An empty description is taken for none.',                    decorator: falsyIgnored('description') },
  { id: 'source-team-not-stored',              requirement: visible, endpoints: ['update-qualifying-event'], alsoAs: beside, title: 'The team is answered and not stored.',                       decorator: keepsWhere(() => true, 'team', 'teamID') },
  { id: 'source-list-shows-old-tags',          requirement: visible, endpoints: ['update-qualifying-event', 'list-qualifying-events'], alsoAs: [...beside, 'state.concurrent-values'], title: 'Lists show the first tag alone.',     decorator: onEntity((entity, request) => request.endpoint === 'list-qualifying-events' ? { ...entity, tags: list(entity.tags).slice(0, 1) } : undefined) },
  { id: 'source-refusal-keeps-tags',           requirement: 'reject.no-trace', endpoints: ['update-qualifying-event'], title: 'A refused update has stored its tags.',                    decorator: worksBeforeRefusing(400, ...sourceMust, 'tags') },
  { id: 'source-refusal-keeps-day',            requirement: 'reject.no-trace', endpoints: ['update-qualifying-event'], title: 'A refused update has stored `timestampAsDay`.',            decorator: worksBeforeRefusing(400, ...sourceMust, 'timestampAsDay') },
  { id: 'source-refusal-keeps-fields',         requirement: 'reject.no-trace', endpoints: ['update-qualifying-event'], title: 'A refused update has stored its custom fields.',           decorator: worksBeforeRefusing(400, ...sourceMust, 'customFieldMapping') },
  { id: 'source-refusal-keeps-cure',           requirement: 'reject.no-trace', endpoints: ['update-qualifying-event'], title: 'A refused update has stored `disableCURE`.',               decorator: worksBeforeRefusing(400, ...sourceMust, 'disableCURE') },

  { id: 'metric-dry-run-reserves-its-name',    requirement: 'state.dry-run-metric', endpoints: ['create-metric'], title: 'What a dry run called a metric is taken.',                              decorator: reserves },
  { id: 'metric-refusal-reserves-its-name',    requirement: 'reject.no-trace',      endpoints: ['create-metric'], title: 'What a refused creation called a metric is taken.',                     decorator: reservesRefused, profile: 'standard' },
  { id: 'metric-description-not-stored',       requirement: 'state.metric-as-created', endpoints: ['create-metric'], title: 'The description of a metric is answered and not stored.',               decorator: stores(({ value }) => ({ ...value, description: '' })) },
  { id: 'metric-tags-not-stored',              requirement: 'state.metric-as-created', endpoints: ['create-metric'], title: 'The tags of a metric are answered and not stored.',                     decorator: stores(({ value }) => ({ ...value, tags: [] })) },
  { id: 'metric-direction-not-stored',         requirement: 'state.metric-as-created', endpoints: ['create-metric'], title: 'The direction of a metric is answered and not stored.',                 decorator: stores(({ value }) => ({ ...value, directionality: 'increase' })) },
  { id: 'metric-units-not-stored',             requirement: 'state.metric-as-created', endpoints: ['create-metric'], title: 'The unit types of a metric are answered and not stored.',               decorator: stores(({ value }) => ({ ...value, unitTypes: ['userID'] })) },
  { id: 'metric-permanent-not-stored',         requirement: 'state.metric-as-created', endpoints: ['create-metric'], title: '`isPermanent` of a metric is answered and not stored.',                 decorator: stores(({ value }) => ({ ...value, isPermanent: false })) },
  { id: 'metric-first-event-alone',            requirement: 'state.metric-listed',  endpoints: ['create-metric'], title: 'A metric is stored under the first of its events alone.',               decorator: stores(({ value }) => ({ ...value, lineage: { ...(value.lineage as Mutable), events: list((value.lineage as Mutable).events).slice(0, 1) } })) },
  { id: 'metric-second-event-not-stored',      requirement: 'state.metric-as-created', endpoints: ['create-metric'], title: 'Of the events of a metric the first is stored.',                        decorator: stores(({ value }) => ({ ...value, metricEvents: list(value.metricEvents).slice(0, 1) })) },
  { id: 'metric-total-stands-still',           requirement: 'state.metric-listed',  endpoints: ['create-metric', 'list-event-metrics'], title: 'Created metrics are listed and not counted.',      decorator: totalStands, alsoAs: ['pagination.total'] },

  { id: 'enabling-second-drops-tags',          requirement: 'state.enable-groups-frame', endpoints: ['enable-groups'], title: 'Enabling another group than the first drops the tags.',           decorator: onEntity((experiment, request) => { if (list(sentBy(request).group_names)[0] !== list(experiment.groups).map(group => (group as Mutable).name)[0]) experiment.tags = []; }) },
  { id: 'enabling-several-resets-allocation',  requirement: 'state.enable-groups-frame', endpoints: ['enable-groups'], title: 'Enabling several groups resets the allocation.',                  decorator: onEntity((experiment, request) => { if (list(sentBy(request).group_names).length > 1) experiment.allocation = 1; }) },
  { id: 'experiment-duration-not-stored',      requirement: 'state.enable-groups-frame', endpoints: ['update-experiment', 'enable-groups'], title: 'The duration of an experiment is answered and not stored.', decorator: stores(({ value }) => ({ ...value, duration: 14 })) },
  { id: 'experiment-links-not-stored',         requirement: 'state.enable-groups-frame', endpoints: ['update-experiment', 'enable-groups'], title: 'The links of an experiment are answered and not stored.', decorator: stores(({ value }) => ({ ...value, links: [] })) },
  { id: 'experiment-tags-not-stored',          requirement: 'state.enable-groups-frame', endpoints: ['update-experiment', 'enable-groups'], title: 'The tags of an experiment are answered and not stored.', decorator: stores(({ value }) => ({ ...value, tags: [] })) },
  { id: 'experiment-hypothesis-stored-short',  requirement: 'state.enable-groups-frame', endpoints: ['update-experiment', 'enable-groups'], title: 'Of a description 255 characters are stored.',      decorator: cut('description', 255) },
  { id: 'experiment-tags-lost-beside-links',   requirement: 'state.enable-groups-frame', endpoints: ['update-experiment', 'enable-groups'], title: 'Tags are stored only where no links are sent.',    decorator: stores(({ value }) => (list(value.links).length > 0 ? { ...value, tags: [] } : value)) },
  { id: 'experiment-second-group-not-stored',  requirement: 'state.enable-groups-frame', endpoints: ['update-experiment', 'enable-groups'], title: 'The second group keeps no description.',           decorator: stores(({ value }) => ({ ...value, groups: list(value.groups).map((group, index) => (index === 1 ? { ...(group as Mutable), size: 50.5 } : group)) })) },
];
