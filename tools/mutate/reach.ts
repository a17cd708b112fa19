import { posix } from 'node:path';
import { parseAst } from 'vitest/node';
import { files, textOf } from '../repository.ts';

/** A syntax tree, with the fields that describe imports. */
interface Imports {
  readonly body: readonly {
    readonly source?: { readonly value: string } | null;
    readonly importKind?: string;
    readonly exportKind?: string;
  }[];
}

/** Returns the files that a source loads at runtime, without imports of types. */
function loadedBy(file: string, source: string): readonly string[] {
  const { body } = parseAst(source, { lang: 'ts' }) as unknown as Imports;
  return body.flatMap(({ source: from, importKind, exportKind }) =>
    from?.value.startsWith('.') && importKind !== 'type' && exportKind !== 'type'
      ? [posix.join(posix.dirname(file), from.value)]
      : [],
  );
}

/** The files that load each file. */
const loaders = ((): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const file of files.filter(path => path.endsWith('.ts')))
    for (const loaded of loadedBy(file, textOf(file))) found.set(loaded, [...(found.get(loaded) ?? []), file]);
  return found;
})();

/** True for the test beside a file; it comes before others. */
const isBeside = (file: string, test: string): boolean => test === file.replace(/\.ts$/, '.test.ts');

/**
 * Returns the tests that load a file, the nearest first: the one beside it, then those the fewest imports away, those
 * in its own folder before others.
 */
export function testsThatReach(file: string, tests: ReadonlySet<string>): readonly string[] {
  const reached = new Map([[file, 0]]);
  for (const [path, distance] of reached)
    for (const loader of loaders.get(path) ?? []) if (!reached.has(loader)) reached.set(loader, distance + 1);
  const rank = (test: string): number =>
    (reached.get(test) ?? 0) * 2 +
    (posix.dirname(test) === posix.dirname(file) ? 0 : 1) -
    (isBeside(file, test) ? 99 : 0);
  return [...reached.keys()].filter(path => tests.has(path)).sort((one, other) => rank(one) - rank(other));
}
