import { describe, expect, test } from 'vitest';
import { endpointRow, endpointsWhere } from '../../contracts/endpoints.ts';
import type { TargetFile } from '../../contracts/target.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { interrupted } from '../protocol/stop.ts';
import { restorableResources } from './fixture-reading.ts';
import { isRestoring } from './residue.ts';
import { type Answers, type DoubleOptions, runDouble } from './run.fixture.ts';
import { entityName, restorations, takeSnapshot } from './snapshot.ts';

const file = {
  fixtures: {
    gates: ['a_gate'],
    qualifyingEvents: ['a_source', 'not_listed'],
    environments: [{ name: 'development', isProduction: false, requiresReview: false }],
  },
};
const gate = { id: 'a_gate', isEnabled: true, rules: [], createdTime: 1 };
const source = { name: 'a_source', sql: 'SELECT 1', owner: { ownerID: 'a_user' } };
const whole: Answers = ({ method, path }) => {
  if (method === 'PATCH') return { value: { data: gate } };
  const pagination = { itemsPerPage: 10, pageNumber: 1, totalItems: 2, nextPage: null, previousPage: null, all: path };
  return { value: { message: 'listed', data: [source, { name: 'of_others' }], pagination } };
};
const taken = async (double: DoubleOptions) => {
  const run = runDouble({ file, lanes: ['gates', 'qualifying-events', 'environments'], ...double });
  return { run, snapshot: await takeSnapshot(run) };
};

test('every restoring operation has a row for its resource, and reads its entities where its path names one', () => {
  const rows = endpointsWhere(isRestoring).map(endpointRow);
  expect(rows.length).toBe(Object.keys(restorableResources).length);
  for (const { resource, param } of rows) {
    expect(restorableResources[resource]).toBeDefined();
    expect(restorableResources[resource]?.read !== undefined).toBe(param !== null);
  }
});

