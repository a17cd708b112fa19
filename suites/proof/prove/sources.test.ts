import { expect, test } from 'vitest';
import { dialectNamed, faultNamed } from '../../../reference-server/index.ts';
import { reachOf } from './reach.ts';
import { hashOfDialect, hashOfFault, sourcesOf } from './sources.ts';

test('every row of a catalogue has a hash of its own', () => {
  const gate = faultNamed('gate-enabled-as-number');
  const hashes = [gate, faultNamed('gate-boundary-500'), faultNamed('prompt-id-accepts-blank')].map(hashOfFault);
  expect(new Set(hashes).size).toBe(3);
  expect(hashOfFault({ ...gate, alsoAs: ['echo.sent-field'] })).not.toBe(hashOfFault(gate));
  const dialect = dialectNamed('refusals-422');
  expect(hashOfDialect(dialect, ['patch-gate'])).not.toBe(hashOfDialect(dialect, ['create-prompt-version']));
});

test('a check that has nothing to do with gates changes no hash of theirs, and one that judges them does', () => {
  const sources = sourcesOf(['suites/checks']);
  const root = { file: 'suites/checks/stimuli/disables.ts' };
  const hashWith = (file: string): string =>
    reachOf(new Map(sources).set(file, `${sources.get(file)};export const more=1;`)).hash([root]);
  const before = reachOf(sources).hash([root]);
  expect(hashWith('suites/checks/scenarios/metric-stored.ts')).toBe(before);
  expect(hashWith(root.file)).not.toBe(before);
});

test('comments and layout are no part of a source', () => {
  const text = sourcesOf(['suites/judge']).get('suites/judge/echo.ts') ?? '';
  expect(text.length).toBeGreaterThan(100);
  expect(text).not.toContain('/*');
  expect(text).not.toContain('  ');
});
