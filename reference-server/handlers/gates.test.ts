import { beforeEach, describe, expect, it } from 'vitest';
import { keyHolder } from '../directory.ts';
import { started, testTime } from '../proof/testing/started.ts';

const { server, call } = await started();
beforeEach(server.reset);

const stamps = {
  lastModifierID: keyHolder.id,
  lastModifierName: keyHolder.name,
  lastModifierEmail: keyHolder.email,
  lastModifiedTime: testTime,
};
const read = async (id: string) => (await call('patch-gate', id, {})).json.data;

describe('Partially Update Gates', () => {
  it('changes what is sent, stamps it, and touches nothing else', async () => {
    const before = await read('dark_mode');
    const neighbour = await read('new_checkout');
    const sent = {
      description: 'A\u0301 😀 شكرا ',
      tags: ['b', 'A'],
      type: 'TEMPORARY',
      measureMetricLifts: false,
      team: null,
      reviewSettings: { requiredReview: true },
    };
    const { json } = await call('patch-gate', 'dark_mode', sent);
    expect(json.data).toEqual({ ...before, ...sent, ...stamps, version: before.version + 1 });
    expect(await read('dark_mode')).toEqual(json.data);
    expect(await read('new_checkout')).toEqual(neighbour);
  });

  it('is no change when nothing is sent', async () => {
    expect(await read('dark_mode')).toEqual(await read('dark_mode'));
    expect((await read('dark_mode')).version).toBe(2);
  });

  it('shows target apps as a list, however they were sent', async () => {
    expect((await call('patch-gate', 'dark_mode', { targetApps: 'ios' })).json.data.targetApps).toEqual(['ios']);
    expect((await call('patch-gate', 'dark_mode', { targetApps: ['web', 'ios'] })).json.data.targetApps).toEqual([
      'web',
      'ios',
    ]);
  });

  it('keeps what only requests have out of the answer', async () => {
    const sent = { teamID: 'growth', releasePipelineID: 'pipeline-canary', gradual_rollout_strategy: { steps: [1] } };
    const { json } = await call('patch-gate', 'dark_mode', sent);
    for (const member of Object.keys(sent)) expect(json.data).not.toHaveProperty(member);
    expect(await server.store.get('gates', 'dark_mode')).toMatchObject(sent);
  });

  it.each([
    ['idType', 'nobodyID'],
    ['team', 'nobody'],
    ['teamID', 'nobody'],
    ['creatorID', 'nobody'],
    ['creatorEmail', 'nobody@example.com'],
    ['releasePipelineID', 'nothing'],
    ['targetApps', 'nothing'],
    ['targetApps.1', ['web', 'nothing']],
    ['monitoringMetrics.0', [{ name: 'nothing', type: 'sum' }]],
    ['reviewSettings.allowedReviewers.0', { allowedReviewers: ['nobody'] }],
  ])('refuses a %s that does not exist, and changes nothing', async (property, value) => {
    const before = await read('dark_mode');
    const member = property.split('.')[0] as string;
    const { status, json } = await call('patch-gate', 'dark_mode', { description: 'Changed.', [member]: value });
    expect(status).toBe(400);
    expect(json.errors.map((error: { property: string }) => error.property)).toEqual([property]);
    expect(await read('dark_mode')).toEqual(before);
  });

  it('takes references that exist', async () => {
    const sent = {
      monitoringMetrics: [{ name: 'purchase', type: 'event_count' }],
      creatorID: 'user-chen',
      team: 'platform',
      idType: 'companyID',
    };
    expect((await call('patch-gate', 'dark_mode', sent)).json.data).toMatchObject(sent);
  });

  it('keeps answers apart when eight gates are patched at once', async () => {
    const ids = [
      'new_checkout',
      'dark_mode',
      'express_shipping',
      'search_suggestions',
      'new_checkout_v2',
      'rate_limit_v2',
      'onboarding_tour',
      'offline_mode',
    ];
    const answers = await Promise.all(ids.map(id => call('patch-gate', id, { description: `About ${id}` })));
    expect(answers.map(({ json }) => [json.data.id, json.data.description])).toEqual(
      ids.map(id => [id, `About ${id}`]),
    );
    for (const id of ids) expect((await read(id)).description).toBe(`About ${id}`);
  });

  it('loses none of eight patches of one gate', async () => {
    const members = [
      { description: 'D' },
      { tags: ['x'] },
      { type: 'TEMPORARY' },
      { isEnabled: false },
      { team: null },
      { idType: 'userID' },
      { name: 'New name' },
      { measureMetricLifts: true },
    ];
    const { version } = await read('dark_mode');
    await Promise.all(members.map(member => call('patch-gate', 'dark_mode', member)));
    expect(await read('dark_mode')).toMatchObject({
      ...Object.assign({}, ...members),
      version: version + members.length,
    });
  });
});

describe('Disable Gate', () => {
  it('turns the gate off, leaves its settings, and changes nothing the second time', async () => {
    const before = await read('dark_mode');
    const first = (await call('disable-gate', 'dark_mode')).json;
    expect(first.message).toBe('Gate updated successfully.');
    expect(first.data).toEqual({ ...before, ...stamps, isEnabled: false, version: before.version + 1 });
    expect((await call('disable-gate', 'dark_mode')).json).toEqual(first);
    expect(await read('dark_mode')).toEqual(first.data);
  });
});
