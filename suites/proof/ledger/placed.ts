import type { Schema } from '../../../contracts/dialect.ts';
import type { Json } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';

/** The path of the place to which a JSON Pointer (RFC 6901) leads. */
export const pathOf = (pointer: string): string =>
  steps(pointer).reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[]` : path === '' ? step : `${path}.${step}`),
    '',
  );

/** A value that stands at a place, and its JSON Pointer. */
export interface Placed {
  readonly pointer: string;
  readonly value: Json;
}

/** What stands at each documented place of a value, by path. */
export function placedIn(root: Schema, value: Json): ReadonlyMap<string, readonly Placed[]> {
  const found = new Map<string, Placed[]>();
  const visit = (schema: Schema, here: Json, path: string, pointer: string): void => {
    const before = found.get(path);
    if (before === undefined) found.set(path, [{ pointer, value: here }]);
    else before.push({ pointer, value: here });
    if (Array.isArray(here)) {
      if (schema.items !== undefined)
        for (const [index, item] of here.entries()) visit(schema.items, item, `${path}[]`, `${pointer}/${index}`);
    } else if (typeof here === 'object' && here !== null)
      for (const [name, member] of Object.entries(schema.properties ?? {}))
        if (Object.hasOwn(here, name))
          visit(member, here[name] as Json, path === '' ? name : `${path}.${name}`, `${pointer}/${name}`);
  };
  visit(root, value, '', '');
  return found;
}
