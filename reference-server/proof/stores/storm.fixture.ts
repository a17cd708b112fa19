import { createHash } from 'node:crypto';
import { specificationNaming } from '../../../contracts/target.ts';
import { fixtures } from '../../fixtures/index.ts';
import type { World } from '../../store/backend.ts';
import { drawOf } from '../under-fire/draw.fixture.ts';

/** A storm of writes that a number decides: whoever knows how many were carried out knows what the store holds. */

/** What the store of a storm begins with. */
export const stormSeed = fixtures(specificationNaming);

/** What is written to. */
export type Stormed = Pick<World, 'store' | 'states'>;

/** Whether a write is made when those before it are done, and before those after it: to load a state is two steps. */
export const isAlone = (number: number): boolean => number % 5 === 0;

/** The name of the only snapshot. */
const saved = 'saved';

/** A hash of all there is: the state, and what was saved. */
export const hashOf = async ({ store, states }: Stormed): Promise<string> =>
  createHash('sha256')
    .update(JSON.stringify([await store.snapshot(), await states.get(saved)]))
    .digest('hex');

/**
 * Carries out the write of this number: several entities at once, one, one less, all of them anew, the state saved, or
 * what was saved loaded.
 */
export async function write({ store, states }: Stormed, number: number): Promise<void> {
  const draw = drawOf(number, 0);
  const id = `s${draw.below(40)}`;
  // Long texts do not fit into one page of the database.
  const description = 'x'.repeat(draw.chance(10) ? 20_000 : draw.below(200));
  if (draw.chance(2)) {
    await store.restore(stormSeed);
  } else if (draw.chance(4)) {
    await states.save(saved, ({ segments }) => ({ number, segments: segments.length }));
  } else if (isAlone(number) && draw.chance(20)) {
    await store.restore((await states.get(saved))?.state ?? stormSeed);
  } else if (draw.chance(15)) {
    await store.remove('segments', id);
  } else if (draw.chance(30)) {
    await store.put('segments', id, { id, count: number, description });
  } else {
    // Of the three all carry the number, or none does.
    await store.transaction(async transaction => {
      const gate = await transaction.get('gates', 'dark_mode');
      await transaction.put('gates', 'dark_mode', { id: 'dark_mode', isEnabled: false, ...gate, version: number });
      await transaction.put('segments', 'last', { id: 'last', count: number });
      await transaction.put('gates', id, { id, isEnabled: true, version: number, description });
    });
  }
}

/** What a storming process tells, a line of JSON each. */
export interface Told {
  /** The hash of all it found when it had opened the store. */
  readonly found?: string;
  /** A write is about to be made. */
  readonly begun?: number;
  /** A write was acknowledged. */
  readonly kept?: number;
}
