import { createHash } from 'node:crypto';
import picomatch from 'picomatch';
import { isTestSupport } from '../boundaries.ts';
import { files, textOf } from '../repository.ts';
import { type Equivalent, equivalents } from './equivalent.ts';
import { type Mutant, mutantsOf } from './places.ts';

/** The folders to mutate by default. */
export const mutatedFolders: readonly string[] = ['contracts', 'suites/generators', 'suites/judge', 'suites/state'];

/** A mutant in words: `file:line  what -> what`. */
export interface Described extends Mutant {
  readonly place: string;
  readonly line: string;
  readonly change: string;
}

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 45)} … ${line.slice(-12)}` : line;
};

function described(mutant: Mutant, source: string): Described {
  const { file, start, end, text } = mutant;
  const number = source.slice(0, start).split('\n').length;
  const line = (source.split('\n')[number - 1] ?? '').trim();
  const change = `${short(source.slice(start, end))} -> ${short(text) || 'nothing'}`;
  return { ...mutant, place: `${file}:${number}`, line, change };
}

const isEquivalent = (mutant: Described, row: Equivalent): boolean =>
  row.file === mutant.file && row.line === mutant.line && row.change === mutant.change;

/** Returns the files that globs name, by default those of the folders, without those that are `leftOut`. */
export function productionFiles(
  only: readonly string[] = [],
  leftOut: (file: string) => boolean = isTestSupport,
): readonly string[] {
  const isWanted =
    only.length === 0
      ? (file: string) => mutatedFolders.some(folder => file.startsWith(`${folder}/`))
      : picomatch([...only]);
  return files.filter(file => /\.ts$/.test(file) && !leftOut(file) && isWanted(file));
}

/** Returns the folder for which a score is counted; inside `suites/` one of its floors. */
export const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('suites/') ? 2 : 1)
    .join('/');

/**
 * Returns every mutant of the files that a test could distinguish from the source.
 *
 * @throws for a row whose place is gone, so that the list does not become stale
 */
export function allMutants(wanted: readonly string[], leftOut = equivalents): readonly Described[] {
  return wanted.flatMap(file => {
    const source = textOf(file);
    const all = mutantsOf(file, source).map(mutant => described(mutant, source));
    const rows = leftOut.filter(row => row.file === file);
    const gone = rows.find(row => !all.some(mutant => isEquivalent(mutant, row)));
    if (gone !== undefined) throw new Error(`${file} has no place any more for the equivalent mutant ${gone.change}`);
    return all.filter(mutant => !rows.some(row => isEquivalent(mutant, row)));
  });
}

/** Returns a sample of mutants, spread evenly: the seed chooses one from each stretch. */
export function sampled(mutants: readonly Described[], count: number, seed: number): readonly Described[] {
  const rank = ({ file, start, end, text }: Mutant): string =>
    createHash('sha256').update(`${seed} ${file} ${start} ${end} ${text}`).digest('hex');
  const stretches = Math.min(count, mutants.length);
  return Array.from({ length: stretches }, (_, index) => {
    const from = Math.floor((index * mutants.length) / stretches);
    const to = Math.floor(((index + 1) * mutants.length) / stretches);
    return mutants.slice(from, to).reduce((best, one) => (rank(one) < rank(best) ? one : best));
  });
}
