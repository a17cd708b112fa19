import type { ObjectSchema, Schema } from '../dialect.ts';
import { type EndpointId, endpointIds, endpoints } from '../endpoints.ts';
import { pagination } from '../resources/index.ts';
import { nodesOf } from '../walk.ts';

/** On which endpoints a node is met in a request, and on which in an answer. */
export interface Reach {
  readonly requests: Set<EndpointId>;
  readonly answers: Set<EndpointId>;
}

/** For every node of every contract, by identity, the endpoints it is met on. */
export function reachOfNodes(): ReadonlyMap<Schema, Reach> {
  const reach = new Map<Schema, Reach>();
  const mark = (root: Schema, way: keyof Reach, id: EndpointId): void => {
    for (const [, node] of nodesOf(root)) {
      const known = reach.get(node) ?? { requests: new Set(), answers: new Set() };
      known[way].add(id);
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

/** The members that a node requires only when another member has one value: member → that condition, in words. */
export function conditionalMembers(node: ObjectSchema): ReadonlyMap<string, string> {
  return new Map(
    (node.allOf ?? []).flatMap(({ if: when, then }) => {
      const [subject] = when.required;
      const words = `\`${subject}\` is \`${String(when.properties[subject]?.const)}\``;
      return (then.required ?? []).map(member => [member, words] as const);
    }),
  );
}
