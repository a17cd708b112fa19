import { membersOf } from '../../contracts/json.ts';
import { keyOfPath, names } from './history.ts';
import { accepted, none, refused, type Seen, shown } from './trial.ts';

/** What must be seen of fixtures and of whole operations. */

/** The operation was carried out on the fixture. */
export const carriedOut: Seen = ({ attempt }, { variant }) =>
  attempt.key === 'valid' && attempt.problems.length === 0 && names(attempt, variant)
    ? [attempt.outcome === 'accepted' ? shown : refused]
    : none;

/** Another entity of the kind was shown before a write to the fixture, and after it. */
export const neighbours: Seen = ({ attempt, history }, { variant, row }) => {
  const { outcome, param, order } = attempt;
  if (outcome !== 'accepted' || param !== variant) return none;
  const own = keyOfPath(row, variant);
  return [{ ...accepted, until: () => history.hasNeighbour(row.resource, own, order) }];
};

/** A request with no key, or with another one, for a fixture with which the key's own succeeds. */
export const keyless =
  (key: 'none' | 'other'): Seen =>
  ({ attempt, history }, { endpoint, variant }) => {
    if (attempt.key !== key || (variant !== '' && !names(attempt, variant))) return none;
    if (attempt.status < 300) return [attempt.status === 0 ? refused : accepted];
    const isTaken = (): boolean => history.of(endpoint).hasTaken(variant);
    return [attempt.outcome === 'refused' ? { ...refused, until: isTaken } : refused];
  };

/** What a page of a list says of itself. */
interface PageShown {
  readonly limit: number;
  readonly page: number;
  readonly isLast: boolean;
}

/** A page that has items, of which something holds. */
export const page =
  (holds: Readonly<Record<string, (one: PageShown) => boolean>>): Seen =>
  ({ attempt }, { variant }) => {
    const { outcome, value, query, shown: items } = attempt;
    if (outcome !== 'accepted' || items.length === 0) return none;
    const { itemsPerPage, pageNumber, nextPage } = membersOf(membersOf(value).pagination);
    const one = { limit: Number(query.limit ?? itemsPerPage), page: Number(pageNumber), isLast: nextPage === null };
    return holds[variant]?.(one) === true ? [shown] : none;
  };

/** Judged by what later answers show, or by all of an operation together: see `createLedger`. */
export const byAnswers: Seen = () => none;
