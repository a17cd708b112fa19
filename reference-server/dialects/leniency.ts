import type { Schema } from '../../contracts/dialect.ts';
import { endpointIds } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { onRequest } from './answering.ts';
import type { Dialect } from './dialect.ts';
import { incoming } from './outgoing.ts';
import { isNullable } from './shaped.ts';

/** Services that take more than they have to, and answer as if it had been sent rightly. */

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const scalarOf = (type: unknown, value: unknown): unknown => {
  const wanted = Array.isArray(type) ? type[0] : type;
  if (wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (wanted === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = wanted === 'number' || wanted === 'integer';
  return isNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
};

/** Changes every documented member of a body, the innermost first; undefined leaves it out. */
const members = (value: unknown, schema: Schema, change: (value: unknown, schema: Schema) => unknown): unknown => {
  if (Array.isArray(value) && 'items' in schema && schema.items !== undefined) {
    const { items } = schema;
    return value.map(item => members(item, items, change));
  }
  if (!isMembers(value) || !('properties' in schema) || schema.properties === undefined) return change(value, schema);
  const { properties } = schema;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const changed = inner === undefined ? member : members(member, inner, change);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
};

const onBody = (change: (value: unknown, schema: Schema) => unknown) =>
  onRequest(request => {
    const schema = endpoints[request.endpoint].body;
    return schema === null || request.body === undefined
      ? request
      : { ...request, body: members(request.body, schema, change) };
  });

const coerced = onBody((value, schema) => ('type' in schema ? scalarOf(schema.type, value) : value));
const nullIsAbsent = onBody((value, schema) => (value === null && !isNullable(schema) ? undefined : value));

const anyContentType = incoming((request, _response, handle) => {
  request.headers['content-type'] = 'application/json';
  handle();
});

const trailingSlash = incoming((request, _response, handle) => {
  request.url = (request.url ?? '').replace(/\/(?=\?|$)/, '');
  handle();
});

const withBody = endpointIds.filter(id => endpoints[id].body !== null);

// biome-ignore format: a table
export const leniencyDialects: readonly Dialect[] = [
  { id: 'coercion',          section: '2',   title: 'takes `"12"` for 12, 1 for `"1"` and `"true"` for true',       endpoints: withBody, warns: ['reject.wrong-type'], ...coerced },
  { id: 'null-is-absent',    section: '2',   title: 'takes null for a member that was left out',                   endpoints: withBody, warns: ['reject.wrong-type'], ...nullIsAbsent },
  { id: 'any-content-type',  section: '1',   title: 'reads JSON whatever the content type says',                   ...anyContentType },
  { id: 'trailing-slash',    section: '4',   title: 'takes a path with a slash at its end for the one without',    ...trailingSlash },
];
