import { isObject, objectsIn } from '../../../contracts/json.ts';
import {
  aroundWork,
  backwards,
  cachedByUrl,
  counting,
  cut,
  does,
  dry,
  falsyIgnored,
  forgets,
  keepsWhere,
  listing,
  type Mutable,
  onEntity,
  onList,
  onValidBody,
  perServer,
  refused,
  replaced,
  reserves,
  sentBy,
  shownWith,
  stored,
  storing,
  to,
  type WhenStored,
  type Writing,
  withTransactions,
  worksBeforeRefusing,
} from '../../decorators/index.ts';
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

/** Keeps the earlier value of a field that a body carries together with another one. */
const keepsSentBeside = (field: string, other: string) =>
  aroundWork((work, request, store) => {
    const areBoth = [field, other].every(name => name in sentBy(request));
    const change = ({ value, before }: Writing) => (areBoth ? { ...value, [field]: before[field] } : value);
    return work(request, withTransactions(store, storing(change)));
  });

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

/** Stores only the first of several items that share a member. */
const keepsOnePer = (field: string, member: string) =>
  does(
    `Of items of \`${field}\` with the same \`${member}\` the first is stored.`,
    stored(field, now => {
      const items = list(now).map(one => [text((one as Mutable)[member]), one] as const);
      return now && [...new Map(items.toReversed()).values()].toReversed();
    }),
  );

/** Loses a field with every third write. */
const thirdLoses = (field: string) =>
  does(
    `Every third write loses \`${field}\`.`,
    counting(next => keepsWhere(() => next() % 3 === 0, field)),
  );

/** Ignores the name of an environment that is sent by its id. */
const keepsName = onValidBody(({ environments, ...body }) => ({
  ...body,
  environments: objectsIn(environments).map(({ name, ...one }) => (one.id === undefined ? { ...one, name } : one)),
}));

/** Takes a flag that is there for one that is set. */
const dryIfNamed = does(
  'A body that has `dryRun` is a dry run, whatever it says.',
  onValidBody(body => ('dryRun' in body ? { ...body, dryRun: true } : body)),
);

const text = (value: unknown): string => String(value ?? '');
const taken = 'A metric of this name exists already.';
const whole = ['description', 'tags', 'isEnabled', 'type', 'measureMetricLifts'] as const;
const sourceMust = ['sql', 'timestampColumn', 'idTypeMapping'] as const;

/** Always shows the first total that was counted. */
const totalStands = perServer(() => {
  const counted = new Map<string, unknown>();
  return onList((page, { param }) => {
    if (!counted.has(param)) counted.set(param, page.pagination.totalItems);
    page.pagination.totalItems = counted.get(param);
  });
});

