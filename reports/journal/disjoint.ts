/** Returns sets of things, each alone at first. `rootOf` is the same for all of one set; `join` makes one of several. */
export function disjoint<T>(all: readonly T[]) {
  const parents = all.map((_, index) => index);
  const places = new Map(all.map((one, index) => [one, index]));
  function root(index: number): number {
    let at = index;
    for (let parent = parents[at]; parent !== undefined && parent !== at; parent = parents[at]) at = parent;
    parents[index] = at;
    return at;
  }
  const rootOf = (one: T): number => root(places.get(one) ?? 0);
  return {
    rootOf,
    join(own: readonly T[]): void {
      const roots = own.map(rootOf);
      const lowest = Math.min(...roots);
      for (const one of roots) parents[one] = lowest;
    },
  };
}
