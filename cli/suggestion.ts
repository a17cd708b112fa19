import { distance } from 'fastest-levenshtein';
import { endpointIds } from '../contracts/endpoints.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { checks } from '../suites/checks/index.ts';
import { NothingSelected } from '../suites/engine/plan.ts';
import { UsageError } from './input.ts';

/** The most names that a suggestion has. */
const most = 3;

/** How many letters may differ: some two fifths of the shorter text, and always one. */
const tolerance = (a: string, b: string): number => Math.max(1, Math.floor(Math.min(a.length, b.length) * 0.4));

/** The names that a word nearly is, the nearest first: a few letters differ, or some stand before or behind it. */
function nearest(word: string, names: readonly string[]): readonly string[] {
  const wanted = word.toLowerCase();
  const isPart = (name: string): boolean => wanted.length >= 4 && name.toLowerCase().includes(wanted);
  const near = names.flatMap(name => {
    const far = distance(wanted, name.toLowerCase());
    return far <= tolerance(word, name) || isPart(name) ? [{ name, far }] : [];
  });
  const best = Math.min(...near.map(({ far }) => far));
  return near
    .filter(({ far }) => far <= best + 1)
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/**
 * Returns `; did you mean A or B?` for a word that nearly is one of these names, and nothing for any other. Put it at the
 * end of the message that says there is no such name.
 */
export function didYouMean(word: string, names: readonly string[]): string {
  const found = nearest(word, [...new Set(names)]);
  return found.length === 0 ? '' : `; did you mean ${found.join(' or ')}?`;
}

/** The names of the same kind as a filter, where each part of `endpoint/check` is looked at by itself. */
function filterNames(glob: string): readonly string[] {
  const [endpoint = '', check] = glob.split('/', 2);
  const checkIds = checks.map(({ id }) => id);
  if (check === undefined) return [...endpointIds, ...checkIds, ...requirements.map(({ id }) => id), ...fields];
  const isPattern = (part: string): boolean => /[*?[\]{}()!]/.test(part);
  const near = (part: string, names: readonly string[]): readonly string[] =>
    isPattern(part) || names.includes(part) ? [part] : nearest(part, names);
  return near(endpoint, endpointIds).flatMap(one => near(check, checkIds).map(other => `${one}/${other}`));
}

/** What requirements of fields begin with: `gate.name`. */
const fields: readonly string[] = [...new Set(requirements.map(({ id }) => id.split('.').slice(0, 2).join('.')))];

/** Returns what `didYouMean` says of a filter that names nothing. */
export const filterSuggestion = (glob: string): string => (glob === '' ? '' : didYouMean(glob, filterNames(glob)));

/** Does something with filters. One that selects nothing becomes a `UsageError` with the names that it nearly is. */
export function refusingFilters<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof NothingSelected)) throw error;
    throw new UsageError(`${error.message}${error.glob === undefined ? '' : filterSuggestion(error.glob)}`);
  }
}
