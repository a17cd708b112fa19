import { endpointIds } from '../../contracts/endpoints.ts';
import type { Comparison, DifferencePlace, DifferenceReport, SideReport } from '../../contracts/report/difference.ts';
import { type ComparedServers, differenceReport } from '../difference/report.ts';
import { tooLong } from './findings.ts';
import { everything } from './hostile.ts';
import { reportOf, run } from './runs.ts';

/** Comparisons of two servers as a suite might make them, for the tests of what shows them. */

/** A place in which two servers differ: B accepts a description of 1001 characters, unless another is given. */
export function place(odd: Partial<DifferencePlace> = {}): DifferencePlace {
  return {
    endpoint: 'patch-gate',
    pointer: 'status',
    aspect: 'outcome',
    label: 'b-breaks',
    requirement: 'gate.description.maxLength',
    level: 'MUST',
    a: 'status 400',
    b: 'status 200',
    occurrences: 3,
    example: {
      unit: 'patch-gate/reject',
      path: '16:0:2',
      title: 'description of 1001 characters',
      shrinks: 2,
      steps: [
        {
          number: 1,
          request: { method: 'PATCH', path: '/console/v1/gates/a_gate', body: '{"description":"aaaa"}' },
          a: { status: 400, body: '{"status":400,"message":"description is too long"}' },
          b: { status: 200, body: '{"message":"Gate updated successfully.","data":{"id":"a_gate"}}' },
        },
      ],
    },
    ...odd,
  };
}

/** A place at which both conform, and an OPEN requirement leaves it to the server. */
export const openPlace = (odd: Partial<DifferencePlace> = {}): DifferencePlace => {
  const { example } = place();
  const steps = example.steps.map(step => ({
    ...step,
    b: { status: 422, body: '{"detail":"description: too long"}' },
  }));
  const { level: _, ...rest } = place({
    example: { ...example, steps },
    label: 'open',
    requirement: 'open.error-status',
    aspect: 'status',
    a: 'status 400',
    b: 'status 422',
    ...odd,
  });
  return rest;
};

/** A place at which both conform, and nothing is said. */
export const unsaidPlace = (odd: Partial<DifferencePlace> = {}): DifferencePlace => {
  const { requirement: _, ...rest } = openPlace({
    label: 'unsaid',
    pointer: '/data/*/etag',
    aspect: 'presence',
    a: 'absent',
    b: '"W/1"',
    ...odd,
  });
  return rest;
};

/** A side of a comparison. */
export const side = (name: string, odd: Partial<SideReport> = {}): SideReport => ({
  name,
  isRecording: false,
  outcome: 'complete',
  requests: 840,
  noiseRuns: 1,
  journals: [`conform-diff/${name.includes('old') ? 'a' : 'b'}.ndjson`],
  ...odd,
});

/** A comparison of the given places. */
export const comparisonOf = (places: readonly DifferencePlace[], odd: Partial<Comparison> = {}): Comparison => ({
  compared: 840,
  alike: 840 - places.length,
  places: [...places],
  notCompared: [],
  noise: [],
  start: [],
  shared: [],
  ...odd,
});

/** Two servers that were compared, and differ in the given places. */
export const comparedServers = (
  places: readonly DifferencePlace[],
  odd: Partial<ComparedServers> = {},
): ComparedServers => ({
  comparison: comparisonOf(places),
  a: side('https://old.example.test/'),
  b: side('https://new.example.test/'),
  seed: 1,
  profile: 'standard',
  options: { failOn: 'must', sameStart: false, readOnly: false, only: [], skip: [] },
  reports: { a: reportOf(run({})), b: reportOf(run({ 'patch-gate/reject': ['fail', { findings: [tooLong] }] })) },
  ...odd,
});

/** Some of everything. */
const mixed: readonly DifferencePlace[] = [
  unsaidPlace(),
  openPlace({ endpoint: 'create-metric' }),
  openPlace(),
  openPlace({
    requirement: 'open.extra-answer-fields',
    pointer: '/data/createdBy',
    aspect: 'presence',
    a: '"someone"',
    b: 'absent',
  }),
  place({
    endpoint: 'list-events',
    label: 'a-breaks',
    requirement: 'pagination.complete',
    pointer: '/pagination/totalItems',
    aspect: 'value',
    a: '31',
    b: '30',
  }),
  place({
    endpoint: 'disable-gate',
    requirement: 'answer.content-type',
    level: 'SHOULD',
    pointer: 'header content-type',
    aspect: 'value',
    a: 'application/json',
    b: 'text/plain',
  }),
  place(),
  place({ pointer: '/data/description', aspect: 'value', a: '"aaaa"', b: '"aaa"' }),
];

