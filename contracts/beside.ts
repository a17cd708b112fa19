import { readFileSync } from 'node:fs';

/** The files embedded in `conform.mjs`, by URL. Other programs have none. */
type Carried = ReadonlyMap<string, () => string>;

const carriedBy = Symbol.for('console-conformance.carried');

/**
 * Reads a file that the build puts beside a module, or one embedded in a single-file program. Throws like
 * `readFileSync`.
 *
 * @param module the `import.meta.url` of the calling module
 */
export function textBeside(name: string, module: string | URL): string {
  const url = new URL(name, module);
  const carried = (globalThis as { readonly [carriedBy]?: Carried })[carriedBy]?.get(url.href);
  return carried ? carried() : readFileSync(url, 'utf8');
}
