import type { Conditional, Properties, Schema } from '../dialect.ts';
import type { Json, JsonObject } from '../json.ts';

/** The reference that replaces a node (`#/components/schemas/Gate`); undefined where the node is written in place. */
export type Refer = (schema: Schema) => string | undefined;

const inPlace: Refer = () => undefined;

function plainProperties(properties: Properties, refer: Refer): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, plainSchema(node, refer)]));
}

function plainCondition({ if: when, then }: Conditional, refer: Refer): JsonObject {
  return {
    if: when as unknown as JsonObject,
    then: {
      ...(then.properties && { properties: plainProperties(then.properties, refer) }),
      ...(then.required && { required: [...then.required] }),
    },
  };
}

/** How the value of a keyword that holds schemas is written; the value of every other keyword is JSON already. */
const nested: Readonly<Record<string, (value: never, refer: Refer) => Json>> = {
  properties: plainProperties,
  items: plainSchema,
  anyOf: (branches: readonly Schema[], refer) => branches.map(branch => plainSchema(branch, refer)),
  additionalProperties: (value: boolean | Schema, refer) =>
    typeof value === 'boolean' ? value : plainSchema(value, refer),
  allOf: (conditions: readonly Conditional[], refer) => conditions.map(each => plainCondition(each, refer)),
};

/**
 * A schema of the dialect as JSON Schema 2020-12: `annotation` becomes `x-annotation`, and a node for which `refer` has
 * a reference becomes that reference.
 */
export function plainSchema(schema: Schema, refer: Refer = inPlace): JsonObject {
  const reference = refer(schema);
  return reference === undefined ? writtenOut(schema, refer) : { $ref: reference };
}

/** The same, with the root itself written in place even where `refer` has a reference for it. */
export function writtenOut(schema: Schema, refer: Refer = inPlace): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'annotation') return ['x-annotation', value as Json];
      const write = nested[keyword];
      return [keyword, write === undefined ? (value as Json) : write(value as never, refer)];
    }),
  );
}

/** A schema that is written as a file of its own. */
export interface SchemaFile {
  /** The name of the file without `.schema.json`: `gate`, `patch-gate.request`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly schema: Schema;
}

/** The content of a schema file: a self-contained JSON Schema 2020-12 document with a relative id. */
export function schemaDocument({ name, title, description, schema }: SchemaFile): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${name}.schema.json`,
    title,
    ...writtenOut(schema),
    description,
  };
}
