import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject } from '../contracts/json.ts';
import { steps } from '../contracts/pointer.ts';
import { seedCollections } from '../contracts/seed.ts';
import { refuse } from './input.ts';
import { readJson } from './input-file.ts';
import { didYouMean } from './suggestion.ts';
import { placeIn } from './target-file.ts';

const kind = 'seed';

/** The file of a folder for everything without a file of its own, such as `extends`. */
const rest = 'seed.json';

function filesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap(entry => (entry.name.endsWith('.json') && !entry.isDirectory() ? [entry.name] : [])).sort();
  } catch (error) {
    refuse(`cannot read the ${kind} ${folder} (${(error as NodeJS.ErrnoException).code})`);
  }
}

function readFolder(folder: string) {
  const files = filesIn(folder);
  const known = [...seedCollections.map(name => `${name}.json`), rest];
  const stranger = files.find(name => !known.includes(name));
  if (stranger !== undefined)
    refuse(
      `${join(folder, stranger)} is no file of a seed: each is called like its collection${didYouMean(stranger, known)}`,
    );
  if (files.length === 0) refuse(`the ${kind} ${folder} has no file; gates.json would be one of gates`);
  const values = new Map(files.map(name => [name, readJson(join(folder, name), kind)] as const));
  const whole = values.get(rest) ?? {};
  if (!isObject(whole)) refuse(`${join(folder, rest)}: the whole file must be an object`);
  const lists = [...values].flatMap(([name, value]) =>
    name === rest ? [] : [[basename(name, '.json'), value] as const],
  );
  const double = lists.find(([name]) => name in whole);
  if (double) refuse(`${join(folder, rest)}: /${double[0]} is in ${double[0]}.json too; take one of them out`);
  const own = new Set(lists.map(([name]) => name));
  return {
    value: { ...whole, ...Object.fromEntries(lists) },
    placeOf(pointer: string): string {
      const [name = ''] = steps(pointer);
      return own.has(name)
        ? placeIn(join(folder, `${name}.json`))(pointer.slice(name.length + 1))
        : placeIn(join(folder, rest))(pointer);
    },
  };
}

/**
 * Reads a seed: a JSON file, or a folder with a file for each collection (`gates.json`) and `seed.json` for the rest.
 * Returns its value, and a function that turns a JSON Pointer into a file and a place in it. Throws a `UsageError` if
 * it cannot be read.
 */
export function readSeed(path: string) {
  let isFolder = false;
  try {
    isFolder = statSync(path).isDirectory();
  } catch {
    // The read that follows says why it cannot be examined.
  }
  if (isFolder) return readFolder(path);
  return { value: readJson(path, kind), placeOf: placeIn(path) };
}
