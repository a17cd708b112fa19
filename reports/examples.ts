import { type EndpointId, endpointIds } from '../contracts/endpoint.ts';
import { endpoints } from '../contracts/endpoints.ts';
import { type Exchange, type Finding, redacted } from '../contracts/report/evidence.ts';
import type { CheckEnd, PlannedCheck, RunEnd, RunEvent, RunStart, Verdict } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { foldJournal, type Law } from './fold.ts';

/** Runs as a suite might write them, for the tests of the reporters. */

const baseUrl = 'https://staging.example.test';

/** The real endpoints, and a ledger of a few rows. */
export const law: Law = {
  endpoints,
  // biome-ignore format: a table
  requirements: [
    { id: 'envelope.message',           section: '1',   level: 'MUST',   statement: 'A successful answer carries `message`, a string.' },
    { id: 'gate.description.maxLength', section: '2.3', level: 'MUST',   statement: 'A gate description has at most 1000 characters.' },
    { id: 'gate.isEnabled.type',        section: '2.3', level: 'MUST',   statement: 'The `isEnabled` of a gate is a boolean.' },
    { id: 'answer.content-type',        section: '1',   level: 'SHOULD', statement: 'A successful answer names a JSON content type.' },
    { id: 'pagination.walk',            section: '2.1', level: 'MUST',   statement: 'A walk over the pages of a list meets each item exactly once.' },
    { id: 'auth.required',              section: '5',   level: 'MUST',   statement: 'A request without the key is not a success.' },
    { id: 'auth.refusal-status',        section: '5',   level: 'OPEN',   statement: 'The answer to a missing or wrong key is not shown.' },
    { id: 'errors.body',                section: '7',   level: 'OPEN',   statement: 'The shape of an error body is not shown.' },
    { id: 'sql.executed',               section: '2.6', level: 'MUST',   statement: 'The query of a qualifying event extracts its data.', unverified: 'the data behind a query cannot be seen through this API' },
  ],
};

/** The four checks that each endpoint of the examples has. */
// biome-ignore format: a table
const checks = [
  { check: 'envelope', level: 'MUST',   title: 'a successful answer has a message and data',  requirements: ['envelope.message', 'gate.isEnabled.type'] },
  { check: 'reject',   level: 'MUST',   title: 'what breaks a stated constraint is refused',  requirements: ['gate.description.maxLength'] },
  { check: 'auth',     level: 'MUST',   title: 'no request succeeds without the key',         requirements: ['auth.required'] },
  { check: 'headers',  level: 'SHOULD', title: 'a successful answer says that it is JSON',    requirements: ['answer.content-type'] },
] as const;

/** Every check of some endpoints, as planned. */
export function planOf(ids: readonly EndpointId[]): PlannedCheck[] {
  return ids.flatMap(endpoint =>
    checks.map(row => ({
      ...row,
      id: `${endpoint}/${row.check}`,
      endpoint,
      requirements: [...row.requirements],
      lane: endpoints[endpoint].collection,
    })),
  );
}

/** The start of a run over a plan. */
export function start(plan: PlannedCheck[], options: Partial<RunStart['options']> = {}): RunStart {
  return {
    event: 'run-start',
    version: 1,
    tool: { name: 'console-conformance', version: '0.1.0', node: 'v20.20.0', 'fast-check': '4.10.2', faker: '10.6.0' },
    target: { baseUrl, embedded: false },
    seed: 42,
    token: 'k3x9',
    profile: 'standard',
    options: { readOnly: false, strict: false, only: [], skip: [], config: 'conform.config.json', ...options },
    startedAt: '2025-03-01T12:00:00.000Z',
    plan,
  };
}

/** The end of a check, with what of it is not ordinary. */
export function checkEnd(plan: PlannedCheck, verdict: Verdict, rest: Partial<CheckEnd> = {}): CheckEnd {
  const { id, endpoint, check, level } = plan;
  const ran = verdict !== 'untested' && verdict !== 'not-applicable';
  const stats = ran
    ? { cases: 12, requests: 14, accepted: 9, refused: 5, durationMs: 37 }
    : { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };
  return { event: 'check-end', id, endpoint, check, level, verdict, findings: [], notExercised: [], stats, ...rest };
}

/** The end of a run. */
export function end(outcome: RunEnd['outcome'] = 'complete', because?: string): RunEnd {
  const stats = { requests: 840, cases: 720, durationMs: 2_345 };
  return { event: 'run-end', outcome, ...(because === undefined ? {} : { because }), stats };
}

/** A run in which every check passes but those named, by id. */
export function run(
  odd: Readonly<Record<string, readonly [verdict: Verdict, rest?: Partial<CheckEnd>]>>,
  options: Partial<RunStart['options']> = {},
  ids: readonly EndpointId[] = endpointIds,
): RunEvent[] {
  const plan = planOf(ids);
  const ends = plan.flatMap((check): RunEvent[] => {
    const [verdict, rest] = odd[check.id] ?? ['pass'];
    return [{ event: 'check-start', id: check.id }, checkEnd(check, verdict, rest)];
  });
  return [start(plan, options), ...ends, end()];
}

/** The report of some events. */
export function reportOf(events: readonly RunEvent[]): Report {
  const fold = foldJournal(law);
  for (const event of events) fold.add(event);
  return fold.report();
}

/** An exchange over a gate. */
export function exchange(sent: string, status: number, answer: string): Exchange {
  return {
    id: 'patch-gate/reject#17',
    request: {
      method: 'PATCH',
      url: `${baseUrl}/console/v1/gates/a_gate`,
      headers: [
        { name: 'SERVICE-API-KEY', value: redacted },
        { name: 'content-type', value: 'application/json' },
      ],
      body: { text: sent, bytes: Buffer.byteLength(sent), truncated: false },
    },
    response: {
      status,
      headers: [{ name: 'content-type', value: 'application/json; charset=utf-8' }],
      body: { text: answer, bytes: Buffer.byteLength(answer), truncated: false },
    },
    durationMs: 12.4,
  };
}

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
    twin: 'a'.repeat(1000),
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
  counterexample: { path: '1', title: `name ${nasty}`, pointer: `/${nasty}`, sent: nasty, twin: `${nasty}x` },
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
    ...Object.fromEntries(endpointIds.map(id => [`${id}/auth`, ['fail', { findings: [dropped, dropped] }] as const])),
  }),
  truncated: run({ 'patch-gate/reject': ['fail', { findings: [wrongType] }] }).slice(0, 60),
  interrupted: [...run({}).slice(0, 31), end('interrupted')],
  unreachable: [start(planOf(endpointIds)), end('unreachable', `connect ECONNREFUSED ${baseUrl}`)],
} as const satisfies Record<string, readonly RunEvent[]>;

/** The name of an example. */
export type ExampleName = keyof typeof examples;
