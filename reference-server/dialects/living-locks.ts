import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '../../contracts/endpoints.ts';
import { type Decorator, refusing } from '../decorators/index.ts';
import type { Environment } from '../entities.ts';
import { type DialectTable, experiments, type Remarks, unproven } from './dialect.ts';

/** Services that lock single fields, whatever the value, because of a plan, a permission or a policy. */

const locked = (field: string, status: number, message: string): readonly [Decorator, Remarks] => [
  refusing(status, `${message}.`, body => body[field] !== undefined),
  { mayBeUntested: { because: message } },
];

const inWiki = 'Descriptions are kept in the wiki';

const flags = ['isProduction', 'requiresReview', 'requiresReleasePipeline'] as const;
type Flag = (typeof flags)[number];

/** Refuses requests of whose environments, each as it was and as it would be, `when` holds. */
const refusingSets = (
  status: number,
  message: string,
  when: (pairs: readonly (readonly [before: Environment, after: Environment])[]) => boolean,
) =>
  refusing(status, message, async (body, _request, store) => {
    const { environments: sent = [] } = body as BodyOf<'update-environments'>;
    const isMeant = (one: Environment, { id, name }: { id?: string; name?: string }) =>
      id === undefined ? name === one.name : id === one.id;
    const before = await store.list('environments');
    return when(before.map(one => [one, { ...one, ...sent.find(other => isMeant(one, other)) }]));
  });
const flagsLocked = (names: readonly Flag[], status: number, message: string) =>
  refusingSets(status, message, pairs => pairs.some(([one, other]) => names.some(name => one[name] !== other[name])));
const production = refusingSets(409, 'There has to be a production environment.', pairs =>
  pairs.every(([, one]) => !one.isProduction),
);
/** Refuses to unset a flag of an environment. */
const oneWay = refusingSets(409, 'This setting cannot be taken back.', pairs =>
  pairs.some(([one, other]) => flags.some(name => one[name] === true && other[name] === false)),
);
type Groups = BodyOf<'update-experiment'>['groups'];
const shape = (groups: Groups, sizes: boolean) => groups.map(({ name, size }) => (sizes ? [name, size] : name));
/** Refuses changes to the groups of a running experiment: to their names, and with `sizes` to their sizes. */
const runs = (sizes: boolean) =>
  refusing(409, 'The groups of a running experiment cannot change.', async (body, { param }, store) => {
    const { groups } = body as BodyOf<'update-experiment'>;
    const experiment = await store.get('experiments', param);
    if (groups === undefined || experiment?.status !== 'active') return false;
    return !isDeepStrictEqual(shape(groups, sizes), shape(experiment.groups, sizes));
  });

/** Lets nothing but the flag itself be changed of a source that is read-only. */
const readOnlyLocks = refusing(423, 'This source is read-only.', async ({ isReadOnly }, { param }, store) => {
  const source = await store.get('qualifyingEvents', param);
  return source?.isReadOnly === true && isReadOnly !== false;
});
/** Refuses every change of an experiment that has ended. */
const endedLocks = refusing(409, 'The experiment has ended.', async (_body, { param }, store) => {
  const experiment = await store.get('experiments', param);
  return ['abandoned', 'archived', 'decision_made'].includes(String(experiment?.status));
});
const verifies = refusing(403, 'This key lacks the permission sources:verify.', body => body.isVerified === true);
const renamesNone = refusingSets(409, 'Gates refer to environments by their names.', pairs =>
  pairs.some(([one, other]) => one.name !== other.name),
);

// biome-ignore format: a table
export const lockDialects: DialectTable = [
  ['plan-without-lifts',            '2.3',    'patch-gate',              'has a plan without metric lifts (402 to `measureMetricLifts`)',                           ...locked('measureMetricLifts', 402, 'Metric lifts are part of the Pro plan')],
  ['key-not-for-tags',              '2.3',    'patch-gate',              'has a key that may not tag gates (403 to `tags`)',                                        ...locked('tags', 403, 'This key lacks the permission tags:write')],
  ['gate-type-locked',              '2.3',    'patch-gate',              'locks the type of gates (423 to `type`)',                                                 ...locked('type', 423, 'The type of a gate is set by policy')],
  ['gate-description-elsewhere',    '2.3',    'patch-gate',              'keeps descriptions of gates elsewhere (404 to `description`)',                            locked('description', 404, inWiki)[0], { mayBeUntested: { checks: ['patch-gate/*', 'disable-gate/*'], because: inWiki } }],
  ['gate-name-locked',              '2.3',    'patch-gate',              'locks the names of gates (409 to `name`)',                                                ...locked('name', 409, 'A gate that was released keeps its name')],
  ['plan-without-sequential',       '2.5',    'update-experiment',       'has a plan without sequential testing (402 to `sequentialTesting`)',                      ...locked('sequentialTesting', 402, 'Sequential testing is part of the Pro plan')],
  ['experiment-tags-locked',        '2.5',    'update-experiment',       'locks the tags of experiments (423 to `tags`)',                                           locked('tags', 423, 'Tags are frozen')[0], unproven],
  ['metric-direction-locked',       '2.7',    'create-metric',           'lets nobody choose the direction of a metric (403 to `directionality`)',                  ...locked('directionality', 403, 'Directions are chosen by the data team')],
  ['plan-without-temperature',      '2.9',    'create-prompt-version',   'has a plan without temperatures (402 to `temperature`)',                                  locked('temperature', 402, 'Temperatures are part of the Pro plan')[0], unproven],
  ['source-fields-locked',          '2.6',    'update-qualifying-event', 'has a plan without custom fields of sources (402 to `customFieldMapping`)',               ...locked('customFieldMapping', 402, 'Custom fields are part of the Pro plan')],
  ['environment-flags-locked',      '2.2', 'update-environments',                  'locks the flags of environments (423)',                              flagsLocked(flags, 423, 'Flags of environments are set by policy.'), unproven],
  ['environment-pipelines-planned', '2.2', 'update-environments',                  'has a plan without release pipelines (402)',                         flagsLocked(['requiresReleasePipeline'], 402, 'Release pipelines are part of the Pro plan.'), unproven],
  ['environment-one-production',    '2.2', 'update-environments',                  'keeps at least one production environment (409)',                    production, unproven],
  ['environment-flags-stay',        '2.2', 'update-environments',                  'lets no environment be turned back from production or review (409)', oneWay, unproven],
  ['environment-names-stay',        '4.1', 'update-environments',                  'lets no environment be renamed (409)',                               renamesNone, unproven],
  ['source-read-only-locks',        '2.6', 'update-qualifying-event',              'lets nothing be changed of a read-only source (423)',                readOnlyLocks, unproven],
  ['source-key-verifies-none',      '2.6', 'update-qualifying-event',              'has a key that may verify no source (403)',                          verifies, unproven],
  ['experiment-ended-locked',       '2.5', experiments, 'lets nothing be changed of an experiment that has ended (409)',      endedLocks, { mayBeUntested: { checks: ['update-experiment/*'] } }],
  ['experiment-runs',               '2.5', experiments, 'keeps the groups of a running experiment, by name (409)',            runs(false), { mayBeUntested: { checks: ['update-experiment/*'] } }],
  ['experiment-runs-in-sizes',      '2.5', experiments, 'keeps the groups of a running experiment, by name and size (409)',   runs(true), { mayBeUntested: { checks: ['update-experiment/*'] } }],
];
