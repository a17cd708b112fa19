import { grouped } from '../../contracts/grouped.ts';

/**
 * Returns sets of things. Those that share a name are in one set. `rootOf` is the same for all of one set; `join` makes
 * one of several.
 */
export function disjoint<T>(all: readonly T[], namesOf: (one: T) => readonly string[]) {
  const parents = new Map(all.map(one => [one, one]));
  function rootOf(one: T): T {
    let root = one;
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root))
      root = parent;
    parents.set(one, root);
    return root;
  }
  function join([first, ...others]: readonly T[]): void {
    if (first !== undefined) for (const one of others) parents.set(rootOf(one), rootOf(first));
  }
  const named = all.flatMap(one => namesOf(one).map(name => ({ name, one })));
  for (const own of grouped(named, ({ name }) => name).values()) join(own.map(({ one }) => one));
  return { rootOf, join };
}
