import { faker } from '@faker-js/faker/locale/en';
import type { FormatHint, StringSchema } from '../../contracts/dialect.ts';
import { lastResults, memoized } from '../../contracts/memoized.ts';
import { namePlaceholder, shortPlaceholder } from '../protocol/created-names.ts';
import { codePoints } from './characters.ts';
import { exampleValues } from './node.ts';
import { parsePattern } from './pattern.ts';

/** Format hints whose texts have a form of their own: no unicode, no empty text, no random characters. */
const formed = new Set(['url', 'email', 'sql', 'column', 'iso-date-time', 'digits', 'header-name', 'slug']);

/** Number of realistic texts that are kept of each format hint. */
const poolSize = 48;

/** Makes one realistic text of each format hint. Only ASCII texts without white space at their ends are kept. */
// biome-ignore format: a table
const makers: Record<Exclude<FormatHint, 'groups' | 'timestamp'>, () => string> = {
  sentence: () => faker.lorem.sentence({ min: 3, max: 9 }),
  words: () => faker.lorem.words({ min: 2, max: 4 }),
  name: () => `${faker.commerce.productAdjective()} ${faker.commerce.product()}`,
  tag: () => faker.word.noun(),
  url: () => `https://example.com/${faker.lorem.slug(2)}`,
  email: () => `${faker.lorem.word()}.${faker.lorem.word()}@example.com`,
  sql: () => `SELECT ${faker.database.column()}, ts FROM ${faker.word.noun()}_events`,
  column: () => `${faker.word.noun()}_id`,
  'iso-date-time': () => `20${between(20, 29)}-0${between(1, 9)}-${between(10, 28)}T${between(10, 23)}:${between(10, 59)}:00.000Z`,
  digits: () => `17${faker.string.numeric(11)}`,
  'header-name': () => `x-${faker.word.noun()}-id`,
  // No hyphen: a service that puts it into a query may take nothing but an identifier of SQL.
  slug: () => faker.lorem.slug(2).replaceAll('-', '_'),
};

function between(min: number, max: number): number {
  return faker.number.int({ min, max });
}

const pools = lastResults<readonly string[]>(Object.keys(makers).length);

/**
 * Returns the realistic texts of a format hint, built once by faker from a fixed seed, shortest first. A value then
 * costs no more than an index drawn from fast-check's source, and shrinks towards the simplest.
 */
function textPool(formatHint: FormatHint = 'words'): readonly string[] {
  const wanted = formatHint === 'groups' || formatHint === 'timestamp' ? 'words' : formatHint;
  return pools(wanted, () => madeBy(makers[wanted]));
}

function madeBy(make: () => string): readonly string[] {
  faker.seed(1729);
  const texts = new Set<string>();
  for (let tries = 0; texts.size < poolSize && tries < poolSize * 20; tries++) {
    const text = make();
    if (/^[\x20-\x7e]+$/.test(text) && text.trim() === text) texts.add(text);
  }
  return [...texts].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
}

/** True if the texts of a schema may have any characters. */
export function isFree(schema: StringSchema): boolean {
  return schema.pattern === undefined && !formed.has(schema.annotation?.formatHint ?? '');
}

/** True if the texts of a schema name what the request creates. */
export const isNewName = (schema: StringSchema): boolean => schema.annotation?.creates === true;

/** True if a text keeps the schema. */
export function fits(schema: StringSchema, text: string): boolean {
  const length = codePoints(text);
  return (
    length >= (schema.minLength ?? 0) &&
    length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text))
  );
}

const filler = 'Quarterly checkout review of carts and baskets, weekly signups and returning visitors';

/** The filler in letters of two bytes in UTF-8. None is written in two ways or changes its length with its case. */
const widerFiller = 'Обзор покупок за квартал, корзины и заказы, записи за неделю и те, кто вернулся';

/**
 * Returns an ASCII text of exactly `length` characters that keeps the pattern, without white space at its ends. A new
 * name contains the placeholder, if there is room.
 */
export function textOfLength(schema: StringSchema, length: number): string {
  if (length <= 0) return '';
  if (isNewName(schema)) {
    if (length === shortPlaceholder.length) return shortPlaceholder;
    const room = length - namePlaceholder.length;
    if (room >= 0) return namePlaceholder + fillerOf(schema, room);
  }
  return fillerOf(schema, length);
}

