import { describe, expect, test } from 'vitest';
import { RunStopped } from '../protocol/stop.ts';
import { preflight } from './preflight.ts';
import { type Answers, runDouble } from './run.fixture.ts';

const file = { fixtures: { gates: ['a_gate', 'another_gate'] } };
const tooLarge: ReturnType<Answers> = { failure: { kind: 'too-large', message: 'the answer is longer than 1 bytes' } };
const refused: ReturnType<Answers> = { failure: { kind: 'refused', message: 'no connection (ECONNREFUSED)' } };

const reasonOf = (answers: Answers): Promise<RunStopped> =>
  preflight(runDouble({ file, answers })).then(
    () => Promise.reject(new Error('it went on')),
    error => error,
  );

describe('sends', () => {
  const reads = ['GET /segments', 'GET /experiments/qualifying_events'];

  test('reads, and the empty patch of the first gate', async () => {
    const run = runDouble({ file });
    await preflight(run);
    expect(run.sent).toEqual([...reads, 'PATCH /gates/a_gate {}']);
  });

  test.each([
    ['without a gate', {}, {}],
    ['in a read-only run', file, { readOnly: true }],
  ])('reads only %s', async (_when, given, options) => {
    const run = runDouble({ file: given, options });
    await preflight(run);
    expect(run.sent).toEqual(reads);
  });
});

test.each<[string, Answers]>([
  ['one of them is answered', ({ method }) => (method === 'PATCH' ? undefined : refused)],
  ['all are refused for another reason than the key', () => ({ status: 409 })],
  ['only some answers are errors of the server', ({ method }) => (method === 'PATCH' ? undefined : { status: 500 })],
  ['only some refuse the key', ({ method }) => (method === 'PATCH' ? { status: 403 } : undefined)],
  ['all answers are too long to be read', () => tooLarge],
  ['nobody answers but for one answer that is too long', ({ method }) => (method === 'PATCH' ? tooLarge : refused)],
])('the run goes on where %s', async (_when, answers) => {
  await expect(preflight(runDouble({ file, answers }))).resolves.toBeUndefined();
});

test('it does not where nobody answers', async () => {
  const reason = await reasonOf(() => refused);
  expect(reason).toBeInstanceOf(RunStopped);
  expect(reason).toMatchObject({
    reason: 'unreachable',
    message: 'no answer from http://127.0.0.1:9/: no connection (ECONNREFUSED)',
    remedy: 'look whether something else listens there, and at its log',
  });
});

test('it does not where every answer refuses the key', async () => {
  expect(await reasonOf(({ method }) => ({ status: method === 'GET' ? 401 : 403 }))).toMatchObject({
    reason: 'unreachable',
    message: 'the key was refused everywhere (status 401 and 403 on 3 of 3 minimal requests)',
    remedy: expect.stringContaining('naming.apiKeyHeader is SERVICE-API-KEY'),
  });
});
