import type { Snapshot } from '../../store/store.ts';
import type { Done } from './fire.fixture.ts';

/**
 * The state that the accepted writes must have left, whatever their order was. Each function returns what is wrong.
 * `before` and `after` are the whole state; the responses are those of all writes to the contested entities.
 */

type Entity = Record<string, unknown> & { id?: string; name?: string; version?: number };

/** An entity of a state, by id. */
const entityOf = (state: Snapshot, collection: keyof Snapshot, id: string): Entity =>
  (state[collection].find(([known]) => known === id)?.[1] ?? {}) as Entity;

const stamps = ['lastModifiedTime', 'lastModifierID', 'lastModifierName', 'lastModifierEmail'];

/** An entity as text, without who changed it when. */
const plain = (entity: Entity): string =>
  JSON.stringify(
    Object.entries(entity)
      .filter(([name]) => !stamps.includes(name))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** The successful writes of an operation to one entity. */
export const succeeded = (done: readonly Done[], endpoint: Done['endpoint'], param = ''): readonly Done[] =>
  done.filter(each => each.endpoint === endpoint && each.param === param && each.status === 200);

/** Whether a write to a gate is a patch that changes something: those that disable it carry nothing. */
const changes = ({ body }: Done): boolean => Object.keys(body).length > 0;

/** A stored gate as it is answered. */
const shown = ({ teamID: _, releasePipelineID: __, ...gate }: Entity): Entity => gate;

/**
 * The writes to one gate are as if they had come one after another, in the order of the versions that they were
 * answered: each version is the one before it with exactly one patch, or disabled; answers that share a version are the
 * same; the last one is what is stored.
 */
export const gateProblems = (done: readonly Done[], before: Snapshot, after: Snapshot, id: string): string[] => {
  const problems: string[] = [];
  const disabled = succeeded(done, 'disable-gate', id);
  if (disabled.some(({ data }) => data.isEnabled !== false)) problems.push(`${id}: disabled, and enabled`);
  const answers = [...succeeded(done, 'patch-gate', id), ...disabled];
  const byVersion = new Map<number, Done[]>();
  for (const answer of answers)
    byVersion.set(answer.data.version, [...(byVersion.get(answer.data.version) ?? []), answer]);
  const stored = shown(entityOf(after, 'gates', id));
  let now = shown(entityOf(before, 'gates', id));
  const first = now.version ?? 0;
  for (let version = first; version <= (stored.version ?? 0); version++) {
    const here = byVersion.get(version) ?? [];
    byVersion.delete(version);
    if (version > first) {
      const patches = here.filter(changes);
      if (patches.length > 1) problems.push(`${id}: ${patches.length} patches made version ${version}`);
      const [patch] = patches;
      const isDisabled = now.isEnabled !== false && here.some(({ endpoint }) => endpoint === 'disable-gate');
      if (patch === undefined && !isDisabled) problems.push(`${id}: nobody made version ${version}`);
      now = { ...now, ...(patch?.body ?? { isEnabled: false }), version };
    } else if (here.some(changes)) problems.push(`${id}: a patch left version ${version} as it was`);
    for (const { endpoint, data } of here)
      if (plain(data) !== plain(now)) problems.push(`${id}: an answer of ${endpoint} is not version ${version}`);
  }
  if (byVersion.size > 0) problems.push(`${id}: answered versions ${[...byVersion.keys()]}, which were never stored`);
  if (plain(stored) !== plain(now)) problems.push(`${id}: what is stored is not the last version`);
  return problems;
};

/** Every accepted write to an experiment made one version of its own, and the last of them is what is stored. */
export const experimentProblems = (done: readonly Done[], before: Snapshot, after: Snapshot, id: string): string[] => {
  const answers = [...succeeded(done, 'update-experiment', id), ...succeeded(done, 'enable-groups', id)];
  const versions = answers.map(({ data }) => data.version as number).sort((one, other) => one - other);
  const first = (entityOf(before, 'experiments', id).version ?? 0) + 1;
  const stored = entityOf(after, 'experiments', id);
  const problems: string[] = [];
  if (versions.some((version, index) => version !== first + index)) problems.push(`${id}: versions are lost or shared`);
  const last = answers.find(({ data }) => data.version === stored.version)?.data ?? entityOf(before, 'experiments', id);
  if (plain(last) !== plain(stored)) problems.push(`${id}: what is stored is not what was answered last`);
  const groups = (stored.groups ?? []) as { id: string; name: string; size: number }[];
  if (new Set(groups.map(group => group.id)).size < groups.length) problems.push(`${id}: groups share an id`);
  if (new Set(groups.map(group => group.name)).size < groups.length) problems.push(`${id}: groups share a name`);
  return problems;
};

/** What was created is there once, what was a dry run is not, and there is nothing else. */
export const metricProblems = (done: readonly Done[], before: Snapshot, after: Snapshot): string[] => {
  const created = succeeded(done, 'create-metric').filter(({ body }) => body.dryRun !== true);
  const names = created.map(({ data }) => data.id as string);
  const stored = after.metrics.map(([id]) => id);
  const expected = new Set([...before.metrics.map(([id]) => id), ...names]);
  return [
    ...(new Set(names).size < names.length ? ['two creations of one metric succeeded'] : []),
    ...(stored.length !== expected.size ? [`there are ${stored.length} metrics, not ${expected.size}`] : []),
    ...stored.filter(id => !expected.has(id)).map(id => `nobody created ${id}`),
  ];
};

/** Versions have numbers of their own, one for each accepted creation. */
export const promptProblems = (done: readonly Done[], before: Snapshot, after: Snapshot, id: string): string[] => {
  const first = Number(entityOf(before, 'prompts', id).count);
  const ids = succeeded(done, 'create-prompt-version', id).map(({ data }) => data.id as string);
  const expected = new Set(ids.map((_, index) => `${id}-v${first + index + 1}`));
  return [
    ...ids.filter(each => !expected.delete(each)).map(each => `${each} was answered twice, or out of count`),
    ...(entityOf(after, 'prompts', id).count === first + ids.length ? [] : [`${id}: the count is wrong`]),
  ];
};

/** Disabled at most once however often it was asked for; versions fall by one. */
export const configProblems = (done: readonly Done[], before: Snapshot, after: Snapshot, id: string): string[] => {
  const asked = [...succeeded(done, 'disable-config', id), ...succeeded(done, 'archive-config', id)];
  const versionsOf = (state: Snapshot) => entityOf(state, 'configs', id).versions as Entity[];
  const [old, now] = [versionsOf(before), versionsOf(after)];
  const more = asked.length > 0 && old[0]?.isEnabled === true ? 1 : 0;
  const archived = succeeded(done, 'archive-config', id).map(({ body }) => body.archiveReason);
  const { reason } = (entityOf(after, 'configs', id).archived ?? {}) as { reason?: string };
  return [
    ...(now.length === old.length + more ? [] : [`${id}: ${now.length} versions after ${old.length}`]),
    ...(now.every(({ version = 0 }, index) => version === (now[0]?.version ?? 0) - index)
      ? []
      : [`${id}: versions are not in order`]),
    ...(archived.length === 0 || archived.includes(reason) ? [] : [`${id}: archived for a reason that nobody gave`]),
    ...(asked.some(({ data }) => data.isEnabled !== false) ? [`${id}: disabled, and enabled`] : []),
  ];
};

/** Nothing is removed, everything sent is there under one id, and flags are as some request set them. */
export const environmentProblems = (done: readonly Done[], before: Snapshot, after: Snapshot): string[] => {
  const requests = succeeded(done, 'update-environments');
  const sent = requests.flatMap(({ body }) => body.environments as Entity[]);
  const stored = after.environments.map(([, environment]) => environment as Entity);
  const expected = new Set([...before.environments.map(([id]) => id), ...sent.map(({ name }) => name)]);
  const problems: string[] = [];
  if (stored.length !== expected.size || stored.some(({ id }) => !expected.has(id)))
    problems.push(`there are ${stored.length} environments, not ${expected.size}`);
  for (const environment of stored)
    for (const flag of ['isProduction', 'requiresReview'])
      if (environment[flag] === true && !entityOf(before, 'environments', environment.id ?? '').id)
        if (!sent.some(each => each.name === environment.name && each[flag] === true))
          problems.push(`${environment.name}: nobody set ${flag}`);
  for (const { data, body } of requests) {
    const names = new Set((data.environments as Entity[]).map(({ name }) => name));
    if (names.size < data.environments.length) problems.push('an answer has an environment twice');
    for (const { name } of body.environments as Entity[])
      if (!names.has(name)) problems.push(`${name} was accepted and not answered`);
  }
  return problems;
};

/** The source is as an accepted request that was no dry run left it. */
export const sourceProblems = (done: readonly Done[], after: Snapshot, id: string): string[] => {
  const kept = succeeded(done, 'update-qualifying-event', id).filter(({ body }) => body.dryRun !== true);
  const { description, name } = entityOf(after, 'qualifyingEvents', id);
  return [
    ...(kept.length === 0 || kept.some(({ body }) => body.description === description)
      ? []
      : [`${id}: ${description}`]),
    ...(name === id ? [] : [`${id} is called ${name}`]),
  ];
};
