import { type BodyOf, endpoints } from '../../contracts/endpoints.ts';
import { refusal } from '../api/answer.ts';
import type { Hooks } from '../api/hooks.ts';
import type { Handler } from '../api/request.ts';
import { messageOf, success } from '../api/success.ts';
import { currentOf } from '../config/disabled.ts';
import { users } from '../directory.ts';
import type { Experiment, Gate } from '../entities.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Entity, instead, onSuccess } from './answering.ts';
import type { Dialect } from './dialect.ts';
import { lateStore } from './late-store.ts';
import { reversedStore } from './reversed-store.ts';

/** Other effects of operations, where sections 3 and 4 show none, and later visibility. */

const operation = (change: (handler: Handler) => Handler): Pick<Hooks, 'decorateOperation'> => ({
  decorateOperation: (_id, handler) => change(handler),
});

/** A disabled config stays enabled until somebody approves: the answer shows it as it is. */
const disableNeedsApproval = instead(async (request, store) => {
  const config = await store.get('configs', request.param);
  return config && success('disable-config', currentOf(config));
});

const archivedIsGone = instead(async (request, store) =>
  (await store.get('configs', request.param))?.archived === undefined
    ? undefined
    : refusal(404, 'Dynamic config not found.'),
);

const archivedStays = instead(async (request, store) =>
  (await store.get('configs', request.param))?.archived === undefined
    ? undefined
    : refusal(409, 'The dynamic config is archived already.'),
);

const disabledStays = instead(async (request, store) => {
  const config = await store.get('configs', request.param);
  return config === undefined || currentOf(config).isEnabled !== false
    ? undefined
    : refusal(409, 'The dynamic config is disabled already.');
});

/** What is sent is the whole set: nothing else is left to be shown. */
const wholeSet = onSuccess((body, request) => {
  const { environments: sent = [] } = request.body as BodyOf<'update-environments'>;
  const { environments } = body.data as { environments: readonly { id?: string; name?: string }[] };
  const stays = (one: { id?: string; name?: string }) =>
    sent.some(({ id, name }) => (id === undefined ? name === one.name : id === one.id));
  return { ...body, data: { environments: environments.filter(stays) } };
});

/** Groups that are not named are disabled. */
const othersDisabled = operation(handler => async (request, store, settings) => {
  const answer = await handler(request, store, settings);
  const names = new Set((request.body as BodyOf<'enable-groups'>).group_names);
  return store.transaction(async transaction => {
    const experiment = (await transaction.get('experiments', request.param)) as Experiment;
    const groups = experiment.groups.map(group => ({ ...group, disabled: !names.has(group.name ?? '') }));
    const changed = { ...experiment, groups };
    await transaction.put('experiments', request.param, changed);
    return { ...answer, ...success('enable-groups', changed) };
  });
});

/** Settings that an update does not carry stay as they are. Quality scores would be added once more; group ids may be gone. */
const notKept = ['manualQualityScores', 'launchedGroupID', 'controlGroupID', 'sprtMDESettings', 'sprtBaselineMode'];
const settings = Object.keys(endpoints['update-experiment'].body.properties).filter(name => !notKept.includes(name));
const unsentStays = operation(handler => async (request, store, options) => {
  const before: Entity = (await store.get('experiments', request.param)) ?? {};
  const kept = settings.filter(name => before[name] !== undefined).map(name => [name, before[name]]);
  return handler({ ...request, body: { ...Object.fromEntries(kept), ...(request.body as object) } }, store, options);
});

type Follow = (gate: Gate, sent: Entity) => Partial<Gate>;

/** Changes of a gate that follow from what was sent are made beside it. */
const gateFollows = (follow: Follow) =>
  operation(handler => async (request, store, options) => {
    const answer = await handler(request, store, options);
    const sent = request.endpoint === 'disable-gate' ? { isEnabled: false } : (request.body as Entity);
    return store.transaction(async transaction => {
      const gate = (await transaction.get('gates', request.param)) as Gate;
      const changed = { ...gate, ...follow(gate, sent) };
      await transaction.put('gates', request.param, changed);
      return { ...answer, ...success(request.endpoint, changed) };
    });
  });

/** Their transitions are not shown. */
const statusFollows: Follow = ({ isEnabled, type }, sent) => ({
  ...('isEnabled' in sent && { status: isEnabled ? 'In Progress' : 'Launched' }),
  ...('type' in sent && { typeReason: type === 'PERMANENT' ? 'KILL_SWITCH' : 'NONE' }),
});

/** A person has an id, a name and an email address; a team has an id that is its name. */
const peopleFollow: Follow = (_gate, sent) => {
  const by = users.find(user => user.id === sent.creatorID || user.email === sent.creatorEmail);
  return {
    ...(by !== undefined && { creatorName: by.name }),
    ...(typeof sent.teamID === 'string' && !('team' in sent) && { team: sent.teamID }),
  };
};

