import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { TargetFile } from '../../contracts/target.ts';
import type { LearnedWord } from '../protocol/sut.ts';
import { mostWords, targetWith } from '../sut/learning/words.ts';
import { runDouble } from './run.fixture.ts';
import type { Snapshot } from './snapshot.ts';
import { answering, file, listed, nothingRead, source, taught } from './taught.fixture.ts';

const sources = [source('a_source', 'userID'), source('b', 'userID'), source('c', 'deviceID', { extra: 1 })];

describe('what is learned', () => {
  test('comes from lists, fixtures, dry runs and the answer about an experiment, each with its origin', async () => {
    const experiment = {
      id: 'an_experiment',
      idType: 'userID',
      creatorID: 'u1',
      groups: [{ id: 'g1' }, { name: 'Test' }],
    };
    const { words, events } = await taught({
      answers: answering({
        '/experiments/qualifying_events': () => listed(sources),
        '/events/an_event/metrics': () => listed([{ id: 'm::sum', name: 'm', type: 'sum', lineage: {} }]),
        '/dynamic_configs/a_config/versions': () => listed([{ id: 'a_config', targetApps: 'web' }]),
        '/experiments/an_experiment': () => ({ message: '', data: experiment }),
      }),
    });
    const told = words.map(
      ({ kind, value, origin, heldBy = 'anybody' }) => `${kind} ${JSON.stringify(value)} ${origin} → ${heldBy}`,
    );
    expect(told).toEqual([
      'environments "development" fixtures.environments → anybody',
      'idTypes "userID" list-qualifying-events a_source: idTypeMapping.serviceUnitID → anybody',
      'idTypes "deviceID" list-qualifying-events c: idTypeMapping.serviceUnitID → anybody',
      'columns "ts" list-qualifying-events: columns of all 3 sources that were read → anybody',
      'columns "user_id" list-qualifying-events: columns of all 3 sources that were read → anybody',
      'metrics {"name":"m","type":"sum"} list-event-metrics an_event: id → anybody',
      'apps "web" list-config-versions a_config: targetApps → anybody',
      'groups "g1" update-experiment an_experiment: groups → experiment an_experiment',
      'groups "Test" update-experiment an_experiment: groups → experiment an_experiment',
      'groupKeys "g1" update-experiment an_experiment: groups → experiment an_experiment',
      'groupKeys "Test" update-experiment an_experiment: groups → experiment an_experiment',
      'users {"id":"u1"} update-experiment an_experiment: creatorID → experiment an_experiment',
    ]);
    expect(events.map(({ event: _, ...word }) => word)).toEqual(words);
  });

  test('is the same whatever the order of a list', async () => {
    const of = async (items: readonly unknown[]) =>
      (await taught({ answers: answering({ '/experiments/qualifying_events': () => listed(items) }) })).words.map(
        ({ kind, value }) => [kind, value],
      );
    expect(await of([...sources].reverse())).toEqual(await of(sources));
  });

  test('is no metric that an earlier run created', async () => {
    const metrics = ['conform_abc_1', 'own'].map(name => ({ id: `${name}::sum`, name, type: 'sum' }));
    const { of } = await taught({ answers: answering({ '/events/an_event/metrics': () => listed(metrics) }) });
    expect(of('metrics')).toEqual([{ name: 'own', type: 'sum' }]);
  });

  test('of a gate goes back to that gate alone, and only of gates that are written to by some check', async () => {
    const gate = (id: string): JsonObject => ({ id, creatorID: `creator of ${id}`, creatorEmail: `${id}@example.com` });
    const gates = new Map(['a_gate', 'another_gate'].map(id => [id, gate(id)]));
    const { words } = await taught({}, { ...nothingRead, entities: new Map([['gate', gates]]) });
    const held = words.filter(({ heldBy }) => heldBy !== undefined);
    expect(held.map(({ value, heldBy }) => [value, heldBy])).toEqual([
      [{ id: 'creator of a_gate', email: 'a_gate@example.com' }, 'gate a_gate'],
    ]);
    const { target } = runDouble({ file }).config;
    const seenBy = (subject: string) => targetWith(target, words, 'patch-gate', subject).references('user');
    expect(seenBy('a_gate')).toEqual(['creator of a_gate']);
    expect(seenBy('another_gate')).toEqual([]);
    expect(targetWith(target, words, 'update-experiment', 'an_experiment').references('email')).toEqual([]);
  });

  test('of a gate is sent to others too where no list and no line of the target file names one of its kind', async () => {
    const gate: JsonObject = { id: 'a_gate', idType: 'userID', targetApps: ['web'], creatorID: 'u1' };
    const read: Snapshot = { ...nothingRead, entities: new Map([['gate', new Map([['a_gate', gate]])]]) };
    const experimentSees = async (options: Parameters<typeof taught>[0]) => {
      const { words } = await taught(options, read);
      const { target } = runDouble({ file: options.file ?? file }).config;
      return targetWith(target, words, 'update-experiment', 'an_experiment').references('app');
    };
    expect(await experimentSees({})).toEqual(['web']);
    const listing = { '/dynamic_configs/a_config/versions': () => listed([{ id: 'a_config', targetApps: 'ios' }]) };
    expect(await experimentSees({ answers: answering(listing) })).toEqual(['ios']);
    expect(await experimentSees({ file: { ...file, vocabulary: { apps: ['tv'] } } })).toEqual(['tv']);
    const { words } = await taught({}, read);
    expect(words.filter(({ kind, heldBy }) => kind === 'users' && heldBy === undefined)).toEqual([]);
  });

  test('of people and teams in a list is sent to nobody but the source itself', async () => {
    const enterprise: TargetFile = { ...file, capabilities: ['enterprise'] };
    const items = [source('a_source', 'userID', { team: 'growth' }), source('b', 'userID', { team: 'others' })];
    const { words, of } = await taught({
      file: enterprise,
      answers: answering({ '/experiments/qualifying_events': () => listed(items) }),
    });
    expect(of('teams')).toEqual(['growth']);
    expect(words.find(({ kind }) => kind === 'teams')?.heldBy).toBe('qualifying event a_source');
  });

  test('is bounded, and nothing that a hostile target makes up', async () => {
    const key = 'a-key-of-tests';
    const odd: unknown[] = ['', key, `x${key}`, 'a\u001b[2Jb', 'a\u202eb', 7, null, {}, [], 'n'.repeat(300), ' ', true];
    const many = Array.from({ length: 500 }, (_, index) => source(`source ${index}`, `id ${index}`));
    const wild = odd.map(value => source(value, value, { idTypeMapping: value, all_columns: [[value]], owner: value }));
    const deep = { serviceUnitID: { serviceUnitID: 'x' }, __proto__: { serviceUnitID: 'inherited' } };
    const { words, of } = await taught({
      answers: answering({
        '/experiments/qualifying_events': () =>
          listed([...wild, ...odd, source('d', 'd', { idTypeMapping: [deep] }), ...many]),
        '/events/an_event/metrics': () =>
          listed(odd.map(value => ({ id: value, name: value, type: value, unitTypes: [value] }))),
        '/experiments/an_experiment': () => ({
          message: '',
          data: { groups: odd, creatorID: odd, reviewSettings: { allowedReviewers: odd } },
        }),
      }),
    });
    expect(of('idTypes')).toHaveLength(mostWords);
    expect(of('metrics')).toEqual([]);
    expect(of('users')).toEqual([]);
    expect(of('groups')).toEqual([]);
    for (const { value, origin } of words) {
      expect(JSON.stringify([value, origin])).not.toMatch(/a-key-of-tests|inherited|\\u/);
      expect(JSON.stringify(value).length).toBeLessThan(500);
    }
  });

  test('is nothing where nothing answers as it should, and that is no error', async () => {
    for (const value of [
      null,
      'text',
      [],
      { data: null },
      { data: [[[]]], pagination: {} },
      listed([null, 1, 'x', []]),
    ])
      expect((await taught({ answers: () => ({ value }) })).words.map(({ origin }) => origin)).toEqual([
        'fixtures.environments',
      ]);
    const silent = await taught({ answers: () => ({ failure: { kind: 'timeout', message: 'no answer' } }) });
    expect(silent.of('idTypes')).toEqual([]);
  });
});