/** Returns a group whose parameters have names in lower case. */
const withSmallNames = ({ parameterValues, ...group }: Mutable): Mutable => ({
  ...group,
  ...(isObject(parameterValues) && {
    parameterValues: Object.fromEntries(
      Object.entries(parameterValues).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  }),
});

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
  ['patch-gate', 'state.patch-every-sent', [
    ['gate-tags-lost-beside-type',         lostBeside('tags', 'type')],
    ['gate-type-lost-beside-lifts',        lostBeside('type', 'measureMetricLifts'), 'standard'],
    ['gate-description-lost-beside-name',  lostBeside('description', 'name')],
    ['gate-enabled-lost-beside-tags',      lostBeside('isEnabled', 'tags')],
    ['gate-id-type-lost-beside-team',      lostBeside('idType', 'team'), 'standard'],
    ['gate-lifts-lost-beside-description', lostBeside('measureMetricLifts', 'description')],
    ['gate-tags-keep-their-last',          keepsLastItem('tags')],
    ['gate-tags-keep-their-tail',          keepsTail('tags'), 'state.concurrent-fields', 'state.concurrent-values'],
    ['gate-lifts-falsy-ignored-beside',    'A false `isEnabled` is taken for nothing, unless it stands alone.', onValidBody(body => { const { isEnabled, ...rest } = body; return isEnabled === false && Object.keys(rest).length > 0 ? rest : body; }), 'standard', 'echo.sent-field'],
    ['gate-third-write-loses-tags',        thirdLoses('tags'), 'state.concurrent-fields'],
    ['gate-third-write-loses-type',        thirdLoses('type'), 'standard', 'state.concurrent-fields'],
    ['gate-third-write-loses-description', thirdLoses('description'), 'state.concurrent-fields'],
    ['gate-empty-description-keeps-tags',  'An empty description leaves the tags as they were.',                keepsWhere(({ description }) => description === '', 'tags'), 'standard'],
    ['gate-disabled-keeps-type',           'While a gate is disabled its type stays.',                          keepsWhere((_value, { isEnabled }) => isEnabled === false, 'type')],
    ['gate-permanent-keeps-tags',          'The tags of a permanent gate stay.',                                keepsWhere((_value, { type }) => type === 'PERMANENT', 'tags'), 'state.concurrent-values', 'state.concurrent-fields'],
    ['gate-permanent-for-ever',            'A permanent gate stays permanent.',                                 keepsWhere((_value, { type }) => type === 'PERMANENT', 'type')],
    ['gate-name-stored-short',             stored('name', cut(60))],
    ['gate-description-stored-short',      stored('description', cut(255))],
    ['gate-name-in-another-case-lost',     'A name that differs from the present one in letter case alone is not stored.', keepsWhere(({ name }, before) => text(name).toLowerCase() === text(before.name).toLowerCase(), 'name'), 'standard'],
    ['gate-rules-lost-beside-state',       'Rules are lost where `isEnabled` is sent with them.', keepsSentBeside('rules', 'isEnabled'), 'standard'],
    ['gate-tags-second-lost',              'Of several tags the second is not stored.',                         stored('tags', tags => list(tags).filter((_, index) => index !== 1)), 'standard', 'state.concurrent-fields', 'state.concurrent-values'],
  ], ...also],
  ['patch-gate', 'state.patch-only-sent', [
    ['gate-type-resets-lifts',     'A new type turns `measureMetricLifts` off.',   stored('measureMetricLifts', to(false), changes('type'))],
    ['gate-lifts-resets-type',     '`measureMetricLifts` makes a gate temporary.', stored('type', to('TEMPORARY'), changes('measureMetricLifts'))],
    ['gate-team-resets-tags',      'Another team empties the tags.',               stored('tags', to([]), changes('team'))],
    ['gate-enabling-empties-tags', 'Enabling a gate empties its tags.',            stored('tags', to([]), (value, before) => value.isEnabled === true && before.isEnabled === false), 'state.concurrent-fields'],
  ], 'standard', 'state.patch-every-sent', ...also.slice(1)],
  ['gate-tags-reset-description',        'patch-gate',                                 'state.patch-only-sent',                        'New tags empty the description.',                                     stored('description', to(''), changes('tags')), 'state.patch-every-sent', ...also.slice(1), 'state.concurrent-fields', 'state.concurrent-values'],
  ['patch-gate', 'reject.no-trace', [
    ['gate-refusal-keeps-all-but-text', 'A refused patch has stored everything but its texts.', worksBeforeRefusing(400, ...whole.slice(1))],
    ['gate-refusal-keeps-team',         worksBeforeRefusing(400, 'team')],
    ['gate-refusal-keeps-id-type',      worksBeforeRefusing(400, 'idType')],
  ]],

  ['update-qualifying-event', 'state.qualifying-event-visible', [
    ['source-tags-lost-beside-day',        lostBeside('tags', 'timestampAsDay'), 'standard'],
    ['source-day-lost-beside-description', lostBeside('timestampAsDay', 'description')],
    ['source-fields-lost-beside-tags',     lostBeside('customFieldMapping', 'tags'), 'standard'],
    ['source-tags-keep-their-last',        keepsLastItem('tags')],
    ['source-fields-keep-their-last',      keepsLastItem('customFieldMapping')],
    ['source-third-mapping-not-stored',    keepsTwo('idTypeMapping')],
    ['source-mapping-one-per-column',      keepsOnePer('idTypeMapping', 'column')],
    ['source-dry-run-named',               dryIfNamed],
    ['source-tags-keep-their-tail',        keepsTail('tags'), 'state.concurrent-values'],
    ['source-fields-not-stored',           forgets('customFieldMapping')],
    ['source-cure-not-stored',             forgets('disableCURE')],
    ['source-tags-not-stored',             forgets('tags'), 'state.concurrent-values'],
    ['source-day-once-set',                falsyIgnored('timestampAsDay')],
    ['source-cure-once-set',               falsyIgnored('disableCURE')],
    ['source-empty-description-ignored',   falsyIgnored('description')],
    ['source-team-not-stored',             forgets('team', 'teamID')],
    ['source-verified-not-stored',         forgets('isVerified')],
    ['source-read-only-not-stored',        forgets('isReadOnly')],
  ], ...beside],
  ['source-without-tags-not-listed',     ['update-qualifying-event', 'list-qualifying-events'], 'state.qualifying-event-visible',                     'Sources without tags are not listed.',                                aroundWork((work, request, store) => work(request, listing(store, 'qualifyingEvents', all => all.filter(({ tags }) => list(tags).length > 0)))), 'standard'],
  ['source-later-pages-kept',            ['update-qualifying-event', 'list-qualifying-events'], 'state.qualifying-event-visible',                     'Pages of metric sources after the first are kept as they were first listed.', cachedByUrl(Number.POSITIVE_INFINITY, ({ query }) => Number(query.page) > 1), 'standard'],
  ['source-default-page-kept',           ['update-qualifying-event', 'list-qualifying-events'], 'state.qualifying-event-visible',                     'The page of metric sources that comes without a query is kept as it was first listed.', cachedByUrl(Number.POSITIVE_INFINITY, ({ endpoint, query }) => endpoint === 'list-qualifying-events' && Object.keys(query).length === 0)],
  ['source-list-shows-old-tags',         ['update-qualifying-event', 'list-qualifying-events'], 'state.qualifying-event-visible',                     'Lists show the first tag alone.',                                     onEntity((entity, { endpoint }) => { if (endpoint === 'list-qualifying-events') entity.tags = list(entity.tags).slice(0, 1); }), ...beside, 'state.concurrent-values'],
  ['update-qualifying-event', 'reject.no-trace', [
    ['source-refusal-keeps-fields', worksBeforeRefusing(400, ...sourceMust, 'customFieldMapping')],
    ['source-refusal-keeps-cure',   worksBeforeRefusing(400, ...sourceMust, 'disableCURE')],
  ]],

  ['metric-dry-run-reserves-its-name',   'create-metric',                              'state.dry-run-metric', 'What a dry run called a metric is taken.', reserves('name', dry, taken, { level: aroundWork, key: text })],
  ['metric-refusal-reserves-its-name',   'create-metric',                              'reject.no-trace',           'What a refused creation called a metric is taken.',                   reserves('name', answered => refused(answered) && typeof answered.body.name === 'string', taken, { dryToo: true, key: text }), 'standard'],
  ['create-metric', 'state.metric-as-created', [
    ['metric-description-not-stored',  stored('description', to(''))],
    ['metric-dry-run-named',           dryIfNamed, 'state.metric-listed'],
    ['metric-tags-not-stored',         stored('tags', to([]))],
    ['metric-direction-not-stored',    stored('directionality', to('increase'))],
    ['metric-units-not-stored',        stored('unitTypes', to(['userID']))],
    ['metric-permanent-not-stored',    stored('isPermanent', to(false))],
    ['metric-events-stored-backwards', stored('metricEvents', backwards)],
    ['metric-second-event-not-stored', 'Of the events of a metric the first is stored.', stored('metricEvents', events => list(events).slice(0, 1))],
  ]],
  ['metric-first-event-alone',           'create-metric',                              'state.metric-listed',       'A metric is stored under the first of its events alone.',             stored('lineage', (lineage: Mutable) => ({ ...lineage, events: list(lineage.events).slice(0, 1) }))],
  ['config-total-stands-still',          ['disable-config', 'list-config-versions'],   'state.config-shown',        'Versions that are added are listed and not counted.', totalStands, 'pagination.total', 'pagination.page-size'],
  ['metric-total-stands-still',          ['create-metric', 'list-event-metrics'],      'state.metric-listed',       'Created metrics are listed and not counted.',                         totalStands, 'pagination.total', 'pagination.page-size'],

  ['enabling-second-drops-tags',         'enable-groups',                              'state.enable-groups-frame', 'Enabling another group than the first drops the tags.',               shownWith(({ groups }, { group_names }) => list(group_names)[0] !== (list(groups)[0] as Mutable | undefined)?.name && { tags: [] })],
  ['enabling-several-resets-allocation', 'enable-groups',                              'state.enable-groups-frame', 'Enabling several groups resets the allocation.',                      shownWith((_experiment, { group_names }) => list(group_names).length > 1 && { allocation: 1 })],
  [['update-experiment', 'enable-groups'], 'state.enable-groups-frame', [
    ['experiment-duration-not-stored',     stored('duration', to(14))],
    ['experiment-links-not-stored',        stored('links', to([]))],
    ['experiment-line-breaks-not-stored',  'A line break in a hypothesis is stored as a blank.', stored('hypothesis', replaced('\n', ' '))],
    ['experiment-links-stored-backwards',  stored('links', backwards, changes('links'))],
    ['experiment-links-one-per-url',       keepsOnePer('links', 'url'), 'standard'],
    ['experiment-tags-not-stored',         stored('tags', to([]))],
    ['experiment-turbo-mode-not-stored',   forgets('turboMode')],
    ['experiment-maturing-not-stored',     forgets('cohortedMetricsMatureAfterEnd')],
    ['experiment-description-stored-short', stored('description', cut(255))],
    ['experiment-names-stored-small',      'Parameters are stored with names in lower case.', stored('groups', groups => objectsIn(groups).map(withSmallNames))],
    ['experiment-sidecar-not-stored',      forgets('isSidecar'), 'standard'],
    ['experiment-tags-lost-beside-links',  'Tags are stored only where no links are sent.', stored('tags', to([]), ({ links }) => list(links).length > 0)],
    ['experiment-second-group-resized',    'The second group is stored with a size of 50.5.', stored('groups', groups => list(groups).map((group, index) => (index === 1 ? { ...(group as Mutable), size: 50.5 } : group)))],
  ]],
  ['experiment-launch-not-stored',       'update-experiment',                          'state.enable-groups-frame', forgets('launchedGroupID'), 'standard'],
  ['environment-keeps-its-name',         'update-environments',                        'echo.sent-field',           'An environment that is sent by its id keeps its name.',               keepsName],
  ['environment-name-stored-short',      'update-environments',                        'echo.sent-field', stored('name', cut(30)), 'state.environment-stored'],
  ['environment-name-not-stored',        'update-environments',                        'state.environment-stored', forgets('name')],
];
