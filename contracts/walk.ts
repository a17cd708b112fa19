import type { Properties, Schema } from './dialect.ts';
import { memoized } from './memoized.ts';
import { compact } from './present.ts';

/** A node of a schema with its path. */
type Placed = readonly [path: string, node: Schema];

const under = (at: string, nodes: Properties | readonly Schema[] = []): Placed[] =>
  Object.entries<Schema>(nodes).map(([step, node]) => [`${at}/${step}`, node]);

/** Returns the nodes directly below a node, each with its step (`properties/name`, `items`, `anyOf/0` …). */
export const childrenOf = ({ anyOf, items, properties, additionalProperties, allOf = [] }: Schema): readonly Placed[] =>
  compact<Placed>([
    ...under('anyOf', anyOf),
    items && ['items', items],
    ...under('properties', properties),
    typeof additionalProperties === 'object' && ['additionalProperties', additionalProperties],
    ...allOf.flatMap(({ then }, index) => under(`allOf/${index}/then/properties`, then.properties)),
  ]);

/** Returns every node of a schema with its path, the root first. Schemas of the dialect are never recursive. */
export const nodesOf = memoized((root: Schema): readonly Placed[] => {
  const from = (node: Schema, path: string): Placed[] => [
    [path, node],
    ...childrenOf(node).flatMap(([step, child]) => from(child, `${path}/${step}`)),
  ];
  return from(root, '');
});
