import type { Schema } from '../../contracts/dialect.ts';
import { answerSchema, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Members } from '../../contracts/json.ts';
import type { Decorator } from './layers.ts';
import { onRequest } from './operations.ts';
import { onBody } from './responses.ts';

/** Decorators that follow a schema down to the last documented member of a body. */

type Properties = Readonly<Record<string, Schema>>;

/** Returns the documented members of a schema; undefined for a schema of no object or of a free-form one. */
const propertiesOf = (schema: Schema): Properties | undefined =>
  'properties' in schema ? schema.properties : undefined;

/**
 * Called with each value, its schema (undefined for an undocumented member) and its dotted path. The result replaces
 * the value; undefined removes the member.
 */
type Change = (value: unknown, schema: Schema | undefined, path: string) => unknown;

/**
 * Rebuilds a value along its schema, innermost first. `change` does not get lists with an item schema, nor the contents
 * of free-form objects.
 */
export const alongSchema = (value: unknown, schema: Schema | undefined, change: Change, path = ''): unknown => {
  const at = (step: string | number): string => (path === '' ? `${step}` : `${path}.${step}`);
  const items = schema !== undefined && 'items' in schema ? schema.items : undefined;
  if (items !== undefined && Array.isArray(value))
    return value.map((item, index) => alongSchema(item, items, change, at(index)));
  const properties = schema && propertiesOf(schema);
  if (!isObject(value) || properties === undefined) return change(value, schema, path);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const changed = alongSchema(member, inner, change, at(name));
    return changed === undefined ? [] : [[name, changed]];
  });
  return change(Object.fromEntries(members), schema, path);
};

/** Changes the documented values of every request body before anything is checked. */
export const onSentValue = (change: (value: unknown, schema: Schema) => unknown): Decorator =>
  onRequest(request => {
    const { body } = endpoints[request.endpoint];
    if (body === null || request.body === undefined) return request;
    const changed = alongSchema(request.body, body, (value, schema) => (schema ? change(value, schema) : value));
    return { ...request, body: changed };
  });

/**
 * Changes every documented object of a successful response, the envelope included. Free-form objects stay as they are.
 */
export const onShownObject = (
  change: (object: Members, properties: Properties, required: readonly string[]) => Members,
): Decorator =>
  onBody((body, { endpoint }) =>
    alongSchema(body, answerSchema(endpoint), (value, schema) => {
      const properties = schema && propertiesOf(schema);
      if (!isObject(value) || schema === undefined || properties === undefined) return value;
      return change(value, properties, ('required' in schema && schema.required) || []);
    }),
  );

/** Returns an object without some of its members. */
export const without = (object: Members, leaveOut: (name: string, value: unknown) => boolean): Members =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => !leaveOut(name, value)));

/** True if the specification documents null for a member. */
export const isNullable = (schema: Schema): boolean =>
  ('enum' in schema && schema.enum?.includes(null)) ||
  ('type' in schema && Array.isArray(schema.type) && schema.type.includes('null'));
