import fc from 'fast-check';
import type { NumberSchema, StringSchema } from '../../contracts/dialect.ts';
import { compact } from '../../contracts/present.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import { oddCharacters, plainCharacters, unicodeTexts } from './characters.ts';
import { exampleValues } from './node.ts';
import { exampleNumbers, inRange, isWhole, limits } from './numbers.ts';
import { parsePattern } from './pattern.ts';
import { classTexts, fits, isFree, isNewName, realisticTexts, textOfLength } from './texts.ts';

/** The range of random numbers if nothing is stated. */
const reach = 10_000;

/**
 * Draws numbers of a schema: examples, both limits, and random ones. Decimals are whole thousandths or finer, so that
 * they survive JSON. Random ones shrink towards zero or the limit nearest to it.
 */
export function numberArbitrary(schema: NumberSchema): fc.Arbitrary<number> {
  const { low, high } = limits(schema);
  const fixed = fc.constantFrom(...new Set(compact([...exampleNumbers(schema), low, high])));
  const named = exampleValues(schema).filter(value => typeof value === 'number');
  // Without stated bounds the examples span the range that makes sense: -1, 1 and 7 need not imply that 3 is right.
  if (named.length > 0 && low === undefined && high === undefined) {
    const isOfIntegers = isWhole(schema) || named.every(Number.isInteger);
    const between = isOfIntegers ? undefined : decimals(schema, Math.min(...named), Math.max(...named));
    return between === undefined ? fixed : fc.oneof(fixed, between);
  }
  const least = low ?? Math.min((high ?? 0) - reach, 0);
  const most = high ?? Math.max((low ?? 0) + reach, reach);
  const random = isWhole(schema) ? fc.integer({ min: least, max: most }) : decimals(schema, least, most);
  return random === undefined
    ? fixed
    : fc.oneof({ arbitrary: fixed, weight: 2 }, { arbitrary: random.map(value => value + 0), weight: 3 });
}

/** Draws decimals between two limits, on the coarsest grid that has room between them; undefined if none has. */
function decimals(schema: NumberSchema, low: number, high: number): fc.Arbitrary<number> | undefined {
  for (const places of [3, 6, 9]) {
    const scale = 10 ** places;
    const min = Math.ceil(low * scale);
    const max = Math.floor(high * scale);
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || max - min < 10) continue;
    return fc
      .integer({ min, max })
      .map(value => value / scale)
      .filter(value => inRange(schema, value, false));
  }
  return undefined;
}

/** Returns the characters that random texts of a schema are made of, simplest first. */
export function alphabetOf(schema: StringSchema): readonly string[] {
  if (schema.pattern === undefined) return isFree(schema) ? [...plainCharacters, ...oddCharacters] : plainCharacters;
  const { allowed } = parsePattern(schema.pattern);
  const solid = allowed.filter(character => character !== ' ');
  const rank = (character: string): number => (/[a-z]/.test(character) ? 0 : 1);
  return solid.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Draws texts of a schema: mostly realistic ones, random ones, and edges (both lengths, every character of the class,
 * other scripts). No text has white space at its ends. Shrinks to the simplest realistic text, random ones to the
 * shortest.
 */
export function textArbitrary(schema: StringSchema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength } = schema;
  const realistic = fc.constantFrom(...realisticTexts(schema));
  if (exampleValues(schema).length > 0 || !(isFree(schema) || schema.pattern !== undefined)) return realistic;
  const alphabet = alphabetOf(schema);
  const edges = compact([
    textOfLength(schema, minLength),
    ...classTexts(schema),
    maxLength !== undefined && textOfLength(schema, maxLength),
    ...(isFree(schema) ? unicodeTexts.map(([, text]) => text) : []),
  ]);
  const kept = [...new Set(edges)].filter(text => fits(schema, text));
  const choices: fc.WeightedArbitrary<string>[] = [{ arbitrary: realistic, weight: 5 }];
  if (kept.length > 0) choices.push({ arbitrary: fc.constantFrom(...kept), weight: 2 });
  const isNonEmpty = schema.pattern !== undefined && parsePattern(schema.pattern).nonEmpty;
  const least = Math.max(isNonEmpty ? 1 : 0, minLength);
  if (alphabet.length > 0) {
    const random = randomText(schema, alphabet, least);
    // Mark a new name, unless that is too long: a short random text may come up again in another run.
    const marked = random.map(text => namePlaceholder + (fits(schema, namePlaceholder + text) ? text : ''));
    choices.push({ arbitrary: isNewName(schema) ? marked : random, weight: 2 });
  }
  return fc.oneof(...choices);
}

/**
 * Draws texts of characters picked by index. Length counts code points, so characters of several code points are left
 * out if the length is bounded.
 */
function randomText(schema: StringSchema, alphabet: readonly string[], least: number): fc.Arbitrary<string> {
  const single = schema.maxLength === undefined ? alphabet : alphabet.filter(each => [...each].length === 1);
  const most = Math.min(schema.maxLength ?? least + 24, least + 24);
  return fc
    .array(fc.nat({ max: single.length - 1 }), { minLength: least, maxLength: most })
    .map(picks => picks.map(pick => single[pick]).join(''));
}
