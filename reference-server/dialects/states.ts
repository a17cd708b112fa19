import { type BodyOf, endpoints } from '../../contracts/endpoints.ts';
import { refusal } from '../api/response.ts';
import { listed, success } from '../api/success.ts';
import { both } from '../decorators/layers.ts';
import { insteadFor, onValidBody, sentBy } from '../decorators/operations.ts';
import { emptyPatchReads } from '../decorators/replicas.ts';
import { onBody, onEntity } from '../decorators/responses.ts';
import { followedBy, late, onTransaction, reversed } from '../decorators/stores.ts';
import { currentOf, type QualifyingEvent } from '../entities.ts';
import type { Dialect } from './dialect.ts';

/** Other effects of operations, where sections 3 and 4 show none, and later visibility. */

/** A disabled config stays enabled until somebody approves: the response shows it as it is. */
const disableNeedsApproval = insteadFor('configs', (config, request) => config && success(request, currentOf(config)));

const refusesArchived = (status: number, message: string) =>
  insteadFor('configs', config => config?.archived && refusal(status, message));
const archivedIsGone = refusesArchived(404, 'Dynamic config not found.');
const archivedStays = refusesArchived(409, 'The dynamic config is archived already.');
const disabledStays = insteadFor('configs', config =>
  config && currentOf(config).isEnabled === false ? refusal(409, 'The dynamic config is disabled already.') : undefined,
);

/** What is sent is the whole set: nothing else is left to be shown. */
const wholeSet = onEntity((data, request) => {
  const { environments: sent = [] } = request.body as BodyOf<'update-environments'>;
  const { environments } = data as { environments: readonly { id?: string; name?: string }[] };
  const stays = (one: { id?: string; name?: string }) =>
    sent.some(({ id, name }) => (id === undefined ? name === one.name : id === one.id));
  return { environments: environments.filter(stays) };
});

/** Groups that are not named are disabled. */
const othersDisabled = followedBy('experiments', (experiment, request) => {
  const names = new Set((request.body as BodyOf<'enable-groups'>).group_names);
  return { groups: experiment.groups.map(group => ({ ...group, disabled: !names.has(group.name ?? '') })) };
});

/**
 * Settings that an update does not carry stay as they are. Quality scores would be added once more; group ids may be
 * gone.
 */
const notKept = ['manualQualityScores', 'launchedGroupID', 'controlGroupID', 'sprtMDESettings', 'sprtBaselineMode'];
const settings = Object.keys(endpoints['update-experiment'].body.properties).filter(name => !notKept.includes(name));
const unsentStays = onValidBody(async (body, { param }, store) => {
  const before: Readonly<Record<string, unknown>> = (await store.get('experiments', param)) ?? {};
  const kept = settings.filter(name => before[name] !== undefined).map(name => [name, before[name]]);
  return { ...Object.fromEntries(kept), ...body };
});

/** Status and reason of a gate follow from `isEnabled` and `type`. Their transitions are not shown (section 3). */
const statusFollows = followedBy('gates', ({ isEnabled, type }, request) => {
  const sent = sentBy(request);
  // An operation without a body disables the gate.
  const changesState = request.body === undefined || 'isEnabled' in sent;
  return {
    ...(changesState && { status: isEnabled ? 'In Progress' : 'Launched' }),
    ...('type' in sent && { typeReason: type === 'PERMANENT' ? 'KILL_SWITCH' : 'NONE' }),
  };
});

/** A person has an id, a name and an email address; a team has an id that is its name. */
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

/** A metric source that is not there yet is made: the operation finds a blank one in its place. */
const sourceUpserted = onTransaction(transaction => ({
  ...transaction,
  get: async (collection, id) => {
    const found = await transaction.get(collection, id);
    const blank = collection === 'qualifyingEvents' ? (blankSource(id) as typeof found & QualifyingEvent) : undefined;
    return found ?? blank;
  },
}));

/** A list of an event that nobody logged is empty. */
const unknownEventIsEmpty = insteadFor('events', (event, request) => (event ? undefined : listed(request, [])));

/** The empty patch is answered from a replica that is behind. */
const lateGates = both(late(60, ['gates']), emptyPatchReads);

const dryRunSays = onBody((body, request) =>
  sentBy(request).dryRun === true ? { ...body, message: 'This was a dry run: nothing was kept.' } : body,
);

// biome-ignore format: a table
export const stateDialects: readonly Dialect[] = [
  { id: 'config-disable-pending',   section: '3, 4.5',      title: 'keeps a config enabled until somebody approves its disabling',         endpoints: ['disable-config'],                          decorator: disableNeedsApproval },
  { id: 'config-disable-once',      section: '4.5',         title: 'refuses with 409 to disable a disabled config',                        endpoints: ['disable-config'],                          mayBeUntested: { checks: ['disable-config/*'] }, decorator: disabledStays },
  { id: 'config-archive-once',      section: '4.10',        title: 'refuses with 409 to archive an archived config',                       endpoints: ['archive-config'],                          mayBeUntested: { checks: ['archive-config/*'] }, decorator: archivedStays },
  { id: 'config-archive-hides',     section: '4.10',        title: 'knows an archived config no more (404)',                               endpoints: ['archive-config', 'disable-config', 'list-config-versions'], mayBeUntested: { checks: ['archive-config/*', 'disable-config/*', 'list-config-versions/*'] }, decorator: archivedIsGone },
  { id: 'environments-replaced',    section: '4.1',         title: 'replaces the whole set of environments by what is sent',               endpoints: ['update-environments'],                     decorator: wholeSet },
  { id: 'groups-exclusive',         section: '3, 4.8',      title: 'disables the groups that are not named',                               endpoints: ['enable-groups'],                           decorator: othersDisabled },
  { id: 'experiment-keeps-unsent',  section: '4.4',         title: 'leaves the settings of an experiment that are not sent as they are',    endpoints: ['update-experiment'],                       decorator: unsentStays },
  { id: 'gate-status-follows',      section: '3, 4.6, 4.7', title: 'moves status and reason of a gate along with isEnabled and type',      endpoints: ['patch-gate', 'disable-gate'],              changes: ['gates/*/status', 'gates/*/typeReason'], decorator: statusFollows },
  { id: 'gate-people-follow',       section: '2.3, 4.6',    title: 'names the team of the id that is sent for a gate, and the creator', endpoints: ['patch-gate'], decorator: peopleFollow },
  { id: 'gate-patch-late',          section: '4.6',         title: 'answers the empty patch from a replica that is behind', endpoints: ['patch-gate'], behindMs: 60, decorator: lateGates },
  { id: 'source-upserted',          section: '4.3',         title: 'makes a metric source that is not there yet',                          endpoints: ['update-qualifying-event'],                 decorator: sourceUpserted },
  { id: 'unknown-event-empty',      section: '4.14, 4.15',  title: 'lists nothing for an unknown event, instead of refusing',              endpoints: ['list-event-metrics', 'list-events'],       decorator: unknownEventIsEmpty },
  { id: 'dry-run-says-so',          section: '1, 4.3, 4.9', title: 'says of a dry run that it was one',                                    endpoints: ['update-qualifying-event', 'create-metric'], decorator: dryRunSays },
  { id: 'lists-late',               section: '4.11 to 4.15', title: 'lists from a replica that is behind',                                 behindMs: 60, decorator: late(60, ['qualifyingEvents', 'metrics', 'configs', 'segments', 'events']) },
  { id: 'lists-newest-first',       section: '4.11 to 4.14', title: 'lists the newest first',                                              decorator: reversed(['qualifyingEvents', 'segments', 'metrics']) },
];
