/** What a table begins with, shared by all that begin with it: never changed. */
export interface Ground {
  readonly values: ReadonlyMap<string, unknown>;
  readonly list: readonly unknown[];
}

/**
 * A table that copies nothing of its ground: it holds what was changed, taken away and added, and no more. The order is
 * that in which entities were first put; one that was taken away and put again comes last.
 */
export interface LayeredTable {
  get(id: string): unknown;
  /** Sets a value; undefined takes it away. */
  set(id: string, value: unknown): void;
  /** The values in their order; that of the ground itself as long as nothing was changed. */
  values(): readonly unknown[];
  entries(): [string, unknown][];
  /** What is to be set, in this order, to make the table of its ground. */
  differences(): [string, unknown][];
}

/** A table over a ground. */
export function layeredTable({ values: ground, list }: Ground): LayeredTable {
  const changed = new Map<string, unknown>();
  const added = new Map<string, unknown>();
  const gone = new Set<string>();
  const isGround = (id: string): boolean => ground.has(id) && !gone.has(id);
  const entries = (): [string, unknown][] => [
    ...[...ground].flatMap(([id, value]): [string, unknown][] =>
      gone.has(id) ? [] : [[id, changed.has(id) ? changed.get(id) : value]],
    ),
    ...added,
  ];
  return {
    get: id => added.get(id) ?? changed.get(id) ?? (gone.has(id) ? undefined : ground.get(id)),
    set(id, value) {
      const target = isGround(id) ? changed : added;
      if (value !== undefined) return void target.set(id, value);
      target.delete(id);
      if (isGround(id)) gone.add(id);
    },
    values: () => (changed.size + added.size + gone.size === 0 ? list : entries().map(([, value]) => value)),
    entries,
    differences: () => [...[...gone].map((id): [string, unknown] => [id, undefined]), ...changed, ...added],
  };
}
