import type { Conditional, Properties, Schema } from '../dialect.ts';

/** A plain JSON value, as it is written to a file. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
/** A plain JSON object. */
export type JsonObject = { readonly [name: string]: Json };

/** What stands for a node instead of the node itself (`#/components/schemas/Gate`); undefined: the node stands where it is. */
export type Refer = (schema: Schema) => string | undefined;

const inline: Refer = () => undefined;

function plainProperties(properties: Properties, refer: Refer): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, plainSchema(node, refer)]));
}

function plainCondition({ if: when, then }: Conditional, refer: Refer): JsonObject {
  return {
    if: when as unknown as JsonObject,
    then: {
      ...(then.properties && { properties: plainProperties(then.properties, refer) }),
      ...(then.required && { required: then.required }),
    },
  };
}

/** How the value of a keyword that holds schemas is written; every other keyword's value is plain already. */
const nested: Readonly<Record<string, (value: never, refer: Refer) => Json>> = {
  properties: plainProperties,
  items: plainSchema,
  anyOf: (branches: readonly Schema[], refer) => branches.map(branch => plainSchema(branch, refer)),
  additionalProperties: (value: boolean | Schema, refer) =>
    typeof value === 'boolean' ? value : plainSchema(value, refer),
  allOf: (conditions: readonly Conditional[], refer) => conditions.map(each => plainCondition(each, refer)),
};

/**
 * A schema of the dialect as plain JSON Schema 2020-12: `annotation` becomes `x-annotation`, and the nodes that `refer` knows become
 * references. The root is always written out.
 */
export function plainSchema(schema: Schema, refer: Refer = inline): JsonObject {
  const reference = refer(schema);
  return reference === undefined ? writtenOut(schema, refer) : { $ref: reference };
}

/** The same, with the node itself written out even if `refer` knows it. */
export function writtenOut(schema: Schema, refer: Refer = inline): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'annotation') return ['x-annotation', value as Json];
      const write = nested[keyword];
      return [keyword, write === undefined ? (value as Json) : write(value as never, refer)];
    }),
  );
}

/** What a schema file says of itself. */
export interface SchemaFile {
  /** The file's name without `.schema.json`: `gate`, `patch-gate.request`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly schema: Schema;
}

/** The whole file: a self-contained JSON Schema 2020-12 document with a relative id. */
export function schemaDocument({ name, title, description, schema }: SchemaFile): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${name}.schema.json`,
    title,
    ...writtenOut(schema),
    description,
  };
}
