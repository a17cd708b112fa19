import { expect, test } from 'vitest';
import { endpointRow } from '../../../contracts/endpoints.ts';
import {
  type GivenExchange,
  gateUpdated as gate,
  givenExchange,
  judgedInTurn as judged,
  judgedTraffic,
} from '../../proof/testing/exchanges.ts';

const patch = (body: unknown, answer: unknown, more: GivenExchange = {}): GivenExchange => ({
  method: 'PATCH',
  target: '/console/v1/gates/gate_a',
  body,
  answer,
  ...more,
});

test('ordinary traffic draws nothing, and the run is conformant', () => {
  const { found, report } = judged([patch({ description: 'a' }, gate({ description: 'a' }))]);
  expect(found).toEqual([]);
  expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0 });
  expect(report.traffic).toMatchObject({
    exchanges: 1,
    judged: 1,
    sides: { client: 'conformant', server: 'conformant' },
  });
});

test('a broken answer is the breach of the server, a broken request of the client, and what was accepted of both', () => {
  expect(judged([patch({ description: 'a' }, gate({ description: 'b' }))]).found).toEqual([
    'server echo.sent-field /data/description',
  ]);
  expect(judged([patch({ name: 'ab' }, { message: 'No.' }, { status: 400 })]).found).toEqual([
    'client client.body-constraint /name',
  ]);
  expect(judged([patch({ name: 'ab' }, gate({ name: 'ab' }))]).found).toEqual([
    'server gate.name status',
    'client client.body-constraint /name',
  ]);
});

test('each exchange is counted once, whatever it is', () => {
  const { report } = judged([
    patch({}, gate()),
    { target: '/health' },
    { target: '/console/v1/segment' },
    patch({}, undefined, { failure: 'closed' }),
    patch({}, undefined, { answerBody: 'not recorded' }),
    { method: 'OPTIONS', headers: { 'access-control-request-method': 'PATCH' }, status: 204 },
  ]);
  const { exchanges = 0, judged: own = 0, notJudged = [], outside = [] } = report.traffic ?? {};
  const sum = [...notJudged, ...outside].reduce((total, { count }) => total + count, own);
  expect({ exchanges, sum, own }).toEqual({ exchanges: 6, sum: 6, own: 2 });
});

test('no traffic of the API is incomplete, and what could not be judged never is', () => {
  expect(judged([{ target: '/health' }]).report).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
  expect(judged([patch({}, gate()), patch({}, undefined, { answerBody: 'not recorded' })]).report.exitCode).toBe(0);
});

test('whose breaches fail is chosen', () => {
  const broken = [patch({ name: 'ab' }, { message: 'No.' }, { status: 400 })];
  expect(judged(broken).report.exitCode).toBe(1);
  expect(judged(broken, { failOn: 'client' }).report.exitCode).toBe(1);
  expect(judged(broken, { failOn: 'server' }).report.exitCode).toBe(0);
});

test('an expected breach is none, and one that is never made fails', () => {
  const broken = [patch({ name: 'ab' }, { message: 'No.' }, { status: 400 })];
  const expected = [{ requirement: 'client.body-constraint', endpoint: 'patch-gate', pointer: '/name' }] as const;
  expect(judged(broken, { expected }).report).toMatchObject({ verdict: 'conformant', exitCode: 0 });
  expect(judged([patch({}, gate())], { expected }).report).toMatchObject({ verdict: 'conformant', exitCode: 1 });
});

test('no key stands in any event, wherever the traffic has it', () => {
  const key = 'Very-Secret-Key-0123';
  const { events } = judged([
    patch(
      { name: 'ab', note: key },
      { message: `No, ${key}.` },
      {
        status: 400,
        headers: { 'SERVICE-API-KEY': key, authorization: 'Bearer other-secret-77', cookie: 'session=cookie-secret-9' },
        target: `/console/v1/gates/gate_a?api_key=query-secret-55`,
      },
    ),
  ]);
  const text = JSON.stringify(events);
  for (const secret of [key, 'other-secret-77', 'cookie-secret-9', 'query-secret-55'])
    expect(text).not.toContain(secret);
});

test('what a recording leaves out is never missing', () => {
  const unknown = {
    requestHeaders: 'not recorded',
    requestBody: 'not recorded',
    answerHeaders: 'not recorded',
  } as const;
  expect(judged([patch(undefined, gate(), unknown)]).found).toEqual([]);
  expect(judged([patch({}, gate(), { headers: { 'SERVICE-API-KEY': null } })], { keysSeen: false }).found).toEqual([]);
  expect(judged([patch({}, gate(), { headers: { 'SERVICE-API-KEY': null } })]).found).toEqual([
    'server auth.missing-key status',
    'client client.key-header header SERVICE-API-KEY',
  ]);
});

test('what the judge fails at ends as a fault of the suite, and everything else is judged', () => {
  const hostile = { ...givenExchange({}, 1), request: undefined as never };
  const { report } = judgedTraffic([hostile, givenExchange({ method: 'DELETE' }, 2)]);
  expect(report).toMatchObject({ outcome: 'error', exitCode: 4 });
  expect(report.traffic).toMatchObject({ exchanges: 2, notJudged: [{ because: 'a fault of the judge', count: 1 }] });
});

test('what a gateway or a filter before the server says is none of the server’s, or in doubt', () => {
  const page = { answerText: '<h1>Sorry</h1>', answerHeaders: [['content-type', 'text/html']] as const };
  const answered = (status: number) => judged([patch({}, undefined, { status, ...page })]);
  expect([302, 502, 503, 504].map(status => answered(status).found)).toEqual([[], [], [], []]);
  expect(answered(403).report).toMatchObject({ exitCode: 0 });
  expect(answered(403).found).toEqual(['server reject.body-json body']);
  expect(answered(400)).toMatchObject({ found: ['server reject.body-json body'], report: { exitCode: 1 } });
});

test('a report that does not hold all kinds of findings of a check says so', () => {
  const names = Object.keys(endpointRow('enable-groups').data.properties ?? {});
  /** Enables groups; that many members of the answer are of a wrong type, and each is a kind of its own. */
  const noticed = (wrong: number) =>
    judged([
      {
        method: 'POST',
        target: '/console/v1/experiments/a/enable_groups',
        body: { group_names: ['Control'] },
        answer: { message: 'Done.', data: Object.fromEntries(names.slice(0, wrong).map(name => [name, [[]]])) },
      },
    ]).report.notices;
  expect(noticed(9)).toEqual([]);
  expect(noticed(names.length)).toMatchObject([
    { severity: 'warning', text: expect.stringMatching(/^enable-groups\/schema: .*there are more$/) },
  ]);
});
