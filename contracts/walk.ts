import type { Schema } from './dialect.ts';
import { memoized } from './memoized.ts';

/** Returns the nodes directly below a node, each with its step (`properties/name`, `items`, `anyOf/0` …). */
export function childrenOf(schema: Schema): [step: string, node: Schema][] {
  const children: [string, Schema][] = [];
  const members = (at: string, properties: Readonly<Record<string, Schema>> = {}) => {
    for (const [name, node] of Object.entries(properties)) children.push([`${at}/${name}`, node]);
  };
  for (const [index, node] of (schema.anyOf ?? []).entries()) children.push([`anyOf/${index}`, node]);
  if (schema.items) children.push(['items', schema.items]);
  members('properties', schema.properties);
  if (typeof schema.additionalProperties === 'object')
    children.push(['additionalProperties', schema.additionalProperties]);
  for (const [index, { then }] of (schema.allOf ?? []).entries())
    members(`allOf/${index}/then/properties`, then.properties);
  return children;
}

/** Returns every node of a schema with its path, the root first. Schemas of the dialect are never recursive. */
export const nodesOf = memoized((root: Schema): readonly (readonly [path: string, node: Schema])[] => {
  const found: (readonly [path: string, node: Schema])[] = [];
  const visit = (node: Schema, path: string): void => {
    found.push([path, node]);
    for (const [step, child] of childrenOf(node)) visit(child, `${path}/${step}`);
  };
  visit(root, '');
  return found;
});
