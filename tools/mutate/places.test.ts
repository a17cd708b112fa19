import { describe, expect, test } from 'vitest';
import { mutantsOf, mutated } from './places.ts';

/** Returns every mutant of a source, as source text. */
const changed = (source: string): readonly string[] =>
  mutantsOf('file.ts', source).map(mutant => mutated(source, mutant));

describe('what is changed', () => {
  // biome-ignore format: a table
  test.each<[string, string, readonly string[]]>([
    ['a boundary',           'f(a < b)',               ['f(a <= b)', 'f(a >= b)']],
    ['a negation',           'f(!a === b)',            ['f(!a !== b)', 'f(a === b)']],
    ['logic',                'f(a && b)',              ['f(a || b)']],
    ['a fallback',           'f(a ?? b)',              ['f(((a) && (b)))']],
    ['arithmetic',           'f(a - b * c)',           ['f(a + b * c)', 'f(a - b / c)']],
    ['a number',             'f(7)',                   ['f(8)', 'f((6))']],
    ['a boolean',            'f(true)',                ['f(false)']],
    ['a word',               `f('a', '')`,             [`f('', '')`, `f('a', 'mutated')`]],
    ['a list, an object',    'f([a], { b })',          ['f([], { b })', 'f([a], ({}))']],
    ['a call in a chain',    'f(a.filter(b).length)',  ['f(a.length)']],
    ['a method',             'f(a.some(b))',           ['f(a.every(b))']],
    ['a step that may miss', 'f(a?.b, c?.[d])',        ['f(a.b, c?.[d])', 'f(a?.b, c[d])']],
    ['what is returned',     'const f = () => a;',     ['const f = () => undefined;']],
    ['a condition',          'f(a ? b : c)',           ['f(true ? b : c)', 'f(false ? b : c)']],
  ])('%s', (_, source, expected) => {
    const whole = source.startsWith('f(') ? ['', ...expected.map(one => one)] : expected;
    expect(new Set(changed(source).map(one => (one === ';' ? '' : one)))).toEqual(new Set(whole));
  });

  test('statements and blocks', () => {
    const made = changed('for (const a of b) { if (c) continue; d(); }');
    expect(made).toContain('for (const a of b) {}');
    expect(made).toContain('for (const a of b) { if (c) ; d(); }');
    expect(made).toContain('for (const a of b) { if (c) continue; ; }');
  });

  test('is no type, no import, no name of a member, and nothing that people read', () => {
    const source = [
      `import { a } from 'b';`,
      `export type C = 'd' | 7;`,
      `const e: Record<'f', 1> = g.h as 'i';`,
      `throw new Error('words for people');`,
    ].join('\n');
    expect(changed(source)).toEqual([]);
  });
});
