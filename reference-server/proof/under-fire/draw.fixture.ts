/** Choices that a seed and a number decide: the same two give the same choices on every machine. */
export interface Draw {
  /** A whole number from 0 to `below` - 1. */
  readonly below: (below: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** True `percent` times in a hundred. */
  readonly chance: (percent: number) => boolean;
  readonly bytes: (length: number) => Buffer;
}

/** Draws by the mulberry32 generator, which needs no more than one 32-bit state. */
export const drawOf = (seed: number, index: number): Draw => {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: list => list[below(list.length)] as (typeof list)[number],
    chance: percent => below(100) < percent,
    bytes: length => Buffer.from(Array.from({ length }, () => below(256))),
  };
};
