import { describe, expect, test } from 'vitest';
import type { RunFlags } from './definitions/target.ts';
import { checkCoverageFlags, minCoverageOf } from './prepared-run.ts';

const flags = { only: [], skip: [], profile: 'standard' } as unknown as RunFlags;
const shard = { index: 1, total: 2 };

describe('the least coverage of a run', () => {
  // biome-ignore format: a table
  test.each<[what: string, more: Partial<RunFlags>, ofFile: number | undefined, min: number | undefined]>([
    ['that of the target file',                {},                                95,        95],
    ['that of the flag, where both are given', { minCoverage: 90 },               95,        90],
    ['that of the flag, whatever the profile', { minCoverage: 90, profile: 'quick' }, undefined, 90],
    ['that of the file, in a shard',           { shard },                     95,        95],
    ['none where none is given',               {},                                undefined, undefined],
    ['none of a quick run',                    { profile: 'quick' },              95,        undefined],
    ['none of a run that only reads',          { readOnly: true },                95,        undefined],
    ['none of a part of a run',                { skip: ['a'] },                   95,        undefined],
  ])('is %s', (_what, more, ofFile, min) => {
    expect(minCoverageOf({ ...flags, ...more }, ofFile)).toBe(min);
  });
});

describe('the flags', () => {
  // biome-ignore format: a table
  test.each<[what: string, more: Partial<RunFlags>, says: string]>([
    ['a least coverage of a part',      { minCoverage: 90, only: ['a'] },                                  '--min-coverage is about a whole run'],
    ['a least coverage of a replay',    { minCoverage: 90, path: '0' },                                    '--min-coverage is about a whole run'],
    ['an update of no file',            { updateCoverage: true },                                          'name it with --config'],
    ['an update by a part',             { updateCoverage: true, config: 'a', skip: ['a'] },                '--update-coverage is about a whole run'],
    ['an update by another profile',    { updateCoverage: true, config: 'a', profile: 'quick' },           'leave out --profile'],
    ['an update by a shard',            { updateCoverage: true, config: 'a', shard },                  'leave out --profile'],
  ])('that ask for %s are a mistake', (_what, more, says) => {
    expect(() => checkCoverageFlags({ ...flags, ...more })).toThrow(says);
  });

  test('that ask for a whole run are none', () => {
    expect(() => checkCoverageFlags({ ...flags, minCoverage: 90, updateCoverage: true, config: 'a' })).not.toThrow();
  });
});
