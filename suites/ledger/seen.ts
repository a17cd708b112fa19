import { type Json, membersOf } from '../../contracts/json.ts';
import { at, steps } from '../../contracts/pointer.ts';
import type { Problem } from '../../contracts/validation.ts';
import type { Attempt } from './attempt.ts';
import type { Cell } from './cells.ts';
import { keyOfPath, names } from './history.ts';
import { accepted, type Moment, none, refused, type Seen, shown } from './moment.ts';
import { pathOf } from './placed.ts';

/** Evidence on requests that break one rule: they are refused, and the same request without the fault is accepted. */

/**
 * Returns a check for an accepted control: a request with the same fields was accepted, and each unbroken value too.
 * Values that name new entities are not compared. The control may also come later.
 */
function controlOf({ attempt: { row, body, endpoint }, history }: Moment, pointer: string): () => boolean {
  const [broken = ''] = steps(pointer);
  const isNew = (name: string): boolean => row.body?.properties?.[name]?.annotation?.creates === true;
  const others = Object.keys(body).filter(name => name !== broken);
  const fields = [broken, ...others];
  const values = others.filter(name => !isNew(name)).map(name => `${name}=${JSON.stringify(body[name])}`);
  return () => history.of(endpoint).hasAcceptedTogether(fields, values);
}

/** A refused request that breaks one rule at the place, with an accepted control. */
export const refusedFor =
  (
    holds: (problem: Problem, value: Json | undefined, cell: Cell, attempt: Attempt) => boolean,
    isWithin = false,
  ): Seen =>
  (here, cell) => {
    const { attempt } = here;
    const [problem, ...others] = attempt.problems;
    if (problem === undefined || others.length > 0) return none;
    const [place, path] = [pathOf(problem.pointer), cell.node?.path ?? ''];
    if (isWithin ? !place.startsWith(path) : place !== path) return none;
    if (!holds(problem, at(attempt.body, problem.pointer), cell, attempt)) return none;
    if (attempt.outcome !== 'refused') return [attempt.outcome === 'accepted' ? accepted : refused];
    const hasControl = controlOf(here, problem.pointer);
    return [hasControl() ? shown : { ...refused, until: hasControl }];
  };

/** Evidence on fixtures and on whole operations. */

/** The operation was carried out on the fixture. */
export const carriedOut: Seen = ({ attempt }, { variant }) =>
  attempt.key === 'valid' && attempt.problems.length === 0 && names(attempt, variant)
    ? [attempt.outcome === 'accepted' ? shown : refused]
    : none;

/** Another entity of the kind was shown before and after a write to the fixture. */
export const neighbours: Seen = ({ attempt, history }, { variant, row }) => {
  const { outcome, param, order } = attempt;
  if (outcome !== 'accepted' || param !== variant) return none;
  const own = keyOfPath(row, variant);
  return [{ ...accepted, until: () => history.hasNeighbour(row.resource, own, order) }];
};

/** A refused request without a key or with another one, for a fixture on which the right key succeeds. */
export const keyless =
  (key: 'none' | 'other'): Seen =>
  ({ attempt, history }, { endpoint, variant }) => {
    if (attempt.key !== key || (variant !== '' && !names(attempt, variant))) return none;
    if (attempt.status < 300) return [attempt.status === 0 ? refused : accepted];
    const isTaken = (): boolean => history.of(endpoint).hasTaken(variant);
    return [attempt.outcome === 'refused' ? { ...refused, until: isTaken } : refused];
  };

/** The numbers of a page. */
interface PageShown {
  readonly limit: number;
  readonly page: number;
  readonly isLast: boolean;
}

/** A page with items that fulfils a condition. */
export const page =
  (holds: Readonly<Record<string, (one: PageShown) => boolean>>): Seen =>
  ({ attempt }, { variant }) => {
    const { outcome, value, query, shown: items } = attempt;
    if (outcome !== 'accepted' || items.length === 0) return none;
    const { itemsPerPage, pageNumber, nextPage } = membersOf(membersOf(value).pagination);
    const one = { limit: Number(query.limit ?? itemsPerPage), page: Number(pageNumber), isLast: nextPage === null };
    return holds[variant]?.(one) === true ? [shown] : none;
  };
