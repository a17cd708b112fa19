import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import { acceptCases, laterItemCases, rejectCases } from './index.ts';
import { nodeOf } from './node.ts';
import { schemaArbitrary } from './schemas.fixture.ts';
import { arbitraryOf } from './walked.fixture.ts';

/** Returns every case of a schema: its title, its level, and what it sends. */
function casesOf(schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities): ReadonlySet<string> {
  const all = [
    ...acceptCases(schema, template, capabilities).cases,
    ...rejectCases(schema, template, capabilities).cases,
    ...laterItemCases(schema, template, capabilities),
  ];
  return new Set(all.map(({ title, level, body }) => JSON.stringify([title, level, body])));
}

const lost = (before: ReadonlySet<string>, after: ReadonlySet<string>): readonly string[] =>
  [...before].filter(one => !after.has(one));

/** Random bodies, each with a valid template and one more field. */
const drawn = fc
  .sample(fc.tuple(schemaArbitrary, schemaArbitrary, fc.nat()), { seed: 51, numRuns: 70 })
  .flatMap(([schema, added, seed]) => {
    if (nodeOf(schema).kind !== 'object') return [];
    const template = fc.sample(arbitraryOf(schema), { seed, numRuns: 3 }).find(isObject);
    return template === undefined ? [] : [{ schema: schema as ObjectSchema, template, added }];
  });

describe('no case is lost', () => {
  test('when a field is added', () => {
    expect(drawn.length).toBeGreaterThan(7);
    for (const { schema, template, added } of drawn) {
      const wider: ObjectSchema = { ...schema, properties: { ...schema.properties, added } };
      const [before, after] = [schema, wider].map(one => casesOf(one, template, everythingDeclared));
      expect(lost(before ?? new Set(), after ?? new Set()), JSON.stringify(wider)).toEqual([]);
    }
  });

  test('and none changes, when fields stand in another order', () => {
    for (const { schema, template } of drawn) {
      const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).reverse());
      const [before, after] = [schema, { ...schema, properties }].map(one =>
        casesOf(one, template, everythingDeclared),
      );
      expect(after, JSON.stringify(schema)).toEqual(before);
    }
  });

  test.each(endpointIds.filter(id => endpoints[id].body !== null))('of %s, whichever field comes last', id => {
    const schema: ObjectSchema | null = endpoints[id].body;
    const template = templates[id];
    if (schema === null || template === undefined) throw new Error(`no body of ${id}`);
    const all = casesOf(schema, template, everythingDeclared);
    const named = new Set([
      ...Object.keys(template),
      ...(schema.required ?? []),
      ...(schema.allOf ?? []).flatMap(one => [...one.if.required, ...(one.then.required ?? [])]),
    ]);
    const optional = Object.keys(schema.properties ?? {}).filter(name => !named.has(name));
    // Only a few of the many fields of a large body, because each of them makes all cases again.
    const step = Math.max(4, optional.length - 1);
    for (const left of optional.filter((_, index) => index % step === 0)) {
      const { [left]: _, ...properties } = schema.properties ?? {};
      expect(lost(casesOf({ ...schema, properties }, template, everythingDeclared), all), left).toEqual([]);
    }
  });
});
