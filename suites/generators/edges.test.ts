import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { at } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { nodesOf } from '../../contracts/walk.ts';
import { everythingDeclared } from './capabilities.fixture.ts';
import { type Edge, edgesOf } from './edges.ts';
import { nodeOf } from './node.ts';
import { isWhole } from './numbers.ts';
import { type Place, placesOf } from './places.fixture.ts';
import { schemaArbitrary } from './schemas.fixture.ts';
import { sendable } from './walked.fixture.ts';

/** Returns the values on a boundary of a schema: their names, and how to recognise each. */
function boundariesOf(schema: Schema): readonly (readonly [what: string, isThere: (value: Json) => boolean])[] {
  const node = nodeOf(schema);
  const found: [string, (value: Json) => boolean][] = [];
  const isLong = (length: number) => (value: Json) => typeof value === 'string' && [...value].length === length;
  const hasItems = (count: number) => (value: Json) => Array.isArray(value) && value.length === count;
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum, exclusiveMaximum } =
    schema as Record<string, number | undefined>;
  if (minLength) found.push(['minLength', isLong(minLength)]);
  if (maxLength !== undefined) found.push(['maxLength', isLong(maxLength)]);
  // If no schema states the items of a list, nothing is known that could be repeated.
  const isKnown = node.kind === 'array' && node.schema.items !== undefined;
  if (isKnown && minItems !== undefined) found.push(['minItems', hasItems(minItems)]);
  if (isKnown && maxItems !== undefined) found.push(['maxItems', hasItems(maxItems)]);
  if (minimum !== undefined) found.push(['minimum', value => value === minimum]);
  if (maximum !== undefined) found.push(['maximum', value => value === maximum]);
  const step = isWhole(schema) ? 1 : 0.001;
  const isNext = (bound: number, other: Json): boolean =>
    typeof other === 'number' && other !== bound && Math.abs(other - bound) <= step * 1.000001;
  if (exclusiveMinimum !== undefined) found.push(['exclusiveMinimum', value => isNext(exclusiveMinimum, value)]);
  if (exclusiveMaximum !== undefined) found.push(['exclusiveMaximum', value => isNext(exclusiveMaximum, value)]);
  if (node.nullable) found.push(['null', value => value === null]);
  if (node.kind === 'boolean') found.push(['true', value => value === true], ['false', value => value === false]);
  const members = node.kind === 'enum' ? node.schema.enum : node.kind === 'const' ? [node.schema.const] : [];
  for (const member of members) found.push([JSON.stringify(member), value => value === member]);
  return found;
}

const missed = ({ pointer, schema }: Place, edges: readonly Edge[]): readonly string[] =>
  boundariesOf(schema)
    .filter(([, isThere]) => !edges.some(edge => edge.pointer === pointer && isThere(at(edge.value, pointer) as Json)))
    .map(([what]) => `${pointer} ${what}`);

const schemas = fc.sample(schemaArbitrary, { seed: 32, numRuns: 120 });

test('each boundary is met, wherever it stands, by a value that names its place', () => {
  const places = schemas.map(schema => placesOf(schema));
  expect(places.flat().flatMap(({ schema }) => boundariesOf(schema)).length).toBeGreaterThan(200);
  for (const [index, schema] of schemas.entries()) {
    const edges = edgesOf(sendable(schema), { capabilities: everythingDeclared });
    const left = places[index]?.flatMap(place => missed(place, edges));
    expect(left, JSON.stringify(schema)).toEqual([]);
  }
});

test('what is sent is valid', () => {
  // A condition stands at the root of a body, where fields are placed; a single field has none.
  const unconditional = schemas.filter(schema => nodesOf(schema).every(([, node]) => node.allOf === undefined));
  for (const schema of unconditional.slice(0, 50)) {
    const problems = validatorFor(schema);
    for (const { pointer, what, value } of edgesOf(sendable(schema), { capabilities: everythingDeclared }))
      expect(problems(value), `${pointer}: ${what}, of ${JSON.stringify(schema)}`).toEqual([]);
  }
});
