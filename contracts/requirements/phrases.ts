import type { NumberSchema, Scalar, Schema, StringSchema } from '../dialect.ts';
import { compact } from '../present.ts';

/** Returns the name of a node in a table of fields, such as "a rule"; undefined for other nodes. */
type NameOf = (node: Schema) => string | undefined;

const unnamed: NameOf = () => undefined;

/** Returns a scalar in JSON notation as inline code. */
function quoted(value: Scalar): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function listed(words: readonly string[], conjunction: 'or' | 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

function countPhrase(least: number | undefined, most: number | undefined, noun: string): string {
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most} ${noun}`;
  if (least !== undefined) return ` of at least ${least} ${noun}`;
  return most === undefined ? '' : ` of at most ${most} ${noun}`;
}

function stringPhrase(schema: StringSchema): string {
  const pattern = schema.pattern === undefined ? '' : ` that matches \`${schema.pattern}\``;
  return `a text${countPhrase(schema.minLength, schema.maxLength, 'characters')}${pattern}`;
}

function boundsPhrase(schema: NumberSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const bounds = compact([
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    exclusiveMaximum !== undefined && `less than ${exclusiveMaximum}`,
  ]);
  return bounds.length === 0 ? '' : ` of ${listed(bounds, 'and')}`;
}

/**
 * Describes the values of a schema in English with an article: "a text of at most 1000 characters", "an integer from 0
 * to 23 or null". `nameOf` names the nodes that are described elsewhere.
 */
export function phrase(schema: Schema, nameOf: NameOf = unnamed): string {
  const name = nameOf(schema);
  if (schema.enum)
    return schema.enum.length === 1 ? quoted(schema.enum[0]) : `one of ${listed(schema.enum.map(quoted), 'and')}`;
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.anyOf)
    return listed(
      schema.anyOf.map(branch => phrase(branch, nameOf)),
      'or',
    );
  if (!schema.type) return 'any JSON value';
  const orNull = Array.isArray(schema.type) ? ' or null' : '';
  const type = typeof schema.type === 'string' ? schema.type : schema.type[0];
  switch (type) {
    case 'null':
      return 'null';
    case 'boolean':
      return `true or false${orNull && ', or null'}`;
    case 'string':
      return `${stringPhrase(schema as StringSchema)}${orNull}`;
    case 'number':
    case 'integer':
      return `${type === 'integer' ? 'an integer' : 'a number'}${boundsPhrase(schema as NumberSchema)}${orNull}`;
    case 'array': {
      const count = countPhrase(schema.minItems, schema.maxItems, 'items');
      const items = schema.items ? ` (each item ${phrase(schema.items, nameOf)})` : '';
      return `a list${count}${items}${orNull}`;
    }
    case 'object':
      return `${name ?? 'an object'}${orNull}`;
  }
}
