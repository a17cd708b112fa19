import { isObject } from '../../contracts/json.ts';

/** Changes a JSON value in place, at a path such as `groups.*.size`, where `*` is every item of a list. */

/** A JSON object that may be changed in place. */
export type Mutable = Record<string, unknown>;

/** Changes an object in place. */
export type Alteration = (target: Mutable) => void;

const isContainer = (value: unknown): value is Mutable => typeof value === 'object' && value !== null;

function walk(target: unknown, steps: readonly string[], visit: (holder: Mutable, name: string) => void): void {
  const [step, ...rest] = steps;
  if (step === undefined || !isContainer(target)) return;
  const names = step === '*' ? Object.keys(target) : [step];
  for (const name of names) {
    if (rest.length === 0) visit(target, name);
    else if (Object.hasOwn(target, name)) walk(target[name], rest, visit);
  }
}

/** Returns the values at a path: none, one, or several for a path with `*`. */
export function valuesAt(target: unknown, path: string): readonly unknown[] {
  const found: unknown[] = [];
  walk(target, path.split('.'), (holder, name) => {
    if (Object.hasOwn(holder, name)) found.push(holder[name]);
  });
  return found;
}

/** Changes every value at a path; absent members stay absent. */
export const alter =
  (path: string, change: (value: never) => unknown): Alteration =>
  target =>
    walk(target, path.split('.'), (holder, name) => {
      if (Object.hasOwn(holder, name)) holder[name] = change(holder[name] as never);
    });

/** Sets the value at a path, whether the member exists or not. */
export const set =
  (path: string, value: unknown): Alteration =>
  target =>
    walk(target, path.split('.'), (holder, name) => {
      holder[name] = value;
    });

/** Removes the member at a path if `when` holds for its value. */
export const drop =
  (path: string, when: (value: unknown) => boolean = () => true): Alteration =>
  target =>
    walk(target, path.split('.'), (holder, name) => {
      if (when(holder[name])) delete holder[name];
    });

/** Rebuilds a JSON value, innermost first, each part as `change` returns it; undefined removes a member. */
export const rebuilt = (value: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown => {
  if (Array.isArray(value))
    return change(
      value.map(item => rebuilt(item, change)),
      name,
    );
  if (!isObject(value)) return change(value, name);
  const kept = Object.entries(value)
    .map(([key, member]) => [key, rebuilt(member, change, key)] as const)
    .filter(([, member]) => member !== undefined);
  return change(Object.fromEntries(kept), name);
};
