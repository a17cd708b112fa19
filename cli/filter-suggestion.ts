import { endpointIds } from '../contracts/endpoints.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { checks } from '../suites/checks/index.ts';
import { NothingSelected } from '../suites/engine/plan.ts';
import { refusing } from './input.ts';
import { didYouMean, nearest } from './suggestion.ts';

/** Returns the names of the same kind as a filter; compares each part of `endpoint/check` by itself. */
function filterNames(glob: string): readonly string[] {
  const [endpoint = '', check] = glob.split('/', 2);
  const checkIds = checks.map(({ id }) => id);
  if (check === undefined) return [...endpointIds, ...checkIds, ...requirements.map(({ id }) => id), ...fields];
  const isPattern = (part: string): boolean => /[*?[\]{}()!]/.test(part);
  const near = (part: string, names: readonly string[]): readonly string[] =>
    isPattern(part) || names.includes(part) ? [part] : nearest(part, names);
  return near(endpoint, endpointIds).flatMap(one => near(check, checkIds).map(other => `${one}/${other}`));
}

/** The prefixes of the requirements of fields: `gate.name`. */
const fields: readonly string[] = [...new Set(requirements.map(({ id }) => id.split('.').slice(0, 2).join('.')))];

/** Returns the suggestion of `didYouMean` for a filter that matches nothing. */
export const filterSuggestion = (glob: string): string => (glob === '' ? '' : didYouMean(glob, filterNames(glob)));

/** Runs a function that uses filters. Turns a filter that selects nothing into a `UsageError` with similar names. */
export const refusingFilters = <T>(act: () => T): T =>
  refusing([NothingSelected], act, ({ message, glob = '' }) => `${message}${filterSuggestion(glob)}`);
