import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { join, steps } from '../../contracts/pointer.ts';
import { ledgerNodes } from './node.ts';

/** Returns the path of the place that a JSON Pointer (RFC 6901) leads to. */
export const pathOf = (pointer: string): string =>
  steps(pointer).reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[]` : path === '' ? step : `${path}.${step}`),
    '',
  );

/** A value at a place, and its JSON Pointer. */
export interface Placed {
  readonly pointer: string;
  readonly value: Json;
}

/** A documented place of a schema; `wanted` counts the open cells on it or below it. */
export interface Place {
  readonly path: string;
  readonly above: Place | undefined;
  items: Place | undefined;
  readonly members: { readonly name: string; readonly place: Place }[];
  wanted: number;
}

/** Returns the documented places of a schema, by path. */
export function placesOf(root: Schema): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>();
  for (const { path, parent, name } of ledgerNodes(root)) {
    const above = parent ? found.get(parent.path) : undefined;
    const place: Place = { path, above, items: undefined, members: [], wanted: 0 };
    found.set(path, place);
    if (name !== null) above?.members.push({ name, place });
    else if (above) above.items = place;
  }
  return found;
}

/** Maximum number of list items examined. */
const mostItems = 200;

/** Returns the values at each wanted place, by path. */
export function placedIn(root: Place, value: Json): ReadonlyMap<string, readonly Placed[]> {
  const found = new Map<string, Placed[]>();
  const visit = (place: Place, here: Json, pointer: string): void => {
    const { path, items, members } = place;
    const known = found.get(path);
    if (!known) found.set(path, [{ pointer, value: here }]);
    else known.push({ pointer, value: here });
    if (Array.isArray(here)) {
      if (!items || items.wanted === 0) return;
      const end = Math.min(here.length, mostItems);
      for (let index = 0; index < end; index += 1) visit(items, here[index] as Json, `${pointer}/${index}`);
    } else if (typeof here === 'object' && here)
      for (const { name, place: member } of members)
        if (member.wanted > 0 && Object.hasOwn(here, name)) visit(member, here[name] as Json, join(pointer, name));
  };
  if (root.wanted > 0) visit(root, value, '');
  return found;
}
