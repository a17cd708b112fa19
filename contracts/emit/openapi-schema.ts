import type { Scalar } from '../dialect.ts';
import type { Json, JsonObject } from '../json.ts';

/** The type of a scalar, as JSON Schema names it. */
function typeOf(value: Scalar): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The type that all of some scalars have, or each of theirs. */
function typesOf(values: readonly Scalar[]): string | string[] {
  const types = [...new Set(values.map(typeOf))];
  const [only = 'null'] = types;
  return types.length === 1 ? only : types;
}

const impliedType = ({ enum: values, const: value }: JsonObject): JsonObject => {
  if (Array.isArray(values)) return { type: typesOf(values as Scalar[]) };
  return value === undefined ? {} : { type: typesOf([value as Scalar]) };
};

/** A condition whose `then` names every member that it requires, as linters want it; any value is as good as before. */
function named({ if: when, then }: JsonObject): JsonObject {
  const { properties = {}, required = [] } = then as { properties?: JsonObject; required?: string[] };
  const unnamed = required.filter(name => properties?.[name] === undefined).map(name => [name, {}] as const);
  return {
    if: when as Json,
    then: { ...(then as JsonObject), properties: { ...properties, ...Object.fromEntries(unnamed) } },
  };
}

/**
 * A schema as client generators want it, with the same meaning: the type of a closed set, the members of a free-form
 * object and the items of an untyped list are said, which JSON Schema may leave unsaid; a single condition stands in
 * the schema itself, as several generators make nothing of an `allOf` without types.
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