describe('the target file', () => {
  const answers = answering({
    '/experiments/qualifying_events': () => listed(sources),
    '/events/an_event/metrics': () => listed([{ id: 'm::sum', name: 'm', type: 'sum' }]),
  });

  test('forbids learning, and nothing is sent', async () => {
    const { words, sent } = await taught({ file: { ...file, learn: false }, answers });
    expect([words, sent]).toEqual([[], []]);
  });

  test('forbids a kind, and no more', async () => {
    const { of } = await taught({ file: { ...file, learn: { idTypes: false } }, answers });
    expect([of('idTypes'), of('metrics')]).toEqual([[], [{ name: 'm', type: 'sum' }]]);
  });

  test('has the first word, and what it names is never dropped', async () => {
    const named: TargetFile = { ...file, vocabulary: { idTypes: ['mine', 'deviceID'] } };
    const { words } = await taught({ file: named, answers });
    const refused = words.map(word => ({ ...word, refusedBy: ['learning'] }));
    const target = targetWith(runDouble({ file: named }).config.target, words, 'patch-gate', 'a_gate');
    expect(target.references('idType')).toEqual(['mine', 'deviceID', 'userID']);
    expect(target.learned?.('idType').map(({ value }) => value)).toEqual(['userID']);
    const without = targetWith(runDouble({ file: named }).config.target, refused, 'patch-gate', 'a_gate');
    expect(without.references('idType')).toEqual(['mine', 'deviceID']);
  });
});

