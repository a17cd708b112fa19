import type { Comparison, DifferencePlace, SideReport } from '../../contracts/report/difference.ts';
import type { ComparedServers } from '../difference/report.ts';
import { tooLong } from './findings.fixture.ts';
import { reportOf, run } from './runs.fixture.ts';

/** Parts of comparisons of two servers, for the tests of reporters. */

/** Returns a place where two servers differ: by default B accepts a description of 1001 characters. */
export function place(odd: Partial<DifferencePlace> = {}): DifferencePlace {
  const { a = 'status 400', b = 'status 200' } = odd;
  const isLacking = (text: string): boolean => text === 'absent' || text.startsWith('nothing');
  const lacks = isLacking(a) === isLacking(b) ? undefined : isLacking(a) ? 'a' : 'b';
  const status = (text: string): number | undefined => Number(/^status (\d+)/.exec(text)?.[1]) || undefined;
  const [ofA, ofB] = [status(a), status(b)];
  return {
    ...(lacks === undefined ? {} : { lacks }),
    statuses: { ...(ofA === undefined ? {} : { a: ofA }), ...(ofB === undefined ? {} : { b: ofB }) },
    endpoint: 'patch-gate',
    pointer: 'status',
    aspect: 'outcome',
    label: 'b-breaks',
    requirement: 'gate.description.maxLength',
    level: 'MUST',
    a,
    b,
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

/** Returns a place where both conform, and an OPEN requirement leaves the choice to the server. */
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

/** Returns a place where both conform, and the specification says nothing. */
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

/** Returns a side of a comparison. */
export const side = (name: string, odd: Partial<SideReport> = {}): SideReport => ({
  name,
  isRecording: false,
  outcome: 'complete',
  requests: 840,
  noiseRuns: 1,
  journals: [`conform-diff/${name.includes('old') ? 'a' : 'b'}.ndjson`],
  ...odd,
});

/** Returns a comparison with the given places. */
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

/** Returns two compared servers that differ at the given places. */
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
