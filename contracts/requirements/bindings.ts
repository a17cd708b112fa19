import { boundingKeywords, type ObjectSchema, type Schema } from '../dialect.ts';
import type { Endpoint, Resource } from '../endpoint.ts';
import { type EndpointId, endpointsWhere } from '../endpoints.ts';
import { nodesOf } from '../walk.ts';
import { tableOf } from './tables.ts';

type Endpoints = readonly EndpointId[];

const bodyWith = (holds: (node: Schema) => boolean): Endpoints =>
  endpointsWhere(({ body }) => body !== null && nodesOf(body).some(([, node]) => holds(node)));

const answerWith = (holds: (node: Schema) => boolean): Endpoints =>
  endpointsWhere(({ data }) => nodesOf(data).some(([, node]) => holds(node)));

/** Section 4: the operations that answer with an array and `pagination`. */
export const lists = endpointsWhere(row => row.list);

/** The lists whose items have an identity. */
export const identifiedLists = endpointsWhere(row => row.itemKey.length > 0);

/** Sections 4.11 and 4.12: the lists whose `limit` and `page` are stated. */
export const statedPaging = endpointsWhere(row => row.list && row.query !== null);

/** The lists whose paging is only known through links. */
export const linkedPaging = endpointsWhere(row => row.list && row.query === null);

/** The operations that change something. */
export const writes = endpointsWhere(row => row.method !== 'GET');

/** The operations that take a body. */
export const withBody = endpointsWhere(row => row.body !== null);

/** The operations that can be repeated on one entity. */
export const repeatable = endpointsWhere(row => !row.oneShot);

/** The operations whose body states a constraint or a required field. */
export const constrained = bodyWith(node =>
  [...boundingKeywords, 'required' as const].some(keyword => node[keyword] !== undefined),
);

/** The operations whose body documents null for a field. */
export const takingNull = bodyWith(node => Array.isArray(node.type));

/** The operations whose body has fields that depend on others. */
export const withDependentFields = bodyWith(node => node.annotation?.beside !== undefined);

/** The operations whose body has fields that need a capability of the target. */
export const withCapabilities = bodyWith(node => node.annotation?.capability !== undefined);

/** The operations whose body has the field. */
export const sending = (field: string): Endpoints =>
  endpointsWhere(({ body }) => body?.properties?.[field] !== undefined);

const shownMembers = ({ data }: Endpoint): NonNullable<ObjectSchema['properties']> => data.properties ?? {};

/** The operations whose answer shows the field. */
export const showing = (field: string): Endpoints => endpointsWhere(row => Object.hasOwn(shownMembers(row), field));

/** True if the answer of an operation shows fields of its own body. */
export const echoesBody = (row: Endpoint): boolean =>
  Object.keys(row.body?.properties ?? {}).some(field => Object.hasOwn(shownMembers(row), field));

/** The operations whose answer shows fields of their own body. */
export const echoing = endpointsWhere(echoesBody);

/** The operations whose answer shows an ordered list of their own body. */
export const echoingOrder = endpointsWhere(row =>
  Object.entries(row.body?.properties ?? {}).some(
    ([field, { type, annotation = {} }]) =>
      type === 'array' &&
      !annotation.compare &&
      annotation.semantics !== 'guarded' &&
      Object.hasOwn(shownMembers(row), field),
  ),
);

/** The operations that answer with entities of a resource. */
export const answeringWith = (resource: Resource): Endpoints => endpointsWhere(row => row.resource === resource);

/** The operations whose answer identifies the requested entity by one of its members. */
export const identifying = (resource: Resource): Endpoints =>
  endpointsWhere(row => row.identity !== null && row.resource === resource);

/** The operations whose answer has required members. */
export const withRequired = endpointsWhere(
  row => row.list || nodesOf(row.data).some(([, node]) => (node.required?.length ?? 0) > 0),
);

/** The operations whose answer contains conditions of rules. */
export const withConditions = answerWith(node => tableOf(node) === 'condition');
