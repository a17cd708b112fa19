import { endpointIds } from '../../contracts/endpoints.ts';
import type { DifferencePlace, DifferenceReport } from '../../contracts/report/difference.ts';
import { differenceReport } from '../difference/report.ts';
import { comparedServers, comparisonOf, openPlace, place, side, unsaidPlace } from './compared-servers.fixture.ts';
import { everything } from './hostile.fixture.ts';
import { reportOf, run } from './runs.fixture.ts';

/** Comparisons of two servers, for the tests of reporters. */

/** Places of every kind. */
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
