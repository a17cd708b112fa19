import { beforeEach, describe, expect, it } from 'vitest';
import { sourceBody } from '../proof/testing/accepted.ts';
import { started } from '../proof/testing/started.ts';

const { server, call } = await started();
beforeEach(server.reset);

const properties = (json: { errors: { property: string }[] }) => json.errors.map(error => error.property);

describe('Update Environments', () => {
  const update = (...environments: object[]) => call('update-environments', '', { environments });

  it('changes by id or by name, adds what is new, and removes nothing', async () => {
    const { json } = await update(
      { id: 'testing', name: 'quality' },
      { name: 'staging', requiresReview: false },
      { name: 'preview' },
    );
    expect(
      json.data.environments.map((environment: { id: string; name: string }) => [environment.id, environment.name]),
    ).toEqual([
      ['development', 'development'],
      ['testing', 'quality'],
      ['staging', 'staging'],
      ['production', 'production'],
      ['preview', 'preview'],
    ]);
    expect(json.data.environments[2].requiresReview).toBe(false);
    expect((await update()).json).toEqual(json);
  });

  it('refuses the whole set for one fault', async () => {
    const before = await server.store.snapshot();
    const { status, json } = await update(
      { name: 'fine' },
      { name: 'fine' },
      { isProduction: true },
      { name: 'x', requiredReviewGroupID: 'nobody' },
    );
    expect(status).toBe(400);
    expect(properties(json)).toEqual(['environments.1', 'environments.2.name', 'environments.3.requiredReviewGroupID']);
    expect(await server.store.snapshot()).toEqual(before);
  });
});

describe('Update Qualifying Event', () => {
  const update = (body: object) => call('update-qualifying-event', 'purchases_daily', { ...sourceBody, ...body });

  it('shows the new values in the list; the name never changes', async () => {
    const { json } = await update({ name: 'renamed', description: 'Changed.', timestampAsDay: false, team: 'growth' });
    expect(json.data).toMatchObject({
      ...sourceBody,
      name: 'purchases_daily',
      description: 'Changed.',
      timestampAsDay: false,
      team: 'growth',
    });
    const list = (await call('list-qualifying-events')).json.data;
    expect(list.find((source: { name: string }) => source.name === 'purchases_daily')).toEqual(json.data);
    expect(list.some((source: { name: string }) => source.name === 'renamed')).toBe(false);
  });

  it('keeps nothing of a dry run', async () => {
    const before = await server.store.snapshot();
    expect((await update({ description: 'Dry.', dryRun: true })).json.data.description).toBe('Dry.');
    expect(await server.store.snapshot()).toEqual(before);
  });

  it('reads the SQL unless told to skip that, and then needs the columns', async () => {
    for (const sql of ['DROP TABLE t', 'SELECT (1', "SELECT 'x", 'SELECT 1; DELETE FROM t', "SELECT '{start}'", ''])
      expect(properties((await update({ sql })).json)).toEqual(['sql']);
    for (const sql of [
      'with a as (select 1) select * from a',
      '-- a\nSELECT 1;',
      'SELECT \';)\' FROM "("',
      "SELECT '{service_end_date}'",
    ])
      expect((await update({ sql })).status).toBe(200);
    const skipped = {
      sql: 'whatever',
      skip_validation: true,
      all_columns: ['a', 'b'],
      column_types: ['string', 'int'],
    };
    expect((await update(skipped)).status).toBe(200);
    expect(await server.store.get('qualifyingEvents', 'purchases_daily')).toMatchObject({
      all_columns: ['a', 'b'],
      column_types: ['string', 'int'],
    });
    expect(properties((await update({ skip_validation: true })).json).sort()).toEqual(['all_columns', 'column_types']);
    expect(properties((await update({ ...skipped, column_types: ['string'] })).json)).toEqual(['column_types']);
  });

  it('refuses an unknown unit type, and lists every problem', async () => {
    const { json } = await update({
      sql: 'no',
      team: 'nobody',
      idTypeMapping: [{ serviceUnitID: 'nothing', column: 'x' }],
    });
    expect(properties(json)).toEqual(['team', 'idTypeMapping.0.serviceUnitID', 'sql']);
  });
});

describe('dynamic configs', () => {
  it('disables in a new version, once', async () => {
    const first = (await call('disable-config', 'feed_ranking')).json.data;
    expect(first).toMatchObject({ isEnabled: false, version: 21 });
    expect((await call('disable-config', 'feed_ranking')).json.data).toEqual(first);
    const versions = (await call('list-config-versions', 'feed_ranking', undefined, '?limit=100')).json.data;
    expect(versions.map((config: { version: number }) => config.version)).toEqual(
      Array.from({ length: 21 }, (_, index) => 21 - index),
    );
    expect(versions[1].isEnabled).toBe(true);
  });

  it('archives with or without a body, and remembers why', async () => {
    expect((await call('archive-config', 'legacy_limits')).json.data).toMatchObject({ isEnabled: false, version: 3 });
    expect((await call('archive-config', 'banner_texts', { archiveReason: 'Old.', forceArchive: true })).status).toBe(
      200,
    );
    expect((await server.store.get('configs', 'banner_texts'))?.archived).toEqual({ reason: 'Old.', forced: true });
    expect((await call('disable-config', 'banner_texts')).status).toBe(200);
  });
});

describe('Create Prompt Version', () => {
  it('shows what was sent and numbers the versions', async () => {
    const sent = {
      name: 'Greeting 2',
      id: '',
      description: '',
      prompts: [{ role: 'system', content: '' }],
      temperature: 0.5,
      max_tokens: 12.5,
    };
    expect((await call('create-prompt-version', 'greeting', sent)).json.data).toEqual(sent);
    expect((await call('create-prompt-version', 'greeting', {})).json.data.id).toBe('greeting-v5');
    expect((await server.store.get('prompts', 'greeting'))?.versions).toHaveLength(5);
  });

  it.each(['model', 'eval_model', 'provider'])('refuses an unknown %s', async member => {
    const { status, json } = await call('create-prompt-version', 'greeting', { [member]: 'nothing' });
    expect([status, ...properties(json)]).toEqual([400, member]);
  });
});
