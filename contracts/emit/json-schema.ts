import type { Conditional, Properties, Schema } from '../dialect.ts';
import type { Json, JsonObject } from '../json.ts';

/** How to write the schemas of a document. */
export interface Style {
  /** Returns the reference that replaces a node (`#/components/schemas/Gate`); undefined to write it in place. */
  readonly refer: (schema: Schema) => string | undefined;
  /** Finishes each node that is written in place. */
  readonly finish: (written: JsonObject) => JsonObject;
}

const inPlace: Style = { refer: () => undefined, finish: written => written };

function plainProperties(properties: Properties, style: Style): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, plainSchema(node, style)]));
}

function plainCondition({ if: when, then }: Conditional, style: Style): JsonObject {
  return {
    if: when as unknown as JsonObject,
    then: {
      ...(then.properties && { properties: plainProperties(then.properties, style) }),
      ...(then.required && { required: [...then.required] }),
    },
  };
}

/** Writers of the keywords that hold schemas; the values of all others are JSON already. */
const nested: Readonly<Record<string, (value: never, style: Style) => Json>> = {
  properties: plainProperties,
  items: plainSchema,
  anyOf: (branches: readonly Schema[], style) => branches.map(branch => plainSchema(branch, style)),
  additionalProperties: (value: boolean | Schema, style) =>
    typeof value === 'boolean' ? value : plainSchema(value, style),
  allOf: (conditions: readonly Conditional[], style) => conditions.map(each => plainCondition(each, style)),
};

/**
 * Returns a schema of the dialect as JSON Schema 2020-12: `annotation` becomes `x-annotation`, and nodes with a
 * reference in the style become that reference.
 */
export function plainSchema(schema: Schema, style: Style = inPlace): JsonObject {
  const reference = style.refer(schema);
  return reference === undefined ? writtenOut(schema, style) : { $ref: reference };
}

/** Does the same, but always writes the root itself in place. */
export function writtenOut(schema: Schema, style: Style = inPlace): JsonObject {
  return style.finish(
    Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (keyword === 'annotation') return ['x-annotation', value as Json];
        const write = nested[keyword];
        return [keyword, write ? write(value as never, style) : (value as Json)];
      }),
    ),
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

/** Returns the content of a schema file: a self-contained JSON Schema 2020-12 document with a relative id. */
export function schemaDocument({ name, title, description, schema }: SchemaFile): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${name}.schema.json`,
    title,
    ...writtenOut(schema),
    description,
  };
}
