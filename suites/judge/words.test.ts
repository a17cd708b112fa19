import { expect, test } from 'vitest';
import type { Schema } from '../../contracts/dialect.ts';
import { type BrokenKeyword, validatorFor } from '../../contracts/validation.ts';
import { inWords, inWordsApart, said, saidApart, saidConstraint, typeInWords } from './words.ts';

test.each([
  [undefined, 'nothing (the member is absent)'],
  [null, 'null'],
  ['a "b"', '"a \\"b\\""'],
  [{ a: [1] }, '{"a":[1]}'],
  ['x'.repeat(120), `"${'x'.repeat(118)}`],
])('%j in words', (value, words) => {
  expect(inWords(value)).toContain(words);
});

test('a long text is told by its length in characters, not in code units', () => {
  expect(inWords('🎉'.repeat(1001))).toBe(`a text of 1,001 characters ("${'🎉'.repeat(40)}"…)`);
});

test('a long value is cut and said to be cut', () => {
  const words = inWords(Array.from({ length: 500 }, () => 1));
  expect(words).toMatch(/^\[1(,1)+.*… \(1,001 characters of JSON\)$/);
  expect(words.length).toBeLessThan(200);
});

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [[], 'an array'],
  [{}, 'an object'],
  ['', 'a string'],
  [0, 'a number'],
  [false, 'a boolean'],
])('%j has a type', (value, words) => {
  expect(typeInWords(value)).toBe(words);
});

test('two long values are told apart where they differ', () => {
  const long = 'word '.repeat(60);
  expect(inWordsApart('a', 'b')).toEqual(['"a"', '"b"']);
  const [one, other] = inWordsApart(`${long}\nend`, `${long} end`);
  expect(one).toMatch(/^a text of 304 characters, with "…d word word \\nend" at character 289$/);
  expect(other).toContain('with "…d word word  end"');
  // The beginnings are alike, and the lengths differ.
  expect(inWordsApart(`${long}and an end`, `${long}or an end`)[1]).toMatch(
    /^a text of 309 characters, with "…d word word or an end"/,
  );
  const [first, second] = inWordsApart({ long, a: 1 }, { long, a: 12 });
  expect([first, second]).toEqual([
    expect.stringMatching(/^317 characters of JSON, with .*"a\\":1}" at/),
    expect.stringMatching(/^318 characters of JSON, with .*"a\\":12}" at/),
  ]);
  expect(inWordsApart(`${long}and an end`, 'word')).toEqual([expect.stringMatching(/^a text .*…\)$/), '"word"']);
  const [longer, cut] = inWordsApart([...long], [...long, 'x']);
  expect(longer).not.toBe(cut);
});

test('what is said of a value has the value beside its words', () => {
  const long = (end: string): string => 'a'.repeat(200) + end;
  expect(said(undefined)).toEqual({ words: 'nothing (the member is absent)', value: undefined });
  expect(saidApart(long('x'), long('y'), ', as sent')).toMatchObject([
    { words: expect.stringMatching(/x.*, as sent$/), value: long('x') },
    { value: long('y') },
  ]);
});

// biome-ignore format: a table
test.each([
  ['required', { type: 'object', required: ['a'] },                        {},  { kind: 'missing' }],
  ['type',     { type: ['integer', 'null'] },                              'a', { words: 'an integer or null', kind: 'type', constraint: { keyword: 'type', limit: ['integer', 'null'] } }],
  ['anyOf',    { anyOf: [{ type: 'string' }, { type: 'null' }] },          1,   { words: 'a string or null', kind: 'type', constraint: { keyword: 'type', limit: ['string', 'null'] } }],
  ['anyOf',    { anyOf: [{ type: 'string' }, { enum: [1] }] },             2,   { words: 'one of 2 shapes', kind: 'constraint' }],
  ['enum',     { enum: ['a', 'b'] },                                       'c', { words: 'one of "a", "b"', kind: 'constraint', constraint: { keyword: 'enum', limit: ['a', 'b'] } }],
  ['const',    { const: 'a' },                                             'b', { words: '"a"', kind: 'value', value: 'a' }],
] as const)('%s that is broken says what it wants', (keyword, schema, value, expected) => {
  const [problem] = validatorFor(schema as Schema)(value);
  expect(problem?.keyword).toBe(keyword);
  expect(saidConstraint(problem as BrokenKeyword)).toMatchObject(expected);
});