const hostilePlace = (label: DifferencePlace['label']): DifferencePlace => ({
  ...place({
    label,
    requirement: `x.${everything}`,
    pointer: `/data/${everything}`,
    aspect: 'value',
    a: everything,
    b: everything,
  }),
  example: {
    unit: everything,
    path: everything,
    title: everything,
    shrinks: 1,
    steps: [
      {
        number: 1,
        request: { method: 'PATCH', path: `/${everything}`, body: everything },
        requestOfB: { method: 'PATCH', path: `/b/${everything}`, body: everything },
        a: { status: 200, body: JSON.stringify({ [everything]: everything }) },
        b: { failure: everything },
      },
      { number: 2, request: { method: 'GET', path: `/${everything}` }, b: { status: 500, body: everything } },
    ],
  },
});

const hostile = comparedServers((['b-breaks', 'a-breaks', 'open', 'unsaid'] as const).map(hostilePlace), {
  a: side(everything, { outcome: 'unreachable', because: everything }),
  b: side(everything, { journals: [everything] }),
  options: { failOn: 'any', sameStart: false, readOnly: false, only: [everything], skip: [everything] },
});

const full = comparedServers(mixed, {
  comparison: comparisonOf(mixed, {
    notCompared: [{ because: 'the list is living', count: 12, endpoints: ['list-events', 'list-segments'] }],
    noise: [
      { endpoint: 'patch-gate', pointer: '/data/lastModifiedTime', because: 'a clock, by the contract', count: 31 },
    ],
    start: [{ endpoint: 'list-segments', pointer: '/data/*/name', count: 4 }],
    shared: [{ requirement: 'auth.required', endpoints: ['list-events'] }],
  }),
});

/** Reports of comparisons of every kind, by name. */
export const differences = {
  mixed: differenceReport(full),
  acknowledged: differenceReport(full, {
    today: '2025-06-15',
    file: {
      name: 'conform.differences.json',
      lines: ['line 5', 'line 6'],
      acknowledged: {
        version: 1,
        acknowledged: [
          {
            endpoint: 'patch-gate',
            pointer: 'status',
            aspect: 'outcome',
            label: 'b-breaks',
            requirement: 'gate.description.maxLength',
            reason: 'mended in T-7',
            issue: 'T-7',
          },
          { endpoint: 'list-events', pointer: '/data/*/name', aspect: 'type', label: 'unsaid', reason: 'long gone' },
        ],
      },
    },
  }),
  alike: differenceReport(comparedServers([])),
  incomplete: differenceReport(
    comparedServers([], {
      b: side('https://new.example.test/', { outcome: 'unreachable', because: 'it stopped answering (ECONNREFUSED)' }),
    }),
  ),
  recording: differenceReport(
    comparedServers([openPlace()], {
      a: side('today.rec', { isRecording: true, journals: [], noiseRuns: 0 }),
      reports: { b: reportOf(run({})) },
      options: { failOn: 'open', sameStart: false, readOnly: false, only: [], skip: [] },
    }),
  ),
  hostile: differenceReport(
    {
      ...hostile,
      comparison: comparisonOf(hostile.comparison.places, {
        notCompared: [{ because: everything, count: 1, endpoints: ['patch-gate'] }],
        noise: [{ endpoint: 'patch-gate', pointer: everything, because: everything, count: 1 }],
        start: [{ endpoint: 'patch-gate', pointer: everything, count: 1 }],
        shared: [{ requirement: everything, endpoints: ['patch-gate'] }],
      }),
    },
    {
      today: '2025-06-15',
      file: {
        name: everything,
        lines: [everything],
        acknowledged: {
          version: 1,
          acknowledged: [
            {
              endpoint: 'patch-gate',
              pointer: everything,
              aspect: 'value',
              label: 'open',
              reason: everything,
              expires: '2000-01-01',
            },
          ],
        },
      },
    },
  ),
  many: differenceReport(
    comparedServers(
      Array.from({ length: 400 }, (_, index) =>
        unsaidPlace({
          endpoint: endpointIds[index % endpointIds.length] ?? 'patch-gate',
          pointer: `/data/field${index}`,
          aspect: 'value',
        }),
      ),
      { options: { failOn: 'any', sameStart: false, readOnly: false, only: [], skip: [] } },
    ),
  ),
} as const satisfies Readonly<Record<string, DifferenceReport>>;
