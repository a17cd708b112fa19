import fs from 'node:fs';
import { backendFor } from '../../store/backends.ts';
import type { Store } from '../../store/store.ts';
import { drawOf } from '../under-fire/draw.fixture.ts';
import { stormSeed, type Told, write } from './storm.fixture.ts';

/**
 * A process that opens a store, tells what it finds, writes on from a number, and is killed at a moment that a seed
 * decides: before, in the midst of, or after one of its own writes to files, those of opening included.
 * Arguments: folder, seed, number of the first write.
 */

const [folder = '', seed = '0', first = '1'] = process.argv.slice(2);
const draw = drawOf(Number(seed), 1);
/** How many writes to files there are before the end: to open the store takes some 150. */
let left = draw.chance(20) ? draw.below(150) : Number.POSITIVE_INFINITY;
const isTorn = draw.chance(50);

const die = (): void => void process.kill(process.pid, 'SIGKILL');
const { writeSync } = fs;
const tell = (told: Told): void => void writeSync(1, `${JSON.stringify(told)}\n`);

type Written = Parameters<typeof fs.writeSync>;
(fs as { writeSync: unknown }).writeSync = (...[file, data, offset, length, position]: Written) => {
  if (left === 0 && isTorn)
    writeSync(file, data as NodeJS.ArrayBufferView, Number(offset), Math.floor(Number(length) / 2), position as number);
  if (left === 0) die();
  left -= 1;
  return writeSync(file, data as NodeJS.ArrayBufferView, Number(offset), Number(length), position as number);
};

const hashOf = async (store: Store): Promise<string> => {
  const { createHash } = await import('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify(await store.snapshot()))
    .digest('hex');
};

const backend = await backendFor(folder);
const { store } = await backend.world('default', stormSeed);
tell({ found: await hashOf(store) });
left = Math.min(left, draw.below(60));
for (let number = Number(first); ; number += 4) {
  // Some at once: what was begun is carried out in the order in which it was begun.
  await Promise.all(
    [number, number + 1, number + 2, number + 3].map(async one => {
      tell({ begun: one });
      await write(store, one);
      tell({ kept: one });
    }),
  );
}
