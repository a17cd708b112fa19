import fc from 'fast-check';
import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { isValid } from '../../contracts/validation.ts';
import { applies } from './conditions.ts';
import { belongs, extraSchema, type GenerationContext, isReference } from './context.ts';
import { exampleValues, memberSchemas } from './node.ts';

/** Draws values of a schema, in place of what the template has there; undefined if no value can be sent. */
type Draw = (schema: Schema, context: GenerationContext, current?: Json) => fc.Arbitrary<Json> | undefined;

/**
 * Draws objects of the members that may be sent: required ones always, the others more often than not. References of
 * the template stay.
 * @param draw draws values of a member, in place of what the template has there.
 */
export function objectArbitrary(
  schema: ObjectSchema,
  context: GenerationContext,
  current: Json | undefined,
  draw: Draw,
): fc.Arbitrary<Json> | undefined {
  const known = isObject(current) ? current : {};
  const members: Record<string, fc.Arbitrary<Json>> = {};
  const required = new Set(schema.required);
  const kept: JsonObject = {};
  for (const [name, member] of memberSchemas(schema)) {
    const here = Object.hasOwn(known, name) ? known[name] : undefined;
    if (here !== undefined) kept[name] = here;
    const stays = here !== undefined && isReference(member);
    const isWanted = belongs(member, context) || (here === undefined && required.has(name));
    if (stays || !isWanted) continue;
    const arbitrary = draw(member, context, here);
    if (arbitrary !== undefined) members[name] = arbitrary;
    else if (required.has(name) && here === undefined) return undefined;
  }
  const requiredKeys = Object.keys(members).filter(name => context.inItem === true || required.has(name));
  const named = fc.record(members, { requiredKeys, noNullPrototype: true });
  const extra = extrasArbitrary(schema, context, draw);
  const plain =
    extra === undefined
      ? named.map((value): JsonObject => ({ ...kept, ...value }))
      : fc.tuple(named, extra).map(([value, extras]): JsonObject => ({ ...extras, ...kept, ...value }));
  return conditioned(schema, context, plain, draw);
}

/** Draws members that the schema does not name: of free-form objects, and where the schema describes such members. */
function extrasArbitrary(
  schema: ObjectSchema,
  context: GenerationContext,
  draw: Draw,
): fc.Arbitrary<JsonObject> | undefined {
  const described = extraSchema(schema);
  const names = fc.constantFrom(...['color', 'size', 'label', 'threshold'].filter(name => !schema.properties?.[name]));
  if (described !== undefined) {
    const value = draw(described, context);
    return value === undefined ? undefined : fc.dictionary(names, value, { maxKeys: 3, noNullPrototype: true });
  }
  if (schema.properties !== undefined || schema.additionalProperties === false) return undefined;
  const named = exampleValues(schema).filter(isObject);
  if (named.length > 0) return fc.constantFrom(...named);
  const values = fc.constantFrom<Json>('blue', 'green', 'a', 1, 2.5, true, null, ['a'], { nested: 'yes' });
  return fc.dictionary(names, values, { maxKeys: 3, noNullPrototype: true });
}

/** Brings objects inside their conditions: members that a condition narrows or requires are drawn from its schemas. */
function conditioned(
  schema: ObjectSchema,
  context: GenerationContext,
  plain: fc.Arbitrary<JsonObject>,
  draw: Draw,
): fc.Arbitrary<JsonObject> | undefined {
  const conditions = schema.allOf ?? [];
  if (conditions.length === 0) return plain;
  const overlays = conditions.map(condition => {
    const members: Record<string, fc.Arbitrary<Json>> = {};
    const { properties = {}, required = [] } = condition.then;
    for (const name of [...Object.keys(properties), ...required]) {
      const node = properties[name] ?? schema.properties?.[name] ?? {};
      const arbitrary = draw(node, context);
      if (arbitrary !== undefined) members[name] = arbitrary;
    }
    return fc.record(members, { noNullPrototype: true });
  });
  return fc
    .tuple(plain, fc.tuple(...overlays))
    .map(([value, drawn]) => {
      let whole = value;
      for (const [index, condition] of conditions.entries()) {
        if (!applies(condition, whole)) continue;
        const isWanted = (name: string) => Object.hasOwn(whole, name) || condition.then.required?.includes(name);
        const wanted = Object.entries(drawn[index] ?? {}).filter(([name]) => isWanted(name));
        whole = { ...whole, ...Object.fromEntries(wanted) };
      }
      return whole;
    })
    .filter(value => isValid(schema, value));
}
