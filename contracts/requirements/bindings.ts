import type { Endpoint, Resource } from '../endpoint.ts';
import { endpointsWhere } from '../endpoints.ts';
import { nodesOf } from '../walk.ts';

/** Sets of endpoints that requirements bind together, derived from the rows of the endpoint table. */

/** Section 4: the operations that answer with an array and `pagination`. */
export const lists = endpointsWhere(row => row.list);

/** Sections 4.11 and 4.12: the lists whose `limit` and `page` are stated. */
export const statedPaging = endpointsWhere(row => row.list && row.query !== null);

/** The lists whose paging is known through the links alone. */
export const linkedPaging = endpointsWhere(row => row.list && row.query === null);

/** The operations that take a body. */
export const withBody = endpointsWhere(row => row.body !== null);

const membersOf = ({ data }: Endpoint): object => ('properties' in data ? (data.properties ?? {}) : {});

/** True of an operation whose answer shows fields of its own body. */
export const echoesBody = (row: Endpoint): boolean =>
  Object.keys(row.body?.properties ?? {}).some(member => member in membersOf(row));

/** The operations whose answer shows fields of their own body. */
export const echoing = endpointsWhere(echoesBody);

/** The operations that change something. */
export const writes = endpointsWhere(row => row.method !== 'GET');

const constraints = [
  'required',
  'enum',
  'const',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'maxItems',
];

/** The operations whose body states a constraint or a required field. */
export const constrained = endpointsWhere(
  ({ body }) =>
    body !== null && [...nodesOf(body)].some(([, node]) => constraints.some(keyword => Object.hasOwn(node, keyword))),
);

/** The operations that answer with entities of a resource. */
export const answeringWith = (resource: Resource) => endpointsWhere(row => row.resource === resource);

/** The operations whose answer says, by a member of the entity, that it is about the one that was asked for. */
export const identifying = (resource: Resource) =>
  endpointsWhere(row => row.identity !== null && row.resource === resource);

/** The operations whose answer has members that must be there. */
export const withRequired = endpointsWhere(
  row =>
    row.list || [...nodesOf(row.data)].some(([, node]) => (('required' in node && node.required?.length) || 0) > 0),
);
