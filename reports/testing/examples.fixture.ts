import type { CheckEnd, PlannedCheck, RunEvent, Verdict } from '../../contracts/report/journal.ts';
import { compareRuns, type RunComparison } from '../compare/compare.ts';
import { dropped, noContentType, tooLong, wrongType } from './findings.fixture.ts';
import { everything, hostileRun } from './hostile.fixture.ts';
import { baseUrl, checkEnd, end, exampleEndpoints, exchange, planOf, reportOf, run, start } from './runs.fixture.ts';

/** Whole runs of every kind, for the tests of the reporters. */

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
    { event: 'learned', kind: 'idTypes', value: 'userID', origin: 'list-qualifying-events purchases: idTypeMapping' },
    { event: 'left-behind', endpoint: 'create-metric', kind: 'metric', id: 'conform_k3x9_1::sum', what: 'created' },
    { event: 'left-behind', endpoint: 'create-metric', kind: 'metric', id: 'conform_k3x9_2::sum', what: 'created' },
    { event: 'left-behind', endpoint: 'create-prompt-version', kind: 'prompt version', id: 'v2', what: 'created' },
  ],
  unrestored: [
    start([]),
    {
      event: 'planned-effects',
      effects: [
        ...['a_gate', 'b_gate', 'c_gate', 'd_gate', 'e_gate'].map(id => ({
          effect: 'put-back' as const,
          endpoint: 'patch-gate' as const,
          kind: 'gate',
          id,
          what: 'changed, read before and put back afterwards',
        })),
        { effect: 'changed-for-good', endpoint: 'update-experiment', kind: 'experiment', id: 'x', what: 'overwritten' },
        { effect: 'created', endpoint: 'create-metric', kind: 'metric', what: 'created', most: 40 },
      ],
    },
    {
      event: 'left-behind',
      endpoint: 'create-metric',
      kind: 'metric',
      id: 'm_*',
      what: 'created',
      count: 39,
      perhaps: 1,
    },
    {
      event: 'left-behind',
      endpoint: 'patch-gate',
      kind: 'gate',
      id: 'a_gate',
      what: 'tags as last sent: status 409: "locked"',
      send: 'PATCH /console/v1/gates/a_gate {"tags":["a"]}',
    },
    end(),
  ],
  failing: [
    ...run({
      'patch-gate/reject': ['fail', { findings: [tooLong] }],
      'patch-gate/envelope': ['fail', { findings: [wrongType] }],
      'list-segments/auth': ['fail', { findings: [dropped] }],
      'list-segments/headers': ['warn', { findings: [noContentType] }],
      'disable-gate/reject': ['untested', { because: 'its premise failed', blockedBy: 'disable-gate/envelope' }],
    }),
    {
      event: 'learned',
      kind: 'users',
      value: { id: 'ada' },
      origin: 'gate new_checkout: creatorID',
      heldBy: 'gate new_checkout',
      refusedBy: ['patch-gate/accepts'],
    },
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
  short: run(
    {
      'patch-gate/headers': ['untested', { because: 'the list is empty', remedy: 'give /console/v1/segments an item' }],
    },
    { minCoverage: 90 },
  ),
  fault: run({
    'list-events/envelope': ['error', { because: 'TypeError: cannot read properties of undefined' }],
  }),
  hostile: hostileRun,
  wall: run({
    'patch-gate/reject': ['fail', { findings: Array.from({ length: 60 }, () => tooLong) }],
    ...Object.fromEntries(
      exampleEndpoints.map(id => [`${id}/auth`, ['fail', { findings: [dropped, dropped] }] as const]),
    ),
  }),
  many: run(
    Object.fromEntries(
      exampleEndpoints
        .slice(0, 12)
        .map((id, index) => [
          `${id}/reject`,
          ['fail', { findings: [{ ...tooLong, requirement: `row${index}.description` }] }] as const,
        ]),
    ),
  ),
  monotonous: run({ 'patch-gate/reject': ['fail', { findings: Array.from({ length: 10 }, () => tooLong) }] }),
  truncated: run({ 'patch-gate/reject': ['fail', { findings: [wrongType] }] }).slice(0, 60),
  interrupted: [...run({}).slice(0, 31), end('interrupted')],
  unreachable: [start(planOf(exampleEndpoints)), end('unreachable', `connect ECONNREFUSED ${baseUrl}`)],
} as const satisfies Record<string, readonly RunEvent[]>;

/** The name of an example. */
export type ExampleName = keyof typeof examples;

/** A finding of a sequence: two requests, and the accused value in each answer. */
export const sequenceRun: readonly RunEvent[] = run({
  'patch-gate/envelope': [
    'fail',
    {
      findings: [
        {
          ...wrongType,
          steps: [
            { number: 1, exchange: exchange('{"isEnabled":true}', 200, '{"data":{"isEnabled":true}}'), shown: 'true' },
            { number: 4, exchange: exchange('{}', 200, '{"data":{"isEnabled": 1}}'), shown: '1' },
          ],
        },
      ],
    },
  ],
});

const plan: readonly PlannedCheck[] = planOf(['list-segments']).flatMap(check =>
  Array.from({ length: 8 }, (_, index) => ({ ...check, id: `${check.id}-${index}`, check: `${check.check}-${index}` })),
);

/** A run with enough checks to make the matrix wider than a phone. */
export const manyChecks: readonly RunEvent[] = [start([...plan]), ...plan.map(check => checkEnd(check, 'pass')), end()];

/** Returns a comparison of runs, given with the names of their files. */
export function compared(...runs: readonly (readonly [name: string, events: readonly RunEvent[]])[]): RunComparison {
  return compareRuns(runs.map(([name, events]) => ({ name, report: reportOf(events) })));
}

/** Comparisons of every kind, by name. `mixed` has improvements, regressions and changed observations. */
export const comparisons = {
  mixed: compared(
    ['a/report.json', examples.failing],
    ['b/report.json', examples.untested],
    ['c/report.json', run({ 'list-events/envelope': ['fail', { findings: [wrongType] }] })],
  ),
  hostile: compared([everything, run({}, {}, ['patch-gate'])], [everything, hostileRun]),
  empty: compared(['a/report.json', examples.empty], ['b/report.json', examples.empty]),
  same: compared(['a/report.json', examples.green], ['b/report.json', examples.green]),
} as const;
