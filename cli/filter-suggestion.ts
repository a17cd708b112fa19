import { endpointIds } from '../contracts/endpoints.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { checks } from '../suites/checks/index.ts';
import { NothingSelected } from '../suites/engine/plan.ts';
import { refuse } from './input.ts';
import { didYouMean, nearest } from './suggestion.ts';

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
    refuse(`${error.message}${error.glob === undefined ? '' : filterSuggestion(error.glob)}`);
  }
}
