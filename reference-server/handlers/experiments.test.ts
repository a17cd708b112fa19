import { beforeEach, describe, expect, it } from 'vitest';
import { experimentBody, groups } from '../proof/testing/accepted.ts';
import { started, testTime } from '../proof/testing/started.ts';

const { server, call } = await started();
beforeEach(server.reset);
const update = (body: object, id = 'help_button') => call('update-experiment', id, { ...experimentBody, ...body });

describe('Fully Update Experiment', () => {
  it('shows what was sent, keeps what the service knows, and grows the version', async () => {
    const before = await server.store.get('experiments', 'help_button');
    const { json } = await update({
      duration: 21,
      links: [{ url: 'https://example.com', title: 'T' }],
      userBuckets: [0, 999.9],
    });
    expect(json.data).toMatchObject({
      ...experimentBody,
      duration: 21,
      links: [{ url: 'https://example.com', title: 'T' }],
      userBuckets: [0, 999.9],
      id: 'help_button',
      name: 'help_button',
      layerID: 'layer_help_button',
      createdTime: before?.createdTime,
      startTime: testTime,
      version: (before?.version ?? 0) + 1,
      lastModifiedTime: testTime,
    });
  });

  it('takes settings that are not sent back to their defaults', async () => {
    await update({ decisionReason: 'Because.', duration: 21, tags: ['x'] });
    const { data } = (await update({})).json;
    expect(data).not.toHaveProperty('decisionReason');
    expect(data).toMatchObject({ duration: 14, tags: [] });
  });

  it('keeps the ids of groups by name and gives new ones to the others', async () => {
    const { data } = (
      await update({
        groups: [
          { name: 'New', size: 20 },
          { name: 'Control', size: 80 },
        ],
      })
    ).json;
    expect(data.groups).toEqual([
      { name: 'New', size: 20, id: 'help_button-group-3' },
      { name: 'Control', size: 80, id: 'help_button-group-1' },
    ]);
  });

  it('adds manual quality scores and renormalises all weights to 100', async () => {
    const first = (await update({ manualQualityScores: [{ criteriaDescription: 'Reviewed', score: 50, weight: 100 }] }))
      .json.data;
    expect(first.manualQualityScores).toEqual([{ criteriaDescription: 'Reviewed', score: 50, weight: 50 }]);
    expect(first.qualityScore.score).toBeCloseTo(75);
    const second = (
      await update({
        manualQualityScores: [
          { criteriaDescription: 'Announced', score: 100, weight: 50 },
          { criteriaDescription: 'POWER_ANALYSIS', score: 3, weight: 0 },
        ],
      })
    ).json.data;
    const { breakdown } = second.qualityScore as { breakdown: { criterion: string; weight: number }[] };
    expect(breakdown.map(entry => entry.criterion)).toEqual(expect.arrayContaining(['Reviewed', 'Announced']));
    expect(breakdown.map(entry => entry.criterion)).not.toContain('POWER_ANALYSIS');
    expect(breakdown.reduce((sum, entry) => sum + entry.weight, 0)).toBeCloseTo(100);
  });

  // biome-ignore format: a table
  it.each([
    ['groups',                       { groups: [{ name: 'A', size: 50 }, { name: 'B', size: 49 }] }],
    ['groups.1.name',                { groups: [{ name: 'A', size: 50 }, { name: 'A', size: 50 }] }],
    ['groups.1.id',                  { groups: [{ name: 'A', size: 50, id: 'x' }, { name: 'B', size: 50, id: 'x' }] }],
    ['groups.1.size',                { groups: [{ name: 'A', size: 110 }, { name: 'B', size: -10 }] }],
    ['targetingGateID',              { targetingGateID: 'nothing' }],
    ['idType',                       { idType: 'nothing' }],
    ['secondaryIDType',              { secondaryIDType: 'nothing' }],
    ['primaryMetrics.0',             { primaryMetrics: [{ name: 'nothing', type: 'sum' }] }],
    ['bayesianPriors.0.metric',      { bayesianPriors: [{ metric: { name: 'nothing', type: 'sum' } }] }],
    ['controlGroupID',               { controlGroupID: 'nothing' }],
    ['enabledNonProdEnvironments.0', { enabledNonProdEnvironments: ['nothing'] }],
    ['team',                         { team: 'nobody' }],
    ['sprtMDESettings.0.groupSettings.0.stdDev', { sprtBaselineMode: 'manual', sprtMDESettings: [{ metricKey: 'm', groupSettings: [{ mde: 1, mean: 1 }] }] }],
    ['allocation',                   { allocation: 100.01 }],
    ['duration',                     { duration: 1 }],
    ['userBuckets.0',                { userBuckets: [1000] }],
  ])('refuses %s when it is wrong, and changes nothing', async (property, wrong) => {
    const before = await server.store.snapshot();
    const { status, json } = await update(wrong);
    expect(status).toBe(400);
    expect(json.errors.map((error: { property: string }) => error.property)).toEqual([property]);
    expect(await server.store.snapshot()).toEqual(before);
  });

  it('takes sizes that add up to 100 but for rounding, and every documented null', async () => {
    const thirds = ['A', 'B', 'C'].map(name => ({ name, size: 33.33 }));
    expect((await update({ groups: thirds })).status).toBe(200);
    const nulls = {
      secondaryIDType: null,
      launchedGroupID: null,
      team: null,
      creatorID: null,
      scheduledReloadDays: null,
      allocationDuration: null,
    };
    expect((await update(nulls)).json.data).toMatchObject(nulls);
  });
});

describe('Enable Experiment Groups', () => {
  it('enables the named groups and leaves the rest', async () => {
    const before = await server.store.get('experiments', 'search_ranking');
    const { data } = (await call('enable-groups', 'search_ranking', { group_names: ['Popularity'] })).json;
    expect(data.groups.map((group: { disabled: boolean }) => group.disabled)).toEqual([false, true, false]);
    expect(data.version).toBe((before?.version ?? 0) + 1);
    expect({
      ...data,
      groups: 0,
      version: 0,
      lastModifiedTime: 0,
      lastModifierID: 0,
      lastModifierName: 0,
      lastModifierEmail: 0,
    }).toEqual({
      ...before,
      ...{ groups: 0, version: 0, lastModifiedTime: 0, lastModifierID: 0, lastModifierName: 0, lastModifierEmail: 0 },
    });
  });

  it('refuses an unknown group, and then enables none', async () => {
    const before = await server.store.snapshot();
    const { status, json } = await call('enable-groups', 'search_ranking', { group_names: ['Recency', 'Nobody'] });
    expect([status, json.errors[0].property]).toEqual([400, 'group_names.1']);
    expect(await server.store.snapshot()).toEqual(before);
  });

  it('works after a full update', async () => {
    await update({ groups: groups.map(group => ({ ...group, disabled: true })) });
    const { data } = (await call('enable-groups', 'help_button', { group_names: ['Test'] })).json;
    expect(data.groups.map((group: { disabled: boolean }) => group.disabled)).toEqual([true, false]);
  });
});
