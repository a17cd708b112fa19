import { type BodyOf, endpoints } from '../../contracts/endpoints.ts';
import { refusal } from '../api/response.ts';
import { listed, success } from '../api/success.ts';
import {
  both,
  emptyPatchReads,
  followedBy,
  insteadFor,
  late,
  type Mutable,
  onBody,
  onEntity,
  onTransaction,
  onValidBody,
  perServer,
  reversed,
  sentBy,
  stores,
  without,
} from '../decorators/index.ts';
import { type ConfigHistory, currentOf, type QualifyingEvent } from '../entities.ts';
import { all, configs, type DialectTable, gates, listedKinds, unproven } from './dialect.ts';

/** Other effects of operations, where sections 3 and 4 leave them open, and effects that become visible later. */

/** Keeps a disabled config enabled until somebody approves; the response shows the current state. */
const disableNeedsApproval = insteadFor('configs', (config, request) => config && success(request, currentOf(config)));

const refusesConfig = (status: number, message: string, when: (config: ConfigHistory) => unknown) =>
  insteadFor('configs', config => (config && when(config) ? refusal(status, message) : undefined));

const isArchived = ({ archived }: ConfigHistory) => archived;

const endsConfigs = ['disable-config', 'archive-config'] as const;
/** Archives only what was disabled before; that a config is disabled at first is not enough. */
const archivesDisabled = perServer(() => {
  const disabled = new Set<string>();
  return insteadFor('configs', (config, { endpoint, param }) => {
    if (endpoint === 'archive-config')
      return config && !disabled.has(param) ? refusal(409, 'Disable the dynamic config first.') : undefined;
    disabled.add(param);
    return undefined;
  });
});
const endingWith = (change: (config: Mutable) => Mutable) =>
  onEntity((config, { endpoint }) => (endpoint === 'list-config-versions' ? config : change(config)));
/** Empties the current version when the config is archived, without a new version number; lists show it later. */
const emptiedByArchiving = both(
  endingWith(config => ({ ...config, rules: [], defaultValue: {} })),
  stores(({ value }) => {
    const { archived, versions = [] } = value as Mutable & { versions?: readonly Mutable[] };
    const [first, ...rest] = versions;
    return archived === undefined
      ? value
      : { ...value, versions: [{ ...first, rules: [], defaultValue: {} }, ...rest] };
  }),
  late(60, ['configs']),
);
/** Shows a draft under the version number that it will get. */
const showsDraft = endingWith(config => ({
  ...config,
  version: Number(config.version) + 1,
  rules: [],
  idType: 'draft',
}));
/** Shows metadata newer than the versions: changes of description, tags, team and owner create no version. */
const describedSince = endingWith(config => ({
  ...config,
  description: 'Since then.',
  tags: [],
  team: 'other',
  owner: {},
}));
/** Shows rules without their return values, and JSON with other whitespace. */
const showsBriefly = endingWith(({ rules, ...config }) => ({
  ...config,
  rules: (rules as readonly Mutable[]).map(({ name, passPercentage, conditions }) => ({
    name,
    passPercentage,
    conditions,
  })),
  defaultValueJson5: ` ${String(config.defaultValueJson5).replaceAll(':', ' : ')}\n`,
}));

/** Takes the request for the whole set: shows no other environments. */
const wholeSet = onEntity((data, request) => {
  const { environments: sent = [] } = request.body as BodyOf<'update-environments'>;
  const { environments } = data as { environments: readonly { id?: string; name?: string }[] };
  const stays = (one: { id?: string; name?: string }) =>
    sent.some(({ id, name }) => (id === undefined ? name === one.name : id === one.id));
  return { environments: environments.filter(stays) };
});

/** Disables the groups that are not named. */
const othersDisabled = followedBy('experiments', (experiment, request) => {
  const names = new Set((request.body as BodyOf<'enable-groups'>).group_names);
  return { groups: experiment.groups.map(group => ({ ...group, disabled: !names.has(group.name ?? '') })) };
});

/**
 * Keeps settings that an update does not send. Exceptions: quality scores would be added again, and group ids may no
 * longer exist.
 */
const notKept = ['manualQualityScores', 'launchedGroupID', 'controlGroupID', 'sprtMDESettings', 'sprtBaselineMode'];
const settings = Object.keys(endpoints['update-experiment'].body.properties).filter(name => !notKept.includes(name));
const unsentStays = onValidBody(async (body, { param }, store) => {
  const before: Readonly<Record<string, unknown>> = (await store.get('experiments', param)) ?? {};
  const kept = settings.filter(name => before[name] !== undefined).map(name => [name, before[name]]);
  return { ...Object.fromEntries(kept), ...body };
});

/** Derives the status and reason of a gate from `isEnabled` and `type`. Section 3 leaves their transitions open. */
const statusFollows = followedBy('gates', ({ isEnabled, type }, request) => {
  const sent = sentBy(request);
  // The operation without a body disables the gate.
  const changesState = request.body === undefined || 'isEnabled' in sent;
  return {
    ...(changesState && { status: isEnabled ? 'In Progress' : 'Launched' }),
    ...('type' in sent && { typeReason: type === 'PERMANENT' ? 'KILL_SWITCH' : 'NONE' }),
  };
});

