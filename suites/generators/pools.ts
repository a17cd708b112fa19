import { faker } from '@faker-js/faker/locale/en';
import type { FormatHint } from '../../contracts/dialect.ts';

const size = 48;

/** How one realistic text of each formatHint is made. Every text is plain ASCII without white space at its ends. */
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
  slug: () => faker.lorem.slug(2),
};

function between(min: number, max: number): number {
  return faker.number.int({ min, max });
}

const built = new Map<string, readonly string[]>();

/**
 * Realistic texts of one formatHint: built once by faker from a fixed seed, shortest first, so that an index drawn from fast-check's
 * source is all that a value costs, and shrinks towards the simplest.
 */
export function pool(formatHint: FormatHint | undefined): readonly string[] {
  const wanted =
    formatHint === undefined || formatHint === 'groups' || formatHint === 'timestamp' ? 'words' : formatHint;
  const known = built.get(wanted);
  if (known) return known;
  faker.seed(1729);
  const make = makers[wanted];
  const texts = new Set<string>();
  for (let tries = 0; texts.size < size && tries < size * 20; tries++) {
    const text = make();
    if (/^[\x20-\x7e]+$/.test(text) && text.trim() === text) texts.add(text);
  }
  const sorted = [...texts].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  built.set(wanted, sorted);
  return sorted;
}
