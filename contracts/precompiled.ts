import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from './dialect.ts';

/** Where the build writes validators: a folder beside this module as it is built. Beside its source there is none. */
export const precompiledFolder = './precompiled/';

/** The file of that folder that says which module validates which schema: names of modules by fingerprint. */
export const precompiledIndex = 'index.json';

/** The name of the module that a row of the index stands for. The package is made of ES modules; these are loaded at once, when first used. */
export const moduleFile = (name: string): string => `${name}.cjs`;

/** A schema by its content: two schemas with one fingerprint say the same, and one that was changed has another. */
export const fingerprint = (schema: Schema): string =>
  createHash('sha256').update(JSON.stringify(schema)).digest('hex');

/** Finds the validator that was made of a schema when the program was built; undefined where none was. */
export type Finder = (schema: Schema) => ValidateFunction | undefined;

function indexOf(folder: URL): ReadonlyMap<string, string> | undefined {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(new URL(precompiledIndex, folder), 'utf8'))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The validators of a folder that the build wrote. Where there is no such folder it finds none; each module is loaded when it is asked for. */
export function precompiledIn(folder: URL): Finder {
  const index = indexOf(folder);
  if (index === undefined) return () => undefined;
  const require = createRequire(folder);
  return schema => {
    const name = index.get(fingerprint(schema));
    return name === undefined ? undefined : (require(`./${moduleFile(name)}`) as ValidateFunction);
  };
}

let find: Finder | undefined;

/** Finds what was compiled when this program was built. */
export const precompiled: Finder = schema => {
  find ??= precompiledIn(new URL(precompiledFolder, import.meta.url));
  return find(schema);
};
