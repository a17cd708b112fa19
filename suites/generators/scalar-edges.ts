import type { NumberSchema, StringSchema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { unicodeMixture, unicodeTexts } from './characters.ts';
import { isReference } from './context.ts';
import { exampleValues } from './node.ts';
import { exampleNumbers, inRange, isWhole, limits } from './numbers.ts';
import { queriesAround } from './queries.ts';
import { classTexts, isFree, realisticTexts, spacedText, textOfLength, widerTextOfLength } from './texts.ts';

/** A value worth sending, with the keyword that it exercises and what it is, in words. */
export type LabelledValue = readonly [keyword: string, what: string, value: Json];

/**
 * Lists the texts of a schema worth sending: examples, both lengths, every character of the class, other scripts,
 * extremes.
 * @param depth how many objects and lists the field stands in: deep fields get fewer texts.
 * @param current what the template has here: a query is varied around it.
 */
export function textEdges(schema: StringSchema, depth: number, current: Json | undefined): LabelledValue[] {
  const { minLength, maxLength, pattern, annotation } = schema;
  if (annotation?.formatHint === 'sql' && typeof current === 'string')
    return queriesAround(current).map(([title, query]) => ['extreme', title, query]);
  const edges: LabelledValue[] = realisticTexts(schema)
    .slice(0, exampleValues(schema).length || 1)
    .map(text => ['example', 'an ordinary text', text]);
  if (minLength) edges.push(['minLength', `exactly ${minLength} characters`, textOfLength(schema, minLength)]);
  if (maxLength !== undefined)
    edges.push(['maxLength', `exactly ${maxLength} characters`, widerTextOfLength(schema, maxLength)]);
  for (const text of classTexts(schema)) edges.push(['pattern', `every character of ${pattern}`, text]);
  const spaced = spacedText(schema);
  if (spaced !== undefined) edges.push(['extreme', 'two blanks between words', spaced]);
  if (!isFree(schema) || isReference(schema) || exampleValues(schema).length > 0) return edges;
  const room = maxLength ?? Number.POSITIVE_INFINITY;
  const fits = (text: string): boolean => text.length <= room && text.length >= (minLength ?? 0);
  const texts = depth > 0 ? [['characters of many scripts', unicodeMixture] as const] : unicodeTexts;
  for (const [name, text] of texts) if (fits(text)) edges.push(['unicode', name, text]);
  if (depth > 0) return edges;
  if (!minLength) edges.push(['extreme', 'the empty text', '']);
  const apart = '  set apart  ';
  if (fits(apart)) edges.push(['extreme', 'white space at both ends', apart]);
  if (maxLength === undefined) edges.push(['extreme', 'a text of 1000 characters', textOfLength(schema, 1000)]);
  return edges;
}

/** Lists the numbers of a schema worth sending: both bounds, examples, a fraction, zero and a larger number. */
export function numberEdges(schema: NumberSchema): LabelledValue[] {
  const { low, high } = limits(schema);
  const edges: LabelledValue[] = [];
  if (low !== undefined)
    edges.push([schema.minimum === low ? 'minimum' : 'exclusiveMinimum', `the least allowed, ${low}`, low]);
  if (high !== undefined)
    edges.push([schema.maximum === high ? 'maximum' : 'exclusiveMaximum', `the greatest allowed, ${high}`, high]);
  // After the bounds, so that an example that is a bound is sent as the bound.
  for (const value of exampleNumbers(schema)) edges.push(['example', `an ordinary number, ${value}`, value]);
  if (low !== undefined && high !== undefined && !isWhole(schema)) {
    const fraction = Number((low + (high - low) * 0.5046).toFixed(3));
    if (inRange(schema, fraction)) edges.push(['example', `a number with a fraction, ${fraction}`, fraction]);
  }
  const named = exampleValues(schema).length > 0 || schema.annotation?.formatHint === 'timestamp';
  // Outside its examples a number without bounds may make no sense (a temperature of 100000).
  if (!named && low === undefined && inRange(schema, 0)) edges.push(['extreme', 'zero', 0]);
  if ((!named || low !== undefined) && inRange(schema, 365)) edges.push(['extreme', 'a larger number', 365]);
  return edges;
}
