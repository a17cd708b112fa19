import type { Finding } from '../contracts/report/evidence.ts';
import type { CheckEnd, RunEvent, Verdict } from '../contracts/report/journal.ts';
import { baseUrl, end, exampleEndpoints, exchange, planOf, run, start } from './examples.fixture.ts';

/** Whole runs of every kind, for the tests of the reporters. */

/** A description of 1001 characters that was accepted. */
export const tooLong: Finding = {
  requirement: 'gate.description.maxLength',
  level: 'MUST',
  pointer: 'status',
  expected: 'a refusal (4xx)',
  actual: '200',
  occurrences: 3,
  seen: { times: 3, of: 3 },
  counterexample: {
    path: '16:0:2',
    title: 'description of 1001 characters',
    pointer: '/description',
    sent: 'a'.repeat(1001),
    control: 'a'.repeat(1000),
    shrinks: 4,
  },
  exchange: exchange(
    JSON.stringify({ description: 'a'.repeat(1001) }),
    200,
    JSON.stringify({
      message: 'Gate updated successfully.',
      data: { id: 'a_gate', isEnabled: true, description: 'a'.repeat(1001), rules: [], tags: ['checkout', 'mobile'] },
    }),
  ),
};

/** A flag that is a number. */
export const wrongType: Finding = {
  requirement: 'gate.isEnabled.type',
  level: 'MUST',
  pointer: '/data/isEnabled',
  expected: 'a boolean',
  actual: '1 (a number)',
  occurrences: 1,
  seen: { times: 1, of: 3 },
  counterexample: { path: '0', title: 'the smallest sensible request', pointer: '', sent: { isEnabled: true } },
  exchange: exchange(
    '{"isEnabled":true}',
    200,
    '{"message":"Gate updated successfully.","data":{"id":"a_gate","isEnabled":1}}',
  ),
};

/** An answer without a content type: a SHOULD. */
export const noContentType: Finding = {
  requirement: 'answer.content-type',
  level: 'SHOULD',
  pointer: 'header content-type',
  expected: 'application/json',
  actual: 'text/plain',
  occurrences: 12,
};

/** No HTTP answer at all. */
export const dropped: Finding = {
  requirement: 'auth.required',
  level: 'MUST',
  pointer: 'connection',
  expected: 'an HTTP answer',
  actual: 'the connection was closed',
  occurrences: 1,
  exchange: {
    id: 'list-segments/auth#1',
    request: { method: 'GET', url: `${baseUrl}/console/v1/segments?limit=10`, headers: [] },
    failure: 'socket hang up',
    durationMs: 3,
  },
};

const nasty =
  '\u001b[2J\u001b]0;owned\u0007 ]]> </script><script>alert(1)</script> \u0000 \ud800 \u202egnp.exe "\'`$(id)` & %s';

/** A finding in which everything that came from the target is hostile. */
export const hostile: Finding = {
  ...tooLong,
  actual: `200 ${nasty}`,
  expected: `a refusal ${nasty}`,
  pointer: `/data/${nasty}`,
  counterexample: { path: '1', title: `name ${nasty}`, pointer: `/${nasty}`, sent: nasty, control: `${nasty}x` },
  exchange: exchange(nasty, 200, `{"message":"${nasty}","deep":${'['.repeat(5_000)}`),
};

const gatesRemedy = 'add to conform.config.json: fixtures.gates: ["…"]';
const untested: readonly [Verdict, Partial<CheckEnd>] = [
  'untested',
  { because: 'the target file names no gate to work on', remedy: gatesRemedy },
];

/** Runs of every kind, by name. */
export const examples = {
  empty: [start([]), end()],
  green: [
    ...run({
      'create-metric/reject': [
        'pass',
        { notExercised: [{ field: 'unitTypes', because: 'no id type is named', remedy: 'vocabulary.idTypes' }] },
      ],
    }),
    { event: 'left-behind', endpoint: 'create-metric', kind: 'metric', id: 'conform_k3x9_1::sum', what: 'created' },
    { event: 'left-behind', endpoint: 'create-metric', kind: 'metric', id: 'conform_k3x9_2::sum', what: 'created' },
    { event: 'left-behind', endpoint: 'create-prompt-version', kind: 'prompt version', id: 'v2', what: 'created' },
  ],
  failing: [
    ...run({
      'patch-gate/reject': ['fail', { findings: [tooLong] }],
      'patch-gate/envelope': ['fail', { findings: [wrongType] }],
      'list-segments/auth': ['fail', { findings: [dropped] }],
      'list-segments/headers': ['warn', { findings: [noContentType] }],
      'disable-gate/reject': ['untested', { because: 'its premise failed', blockedBy: 'disable-gate/envelope' }],
    }),
    { event: 'notice', severity: 'info', text: 'Waited up to 0.4 s for a change to be seen.' },
    {
      event: 'observation',
      requirement: 'auth.refusal-status',
      endpoint: 'patch-gate',
      subject: 'no key',
      value: '401',
    },
  ],
  warned: run({ 'list-segments/headers': ['warn', { findings: [noContentType] }] }),
  strict: run({ 'list-segments/headers': ['warn', { findings: [noContentType] }] }, { strict: true }),
  untested: [
    ...run({
      'patch-gate/envelope': untested,
      'patch-gate/reject': untested,
      'patch-gate/auth': untested,
      'disable-gate/envelope': untested,
      'list-segments/headers': ['untested', { because: 'the list is empty' }],
      'update-environments/reject': ['not-applicable', { because: 'the run is read-only' }],
    }),
    {
      event: 'notice',
      severity: 'warning',
      text: 'Every request was answered with 401: the key is refused everywhere.',
      remedy: 'give the right key with --api-key or SERVICE_API_KEY',
    },
  ],
  fault: run({
    'list-events/envelope': ['error', { because: 'TypeError: cannot read properties of undefined' }],
  }),
  hostile: run(
    {
      'patch-gate/reject': ['fail', { findings: [hostile] }],
      'patch-gate/headers': ['warn', { findings: [{ ...hostile, level: 'SHOULD' }] }],
      'patch-gate/auth': ['untested', { because: nasty, remedy: nasty, blockedBy: nasty }],
      'patch-gate/envelope': ['error', { because: nasty }],
    },
    {},
    ['patch-gate'],
  ),
  wall: run({
    'patch-gate/reject': ['fail', { findings: Array.from({ length: 60 }, () => tooLong) }],
    ...Object.fromEntries(
      exampleEndpoints.map(id => [`${id}/auth`, ['fail', { findings: [dropped, dropped] }] as const]),
    ),
  }),
  monotonous: run({ 'patch-gate/reject': ['fail', { findings: Array.from({ length: 10 }, () => tooLong) }] }),
  truncated: run({ 'patch-gate/reject': ['fail', { findings: [wrongType] }] }).slice(0, 60),
  interrupted: [...run({}).slice(0, 31), end('interrupted')],
  unreachable: [start(planOf(exampleEndpoints)), end('unreachable', `connect ECONNREFUSED ${baseUrl}`)],
} as const satisfies Record<string, readonly RunEvent[]>;

/** The name of an example. */
export type ExampleName = keyof typeof examples;
