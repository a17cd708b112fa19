import type { Schema } from '../../contracts/dialect.ts';
import type { EndpointId } from '../../contracts/endpoint.ts';
import { answerSchema } from '../../contracts/endpoints.ts';
import { onSuccess, type Success } from './answering.ts';

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members that a schema documents, and which of them must be there. */
export interface Shape {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** Changes every object of a value whose members the schema documents, the innermost first. Free-form objects stay as they are. */
const reshaped = (value: unknown, schema: Schema, change: (object: Members, shape: Shape) => Members): unknown => {
  if (Array.isArray(value) && 'items' in schema && schema.items !== undefined) {
    const { items } = schema;
    return value.map(item => reshaped(item, items, change));
  }
  if (!isMembers(value) || !('properties' in schema) || schema.properties === undefined) return value;
  const { properties, required = [] } = schema;
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, inner === undefined ? member : reshaped(member, inner, change)];
    }),
  );
  return change(members, { properties, required });
};

/** Changes every documented object of every success, the frame of the answer included. */
export const onShape = (change: (object: Members, shape: Shape) => Members) =>
  onSuccess((body, { endpoint }) => reshaped(body, answerSchema(endpoint), change) as Success);

/** Whether the specification documents null for a member. */
export const isNullable = (schema: Schema): boolean =>
  ('enum' in schema && schema.enum?.includes(null)) ||
  ('type' in schema && Array.isArray(schema.type) && schema.type.includes('null'));

/** The schema of one entity of an operation's answer. */
export const entityShape = (id: EndpointId): Shape => {
  const { properties = {} } = answerSchema(id) as { properties?: Readonly<Record<string, Schema>> };
  const { data = {} } = properties;
  const entity = 'items' in data && data.items !== undefined ? data.items : data;
  return 'properties' in entity
    ? { properties: entity.properties ?? {}, required: ('required' in entity && entity.required) || [] }
    : { properties: {}, required: [] };
};
