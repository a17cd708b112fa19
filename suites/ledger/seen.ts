import { isObject, type Json, membersOf } from '../../contracts/json.ts';
import { at, isWithin, same, steps } from '../../contracts/pointer.ts';
import type { Problem } from '../../contracts/validation.ts';
import { type Attempt, changedBy, scalarsOf } from './attempt.ts';
import type { Cell } from './cells.ts';
import { keyOfPath, names } from './history.ts';
import { accepted, type Moment, none, refused, type Seen, type Sent, shown, type Trial } from './moment.ts';
import type { LedgerNode } from './node.ts';
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
    isBelow = false,
  ): Seen =>
  (here, cell) => {
    const { attempt } = here;
    const [problem, ...others] = attempt.problems;
    if (!problem || others.length > 0) return none;
    const [place, path] = [pathOf(problem.pointer), cell.node?.path ?? ''];
    if (isBelow ? !place.startsWith(path) : place !== path) return none;
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
    return holds[variant]?.(one) ? [shown] : none;
  };

/** Evidence on the values of request fields. */

const node = ({ node: own }: Cell): LedgerNode => own as LedgerNode;

/** Returns the evidence of a sent value: `constant` until another was shown, as it may have been there anyway. */
function trialOf(here: Moment, path: string, one: Sent): Trial {
  if (here.attempt.outcome !== 'accepted') return refused;
  if (!one.isShown) return accepted;
  const place = here.history.place(here.attempt.endpoint, path);
  if (place.isVaried() || (one.before !== undefined && !same(one.before, one.value))) return shown;
  return { result: 'constant', until: place.isVaried };
}

/** Sent values that fulfil a condition. */
export const value =
  (holds: (sent: Json, cell: Cell, before: Json | undefined) => boolean): Seen =>
  (here, cell) => {
    const { path } = node(cell);
    return here
      .sent(path)
      .filter(one => holds(one.value, cell, one.before))
      .map(one => trialOf(here, path, one));
  };

/** Sent values that fulfil a condition on the value that the entity showed before. */
export const change = (holds: (sent: Json, before: Json, cell: Cell) => boolean): Seen =>
  value((sent, cell, held) => held !== undefined && holds(sent, held, cell));

/** Two shown values, each unique within its body. */
export const twoValues: Seen = (here, cell) => {
  const { path } = node(cell);
  return here
    .sent(path)
    .filter(one => (scalarsOf(here.attempt).get(JSON.stringify(one.value)) ?? 1) === 1)
    .flatMap((one): readonly Trial[] => {
      if (here.attempt.outcome !== 'accepted') return [refused];
      if (!one.isShown) return [accepted];
      return here.history.place(here.attempt.endpoint, path).noteOwn(one.value) ? [shown] : none;
    });
};

/** An accepted request whose object lacks the member. */
export const absent: Seen = (here, cell) => {
  const { parent, name } = node(cell);
  return here
    .sent(parent?.path ?? '')
    .filter(one => isObject(one.value) && !Object.hasOwn(one.value, name ?? ''))
    .map(() => (here.attempt.outcome === 'accepted' ? shown : refused));
};

const holderOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

/** Two members of one object that fulfil a condition, both shown. */
export const together =
  (holds: (one: Json, other: Json) => boolean): Seen =>
  (here, cell) => {
    const own = node(cell);
    const sibling = own.parent?.path === '' ? cell.variant : `${own.parent?.path}.${cell.variant}`;
    const others = here.sent(sibling);
    if (others.length === 0) return none;
    return here.sent(own.path).flatMap((one): readonly Trial[] => {
      const holder = holderOf(one.pointer);
      const other = others.find(({ pointer }) => holderOf(pointer) === holder);
      if (!other || !holds(one.value, other.value)) return none;
      const trials = [trialOf(here, own.path, one), trialOf(here, sibling, other)];
      const lesser = trials.find(({ result }) => result === 'refused' || result === 'accepted');
      const waiting = trials.flatMap(({ until }) => until ?? []);
      if (lesser) return [lesser];
      return waiting.length === 0 ? [shown] : [{ result: 'constant', until: () => waiting.every(until => until()) }];
    });
  };

/** The member is the only change, within the body or within the object that holds it. */
export const alone: Seen = (here, cell) => {
  const { path } = node(cell);
  const changed = changedBy(here.attempt);
  if (changed.length === 0) return none;
  return here
    .sent(path)
    .filter(({ pointer }) => {
      const about = changed.filter(one => isWithin(one, holderOf(pointer)));
      return about.length > 0 && about.every(one => isWithin(one, pointer));
    })
    .map(one => trialOf(here, path, one));
};

const isEmpty = (held: Json | undefined): boolean =>
  held === undefined ||
  held === null ||
  held === '' ||
  held === false ||
  (typeof held === 'object' && Object.keys(held).length === 0);

/** The field has a value, another field is changed, and the value stays the same. */
export const kept: Seen = ({ attempt }, cell) => {
  const name = node(cell).name ?? '';
  const {
    before: held,
    shown: [first],
    outcome,
    problems,
  } = attempt;
  if (problems.length > 0 || !isObject(held) || isEmpty(held[name])) return none;
  const changed = changedBy(attempt);
  if (changed.length === 0 || changed.some(one => isWithin(one, `/${name}`))) return none;
  if (cell.row.action !== 'patch' && !Object.hasOwn(attempt.body, name)) return none;
  if (outcome !== 'accepted') return [refused];
  const after = first?.entity;
  return [isObject(after) && same(after[name], held[name]) ? shown : accepted];
};
