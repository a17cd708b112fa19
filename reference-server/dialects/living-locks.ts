import { isDeepStrictEqual } from 'node:util';
import type { BodyOf, EndpointId } from '../../contracts/endpoints.ts';
import { refusal } from '../api/response.ts';
import { insteadFor, insteadOfWork, sentBy } from '../decorators/operations.ts';
import type { Environment } from '../entities.ts';
import type { Reader } from '../store/store.ts';
import type { Dialect } from './dialect.ts';

/** Services that lock single fields, whatever the value: for a plan, a permission, a policy. */

const locked = (endpoint: EndpointId, status: number, field: string, message: string) => ({
  endpoints: [endpoint],
  mayBeUntested: { checks: [`${endpoint}/*`], because: message },
  decorator: insteadOfWork(request =>
    sentBy(request)[field] === undefined ? undefined : refusal(status, `${message}.`),
  ),
});

const flags = ['isProduction', 'requiresReview', 'requiresReleasePipeline'] as const;
type Flag = (typeof flags)[number];

/** The environments that would be, beside those that are. */
const sets = async (request: { readonly body: unknown }, store: Reader) => {
  const before = await store.list('environments');
  const { environments: sent = [] } = request.body as BodyOf<'update-environments'>;
  const isMeant = (one: Environment, { id, name }: { id?: string; name?: string }) =>
    id === undefined ? name === one.name : id === one.id;
  const pairs = before.map(one => [one, { ...one, ...sent.find(other => isMeant(one, other)) }] as const);
  return { pairs, after: pairs.map(([, one]) => one) };
};
const flagsLocked = (names: readonly Flag[], status: number, message: string) =>
  insteadOfWork(async (request, store) => {
    const { pairs } = await sets(request, store);
    return pairs.some(([one, other]) => names.some(name => one[name] !== other[name]))
      ? refusal(status, message)
      : undefined;
  });
const production = insteadOfWork(async (request, store) => {
  const { after } = await sets(request, store);
  return after.some(one => one.isProduction) ? undefined : refusal(409, 'There has to be a production environment.');
});
/** What was once production, or under review, stays so. */
const oneWay = insteadOfWork(async (request, store) => {
  const { pairs } = await sets(request, store);
  const turnedBack = pairs.some(([one, other]) => flags.some(name => one[name] === true && other[name] === false));
  return turnedBack ? refusal(409, 'This setting cannot be taken back.') : undefined;
});
const environments = {
  endpoints: ['update-environments'],
  mayBeUntested: { checks: ['update-environments/*'] },
} as const;

type Groups = BodyOf<'update-experiment'>['groups'];
const shape = (groups: Groups, sizes: boolean) => groups.map(({ name, size }) => (sizes ? [name, size] : name));
/** While an experiment runs its groups stay: their names, and with `sizes` their sizes. */
const runs = (sizes: boolean) =>
  insteadFor('experiments', (experiment, request) => {
    const { groups } = request.body as BodyOf<'update-experiment'>;
    if (groups === undefined || experiment?.status !== 'active') return undefined;
    return isDeepStrictEqual(shape(groups, sizes), shape(experiment.groups, sizes))
      ? undefined
      : refusal(409, 'The groups of a running experiment cannot change.');
  });

// biome-ignore format: a table
export const lockDialects: readonly Dialect[] = [
  { id: 'plan-without-lifts',          section: '2.3', title: 'has a plan without metric lifts (402 to `measureMetricLifts`)',            ...locked('patch-gate', 402, 'measureMetricLifts', 'Metric lifts are part of the Pro plan') },
  { id: 'key-not-for-tags',            section: '2.3', title: 'has a key that may not tag gates (403 to `tags`)',                         ...locked('patch-gate', 403, 'tags', 'This key lacks the permission tags:write') },
  { id: 'gate-type-locked',            section: '2.3', title: 'locks the type of gates (423 to `type`)',                                  ...locked('patch-gate', 423, 'type', 'The type of a gate is set by policy') },
  { id: 'gate-description-elsewhere',  section: '2.3', title: 'keeps descriptions of gates elsewhere (404 to `description`)',             ...locked('patch-gate', 404, 'description', 'Descriptions are kept in the wiki'), mayBeUntested: { checks: ['patch-gate/*', 'disable-gate/*'], because: 'Descriptions are kept in the wiki' } },
  { id: 'gate-name-locked',            section: '2.3', title: 'locks the names of gates (409 to `name`)',                                 ...locked('patch-gate', 409, 'name', 'A gate that was released keeps its name') },
  { id: 'plan-without-sequential',     section: '2.5', title: 'has a plan without sequential testing (402 to `sequentialTesting`)',       ...locked('update-experiment', 402, 'sequentialTesting', 'Sequential testing is part of the Pro plan') },
  { id: 'experiment-tags-locked',      section: '2.5', title: 'locks the tags of experiments (423 to `tags`)',                            ...locked('update-experiment', 423, 'tags', 'Tags are frozen'), mayBeUntested: { checks: ['update-experiment/*'] } },
  { id: 'metric-direction-locked',     section: '2.7', title: 'lets nobody choose the direction of a metric (403 to `directionality`)',   ...locked('create-metric', 403, 'directionality', 'Directions are chosen by the data team') },
  { id: 'plan-without-temperature',    section: '2.9', title: 'has a plan without temperatures (402 to `temperature`)',                   ...locked('create-prompt-version', 402, 'temperature', 'Temperatures are part of the Pro plan') },
  { id: 'source-fields-locked',        section: '2.6', title: 'has a plan without custom fields of sources (402 to `customFieldMapping`)', ...locked('update-qualifying-event', 402, 'customFieldMapping', 'Custom fields are part of the Pro plan') },
  { id: 'environment-flags-locked',    section: '2.2', title: 'locks the flags of environments (423)',                                    ...environments, decorator: flagsLocked(flags, 423, 'Flags of environments are set by policy.') },
  { id: 'environment-pipelines-planned', section: '2.2', title: 'has a plan without release pipelines (402)',                             ...environments, decorator: flagsLocked(['requiresReleasePipeline'], 402, 'Release pipelines are part of the Pro plan.') },
  { id: 'environment-one-production',  section: '2.2', title: 'keeps at least one production environment (409)',                          ...environments, decorator: production },
  { id: 'environment-flags-stay',      section: '2.2', title: 'lets no environment be turned back from production or review (409)',       ...environments, decorator: oneWay },
  { id: 'experiment-runs',             section: '2.5', title: 'keeps the groups of a running experiment, by name (409)',                  endpoints: ['update-experiment', 'enable-groups'], mayBeUntested: { checks: ['update-experiment/*'] }, decorator: runs(false) },
  { id: 'experiment-runs-in-sizes',    section: '2.5', title: 'keeps the groups of a running experiment, by name and size (409)',         endpoints: ['update-experiment', 'enable-groups'], mayBeUntested: { checks: ['update-experiment/*'] }, decorator: runs(true) },
];
