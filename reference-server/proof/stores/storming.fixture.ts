import fs from 'node:fs';
import { sqlBackend } from '../../store/sql/backend.ts';
import { embeddedDatabase } from '../../store/sql/embedded.ts';
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

type Write = (file: number, data: Uint8Array, offset: number, length: number, position: number) => number;

/** Writes, unless this is the moment: then it dies before the write, or with a half of it made. */
const mortalWrite: Write = (file, data, offset, length, position) => {
  if (left === 0 && isTorn) writeSync(file, data, offset, Math.floor(length / 2), position);
  if (left === 0) die();
  left -= 1;
  return writeSync(file, data, offset, length, position);
};
fs.writeSync = mortalWrite as typeof fs.writeSync;

const hashOf = async (store: Store): Promise<string> => {
  const { createHash } = await import('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify(await store.snapshot()))
    .digest('hex');
};

// The upkeep of the database is done all the time, so that its writes are moments too.
const backend = await sqlBackend(await embeddedDatabase(folder, 1 + draw.below(40)), folder);
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
