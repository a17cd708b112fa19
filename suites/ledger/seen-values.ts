import { isObject, type Json } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { changedBy, scalarsOf } from './attempt.ts';
import type { Cell } from './cells.ts';
import { accepted, type Moment, none, refused, type Seen, type Sent, shown, type Trial } from './moment.ts';
import type { LedgerNode } from './node.ts';

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
      if (other === undefined || !holds(one.value, other.value)) return none;
      const trials = [trialOf(here, own.path, one), trialOf(here, sibling, other)];
      const lesser = trials.find(({ result }) => result === 'refused' || result === 'accepted');
      const waiting = trials.flatMap(({ until }) => until ?? []);
      if (lesser !== undefined) return [lesser];
      return waiting.length === 0 ? [shown] : [{ result: 'constant', until: () => waiting.every(until => until()) }];
    });
  };

const within = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`);

/** The member is the only change, within the body or within the object that holds it. */
export const alone: Seen = (here, cell) => {
  const { path } = node(cell);
  const changed = changedBy(here.attempt);
  if (changed.length === 0) return none;
  return here
    .sent(path)
    .filter(({ pointer }) => {
      const about = changed.filter(one => within(one, holderOf(pointer)));
      return about.length > 0 && about.every(one => within(one, pointer));
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
  if (changed.length === 0 || changed.some(one => within(one, `/${name}`))) return none;
  if (cell.row.action !== 'patch' && !Object.hasOwn(attempt.body, name)) return none;
  if (outcome !== 'accepted') return [refused];
  const after = first?.entity;
  return [isObject(after) && same(after[name], held[name]) ? shown : accepted];
};
