import { describe, expect, test } from 'vitest';
import type { FormatHint, StringSchema } from '../../contracts/dialect.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import { classTexts, fits, isFree, realisticTexts, textOfLength, widerTextOfLength } from './texts.ts';

const hinted = (formatHint: FormatHint, more: Omit<StringSchema, 'type'> = {}): StringSchema => ({
  type: 'string',
  ...more,
  annotation: { formatHint },
});

/** How a service that reads a text recognises each form. */
// biome-ignore format: a table
const forms: readonly (readonly [FormatHint, (text: string) => boolean])[] = [
  ['sentence',      text => /^[A-Z].* .*\.$/.test(text)],
  ['words',         text => text.split(' ').length > 1],
  ['name',          text => text.split(' ').length > 1],
  ['tag',           text => /^[a-z-]+$/i.test(text)],
  ['url',           text => URL.canParse(text) && text.startsWith('https://example.com/')],
  ['email',         text => /^[^@\s]+@example\.com$/.test(text)],
  ['sql',           text => /^SELECT \w+, ts FROM \w/.test(text)],
  ['column',        text => /^\S+_id$/.test(text)],
  ['iso-date-time', text => new Date(text).toISOString() === text],
  ['digits',        text => /^\d{13}$/.test(text)],
  ['header-name',   text => /^x-[a-z-]+-id$/i.test(text)],
  ['slug',          text => /^[a-z]+_[a-z_]+$/.test(text)],
];

describe('realistic texts', () => {
  test.each(forms)('of the form %s are many, different, and of that form, the shortest first', (hint, isOfForm) => {
    const texts = realisticTexts(hinted(hint));
    expect(texts.filter(text => !isOfForm(text))).toEqual([]);
    expect(texts.length).toBeGreaterThan(30);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.map(text => text.length)).toEqual(texts.map(text => text.length).sort((one, other) => one - other));
  });

  test('are the examples, where there are any', () => {
    const schema: StringSchema = {
      type: 'string',
      maxLength: 4,
      annotation: { examples: ['both', 'too long', 'one'] },
    };
    expect(realisticTexts(schema)).toEqual(['both', 'one']);
  });

  test.each<StringSchema>([
    { type: 'string', pattern: '^[a-z_]+$' },
    { type: 'string', pattern: '^[0-9]+$', minLength: 3 },
    { type: 'string', maxLength: 2 },
    { type: 'string', minLength: 90 },
    { type: 'string', maxLength: 0 },
  ])('keep %j, and are none the less some', schema => {
    const texts = realisticTexts(schema);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter(text => !fits(schema, text) || (text === '' && schema.maxLength !== 0))).toEqual([]);
  });

  test('of what is created carry the name of the run', () => {
    const schema: StringSchema = { type: 'string', annotation: { creates: true } };
    for (const text of [...realisticTexts(schema), textOfLength(schema, 60)]) expect(text).toContain(namePlaceholder);
  });
});

test.each([0, 1, 7, 86, 87, 400])(
  'a text of length %d has it, keeps its pattern and has no blank at an end',
  length => {
    for (const pattern of [undefined, '^[a-z ]*$', '^[0-9]*$', '^[_ ]*$']) {
      const schema: StringSchema = { type: 'string', ...(pattern === undefined ? {} : { pattern }) };
      const text = textOfLength(schema, length);
      expect([pattern, text.length, text.trim(), fits(schema, text)]).toEqual([pattern, length, text, true]);
    }
  },
);

test('any text may stand where nothing is stated of its form, and only there', () => {
  const free = [...forms.map(([hint]) => hint)].filter(hint => isFree(hinted(hint)));
  expect(free).toEqual(['sentence', 'words', 'name', 'tag']);
  expect(isFree({ type: 'string', pattern: '^[a-z]*$' })).toBe(false);
});

describe('the texts of a character class', () => {
  const shown = (schema: StringSchema): string => [...new Set(classTexts(schema).join(''))].sort().join('');

  test('show every character of it, in few texts, within the bounds, and no blank at an end', () => {
    const schema: StringSchema = { type: 'string', pattern: '^[a-zA-Z0-9_.\\-()/ %:]*$', minLength: 12, maxLength: 40 };
    const texts = classTexts(schema);
    expect(shown(schema).length).toBe(26 + 26 + 10 + 9);
    expect(texts.length).toBeLessThan(8);
    for (const text of texts) expect([fits(schema, text), text.trim()]).toEqual([true, text]);
    expect(texts.some(text => text.includes('%0'))).toBe(true);
    expect(texts.some(text => /^\d/.test(text))).toBe(true);
    expect(texts.some(text => /^[a-zA-Z]/.test(text))).toBe(true);
  });

  test('are none where no class is stated', () => {
    expect(classTexts({ type: 'string' })).toEqual([]);
  });
});

describe('a text of letters of two bytes', () => {
  test.each([1, 3, 10, 25, 100, 1000])(
    'has %i characters in every count but bytes, none of them a blank at its ends',
    length => {
      const made = widerTextOfLength(hinted('sentence'), length);
      expect([[...made].length, made.length, made.normalize('NFD').length, made.trim()]).toEqual([
        length,
        length,
        length,
        made,
      ]);
      expect([made.toUpperCase().length, made.toUpperCase().toLowerCase()]).toEqual([length, made.toLowerCase()]);
      if (length > 3) expect(Buffer.byteLength(made)).toBeGreaterThan(1.5 * length);
    },
  );

  test('is one of ASCII where a pattern, a form or a name of what is created asks for that', () => {
    const others = [
      { type: 'string', pattern: '^[a-z]*$' } as const,
      hinted('slug'),
      { type: 'string', annotation: { creates: true } } as const,
    ];
    for (const schema of others) expect(widerTextOfLength(schema, 60)).toBe(textOfLength(schema, 60));
  });
});
