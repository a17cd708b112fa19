import { describe, expect, test } from 'vitest';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import { httpDouble } from '../proof/testing/doubles.ts';
import { openSession } from '../sut/session.ts';
import { targetOf } from '../sut/target.ts';
import { restore, restoreLane } from './restore.ts';
import { type Answers, runDouble } from './run.fixture.ts';
import type { Snapshot } from './snapshot.ts';

describe('a lane', () => {
  const file = { fixtures: { gates: ['a_gate'], qualifyingEvents: ['a_source'] } };
  const snapshotOf = (given: Partial<Snapshot>): Snapshot => ({
    entities: new Map(),
    overwritten: new Map(),
    qualifyingEvents: new Map(),
    ...given,
  });
  const gates = snapshotOf({ entities: new Map([['gate', new Map([['a_gate', { isEnabled: true }]])]]) });
  const wrote = (...fields: string[]): Given => ({
    request: { param: 'a_gate' },
    sent: Object.fromEntries(fields.map(field => [field, 'x'])),
  });
  const restored = async (lane: 'gates' | 'segments', snapshot: Snapshot, answers: Answers, ...written: Given[]) => {
    const run = runDouble({ file, answers, options: { settleMs: 1 } });
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
        count: 1,
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
    const overwritten = new Map([['gate a_gate', ['isEnabled']]]);
    const { problems, residue } = await restored('gates', { ...gates, overwritten }, () => ({
      value: { data: { isEnabled: true } },
    }));
    expect(problems).toEqual([
      expect.stringMatching(/^gate a_gate: its isEnabled could not be read .* it is true now$/),
    ]);
    expect(residue.map(({ id, what }) => `${id}: ${what}`)).toEqual([expect.stringMatching(/^a_gate: isEnabled /)]);
  });

  test('tells of what could not be put back the request that would, beside what is left', async () => {
    const answers: Answers = ({ body }) =>
      body === '{}' ? { value: { data: { isEnabled: false } } } : { status: 403 };
    const { problems, residue } = await restored('gates', gates, answers, wrote('isEnabled'));
    expect(problems).toEqual(['gate a_gate: isEnabled could not be put back (status 403)']);
    expect(residue).toEqual([
      expect.objectContaining({ id: 'a_gate', send: 'PATCH /console/v1/gates/a_gate {"isEnabled":true}' }),
    ]);
  });

  test('says what changed of a gate that the run only read, and leaves it', async () => {
    const answers: Answers = () => ({ value: { data: { isEnabled: false } } });
    const read: Given = { request: { param: 'a_gate' }, sent: {} };
    const { problems, residue, sent } = await restored('gates', gates, answers, read);
    expect(problems).toEqual([
      'gate a_gate: isEnabled changed during the run, which wrote nothing to it; it is left as it is',
    ]);
    expect(residue).toEqual([]);
    expect(new Set(sent)).toEqual(new Set(['PATCH /gates/a_gate {}']));
  });

  test('looks at what it never wrote to without a write, even if the empty patch is refused, or wants more', async () => {
    const run = runDouble({ file, answers: () => ({ status: 409 }), options: { settleMs: 1 } });
    run.wire.gates.set('a_gate', { isEnabled: true });
    run.wire.bases.set('patch-gate', { changes: [{ pointer: '/description', becomes: 'demanded' }] });
    const { problems } = await restoreLane('gates', run, gates, openSession(run.wire, 'restore/gates'));
    expect([problems, run.sent]).toEqual([[], ['PATCH /gates/a_gate {}']]);
  });

  test('takes a fixture for gone only if it stays so', async () => {
    let looks = 0;
    const forAMoment = await restored('gates', gates, () => {
      looks += 1;
      return looks === 1 ? { status: 404 } : { value: { data: { isEnabled: true } } };
    });
    expect(forAMoment.problems).toEqual([]);
    const gone = await restored('gates', gates, () => ({ status: 404 }));
    expect(gone.problems).toEqual([expect.stringMatching(/^gate a_gate: it went away during the run/)]);
  });

  test.each<readonly [what: string, given: Given]>([
    ['was refused', { ...wrote('isEnabled'), status: 400 }],
    ['had no key', { request: { param: 'a_gate', key: { kind: 'none' } }, sent: { isEnabled: false }, status: 401 }],
    ['was a dry run', { request: { param: 'a_gate' }, sent: { isEnabled: false, dryRun: true } }],
    ['disables', { request: { endpoint: 'disable-gate', param: 'a_gate' }, status: 409 }],
  ])('puts back a gate whose only write %s: a faulty service may have stored it', async (_what, given) => {
    const answers: Answers = ({ body }) => ({ value: { data: { isEnabled: body !== '{}' } } });
    const { problems, sent } = await restored('gates', gates, answers, given);
    expect(problems).toEqual([
      'gate a_gate: isEnabled could not be put back (it was accepted and is not shown afterwards)',
    ]);
    expect(sent).toContain('PATCH /gates/a_gate {"isEnabled":true}');
  });

  test('goes on where the target cannot be judged', async () => {
    const failure = { kind: 'too-large', message: 'the answer is longer than 1 bytes' } as const;
    const { problems, residue } = await restored('gates', gates, () => ({ failure }), wrote('isEnabled'));
    expect(problems).toEqual([
      expect.stringMatching(/^gate a_gate could not be put back: an answer could not be judged/),
    ]);
    expect(residue.map(({ what }) => what)).toEqual([expect.stringMatching(/^isEnabled as last sent: /)]);
    expect(await restored('gates', gates, () => ({ failure }))).toMatchObject({ problems: [], residue: [] });
  });
});

test('a fault of the suite in one lane keeps none of the others from being put back', async () => {
  const seen: string[] = [];
  const { url } = await httpDouble((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(403).end('{}');
  });
  const entity = new Map([['a', { description: 'x' }]]);
  const snapshot: Snapshot = {
    entities: new Map([
      ['gate', entity],
      ['qualifying-event', entity],
    ]),
    overwritten: new Map(),
    qualifyingEvents: new Map(),
  };
  const run = runDouble({ lanes: ['gates', 'qualifying-events'], options: { settleMs: 1 } });
  const config = { ...run.config, target: targetOf({}, url, 'a-key-of-tests') };
  const emit = (): void => {
    throw new Error('a fault');
  };
  for (const endpoint of ['patch-gate', 'update-qualifying-event'] as const)
    run.writtenFields.note(givenAnswer({ request: { endpoint, param: 'a' }, sent: { description: 'y' } }));
  await expect(restore({ ...run, config, emit }, snapshot)).rejects.toThrow('a fault');
  expect(seen.some(one => one.startsWith('PATCH '))).toBe(true);
  expect(seen.some(one => one.startsWith('GET '))).toBe(true);
});
