import type { StringSchema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { codePoints } from './characters.ts';
import { exampleValues } from './node.ts';
import { parsePattern } from './pattern.ts';
import { pool } from './pools.ts';

/** FormatHint whose texts have a form of their own: no unicode, no empty text, no random characters. */
const formed = new Set(['url', 'email', 'sql', 'column', 'iso-date-time', 'digits', 'header-name', 'slug']);

/** Whether texts of the schema may be any characters at all. */
export function isFree(schema: StringSchema): boolean {
  return schema.pattern === undefined && !formed.has(schema.annotation?.formatHint ?? '');
}

/** Whether a text keeps the schema. */
export function fits(schema: StringSchema, text: string): boolean {
  const length = codePoints(text);
  return (
    length >= (schema.minLength ?? 0) &&
    length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text))
  );
}

const filler = 'Quarterly checkout review of carts and baskets, weekly signups and returning visitors';

/** An ASCII text of exactly `length` characters that keeps the pattern and has no white space at its ends. */
export function textOfLength(schema: StringSchema, length: number): string {
  if (length <= 0) return '';
  const source = schema.pattern === undefined ? [...filler] : letters(schema.pattern);
  const text = Array.from({ length }, (_, index) => source[index % source.length]);
  const solid = source.find(character => character !== ' ') ?? 'a';
  if (text[0] === ' ') text[0] = solid;
  if (text[length - 1] === ' ') text[length - 1] = solid;
  return text.join('');
}

/** The letters of a class to build texts from (its digits or signs, when it has no letters). */
function letters(pattern: string): string[] {
  const { allowed } = parsePattern(pattern);
  const found = allowed.filter(character => /[a-z]/.test(character));
  return found.length > 0 ? found : allowed.filter(character => character !== ' ');
}

/** Realistic texts that keep the schema, simplest first; never empty unless no text but the empty one is allowed. */
export function realisticTexts(schema: StringSchema): readonly string[] {
  const known = cache.get(schema);
  if (known) return known;
  const named = exampleValues(schema).filter(isText);
  const candidates = named.length > 0 ? named : pool(schema.annotation?.formatHint);
  let texts = candidates.filter(text => fits(schema, text));
  if (texts.length === 0 && named.length === 0)
    texts = candidates.map(text => text.replaceAll(/[^A-Za-z0-9]/g, '_')).filter(text => fits(schema, text));
  if (texts.length === 0) {
    const shortest = Math.max(schema.minLength ?? 0, schema.maxLength === 0 ? 0 : 1);
    texts = [textOfLength(schema, Math.min(Math.max(shortest, 8), schema.maxLength ?? 8))];
  }
  cache.set(schema, texts);
  return texts;
}

const cache = new WeakMap<StringSchema, readonly string[]>();

function isText(value: Json): value is string {
  return typeof value === 'string';
}

/**
 * Every printable ASCII character that the pattern allows, in as few texts as the length bounds let, none with a blank at an end.
 */
export function classTexts(schema: StringSchema): readonly string[] {
  if (schema.pattern === undefined) return [];
  const { allowed } = parsePattern(schema.pattern);
  const solid = allowed.filter(character => character !== ' ');
  if (solid.length === 0) return [];
  const longest = Math.min(schema.maxLength ?? 100, 100);
  const blank = allowed.includes(' ') && longest >= 3;
  const room = blank ? longest - 1 : longest;
  const texts: string[] = [];
  for (let start = 0; start < solid.length; start += room) {
    const part = solid.slice(start, start + room);
    if (blank && part.length >= 2) part.splice(1, 0, ' ');
    const text = part.join('');
    const missing = (schema.minLength ?? 0) - text.length;
    texts.push(missing > 0 ? text + textOfLength(schema, missing) : text);
  }
  // Once more from the first digit on: what may stand within a text may begin it too.
  const turned = texts.map(text => text.slice(text.search(/\d/)) + text.slice(0, Math.max(0, text.search(/\d/))));
  return [...new Set([...texts, ...turned])].filter(text => fits(schema, text));
}
