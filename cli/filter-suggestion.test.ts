import { describe, expect, test } from 'vitest';
import { NothingSelected } from '../suites/engine/plan.ts';
import { filterSuggestion, refusingFilters } from './filter-suggestion.ts';
import { UsageError } from './input.ts';

describe('a suggestion', () => {
  // biome-ignore format: a table
  test.each([
    ['patch-gates',        'patch-gate'],
    ['PATCH-GATE',         'patch-gate'],
    ['patch-gate/reject',  'patch-gate/rejects'],
    ['patchgate/rejects',  'patch-gate/rejects'],
    ['*/reject',           '*/rejects'],
    ['list-*/mesage',      'list-*/message'],
    ['gate.nmae',          'gate.name'],
    ['message.patchgate',  'message.patch-gate'],
  ])('for the filter %s is %s', (glob, meant) => {
    expect(filterSuggestion(glob)).toMatch(/^; did you mean .*\?$/);
    expect(filterSuggestion(glob).slice('; did you mean '.length, -1).split(' or ')[0]).toBe(meant);
  });

  test.each(['', 'xyzzy', 'a/b', 'nobody/*', '*/*/*', '\u001b[2J'])('for %j is none: nothing is near', glob => {
    expect(filterSuggestion(glob)).toBe('');
  });

  test('stands at the end of what refuses a filter', () => {
    const act = () => {
      throw new NothingSelected('--only patch-gates matches nothing', 'patch-gates');
    };
    expect(() => refusingFilters(act)).toThrow(UsageError);
    expect(() => refusingFilters(act)).toThrow('matches nothing; did you mean patch-gate?');
    expect(refusingFilters(() => 1)).toBe(1);
  });
});
