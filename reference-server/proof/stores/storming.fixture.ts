import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { folderBackend } from '../../store/folder.ts';
import { drawOf } from '../under-fire/draw.fixture.ts';
import { hashOf, isAlone, stormSeed, type Told, write } from './storm.fixture.ts';

/**
 * A process that opens a store, tells what it finds, writes on from a number, and is killed at a moment that a seed
 * decides: before, in the midst of, or after one of its own changes of files, those of opening included.
 * Arguments: folder, seed, number of the first write.
 */

const [folder = '', seed = '0', first = '1'] = process.argv.slice(2);
const draw = drawOf(Number(seed), 1);
/** How many changes of files there are before the end: to open the store takes ten and more. */
let left = draw.chance(20) ? draw.below(15) : Number.POSITIVE_INFINITY;
const isTorn = draw.chance(50);

const die = (): void => void process.kill(process.pid, 'SIGKILL');
const { writeSync, renameSync } = fs;
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

/** Gives a file another name, unless this is the moment: then it dies before it or after it. */
fs.renameSync = (from, to) => {
  if (left === 0 && !isTorn) die();
  renameSync(from, to);
  if (left === 0) die();
  left -= 1;
};
syncBuiltinESMExports();

// The log is written anew all the time, so that its writes are moments too.
const backend = await folderBackend(folder, size => size + draw.below(60_000));
const world = await backend.world('default', stormSeed);
tell({ found: await hashOf(world) });
left = Math.min(left, draw.below(60));
const make = async (number: number): Promise<void> => {
  tell({ begun: number });
  await write(world, number);
  tell({ kept: number });
};
let together: Promise<void>[] = [];
for (let number = Number(first); ; number += 1) {
  // Some at once: what was begun is carried out in the order in which it was begun.
  if (!isAlone(number)) together.push(make(number));
  if (!isAlone(number) && together.length < 4) continue;
  await Promise.all(together);
  together = [];
  if (isAlone(number)) await make(number);
}
