import { createHash } from 'node:crypto';
import { compileFunction } from 'node:vm';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { textBeside } from './beside.ts';
import type { Schema } from './dialect.ts';

/** The folder for validators that the build writes, beside this built module. Sources have none. */
export const precompiledFolder = './precompiled/';

/** The index of that folder: module names by the fingerprint of their schema. */
export const precompiledIndex = 'index.json';

/**
 * Returns the file of a module in the index. CommonJS without imports, because it is loaded synchronously at first use.
 */
export const moduleFile = (name: string): string => `${name}.cjs`;

/** Returns a hash of a schema's content: schemas with the same fingerprint are equal. */
export const fingerprint = (schema: Schema): string =>
  createHash('sha256').update(JSON.stringify(schema)).digest('hex');

/** Finds the validator that the build wrote for a schema; undefined if it wrote none. */
type Finder = (schema: Schema) => ValidateFunction | undefined;

function indexOf(folder: URL): ReadonlyMap<string, string> | undefined {
  try {
    return new Map(Object.entries(JSON.parse(textBeside(precompiledIndex, folder))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the finder of a folder; without such a folder, it finds none. It loads modules on demand. */
export function precompiledIn(folder: URL): Finder {
  const index = indexOf(folder);
  if (!index) return () => undefined;
  const loaded = new Map<string, ValidateFunction>();
  return schema => {
    const name = index.get(fingerprint(schema));
    if (name === undefined) return undefined;
    const known = loaded.get(name) ?? loadedFrom(new URL(moduleFile(name), folder));
    loaded.set(name, known);
    return known;
  };
}

function loadedFrom(file: URL): ValidateFunction {
  const module = { exports: {} };
  compileFunction(textBeside('', file), ['module', 'exports'], { filename: file.href })(module, module.exports);
  return module.exports as ValidateFunction;
}

let find: Finder | undefined;

/** Finds validators in this program's build. */
export const precompiled: Finder = schema => {
  find ??= precompiledIn(new URL(precompiledFolder, import.meta.url));
  return find(schema);
};