/** Fills in the names that belong to ids and email addresses. The id of a team is its name. */
const peopleFollow = followedBy('gates', async (_gate, request, transaction) => {
  const sent = sentBy(request);
  const by = (await transaction.list('users')).find(
    user => user.id === sent.creatorID || user.email === sent.creatorEmail,
  );
  return {
    ...(by !== undefined && { creatorName: by.name }),
    ...(typeof sent.teamID === 'string' && !('team' in sent) && { team: sent.teamID }),
  };
});

const blankSource = (name: string) =>
  ({ name, description: '', tags: [], timestampAsDay: false, sourceType: 'query', customFieldMapping: [] }) as object;

/** Creates a missing metric source: the operation finds a blank one. */
const sourceUpserted = onTransaction(transaction => ({
  ...transaction,
  get: async (collection, id) => {
    const found = await transaction.get(collection, id);
    const blank = collection === 'qualifyingEvents' ? (blankSource(id) as typeof found & QualifyingEvent) : undefined;
    return found ?? blank;
  },
}));

/** Lists nothing for an event that was never logged. */
const unknownEventIsEmpty = insteadFor('events', (event, request) => (event ? undefined : listed(request, [])));

/** Answers the empty patch from a replica that lags. */
const lateGates = both(late(60, ['gates']), emptyPatchReads);

// biome-ignore format: a table
export const stateDialects: DialectTable = [
  ['config-disable-pending',  '3, 4.5',       'disable-config',                             'keeps a config enabled until somebody approves its disabling',       disableNeedsApproval],
  ['config-disable-once',     '4.5',          'disable-config',                             'refuses with 409 to disable a disabled config',                      refusesConfig(409, 'The dynamic config is disabled already.', config => currentOf(config).isEnabled === false), unproven],
  ['config-archive-once',     '4.10',         'archive-config',                             'refuses with 409 to archive an archived config',                     refusesConfig(409, 'The dynamic config is archived already.', isArchived), unproven],
  ['config-archive-disabled', '4.10',         endsConfigs,                                  'archives a config only after somebody has disabled it (409)',        archivesDisabled],
  ['config-archive-hides',    '4.10',         configs, 'knows an archived config no more (404)',                             refusesConfig(404, 'Dynamic config not found.', isArchived), unproven],
  ['config-emptied-archived', '4.10',         'archive-config',                             'empties the version at work of a config that is archived',           emptiedByArchiving, { behindMs: 60 }],
  ['config-draft-shown',      '4.5, 4.10, 9', endsConfigs,                                  'answers with a draft of a config under the number that it will get', showsDraft, { untested: ['disable-config/ended-configs', 'archive-config/ended-configs'] }],
  ['config-described-since',  '4.2, 9',       endsConfigs,                                  'describes a config without making a version of it',                  describedSince],
  ['config-shown-briefly',    '4.5, 4.10',    endsConfigs,                                  'answers with less of each rule than the versions have',              showsBriefly],
  ['environments-replaced',   '4.1',          'update-environments',                        'replaces the whole set of environments by what is sent',             wholeSet],
  ['groups-exclusive',        '3, 4.8',       'enable-groups',                              'disables the groups that are not named',                             othersDisabled],
  ['experiment-keeps-unsent', '4.4',          'update-experiment',                          'leaves the settings of an experiment that are not sent as they are', unsentStays],
  ['gate-status-follows',     '3, 4.6, 4.7',  gates,               'moves status and reason of a gate along with isEnabled and type',    statusFollows, { changes: ['gates/*/status', 'gates/*/typeReason'] }],
  ['gate-people-follow',      '2.3, 4.6',     'patch-gate',                                 'names the team of the id that is sent for a gate, and the creator',  peopleFollow],
  ['gate-patch-late',         '4.6',          'patch-gate',                                 'answers the empty patch from a replica that is behind',              lateGates, { behindMs: 60 }],
  ['source-upserted',         '4.3',          'update-qualifying-event',                    'makes a metric source that is not there yet',                        sourceUpserted],
  ['unknown-event-empty',     '4.14, 4.15',   ['list-event-metrics', 'list-events'],        'lists nothing for an unknown event, instead of refusing',            unknownEventIsEmpty],
  ['dry-run-says-so',         '1, 4.3, 4.9',  ['update-qualifying-event', 'create-metric'], 'says of a dry run that it was one',                                  onBody((body, request) => sentBy(request).dryRun === true ? { ...body, message: 'This was a dry run: nothing was kept.' } : body)],
  ['dry-run-without-id',      '4.9',          'create-metric',                              'gives a metric no id in the answer to a dry run',                    onEntity((entity, request) => sentBy(request).dryRun === true ? without(entity, name => name === 'id') : entity)],
  ['lists-late',              '4.11 to 4.15', all,                                          'lists from a replica that is behind',                                late(60, listedKinds), { behindMs: 60 }],
  ['lists-newest-first',      '4.11 to 4.14', all,                                          'lists the newest first',                                             reversed(['qualifyingEvents', 'segments', 'metrics'])],
];
