import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { at, join } from '../../contracts/pointer.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import type { Mutation } from './cases.ts';
import { mutationsOf } from './mutants.ts';
import { nodeOf } from './node.ts';
import { isWhole } from './numbers.ts';
import { breakable, brokenIn, type Place, placesIn } from './places.fixture.ts';
import { wholeControl } from './reject.ts';
import { schemaArbitrary } from './schemas.fixture.ts';
import { arbitraryOf } from './walked.fixture.ts';

/** True if a value has the schema's type: it can only break a bound. */
const isOfType = (schema: Schema, value: Json): boolean => {
  const { kind } = nodeOf(schema);
  if (isWhole(schema)) return Number.isInteger(value);
  return kind === 'array' ? Array.isArray(value) : kind === 'enum' || kind === 'const' || typeof value === kind;
};

/** True if a value breaks one keyword alone; the empty text may break a pattern too. */
const breaksAlone = (schema: Schema, keyword: string, sent: Json): boolean => {
  const broken: readonly string[] = isOfType(schema, sent) ? brokenIn(schema, sent) : [];
  return broken.includes(keyword) && (broken.length === 1 || sent === '');
};

/** Returns the rules at a place that no mutation breaks alone: bounds, required members, forbidden members. */
function unbroken({ pointer, schema }: Place, valid: Json, mutations: readonly Mutation[]): string[] {
  const here = mutations.filter(one => one.pointer === pointer && one.sent !== undefined);
  const there = at(valid, pointer);
  // An empty list has no item to repeat.
  const isEmpty = Array.isArray(there) && there.length === 0;
  const left = breakable(schema).filter(
    keyword =>
      !(isEmpty && keyword === 'maxItems') && !here.some(({ sent = null }) => breaksAlone(schema, keyword, sent)),
  );
  const node = nodeOf(schema);
  if (node.kind !== 'object') return left.map(keyword => `${pointer} ${keyword}`);
  const value = there as Json;
  const required = (node.schema.required ?? []).filter(
    name => !mutations.some(one => one.pointer === join(pointer, name) && one.sent === undefined),
  );
  const isClosed = node.schema.additionalProperties === false;
  const isExtra = (one: Mutation): boolean =>
    one.keyword === 'additionalProperties' &&
    one.pointer.startsWith(`${pointer}/`) &&
    at(value, one.pointer.slice(pointer.length)) === undefined;
  return [
    ...required.map(name => `${join(pointer, name)} left out`),
    ...(isClosed && !mutations.some(isExtra) ? [`${pointer} additionalProperties`] : []),
  ];
}

const allUnbroken = (schema: Schema, valid: Json): readonly string[] => {
  const mutations = mutationsOf(schema, valid, 0);
  return placesIn(schema, valid).flatMap(place => unbroken(place, valid, mutations));
};

describe('each rule is broken alone, wherever it stands,', () => {
  test('in random schemas', () => {
    let places = 0;
    for (const [schema, seed] of fc.sample(fc.tuple(schemaArbitrary, fc.nat()), { seed: 31, numRuns: 50 }))
      for (const valid of fc.sample(arbitraryOf(schema), { seed, numRuns: 2 })) {
        places += placesIn(schema, valid).length;
        expect(allUnbroken(schema, valid), JSON.stringify({ schema, valid })).toEqual([]);
      }
    expect(places).toBeGreaterThan(100);
  });

  test.each(endpointIds.filter(id => endpoints[id].body !== null))('in the body of %s', id => {
    const schema = endpoints[id].body;
    const template = templates[id];
    if (schema === null || template === undefined) throw new Error(`no body of ${id}`);
    expect(allUnbroken(schema, wholeControl(schema, template, everythingDeclared))).toEqual([]);
  });
});
