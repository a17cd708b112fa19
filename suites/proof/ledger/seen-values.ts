import { isObject, type Json, type JsonObject } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { at, differences, same } from '../../../contracts/pointer.ts';
import type { Cell } from '../../ledger/cell.ts';
import { type LedgerNode, siblingsOf } from '../../ledger/node.ts';
import type { Seen, Trial } from './trial.ts';
import type { Attempt, Sent, Tried } from './tried.ts';

/** What must be seen of the values of a request field. */

const textOf = (value: Json): string => JSON.stringify(value);
const node = ({ node: own }: Cell): LedgerNode => own as LedgerNode;
const sentOf = (tried: Tried, cell: Cell): readonly Sent[] => tried.sent(cell.endpoint, node(cell).path);

/** The values of a place that were sent and shown; of one alone nobody knows whether it stood there anyway. */
const shownValues = memoized(
  (all: readonly Sent[] & object) => new Set(all.filter(one => one.isShown).map(one => textOf(one.value))),
);

const isVaried = (one: Sent, all: readonly Sent[]): boolean =>
  shownValues(all).size > 1 || (one.before !== undefined && !same(one.before, one.value));

function trialOf(one: Sent, all: readonly Sent[]): Trial {
  const { id, outcome } = one.attempt;
  if (outcome !== 'accepted') return { by: id, result: 'refused' };
  return { by: id, result: one.isShown ? (isVaried(one, all) ? 'shown' : 'constant') : 'accepted' };
}

/** A value that was sent, and shown, of which something holds. */
export const value =
  (holds: (sent: Json, cell: Cell, before: Json | undefined) => boolean): Seen =>
  (tried, cell) => {
    const all = sentOf(tried, cell);
    return all.filter(one => holds(one.value, cell, one.before)).map(one => trialOf(one, all));
  };

/** The same, compared with what the entity showed before. */
export const change = (holds: (sent: Json, before: Json, cell: Cell) => boolean): Seen =>
  value((sent, cell, before) => before !== undefined && holds(sent, before, cell));

/** The text of every scalar of a body that may tell a value from others, and how often it stands there. */
const scalarsOf = memoized((body: JsonObject) => {
  const counts = new Map<string, number>();
  const visit = (here: Json): void => {
    if (typeof here === 'object' && here !== null) for (const inner of Object.values(here)) visit(inner);
    else counts.set(textOf(here), (counts.get(textOf(here)) ?? 0) + 1);
  };
  visit(body);
  return counts;
});

/** Two values, both shown, which no other place of the same body has. */
export const twoValues: Seen = (tried, cell) => {
  const all = sentOf(tried, cell).filter(one => (scalarsOf(one.attempt.body).get(textOf(one.value)) ?? 1) === 1);
  const first = all.find(one => one.isShown);
  return all
    .filter(one => first === undefined || !same(one.value, first.value))
    .map(one => trialOf(one, all))
    .concat(first === undefined ? [] : [{ by: first.attempt.id, result: 'constant' }]);
};

/** An accepted request whose object lacks the member. */
export const absent: Seen = (tried, cell) => {
  const { parent, name } = node(cell);
  return tried
    .sent(cell.endpoint, parent?.path ?? '')
    .filter(one => isObject(one.value) && !Object.hasOwn(one.value, name ?? ''))
    .map(({ attempt }) => ({ by: attempt.id, result: attempt.outcome === 'accepted' ? 'shown' : 'refused' }));
};

/** The values that stand beside a value, in the same object, under another name. */
const besideOf = memoized((all: readonly Sent[] & object) => {
  const places = new Map<string, Sent>();
  for (const one of all) places.set(`${one.attempt.order} ${one.pointer.slice(0, one.pointer.lastIndexOf('/'))}`, one);
  return places;
});

/** Two members of one object, both shown, of which something holds. */
export const together =
  (holds: (one: Json, other: Json) => boolean): Seen =>
  (tried, cell) => {
    const all = sentOf(tried, cell);
    const others = siblingsOf(node(cell), cell.row).find(({ name }) => name === cell.variant);
    const rivals = tried.sent(cell.endpoint, others?.path ?? '');
    const beside = besideOf(rivals);
    return all.flatMap((one): readonly Trial[] => {
      const place = one.pointer.slice(0, one.pointer.lastIndexOf('/'));
      const other = beside.get(`${one.attempt.order} ${place}`);
      if (other === undefined || !holds(one.value, other.value)) return [];
      const own = trialOf(one, all);
      const { result } = trialOf(other, rivals);
      return [own.result === 'shown' ? { ...own, result } : own];
    });
  };

/**
 * The pointers at which what is sent differs from what the entity showed before it. A member that is not sent and is
 * shown afterwards as before is none: the service adds members of its own to objects, the id of a group for one.
 */
const changedBy = memoized(({ body, before, shown }: Attempt): readonly string[] => {
  if (!isObject(before)) return [];
  const after = shown[0]?.entity;
  const stays = (pointer: string): boolean => {
    const held = at(before, pointer);
    return held !== undefined && at(body, pointer) === undefined && same(held, at(after, pointer) ?? null);
  };
  return Object.entries(body)
    .flatMap(([name, sent]) => differences(Object.hasOwn(before, name) ? before[name] : undefined, sent, `/${name}`))
    .filter(pointer => !stays(pointer));
});

const within = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`);

/** Nothing but the member differs from what the entity showed before: of the body, or of the object that holds it. */
export const alone: Seen = (tried, cell) => {
  const all = sentOf(tried, cell);
  return all
    .filter(({ attempt, pointer }) => {
      const changed = changedBy(attempt);
      const holder = pointer.slice(0, pointer.lastIndexOf('/'));
      const about = changed.filter(one => within(one, holder));
      return about.length > 0 && about.every(one => within(one, pointer));
    })
    .map(one => trialOf(one, all));
};

const isEmpty = (held: Json | undefined): boolean =>
  held === undefined ||
  held === null ||
  held === '' ||
  held === false ||
  (typeof held === 'object' && Object.keys(held).length === 0);

/** The field holds something, another is changed, and it holds the same afterwards. */
export const kept: Seen = (tried, cell) =>
  tried.attempts(cell.endpoint).flatMap((attempt): readonly Trial[] => {
    const name = node(cell).name ?? '';
    const { before, shown, outcome, problems } = attempt;
    if (problems.length > 0 || !isObject(before) || isEmpty(before[name])) return [];
    const changed = changedBy(attempt);
    if (changed.length === 0 || changed.some(one => within(one, `/${name}`))) return [];
    if (cell.row.action !== 'patch' && !Object.hasOwn(attempt.body, name)) return [];
    const after = shown[0]?.entity;
    const isKept = isObject(after) && same(after[name], before[name]);
    return [{ by: attempt.id, result: outcome !== 'accepted' ? 'refused' : isKept ? 'shown' : 'accepted' }];
  });
