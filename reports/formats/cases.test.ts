import { expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { runDocument } from '../run/document.ts';
import { end, reportOf, run, written } from '../testing/runs.fixture.ts';
import { testSuites } from './cases.ts';
import { github } from './github.ts';

const broken = (events: readonly RunEvent[]) =>
  testSuites(reportOf(events)).flatMap(({ name, cases }) =>
    cases.flatMap(one => (one.outcome === 'failure' || one.outcome === 'error' ? { suite: name, ...one } : [])),
  );

test('a run that proved too little has a case that is an error, though every check passed', () => {
  const events = run({}, { minCoverage: 90 });
  expect(reportOf(events).exitCode).toBe(3);
  expect(broken(events)).toMatchObject([
    { suite: 'run', name: 'coverage', outcome: 'error', message: expect.stringContaining('less than the 90 %') },
  ]);
});

test('an expected breach that never came fails a case, has an annotation, and is something to mend', () => {
  const traffic = {
    sources: ['x.har'],
    soleWriter: false,
    settleMs: 0,
    failOn: 'any' as const,
    expected: 'known.json',
  };
  const none = { exchanges: 0, judged: 0, notJudged: [], outside: [], stateNotJudged: [], operations: [] };
  const expected = [
    { entry: 'client.retry-after', times: 0 },
    { entry: 'client.key', times: 2 },
  ];
  const events: RunEvent[] = [...run({}, { traffic }).slice(0, -1), { event: 'traffic', ...none, expected }, end()];
  expect(reportOf(events).exitCode).toBe(1);
  const message = 'an expected breach that never came; remove it from known.json';
  expect(broken(events)).toEqual([
    { suite: 'run', name: 'client.retry-after', outcome: 'failure', verdict: 'stale', message },
  ]);
  const annotations = written(github, events)
    .split('\n')
    .filter(line => line.startsWith('::error'));
  expect(annotations).toEqual([
    '::error title=An expected breach never came::client.retry-after: remove it from known.json',
  ]);
  const steps = runDocument(reportOf(events)).parts.find(({ id }) => id === 'first')?.rows ?? [];
  expect(steps[0]?.text).toContain('an expected breach never came');
  expect(steps.map(({ text }) => text).join()).not.toContain('Nothing to mend');
});
