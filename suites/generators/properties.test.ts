import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConstrainingKeyword, constrainingKeywords, type Schema } from '../../contracts/dialect.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { at, differences } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { mutationArbitraries } from './fuzz-reject.ts';
import { nodeOf } from './node.ts';
import { isWhole } from './numbers.ts';
import { constrainedArbitrary, schemaArbitrary } from './schemas.fixture.ts';
import { arbitraryOf, mutantsOf, withShrinks } from './walked.fixture.ts';

/** Every schema of the endpoint table: bodies, queries, and the data of answers. */
const contracts: readonly (readonly [string, Schema])[] = endpointIds.flatMap((id: EndpointId) => {
  const { body, query, data } = endpoints[id];
  return Object.entries({ body, query, data }).flatMap(([part, schema]) =>
    schema === null ? [] : [[`${id} ${part}`, schema as Schema] as const],
  );
});

function problemsOf(schema: Schema, value: Json): string {
  return validatorFor(schema)(value)
    .map(({ pointer, message }) => `${pointer} ${message}`)
    .join('; ');
}

/** Returns the mutants of a valid value that validate, or that differ from it at another place than their pointer. */
function faultyMutants(schema: Schema, valid: Json): unknown[] {
  const accepts = validatorFor(schema);
  return mutantsOf(schema, valid).filter(mutant => {
    const places = differences(valid, mutant.value);
    // The rest is the valid value, which JSON carries unchanged.
    const changed = at(mutant.value, places[0] ?? '') ?? null;
    return (
      accepts(mutant.value).length === 0 ||
      places.length !== 1 ||
      !places[0]?.startsWith(mutant.pointer) ||
      differences(JSON.parse(JSON.stringify(changed)), changed).length > 0
    );
  });
}

describe.each(contracts)('the contract %s', (_, schema) => {
  it('generates only values that validate, shrunk ones too, and that JSON carries unchanged', () => {
    for (const value of withShrinks(arbitraryOf(schema), 11, 12)) {
      expect(problemsOf(schema, value)).toBe('');
      expect(differences(JSON.parse(JSON.stringify(value)), value)).toEqual([]);
    }
  });

  it('has only mutants that do not validate and differ in one place', () => {
    for (const valid of fc.sample(arbitraryOf(schema), { seed: 12, numRuns: 6 }))
      expect(faultyMutants(schema, valid)).toEqual([]);
  });

  it('gives the same values for the same seed', () => {
    const draw = () => fc.sample(arbitraryOf(schema), { seed: 13, numRuns: 20 });
    expect(draw()).toEqual(draw());
  });
});

describe('random schemas of the dialect', () => {
  const runs = { seed: 21, numRuns: 100 };

  it('generate only values that validate', () => {
    fc.assert(
      fc.property(schemaArbitrary, fc.nat(), (schema, seed) => {
        for (const value of withShrinks(arbitraryOf(schema), seed, 2)) expect(problemsOf(schema, value)).toBe('');
      }),
      runs,
    );
  });

  it('have only mutants that do not validate and differ in one place', () => {
    fc.assert(
      fc.property(schemaArbitrary, fc.nat(), (schema, seed) => {
        for (const valid of fc.sample(arbitraryOf(schema), { seed, numRuns: 2 }))
          expect(faultyMutants(schema, valid)).toEqual([]);
      }),
      runs,
    );
  });

  it('have only random mutations that do not validate, however far they are shrunk', () => {
    let seen = 0;
    fc.assert(
      fc.property(constrainedArbitrary, fc.nat(), (schema, seed) => {
        for (const arbitrary of mutationArbitraries(schema, ''))
          for (const { sent } of withShrinks(arbitrary, seed, 2)) {
            seen++;
            expect(problemsOf(schema, sent ?? null)).not.toBe('');
          }
      }),
      runs,
    );
    expect(seen).toBeGreaterThan(400);
  });

  it('are broken in each keyword that they carry: without the keyword some mutant would pass', () => {
    const examples: Record<ConstrainingKeyword, readonly [Schema, Json]> = {
      type: [{ type: 'string' }, 'a'],
      enum: [{ enum: ['a', 'b'] }, 'a'],
      const: [{ const: 'a' }, 'a'],
      anyOf: [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, 'a'],
      minLength: [{ type: 'string', minLength: 3 }, 'abc'],
      maxLength: [{ type: 'string', maxLength: 3 }, 'abc'],
      pattern: [{ type: 'string', pattern: '^[a-z]*$' }, 'abc'],
      minimum: [{ type: 'number', minimum: 0.5 }, 1],
      maximum: [{ type: 'integer', maximum: 5 }, 1],
      exclusiveMinimum: [{ type: 'integer', exclusiveMinimum: 1 }, 2],
      exclusiveMaximum: [{ type: 'number', exclusiveMaximum: 1000 }, 2],
      items: [{ type: 'array', items: { type: 'string' } }, ['a']],
      minItems: [{ type: 'array', minItems: 1 }, ['a']],
      maxItems: [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a']],
      properties: [{ type: 'object', properties: { a: { type: 'string' } } }, { a: 'a' }],
      required: [{ type: 'object', properties: { a: {} }, required: ['a'] }, { a: 1 }],
      additionalProperties: [{ type: 'object', properties: { a: {} }, additionalProperties: false }, { a: 1 }],
      allOf: [
        {
          type: 'object',
          properties: { mode: { enum: ['x', 'y'] }, a: {} },
          allOf: [{ if: { properties: { mode: { const: 'x' } }, required: ['mode'] }, then: { required: ['a'] } }],
        },
        { mode: 'x', a: 1 },
      ],
    };
    for (const keyword of constrainingKeywords) {
      const [schema, valid] = examples[keyword];
      const { [keyword]: _gone, ...lax } = schema as Record<string, unknown>;
      const passes = mutantsOf(schema, valid).some(mutant => validatorFor(lax as Schema)(mutant.value).length === 0);
      expect({ keyword, passes }).toEqual({ keyword, passes: true });
    }
  });

  it('are broken at depth: a fault three levels down is met', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { size: { type: 'integer', maximum: 9 } } } },
      },
    };
    const pointers = mutantsOf(schema, { list: [{ size: 1 }] }).filter(mutant => mutant.keyword === 'maximum');
    expect(pointers.map(mutant => [mutant.pointer, mutant.sent])).toContainEqual(['/list/0/size', 10]);
  });

  it('cover every kind of node', () => {
    const kindOf = (schema: Schema): string => (isWhole(schema) ? 'integer' : nodeOf(schema).kind);
    const kinds = new Set(fc.sample(schemaArbitrary, { seed: 3, numRuns: 500 }).map(kindOf));
    expect([...kinds].sort()).toEqual(
      ['any', 'array', 'boolean', 'const', 'enum', 'integer', 'null', 'number', 'object', 'string', 'union'].sort(),
    );
  });
});
