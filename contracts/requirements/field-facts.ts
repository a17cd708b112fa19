import type { ObjectSchema, Schema } from '../dialect.ts';
import { type EndpointId, endpointIds, endpoints } from '../endpoints.ts';
import { pagination } from '../resources/index.ts';
import { nodesOf } from '../walk.ts';
import { type FieldTable, fieldTables, tables } from './tables.ts';

/** A field at one node of a table. */
export interface Occurrence {
  readonly schema: Schema;
  readonly required: boolean;
  /** The condition under which it is required, in words. */
  readonly condition: string | undefined;
  /** Only a dedicated check may send it, because it is guarded, or every object around it is. */
  readonly guarded: boolean;
}

/** A field of a table. */
export interface Field {
  readonly table: FieldTable;
  readonly member: string;
  /** At each node of the table in requests, and in answers. */
  readonly requests: readonly Occurrence[];
  readonly answers: readonly Occurrence[];
  /** The endpoints that send or show it. */
  readonly endpoints: readonly EndpointId[];
}

/** The endpoints with a node in their requests, and those with it in their answers. */
interface Reach {
  readonly requests: Set<EndpointId>;
  /** The request endpoints in which it occurs outside guarded values. */
  readonly freely: Set<EndpointId>;
  readonly answers: Set<EndpointId>;
}

const isGuarded = ({ annotation }: Schema): boolean => annotation?.semantics === 'guarded';

/** Returns the endpoints of every node of every contract, by the schema object. */
function reachOfNodes(): ReadonlyMap<Schema, Reach> {
  const reach = new Map<Schema, Reach>();
  const mark = (root: Schema, way: 'requests' | 'answers', id: EndpointId): void => {
    const guarded: string[] = [];
    for (const [path, node] of nodesOf(root)) {
      const known = reach.get(node) ?? { requests: new Set(), freely: new Set(), answers: new Set() };
      known[way].add(id);
      if (isGuarded(node)) guarded.push(`${path}/`);
      if (way === 'requests' && !guarded.some(above => `${path}/`.startsWith(above))) known.freely.add(id);
      reach.set(node, known);
    }
  };
  for (const id of endpointIds) {
    const { body, data, list } = endpoints[id];
    if (body !== null) mark(body, 'requests', id);
    mark(data, 'answers', id);
    if (list) mark(pagination, 'answers', id);
  }
  return reach;
}

/** Returns the members that a node requires only if another member has a given value, with that condition in words. */
function conditionalMembers(node: ObjectSchema): ReadonlyMap<string, string> {
  return new Map(
    (node.allOf ?? []).flatMap(({ if: when, then }) => {
      const [subject] = when.required;
      const words = `\`${subject}\` is \`${String(when.properties[subject]?.const)}\``;
      return (then.required ?? []).map(member => [member, words] as const);
    }),
  );
}

const reach = reachOfNodes();

function occurrence(node: ObjectSchema, member: string): readonly Occurrence[] {
  const schema = node.properties?.[member];
  if (!schema) return [];
  const required = node.required?.includes(member) ?? false;
  const guarded = isGuarded(schema) || reach.get(node)?.freely.size === 0;
  return [{ schema, required, condition: conditionalMembers(node).get(member), guarded }];
}

function fieldOf(table: FieldTable, member: string, nodes: readonly ObjectSchema[]): Field {
  const having = nodes.filter(node => node.properties?.[member]);
  const on = (way: 'requests' | 'answers'): readonly Occurrence[] =>
    having.filter(node => (reach.get(node)?.[way].size ?? 0) > 0).flatMap(node => occurrence(node, member));
  const met = new Set(
    having.flatMap(node => [...(reach.get(node)?.requests ?? []), ...(reach.get(node)?.answers ?? [])]),
  );
  return {
    table,
    member,
    requests: on('requests'),
    answers: on('answers'),
    endpoints: endpointIds.filter(id => met.has(id)),
  };
}

/** Every field of every table, in the order of the tables and of their members. */
export const fields: readonly Field[] = fieldTables.flatMap(table => {
  const [, , ...nodes] = tables[table];
  const members = new Set(nodes.flatMap(node => Object.keys(node.properties ?? {})));
  return [...members].map(member => fieldOf(table, member, nodes));
});
