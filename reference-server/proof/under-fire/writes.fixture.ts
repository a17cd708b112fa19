import type { EndpointId } from '../../../contracts/endpoints.ts';
import { experimentBody, sourceBody } from '../testing/accepted.ts';
import { type Attack, headFor, type Kind, whole } from './attack.fixture.ts';
import type { Draw } from './draw.fixture.ts';

/** Valid writes to few entities. Their effect is compared with a model of the state afterwards (`model.fixture.ts`). */

/** The entities that only these writes touch. */
export const contested = {
  gates: ['new_checkout', 'dark_mode'],
  experiments: ['checkout_button', 'search_ranking'],
  configs: ['pricing_table', 'feed_ranking'],
  prompts: ['greeting'],
  qualifyingEvents: ['purchases_daily'],
} as const;

const write = (
  endpoint: EndpointId,
  param: string,
  body: Readonly<Record<string, unknown>>,
  statuses: readonly number[] = [200],
): Omit<Attack, 'kind'> =>
  whole(headFor(endpoint, param), JSON.stringify(body), statuses, { endpoint, sent: { endpoint, param, body } });

const gatePatch = (draw: Draw): Record<string, unknown> => ({
  ...(draw.chance(60) && { description: `Number ${draw.below(1_000_000)}` }),
  ...(draw.chance(50) && { isEnabled: draw.chance(70) }),
  ...(draw.chance(30) && { tags: Array.from({ length: draw.below(4) }, () => draw.pick(['Core', 'ü', '🎈', 'a b'])) }),
  ...(draw.chance(20) && { type: draw.pick(['PERMANENT', 'TEMPORARY']) }),
  ...(draw.chance(10) && { measureMetricLifts: draw.chance(50) }),
});

const environments = (draw: Draw) => ({
  environments: [...new Set(Array.from({ length: draw.below(5) }, () => `fire-${draw.below(12)}`))].map(name => ({
    name,
    ...(draw.chance(50) && { id: name }),
    ...(draw.chance(50) && { isProduction: draw.chance(50) }),
    ...(draw.chance(50) && { requiresReview: draw.chance(50) }),
  })),
});

const experiment = (draw: Draw) => {
  const share = draw.below(101);
  const names = draw.pick([
    ['Control', 'Test'],
    ['A', 'B'],
    ['Control', 'Recency'],
  ]);
  return {
    ...experimentBody,
    hypothesis: `Number ${draw.below(1_000_000)}`,
    groups: names.map((name, index) => ({ name, size: index === 0 ? share : 100 - share })),
  };
};

const metric = (draw: Draw) => ({
  name: `Fire ${draw.below(30)}`,
  type: draw.pick(['event_count_custom', 'event_user']),
  metricEvents: [{ name: 'page_view', type: 'count' }],
  ...(draw.chance(30) && { dryRun: true }),
});

// biome-ignore format: a table
export const writes: readonly Kind[] = [
  { kind: 'patch a gate',        share: 80, make: draw => write('patch-gate', draw.pick(contested.gates), gatePatch(draw)) },
  { kind: 'disable a gate',      share: 20, make: draw => write('disable-gate', draw.pick(contested.gates), {}) },
  { kind: 'update environments', share: 40, make: draw => write('update-environments', '', environments(draw)) },
  { kind: 'create a metric',     share: 40, make: draw => write('create-metric', '', metric(draw), [200, 409]) },
  { kind: 'archive a config',    share: 15, make: draw => write('archive-config', draw.pick(contested.configs), { archiveReason: `Number ${draw.below(100)}`, forceArchive: draw.chance(50) }) },
  { kind: 'disable a config',    share: 15, make: draw => write('disable-config', draw.pick(contested.configs), {}) },
  { kind: 'update experiment',   share: 30, make: draw => write('update-experiment', draw.pick(contested.experiments), experiment(draw)) },
  { kind: 'enable groups',       share: 20, make: draw => write('enable-groups', draw.pick(contested.experiments), { group_names: draw.pick([[], ['Control'], ['Test'], ['Control', 'Nobody']]) }, [200, 400]) },
  { kind: 'create a prompt',     share: 20, make: draw => write('create-prompt-version', draw.pick(contested.prompts), { name: 'Greeting', prompts: [{ role: 'system', content: `Number ${draw.below(1000)}` }] }) },
  { kind: 'update a source',     share: 20, make: draw => write('update-qualifying-event', draw.pick(contested.qualifyingEvents), { ...sourceBody, description: `Number ${draw.below(1_000_000)}`, ...(draw.chance(30) && { dryRun: true }) }) },
];
