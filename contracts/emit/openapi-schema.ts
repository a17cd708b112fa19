import type { Scalar } from '../dialect.ts';
import type { Json, JsonObject } from '../json.ts';

/** Returns the type of a scalar in the terms of JSON Schema. */
function typeOf(value: Scalar): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Returns the common type of some scalars, or all their types. */
function typesOf(values: readonly Scalar[]): string | string[] {
  const types = [...new Set(values.map(typeOf))];
  const [only = 'null'] = types;
  return types.length === 1 ? only : types;
}

const impliedType = ({ enum: values, const: value }: JsonObject): JsonObject => {
  if (Array.isArray(values)) return { type: typesOf(values as Scalar[]) };
  return value === undefined ? {} : { type: typesOf([value as Scalar]) };
};

/** Adds to `then` the required members that it does not name, with any value allowed, because linters demand it. */
function named({ if: when, then }: JsonObject): JsonObject {
  const { properties = {}, required = [] } = then as { properties?: JsonObject; required?: string[] };
  const unnamed = required.filter(name => properties?.[name] === undefined).map(name => [name, {}] as const);
  return {
    if: when as Json,
    then: { ...(then as JsonObject), properties: { ...properties, ...Object.fromEntries(unnamed) } },
  };
}

/**
 * Returns a schema for client generators, with the same meaning. It states what JSON Schema may leave out: the type of
 * a closed set, the members of a free-form object, the items of an untyped list. A single condition moves into the
 * schema itself, because several generators ignore an `allOf` without types.
 */
export function spelledOut(written: JsonObject): JsonObject {
  const { allOf, ...schema } = written;
  const types = [schema.type].flat();
  const conditions = ((allOf ?? []) as JsonObject[]).map(named);
  return {
    ...impliedType(schema),
    ...schema,
    ...(types.includes('array') && schema.items === undefined && { items: {} }),
    ...(types.includes('object') &&
      schema.properties === undefined &&
      schema.additionalProperties === undefined && { additionalProperties: true }),
    ...(conditions.length > 1 ? { allOf: conditions } : conditions[0]),
  };
}