/**
 * Returns the same in letters of two bytes each, if any text may stand there. It is too long only for a server that
 * counts bytes (section 8).
 */
export const widerTextOfLength = (schema: StringSchema, length: number): string =>
  isFree(schema) && !isNewName(schema) ? drawnOut([...widerFiller], length) : textOfLength(schema, length);

/** Returns a text of a length that says nothing. */
const fillerOf = (schema: StringSchema, length: number): string =>
  drawnOut(schema.pattern === undefined ? [...filler] : letters(schema.pattern), length);

/** Repeats some characters up to a length, without a blank at the ends. */
function drawnOut(source: readonly string[], length: number): string {
  const text = Array.from({ length }, (_, index) => source[index % source.length]);
  const solid = source.find(character => character !== ' ') ?? 'a';
  if (text[0] === ' ') text[0] = solid;
  if (length > 0 && text[length - 1] === ' ') text[length - 1] = solid;
  return text.join('');
}

/** Returns the letters of a character class to build texts from; its digits or signs if it has no letters. */
function letters(pattern: string): string[] {
  const { allowed } = parsePattern(pattern);
  const found = allowed.filter(character => /[a-z]/.test(character));
  return found.length > 0 ? found : allowed.filter(character => character !== ' ');
}

/**
 * Returns realistic texts that keep the schema, simplest first. None is empty unless only the empty text is allowed.
 */
export const realisticTexts = memoized((schema: StringSchema): readonly string[] => {
  const named = exampleValues(schema).filter(value => typeof value === 'string');
  const pool = isNewName(schema) ? [namePlaceholder] : textPool(schema.annotation?.formatHint);
  const candidates = named.length > 0 ? named : pool;
  const plain = named.length > 0 ? [] : candidates.map(text => text.replaceAll(/[^A-Za-z0-9]/g, '_'));
  for (const texts of [candidates, plain]) {
    const fitting = texts.filter(text => fits(schema, text));
    if (fitting.length > 0) return fitting;
  }
  const length = Math.min(Math.max(schema.minLength ?? 0, 8), schema.maxLength ?? Number.POSITIVE_INFINITY);
  return [textOfLength(schema, length)];
});

/** Puts a percent sign before the digits, to catch servers that decode a text that is not encoded. */
const percentFirst = (characters: readonly string[]): readonly string[] =>
  characters.includes('%') && characters.includes('0')
    ? characters.filter(one => one !== '%').flatMap(one => (one === '0' ? ['%', one] : [one]))
    : characters;

/** Puts the full stop at the end, where it is most easily taken off. */
const stopLast = (characters: readonly string[]): readonly string[] =>
  characters.includes('.') ? [...characters.filter(one => one !== '.'), '.'] : characters;

/**
 * Returns texts with every printable ASCII character of the pattern, as few as possible, none with a blank at an end.
 */
export function classTexts(schema: StringSchema): readonly string[] {
  if (schema.pattern === undefined) return [];
  const { allowed } = parsePattern(schema.pattern);
  const solid = stopLast(percentFirst(allowed)).filter(character => character !== ' ');
  const mark = isNewName(schema) ? namePlaceholder : '';
  const longest = Math.min(schema.maxLength ?? 100, 100) - mark.length;
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
  // Again from the first digit on, because a character that may stand within a text may also begin it.
  const turned = texts.map(text => text.slice(text.search(/\d/)) + text.slice(0, Math.max(0, text.search(/\d/))));
  const marked = [...texts.map(text => mark + text), ...turned.map(text => text + mark)];
  return [...new Set(marked)].filter(text => fits(schema, text));
}

/**
 * Returns a text with two blanks between its words, if the pattern allows blanks, and with two colons if it allows
 * those: a name that stands in an id before two colons (section 2.7) may be cut at its own.
 */
export function spacedText(schema: StringSchema): string | undefined {
  const text = `${isNewName(schema) ? namePlaceholder : 'two'}  blanks`;
  if (schema.pattern === undefined) return undefined;
  return [`${text}::colons`, text].find(one => fits(schema, one));
}
