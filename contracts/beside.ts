import { readFileSync } from 'node:fs';

/** The files that a program carries inside itself, by their URL: those of `conform.mjs`. Any other program has none. */
type Carried = ReadonlyMap<string, () => string>;

const carriedBy = Symbol.for('console-conformance.carried');

/**
 * Reads a file that the build puts beside a module, or finds it inside the program where that is one file. Throws as
 * `readFileSync` does.
 *
 * @param module the `import.meta.url` of the module that asks
 */
export function textBeside(name: string, module: string | URL): string {
  const url = new URL(name, module);
  const carried = (globalThis as { readonly [carriedBy]?: Carried })[carriedBy]?.get(url.href);
  return carried === undefined ? readFileSync(url, 'utf8') : carried();
}
