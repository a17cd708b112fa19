import { describe, expect, it } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import { parsePattern } from './pattern.ts';

/** Every `pattern` anywhere in the endpoint table. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member),
  );
}

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

describe('parsePattern', () => {
  const contracts = [...new Set(patternsIn(endpoints))];

  it('finds patterns in the contracts', () => {
    expect(contracts.length).toBeGreaterThanOrEqual(4);
  });

  it.each([...contracts, '^[\\]\\\\^a-c-]*$', '^[+-/]+$', '^[-a]*$'])(
    'reads %s as the regular expression does',
    pattern => {
      const { allowed, forbidden } = parsePattern(pattern);
      const expression = new RegExp(pattern, 'u');
      expect(allowed).toEqual(printable.filter(character => expression.test(character)));
      expect(forbidden).toEqual(printable.filter(character => !expression.test(character)));
    },
  );

  it('tells whether the empty text is allowed', () => {
    expect(parsePattern('^[a]*$').nonEmpty).toBe(false);
    expect(parsePattern('^[a]+$').nonEmpty).toBe(true);
  });

  it.each(['[a-z]*', '^[^a]*$', '^(a|b)*$', '^[a-z]{2}$', '^[\\d]*$', '^[z-a]*$'])('refuses %s', pattern => {
    expect(() => parsePattern(pattern)).toThrow();
  });
});
