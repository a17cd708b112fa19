import { describe, expect, test } from 'vitest';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import { openSession } from '../sut/session.ts';
import { putBack, restoreLane } from './restore.ts';
import { type Answers, runDouble } from './run.fixture.ts';
import type { Snapshot } from './snapshot.ts';

const gate = {
  event: 'snapshot',
  endpoint: 'patch-gate',
  param: 'a_gate',
  body: { isEnabled: true, tags: ['a'] },
} as const;
const source = {
  event: 'snapshot',
  endpoint: 'update-qualifying-event',
  param: 'a_source',
  body: { sql: 'SELECT 1' },
} as const;
const environments = { event: 'snapshot', endpoint: 'update-environments', body: { environments: [] } } as const;

describe('one snapshot', () => {
  const put = async (snapshot: Parameters<typeof putBack>[0], answers: Answers) => {
    const run = runDouble({ answers });
    return { problem: await putBack(snapshot, openSession(run.wire, 'restore')), sent: run.sent };
  };

  test.each([gate, source, environments])('$endpoint is put back by one request', async snapshot => {
    const { problem, sent } = await put(snapshot, () => undefined);
    expect(problem).toBeNull();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain(JSON.stringify(snapshot.body));
  });

  test.each([
    [source, 'qualifying event a_source could not be put back (status 400)'],
    [environments, 'set of environments could not be put back (status 400)'],
  ])('$endpoint, which replaces the whole, is not tried again', async (snapshot, expected) => {
    const { problem, sent } = await put(snapshot, () => ({ status: 400 }));
    expect([problem, sent.length]).toEqual([expected, 1]);
  });

  test('a gate that refuses one of its fields is given them one by one, and what differs afterwards is named', async () => {
    const answers: Answers = ({ body }) =>
      String(body).includes('tags') ? { status: 400 } : { value: { data: { isEnabled: true, tags: ['b'] } } };
    const { problem, sent } = await put(gate, answers);
    expect(problem).toBe('gate a_gate: tags could not be put back');
    expect(sent.map(line => line.replace('PATCH /gates/a_gate ', ''))).toEqual([
      '{"isEnabled":true,"tags":["a"]}',
      '{"isEnabled":true}',
      '{"tags":["a"]}',
      '{}',
    ]);
  });
});

describe('a lane', () => {
  const file = { fixtures: { gates: ['a_gate'], qualifyingEvents: ['a_source'] } };
  const snapshotOf = (given: Partial<Snapshot>): Snapshot => ({
    entities: new Map(),
    overwritten: new Set(),
    qualifyingEvents: new Map(),
    ...given,
  });
  const gates = snapshotOf({ entities: new Map([['gate', new Map([['a_gate', { isEnabled: true }]])]]) });
  const wrote = (...fields: string[]): Given => ({
    request: { param: 'a_gate' },
    sent: Object.fromEntries(fields.map(field => [field, 'x'])),
  });
  const restored = async (lane: 'gates' | 'segments', snapshot: Snapshot, answers: Answers, ...written: Given[]) => {
    const run = runDouble({ file, answers });
    for (const given of written) run.writtenFields.note(givenAnswer(given));
    const result = await restoreLane(lane, run, snapshot, openSession(run.wire, `restore/${lane}`));
    return { ...result, sent: run.sent };
  };

  test('whose collection nothing restores sends nothing', async () => {
    expect(await restored('segments', gates, () => undefined)).toEqual({ problems: [], residue: [], sent: [] });
  });

  test('leaves what was written and is still shown, or never is, but not what the snapshot had or a dry run said', async () => {
    const answers: Answers = () => ({ value: { data: { isEnabled: true, description: 'x', team: null } } });
    const { problems, residue } = await restored(
      'gates',
      gates,
      answers,
      wrote('isEnabled', 'description', 'team', 'releasePipelineID', 'dryRun', 'skip_validation'),
    );
    expect(problems).toEqual([]);
    expect(residue).toEqual([
      {
        event: 'left-behind',
        endpoint: 'patch-gate',
        kind: 'gate',
        id: 'a_gate',
        what: 'description, releasePipelineID as last sent: no answer told what was there before',
      },
    ]);
  });

  test('leaves all that was written to an entity which could not be read before the run', async () => {
    const { residue, sent } = await restored('gates', snapshotOf({}), () => undefined, wrote('tags', 'isEnabled'));
    expect(residue.map(({ what }) => what)).toEqual([
      'isEnabled, tags as last sent: it could not be read before the run',
    ]);
    expect(sent).toEqual([]);
  });

  test('says of a gate that was read by a write what is not known', async () => {
    const overwritten = new Set(['gate a_gate']);
    const { problems } = await restored('gates', { ...gates, overwritten }, () => undefined);
    expect(problems).toEqual([
      expect.stringMatching(/^gate a_gate: its isEnabled could not be read .* it is false now$/),
    ]);
  });

  test('goes on where the target cannot be judged', async () => {
    const failure = { kind: 'too-large', message: 'the answer is longer than 1 bytes' } as const;
    const { problems } = await restored('gates', gates, () => ({ failure }));
    expect(problems).toEqual([
      expect.stringMatching(/^gate a_gate could not be put back: an answer could not be judged/),
    ]);
  });
});
