import { beforeEach, describe, expect, it } from 'vitest';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { accepted } from '../proof/testing/accepted.ts';
import { started } from '../proof/testing/started.ts';

const { server, call, send } = await started();
const open = await started({ openVocabulary: true });
beforeEach(server.reset);

const refusalOf = async (id: EndpointId, param: string, body: object): Promise<unknown> => {
  const { status, json } = await call(id, param, body);
  expect(status).toBe(400);
  return json.errors;
};

const experiment = accepted['update-experiment'];
const source = accepted['update-qualifying-event'];

// biome-ignore format: a table
const rows: readonly (readonly [EndpointId, string, object, string, string])[] = [
  ['patch-gate', 'dark_mode', { team: 'x' },              'team',         'names no known team; there are growth, payments, platform'],
  ['patch-gate', 'dark_mode', { targetApps: ['web', 'x'] }, 'targetApps.1', 'names no known target app; there are web, ios, android'],
  ['patch-gate', 'dark_mode', { creatorEmail: 'x@x' },    'creatorEmail', 'names no known user with this email address; there are ada.okafor@example.com, brice.lambert@example.com, chen.yi@example.com, console-api@example.com'],
  ['patch-gate', 'dark_mode', { reviewSettings: { requiredReview: false, allowedReviewers: [{ id: 'x' }] } }, 'reviewSettings.allowedReviewers.0', 'names no known user; there are user-ada, user-brice, user-chen, console-api-key'],
  ['create-prompt-version', 'greeting', { eval_model: 'x' }, 'eval_model', 'names no known model; there are gpt-4o, gpt-4o-mini, claude-sonnet'],
  ['create-metric', '', { name: 'new', type: 'sum', unitTypes: ['x'] }, 'unitTypes.0', 'names no known unit id type; there are userID, stableID, companyID, deviceID'],
  ['create-metric', '', { name: 'new', type: 'sum', metricEvents: [{ name: 'x', type: 'count' }] }, 'metricEvents.0.name', 'names no known event; there are page_view, add_to_cart, purchase, session_start'],
  ['update-environments', '', { environments: [{ name: 'staging', requiredReviewGroupID: 'x' }] }, 'environments.0.requiredReviewGroupID', 'names no known review group; there are release-managers, data-reviewers'],
  ['update-qualifying-event', source.param ?? '', { ...(source.body as object), idTypeMapping: [{ serviceUnitID: 'x', column: 'c' }] }, 'idTypeMapping.0.serviceUnitID', 'names no known unit id type; there are userID, stableID, companyID, deviceID'],
  ['update-experiment', experiment.param ?? '', { ...(experiment.body as object), identityResolutionSource: 'x' }, 'identityResolutionSource', 'names no known identity resolution source; there is user_identity_map'],
];

describe('a name of the directory', () => {
  it.each(rows)('that is not there is refused by %s, with those that are', async (id, param, body, property, says) => {
    expect(await refusalOf(id, param, body)).toEqual([{ property, errorMessage: says }]);
  });

  it('is part of the state: who adds one while the server runs may use it, and who takes one away may not', async () => {
    const state = (await send('/_reference/state', { key: null })).json;
    const lina = { id: 'user-lina', name: 'Lina', email: 'lina@example.org' };
    const body = { ...state, teams: [['design', { id: 'design' }]], users: [...state.users, [lina.id, lina]] };
    expect((await send('/_reference/state', { method: 'PUT', body, key: null })).status).toBe(200);
    expect((await call('patch-gate', 'dark_mode', { team: 'design', creatorEmail: lina.email })).status).toBe(200);
    expect((await call('patch-gate', 'dark_mode', { creatorID: lina.id })).status).toBe(200);
    expect(await refusalOf('patch-gate', 'dark_mode', { team: 'growth' })).toEqual([
      { property: 'team', errorMessage: 'names no known team; there is design' },
    ]);
  });

  it('is told ten times at most, and never at length', async () => {
    await server.store.transaction(async transaction => {
      for (let number = 0; number < 30; number++)
        await transaction.put('models', `m${number}`, { id: `m${number}${'x'.repeat(1000)}` });
    });
    const [error] = (await refusalOf('create-prompt-version', 'greeting', { model: 'x' })) as {
      errorMessage: string;
    }[];
    expect(error?.errorMessage.length).toBeLessThanOrEqual(301);
    expect(await refusalOf('patch-gate', 'dark_mode', { monitoringMetrics: [{ name: 'x', type: 'sum' }] })).toEqual([
      expect.objectContaining({
        errorMessage: expect.stringMatching(/^names no known metric; there are .* and 24 more$/),
      }),
    ]);
  });
});

describe('an open vocabulary', () => {
  it('takes every name for one of the directory', async () => {
    for (const [id, param, body] of rows.filter(([, , , property]) => property !== 'metricEvents.0.name'))
      expect([id, (await open.call(id, param, body)).status]).toEqual([id, 200]);
  });

  it('does not invent entities', async () => {
    expect((await open.call('patch-gate', 'nobody', {})).status).toBe(404);
    const body = { name: 'new', type: 'sum', metricEvents: [{ name: 'x', type: 'count' }] };
    expect((await open.call('create-metric', '', body)).status).toBe(400);
  });
});

it('a state from before the directory was part of it has that of the fixtures', async () => {
  const { gates, configs, environments, experiments, qualifyingEvents, metrics, segments, prompts, events } =
    await server.store.snapshot();
  const body = { gates, configs, environments, experiments, qualifyingEvents, metrics, segments, prompts, events };
  expect((await send('/_reference/state', { method: 'PUT', body, key: null })).status).toBe(200);
  expect((await call('patch-gate', 'dark_mode', { team: 'payments' })).status).toBe(200);
});
