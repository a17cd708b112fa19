import type { Attack, Kind } from './attack.fixture.ts';
import { brokenHttp } from './broken-http.fixture.ts';
import { drawOf } from './draw.fixture.ts';
import { hostileBodies } from './hostile-bodies.fixture.ts';
import { hostileTargets } from './hostile-targets.fixture.ts';
import { writes } from './writes.fixture.ts';

/** Every kind of attack. */
export const kinds: readonly Kind[] = [...brokenHttp, ...hostileBodies, ...hostileTargets, ...writes];

const total = kinds.reduce((sum, { share }) => sum + share, 0);

/**
 * The attack that a seed has at an index: the same one every time. The first are one of each kind, so that no seed
 * leaves a rare one out.
 */
export const attackAt = (seed: number, index: number): Attack => {
  const draw = drawOf(seed, index);
  let left = draw.below(total);
  const drawn = kinds.find(({ share }) => {
    left -= share;
    return left < 0;
  });
  const kind = kinds[index] ?? (drawn as Kind);
  return { kind: kind.kind, ...kind.make(draw) };
};
