import { execFileSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { flagsOfManyRuns, optimisedAfter } from './v8-flags.ts';

test('this version of Node starts with the flags of many runs', () => {
  expect(execFileSync(process.execPath, [...flagsOfManyRuns, '--print', '1'], { encoding: 'utf8' })).toBe('1\n');
});

test.each([
  ['11.3.244.8-node.30', ['--interrupt-budget=7']],
  ['12.4.254.21-node.33', []],
  ['13.6.233.10-node.28', []],
])('V8 %s is given %j', (v8, flags) => {
  vi.spyOn(process, 'versions', 'get').mockReturnValue({ ...process.versions, v8 });
  expect(optimisedAfter(7)).toEqual(flags);
  vi.restoreAllMocks();
});