const blankSource = (name: string) => ({
  name,
  description: '',
  tags: [],
  timestampAsDay: false,
  sourceType: 'query',
  customFieldMapping: [],
});

/** A metric source that is not there yet is made: the operation finds a blank one in its place. */
const sourceUpserted = operation(handler => (request, store, options) => {
  const withBlank = (inner: Transaction): Transaction => ({
    ...inner,
    get: async (collection, id) => {
      const found = await inner.get(collection, id);
      return collection === 'qualifyingEvents' ? (found ?? (blankSource(id) as unknown as typeof found)) : found;
    },
  });
  const transaction: Store['transaction'] = work => store.transaction(inner => work(withBlank(inner)));
  return handler(request, { ...store, transaction }, options);
});

const noItems = { itemsPerPage: 10, pageNumber: 1, totalItems: 0, nextPage: null, previousPage: null, all: '' };

/** A list of an event that nobody logged is empty. */
const unknownEventIsEmpty = instead(async (request, store, id) =>
  (await store.get('events', request.param)) === undefined
    ? { status: 200, body: { message: messageOf(id), data: [], pagination: noItems } }
    : undefined,
);

/** The empty patch is answered from a replica that is `lag` milliseconds behind. */
const lateGates: Pick<Hooks, 'decorateStore' | 'decorateOperation'> = {
  decorateStore: lateStore(60, ['gates']),
  ...instead(async (request, store) => {
    const gate = Object.keys(request.body as object).length > 0 ? undefined : await store.get('gates', request.param);
    return gate && success('patch-gate', gate);
  }),
};

const dryRunSays = onSuccess((body, { body: sent }) =>
  (sent as { dryRun?: boolean } | undefined)?.dryRun === true
    ? { ...body, message: 'This was a dry run: nothing was kept.' }
    : body,
);

const listed = ['qualifyingEvents', 'segments', 'metrics'] as const;

// biome-ignore format: a table
export const stateDialects: readonly Dialect[] = [
  { id: 'config-disable-pending',   section: '3, 4.5',      title: 'keeps a config enabled until somebody approves its disabling',         endpoints: ['disable-config'],                          ...disableNeedsApproval },
  { id: 'config-disable-once',      section: '4.5',         title: 'refuses with 409 to disable a disabled config',                        endpoints: ['disable-config'],                          ...disabledStays },
  { id: 'config-archive-once',      section: '4.10',        title: 'refuses with 409 to archive an archived config',                       endpoints: ['archive-config'],                          ...archivedStays },
  { id: 'config-archive-hides',     section: '4.10',        title: 'knows an archived config no more (404)',                               endpoints: ['archive-config', 'disable-config', 'list-config-versions'], ...archivedIsGone },
  { id: 'environments-replaced',    section: '4.1',         title: 'replaces the whole set of environments by what is sent',               endpoints: ['update-environments'],                     ...wholeSet },
  { id: 'groups-exclusive',         section: '3, 4.8',      title: 'disables the groups that are not named',                               endpoints: ['enable-groups'],                           ...othersDisabled },
  { id: 'experiment-keeps-unsent',  section: '4.4',         title: 'leaves the settings of an experiment that are not sent as they are',    endpoints: ['update-experiment'],                       ...unsentStays },
  { id: 'gate-status-follows',      section: '3, 4.6, 4.7', title: 'moves status and reason of a gate along with isEnabled and type',      endpoints: ['patch-gate', 'disable-gate'],              ...gateFollows(statusFollows) },
  { id: 'gate-people-follow',       section: '2.3, 4.6',    title: 'names the team of the id that is sent for a gate, and the creator', endpoints: ['patch-gate'], ...gateFollows(peopleFollow) },
  { id: 'gate-patch-late',          section: '4.6',         title: 'answers the empty patch from a replica that is behind', endpoints: ['patch-gate'], ...lateGates },
  { id: 'source-upserted',          section: '4.3',         title: 'makes a metric source that is not there yet',                          endpoints: ['update-qualifying-event'],                 ...sourceUpserted },
  { id: 'unknown-event-empty',      section: '4.14, 4.15',  title: 'lists nothing for an unknown event, instead of refusing',              endpoints: ['list-event-metrics', 'list-events'],       ...unknownEventIsEmpty },
  { id: 'dry-run-says-so',          section: '1, 4.3, 4.9', title: 'says of a dry run that it was one',                                    endpoints: ['update-qualifying-event', 'create-metric'], ...dryRunSays },
  { id: 'lists-late',               section: '4.11 to 4.15', title: 'lists from a replica that is behind',                                 decorateStore: lateStore(60, ['qualifyingEvents', 'metrics', 'configs', 'segments', 'events']) },
  { id: 'lists-newest-first',       section: '4.11 to 4.14', title: 'lists the newest first',                                              decorateStore: reversedStore(listed) },
];
