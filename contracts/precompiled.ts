import { createHash } from 'node:crypto';
import { compileFunction } from 'node:vm';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { textBeside } from './beside.ts';
import type { Schema } from './dialect.ts';

/** The folder to which the build writes validators, beside this module as it is built; sources have none. */
export const precompiledFolder = './precompiled/';

/** The index of that folder: the name of the module that validates a schema, by the schema's fingerprint. */
export const precompiledIndex = 'index.json';

/** The file of a module that the index names. CommonJS that needs nothing, as it is loaded synchronously at its first use. */
export const moduleFile = (name: string): string => `${name}.cjs`;

/** Identifies a schema by its content: schemas with the same fingerprint are the same. */
export const fingerprint = (schema: Schema): string =>
  createHash('sha256').update(JSON.stringify(schema)).digest('hex');

/** Finds the validator of a schema that the build wrote; undefined where it wrote none. */
type Finder = (schema: Schema) => ValidateFunction | undefined;

function indexOf(folder: URL): ReadonlyMap<string, string> | undefined {
  try {
    return new Map(Object.entries(JSON.parse(textBeside(precompiledIndex, folder))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The finder of a folder that the build wrote; where there is no such folder it finds none. Modules are loaded when
 * they are found.
 */
export function precompiledIn(folder: URL): Finder {
  const index = indexOf(folder);
  if (index === undefined) return () => undefined;
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

/** The finder of this program's build. */
export const precompiled: Finder = schema => {
  find ??= precompiledIn(new URL(precompiledFolder, import.meta.url));
  return find(schema);
};
