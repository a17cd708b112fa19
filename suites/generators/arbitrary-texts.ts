import fc from 'fast-check';
import type { StringSchema } from '../../contracts/dialect.ts';
import { oddCharacters, plainCharacters, unicodeTexts } from './characters.ts';
import { exampleValues } from './node.ts';
import { parsePattern } from './pattern.ts';
import { classTexts, fits, isFree, realisticTexts, textOfLength } from './texts.ts';

/** The characters that random texts of a schema are made of, simplest first. */
export function alphabetOf(schema: StringSchema): readonly string[] {
  if (schema.pattern === undefined) return isFree(schema) ? [...plainCharacters, ...oddCharacters] : plainCharacters;
  const { allowed } = parsePattern(schema.pattern);
  const solid = allowed.filter(character => character !== ' ');
  const simple = solid.filter(character => /[a-z]/.test(character));
  return [...simple, ...solid.filter(character => !simple.includes(character))];
}

/**
 * Texts of a schema: realistic ones mostly, random ones, and the edges (both lengths, every character of the class, other scripts).
 * No text has white space at its ends. Shrinks to the simplest realistic text, random ones to the shortest.
 */
export function textArbitrary(schema: StringSchema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength } = schema;
  const realistic = fc.constantFrom(...realisticTexts(schema));
  if (exampleValues(schema).length > 0 || !(isFree(schema) || schema.pattern !== undefined)) return realistic;
  const alphabet = alphabetOf(schema);
  const edges = [textOfLength(schema, minLength), ...classTexts(schema)];
  if (maxLength !== undefined) edges.push(textOfLength(schema, maxLength));
  if (isFree(schema)) edges.push(...unicodeTexts.map(({ text }) => text));
  const kept = [...new Set(edges)].filter(text => fits(schema, text));
  const choices: fc.WeightedArbitrary<string>[] = [{ arbitrary: realistic, weight: 5 }];
  if (kept.length > 0) choices.push({ arbitrary: fc.constantFrom(...kept), weight: 2 });
  const least =
    schema.pattern !== undefined && parsePattern(schema.pattern).nonEmpty ? Math.max(1, minLength) : minLength;
  if (alphabet.length > 0) choices.push({ arbitrary: randomText(schema, alphabet, least), weight: 2 });
  return fc.oneof(...choices);
}

/** Texts of characters picked by index; length counts code points, so what is made of several stands alone where length is bounded. */
function randomText(schema: StringSchema, alphabet: readonly string[], least: number): fc.Arbitrary<string> {
  const single = schema.maxLength === undefined ? alphabet : alphabet.filter(each => [...each].length === 1);
  const most = Math.min(schema.maxLength ?? least + 24, least + 24);
  return fc
    .array(fc.nat({ max: single.length - 1 }), { minLength: least, maxLength: most })
    .map(picks => picks.map(pick => single[pick]).join(''));
}