describe('before the run', () => {
  test('the fixtures of the target file are read, and what would put them back is emitted lane by lane', async () => {
    const { run, snapshot } = await taken({ answers: whole });
    expect(run.sent).toEqual(['GET /experiments/qualifying_events', 'PATCH /gates/a_gate {}']);
    const { environments } = file.fixtures;
    expect(run.events).toEqual([
      { event: 'snapshot', endpoint: 'patch-gate', param: 'a_gate', body: { isEnabled: true, rules: [] } },
      { event: 'snapshot', endpoint: 'update-qualifying-event', param: 'a_source', body: { sql: 'SELECT 1' } },
      { event: 'snapshot', endpoint: 'update-environments', body: { environments } },
    ]);
    expect(snapshot.qualifyingEvents).toEqual(new Map([['a_source', source]]));
    expect(snapshot.overwritten.size).toBe(0);
  });

  test('only the collections of the plan are read', async () => {
    const { run } = await taken({ answers: whole, lanes: ['segments', 'qualifying-events'] });
    expect(run.sent).toEqual(['GET /experiments/qualifying_events']);
    expect(run.events.map(event => event.event === 'snapshot' && event.endpoint)).toEqual(['update-qualifying-event']);
  });

  test('a read-only run reads no gate, for that is a PATCH, and has nothing to put back', async () => {
    const { run, snapshot } = await taken({ answers: whole, options: { readOnly: true } });
    expect(run.sent).toEqual(['GET /experiments/qualifying_events']);
    expect(run.events).toEqual([]);
    expect(snapshot.qualifyingEvents.size).toBe(1);
  });

  const patches = (...bodies: readonly string[]) => bodies.map(body => `PATCH /gates/a_gate ${body}`);
  const nothing = '{"conformReads":true}';
  const refusing =
    (isRefused: (body: Record<string, unknown>) => boolean): Answers =>
    request =>
      isRefused(JSON.parse(String(request.body ?? '{}'))) ? { status: 422 } : whole(request);

  test('a gate whose empty patch is refused is read by one that changes nothing', async () => {
    const { run, snapshot } = await taken({
      answers: refusing(body => Object.keys(body).length === 0),
      lanes: ['gates'],
    });
    expect(run.sent).toEqual(patches('{}', nothing));
    expect(snapshot.overwritten.size).toBe(0);
    expect(run.events).toHaveLength(1);
  });

  test('or else by a write of what is missed least, and that is noted', async () => {
    const answers = refusing(body => Object.keys(body).length === 0 || 'conformReads' in body);
    const { run, snapshot } = await taken({ answers, lanes: ['gates'] });
    expect(run.sent).toEqual(patches('{}', nothing, '{"measureMetricLifts":true}', '{"isEnabled":true}'));
    expect([...snapshot.overwritten]).toEqual([['gate a_gate', ['measureMetricLifts']]]);
    expect(run.events).toHaveLength(1);
  });

  const overwriting = refusing(body => Object.keys(body).length === 0 || 'conformReads' in body);

  test('a field that was written to read a gate is known, though what followed said nothing', async () => {
    const answers: Answers = request =>
      request.body === '{"isEnabled":true}'
        ? { failure: { kind: 'too-large', message: 'the answer is longer than 1 bytes' } }
        : overwriting(request);
    const { snapshot } = await taken({ answers, lanes: ['gates'] });
    expect([...snapshot.overwritten]).toEqual([['gate a_gate', ['measureMetricLifts']]]);
  });

  test('a field that was written to read a gate is known, though the run was stopped before all was read', async () => {
    const run = runDouble({
      file: { fixtures: { ...file.fixtures, gates: ['a_gate', 'another_gate'] } },
      answers: overwriting,
      lanes: ['gates', 'qualifying-events'],
    });
    const stopped = interrupted();
    const stopping = (_id: string, { param }: ApiRequest): void => {
      if (param === 'another_gate') throw stopped;
    };
    const snapshot = await takeSnapshot({ ...run, wire: { ...run.wire, admit: stopping } });
    expect([...snapshot.overwritten]).toEqual([['gate a_gate', ['measureMetricLifts']]]);
    expect(snapshot.cut).toBe(stopped);
    expect(run.events).toEqual([expect.objectContaining({ event: 'snapshot', param: 'a_gate' })]);
  });

  test('a run that was stopped before anything was written has nothing to put back', async () => {
    const run = runDouble({ file, answers: whole, lanes: ['gates'] });
    const stopped = interrupted();
    const stopping = (): void => {
      throw stopped;
    };
    await expect(takeSnapshot({ ...run, wire: { ...run.wire, admit: stopping } })).rejects.toBe(stopped);
  });

  test.each<[string, TargetFile['requires'], number]>([
    ['needs to be turned by every patch', undefined, 12],
    ['is declared to need that', { 'patch-gate': ['isEnabled'] }, 1],
  ])('a gate that %s is neither turned nor written', async (_what, requires, most) => {
    const answers = refusing(body => !('isEnabled' in body));
    const { run, snapshot } = await taken({
      answers,
      lanes: ['gates'],
      file: { ...file, ...(requires && { requires }) },
    });
    expect(run.sent.filter(one => one.includes('isEnabled'))).toEqual([]);
    expect(run.sent.length).toBeLessThanOrEqual(most);
    expect(snapshot.gates?.size).toBe(0);
    expect(snapshot.writable?.entity('disable-gate', 'a_gate')?.because).toMatch(
      /^the gate a_gate could not be read without a change that its users would notice \(status 422\)/,
    );
  });

  test.each<[string, Answers]>([
    ['refused', () => ({ status: 500 })],
    ['too long to be read', () => ({ failure: { kind: 'too-large', message: 'the answer is longer than 1 bytes' } })],
  ])('an entity whose reading is %s is missing', async (_how, answers) => {
    const { run, snapshot } = await taken({ answers, lanes: ['gates', 'qualifying-events'] });
    expect(restorations(snapshot, 'gates')).toEqual([]);
    expect(restorations(snapshot, 'qualifying-events')).toEqual([]);
    expect(run.events).toEqual([]);
  });

  test('a member that holds the key stays out of the journal, and is put back all the same', async () => {
    const answers: Answers = () => ({ value: { data: { isEnabled: true, description: 'a-key-of-tests' } } });
    const { run, snapshot } = await taken({ answers, lanes: ['gates'] });
    expect(run.events).toEqual([
      expect.objectContaining({ body: { isEnabled: true } }),
      expect.objectContaining({
        event: 'notice',
        text: expect.stringContaining('what looks like a secret in description: the journal cannot tell `restore`'),
      }),
    ]);
    expect(restorations(snapshot, 'gates')).toEqual([
      expect.objectContaining({ body: { isEnabled: true, description: 'a-key-of-tests' } }),
    ]);
  });
});

test.each([
  ['patch-gate', 'a_gate', 'gate a_gate'],
  ['update-qualifying-event', 'a_source', 'qualifying event a_source'],
  ['update-environments', undefined, 'set of environments'],
] as const)('the snapshot of %s %s is named %s', (endpoint, param, name) => {
  expect(entityName(param === undefined ? { endpoint } : { endpoint, param })).toBe(name);
});
