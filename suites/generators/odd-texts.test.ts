import { describe, expect, test } from 'vitest';
import type { NumberSchema } from '../../contracts/dialect.ts';
import { freeMembers } from './free-form.ts';
import { inRange } from './numbers.ts';
import { oddNumber } from './odd-numbers.ts';
import { conditions, longText, marks, words } from './odd-texts.ts';

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

describe.each(Object.entries({ marks, words, conditions }))('%s', (_, table) => {
  const texts = table.map(([, text]) => text);

  test('are different, and so are their names', () => {
    expect(new Set(texts).size).toBe(table.length);
    expect(new Set(table.map(([what]) => what)).size).toBe(table.length);
  });

  test('have something in them, no blank at an end, and nothing of which it is open what becomes of it', () => {
    for (const text of texts) {
      expect([text, text.length > 0, text.trim()]).toEqual([text, true, text]);
      expect([text, text.includes('\0') || loneSurrogate.test(text)]).toEqual([text, false]);
    }
  });
});

test('words are five of each sort, so that a field that gets every fifth gets one of each', () => {
  // biome-ignore format: a table
  const sorts: readonly ((text: string) => boolean)[] = [
    text => Number.isFinite(Number(text)),
    text => /^(null|undefined|nan|none)$/i.test(text),
    text => /^(true|false|\d{4}-\d\d-\d\d.*|\d{17,})$/.test(text),
    text => /^[[{"<a]/.test(text),
  ];
  for (const [index, isOf] of sorts.entries())
    for (const [, text] of words.slice(5 * index, 5 * index + 5))
      expect([index, text, isOf(text)]).toEqual([index, text, true]);
});

test.each([300, 1000, 2500])('a long text of %d characters has as many, and no two parts alike', length => {
  const text = longText(length);
  expect(text).toHaveLength(length);
  expect(text.trim()).toBe(text);
  const parts = Array.from({ length: Math.floor(length / 50) }, (_, index) => text.slice(index * 50, index * 50 + 50));
  expect(new Set(parts).size).toBe(parts.length);
});

describe('odd numbers', () => {
  const turns = (schema: NumberSchema) =>
    Array.from({ length: 8 }, (_, turn) => oddNumber(schema, turn)).flatMap(one => (one === undefined ? [] : [one[1]]));

  test('keep the schema, and neighbours get others', () => {
    const schemas: readonly NumberSchema[] = [
      { type: 'integer' },
      { type: 'number' },
      { type: 'integer', minimum: 0 },
      { type: 'number', maximum: 10 },
    ];
    for (const schema of schemas) {
      const values = turns(schema);
      expect(values).toHaveLength(8);
      expect(values.filter(value => !inRange(schema, value))).toEqual([]);
      expect(values.filter((value, index) => value === values[index - 1])).toEqual([]);
    }
  });

  test('have many decimals between two bounds, and are none of a short range of integers', () => {
    for (const value of turns({ type: 'number', exclusiveMinimum: 2, maximum: 3 })) {
      expect(value > 2 && value < 3).toBe(true);
      expect(String(value).length).toBeGreaterThan(10);
    }
    expect(turns({ type: 'integer', minimum: 1, maximum: 9 })).toEqual([]);
  });

  test('are below zero at the first turn, where they may be', () => {
    for (const type of ['integer', 'number'] as const) expect(oddNumber({ type }, 0)?.[1]).toBeLessThan(0);
  });

  test('pass beyond what 31, 32 and 53 bits hold', () => {
    const [most = 0] = turns({ type: 'integer' }).sort((one, other) => other - one);
    expect(most).toBe(Number.MAX_SAFE_INTEGER);
    for (const bits of [31, 32])
      expect(turns({ type: 'integer' }).some(one => one >= 2 ** bits && one < 2 ** (bits + 2))).toBe(true);
  });
});

describe('odd members of free-form objects', () => {
  const whole = Object.fromEntries(freeMembers.map(([, name, value]) => [name, value]));

  test('all stand in one object, and JSON carries each unchanged', () => {
    expect(Object.keys(whole)).toHaveLength(freeMembers.length);
    expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
  });

  test('are of every type, and every kind of nothing is among them', () => {
    const texts = new Set(freeMembers.map(([, , value]) => JSON.stringify(value)));
    for (const nothing of ['null', 'false', '0', '""', '[]', '{}']) expect(texts).toContain(nothing);
    const depth = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    expect(Math.max(...freeMembers.map(([, , value]) => depth(value)))).toBeGreaterThan(5);
  });

  test('bear the names that objects have already, that sort otherwise, and that differ in case alone', () => {
    const names = freeMembers.map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'prototype', 'toString', 'length']));
    expect(names.filter(name => /^\d+$/.test(name)).length).toBeGreaterThan(1);
    expect(new Set(names.map(name => name.toLowerCase())).size).toBeLessThan(names.length);
    expect(Math.max(...names.map(name => name.length))).toBeGreaterThan(100);
    expect(names.filter(name => name === '')).toEqual([]);
  });
});