describe('what is asked', () => {
  const answers = answering({ '/experiments/qualifying_events': () => listed(sources) });

  test.each([
    ['list-segments', 'which sends no body'],
    ['create-prompt-version', 'of whose names no answer tells any'],
    ['archive-config', 'which names nothing'],
  ])('is nothing for %s, %s', async only => {
    expect((await taught({ answers }, nothingRead, only)).sent).toEqual([]);
  });

  test('is GET alone in a read-only run', async () => {
    const { sent } = await taught({ answers, options: { readOnly: true } });
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter(line => !line.startsWith('GET '))).toEqual([]);
  });

  test('writes to no experiment that is not selected, and filters do not change the names', async () => {
    const whole = await taught({ answers });
    const gates = await taught({ answers }, nothingRead, 'patch-gate');
    expect(gates.sent.filter(line => !line.startsWith('GET '))).toEqual([]);
    expect(gates.of('idTypes')).toEqual(whole.of('idTypes'));
  });

  test('tries the next unit type where an experiment refuses the first, and says which was refused', async () => {
    const bodies: Json[] = [];
    const { words, of } = await taught({
      answers: request => {
        if (!request.path.endsWith('/experiments/an_experiment')) return answers(request);
        const body = JSON.parse(String(request.body)) as JsonObject;
        bodies.push(body.idType ?? null);
        return body.idType === 'userID'
          ? { status: 422, value: { message: 'no such id' } }
          : { value: { message: '', data: { groups: [{ id: 'g' }] } } };
      },
    });
    expect(bodies).toEqual(['userID', 'deviceID']);
    expect(of('groups')).toEqual(['g']);
    const { target } = runDouble({ file }).config;
    expect(targetWith(target, words, 'update-experiment', 'an_experiment').references('idType')).toEqual(['deviceID']);
    expect(targetWith(target, words, 'patch-gate', 'a_gate').references('idType')).toEqual(['userID', 'deviceID']);
  });

  test('is nothing where an earlier run has learned', async () => {
    const learned: LearnedWord[] = [{ kind: 'idTypes', value: 'of then', origin: 'list-qualifying-events: x' }];
    const { words, sent, events } = await taught({ answers, options: { learned } });
    expect([words, sent]).toEqual([learned, []]);
    expect(events).toHaveLength(1);
  });
});
