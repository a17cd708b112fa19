import type { ObjectSchema } from '../../contracts/dialect.ts';
import { type Json, membersOf } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { at, differences, same, steps } from '../../contracts/pointer.ts';
import { isValid, type Problem } from '../../contracts/validation.ts';
import { boundOf, lengths } from './applies.ts';
import type { Attempt } from './attempt.ts';
import type { Cell } from './cells.ts';
import { keyOfPath, names } from './history.ts';
import { accepted, type Moment, none, refused, type Seen, shown } from './moment.ts';
import { pathOf } from './placed.ts';
import type { RelationId } from './relations.ts';
import { absent, alone, change, kept, together, twoValues, value } from './seen-values.ts';

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
const refusedFor =
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

/** Returns the type of a JSON value. */
const typeName = (value: Json | undefined): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Evidence on fixtures and on whole operations. */

/** The operation was carried out on the fixture. */
const carriedOut: Seen = ({ attempt }, { variant }) =>
  attempt.key === 'valid' && attempt.problems.length === 0 && names(attempt, variant)
    ? [attempt.outcome === 'accepted' ? shown : refused]
    : none;

/** Another entity of the kind was shown before and after a write to the fixture. */
const neighbours: Seen = ({ attempt, history }, { variant, row }) => {
  const { outcome, param, order } = attempt;
  if (outcome !== 'accepted' || param !== variant) return none;
  const own = keyOfPath(row, variant);
  return [{ ...accepted, until: () => history.hasNeighbour(row.resource, own, order) }];
};

/** A refused request without a key or with another one, for a fixture on which the right key succeeds. */
const keyless =
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
const page =
  (holds: Readonly<Record<string, (one: PageShown) => boolean>>): Seen =>
  ({ attempt }, { variant }) => {
    const { outcome, value, query, shown: items } = attempt;
    if (outcome !== 'accepted' || items.length === 0) return none;
    const { itemsPerPage, pageNumber, nextPage } = membersOf(membersOf(value).pagination);
    const one = { limit: Number(query.limit ?? itemsPerPage), page: Number(pageNumber), isLast: nextPage === null };
    return holds[variant]?.(one) === true ? [shown] : none;
  };

/** No evidence here: `createLedger` judges these cells by later answers or by all answers of an operation. */
const byAnswers: Seen = () => none;

/** What counts for the cells of a relation: in words, and as code that finds it. */
interface Counts {
  readonly counts: string;
  readonly find: Seen;
  /** Returns the number of existing names that a field with references needs; absent: one. */
  readonly names?: (variant: string) => number;
}

const chars = (text: string): number => [...text].length;
const sizeOf = (sent: Json): number =>
  typeof sent === 'string' ? chars(sent) : Array.isArray(sent) ? sent.length : Number(sent);
const text = (pattern: RegExp): Seen => value(sent => typeof sent === 'string' && pattern.test(sent));
const texts = (items: readonly Json[]): readonly string[] => items.map(item => JSON.stringify(item)).toSorted();
const two = (): number => 2;

const list = (holds: (sent: Json[], before: Json[], variant: string) => boolean): Seen =>
  change((sent, before, { variant }) => Array.isArray(sent) && Array.isArray(before) && holds(sent, before, variant));

/** True if exactly one item differs, the first or the last. */
const isItemChanged = (sent: Json[], before: Json[], variant: string): boolean => {
  const changed = sent.flatMap((item, index) => (same(item, before[index]) ? [] : [index]));
  const due = variant === 'first' ? 0 : sent.length - 1;
  return sent.length > 1 && sent.length === before.length && changed.length === 1 && changed[0] === due;
};

/** True if only a part of the previous value was changed. */
const isPartChanged = (sent: Json, before: Json): boolean => {
  const parts = differences(before, sent);
  return Object.keys(before ?? {}).length > 0 && parts.length > 0 && !parts.includes('');
};

/** Returns the schema without its conditions. */
const unconditional = memoized((schema: ObjectSchema): ObjectSchema => ({ ...schema, allOf: [] }));

/** True if a body is wrong only because of the condition that a variant names. */
const breaksCondition = (
  body: Readonly<Record<string, Json>>,
  schema: ObjectSchema | null,
  variant: string,
): boolean => {
  const [name = '', member] = variant.split('=');
  return String(body[name]) === member && schema !== null && isValid(unconditional(schema), body);
};

const isMemberInOtherCase = (sent: string, members: readonly unknown[] = []): boolean =>
  members.some(one => String(one).toLowerCase() === sent.trim().toLowerCase());

/** What counts for each relation. The type ensures that no relation lacks a row. */
// biome-ignore format: a table
export const seen: Readonly<Record<RelationId, Counts>> = {
  accepted:         { counts: 'it is shown, and was shown otherwise', find: value(sent => sent !== null) },
  absent:           { counts: 'it is accepted', find: absent },
  member:           { counts: 'it is shown', find: value((sent, { variant }) => JSON.stringify(sent) === variant) },
  bound:            { counts: 'it is shown', find: value((sent, { node, variant }) => node !== null && sent !== null && sizeOf(sent) === boundOf(node, variant)) },
  null:             { counts: 'it is shown, or the field is gone', find: value(sent => sent === null) },
  'two-values':     { counts: 'both are shown', find: twoValues, names: two },
  'both-ways':      { counts: 'each is shown', find: value((sent, { variant }) => String(sent) === variant) },
  fraction:         { counts: 'it is shown', find: value(sent => typeof sent === 'number' && !Number.isInteger(sent)) },
  long:             { counts: 'it is shown to its end', find: value(sent => typeof sent === 'string' && chars(sent) > 255) },
  'letter-case':    { counts: 'they are shown', find: text(/(?=.*\p{Lu})\p{Ll}/su) },
  'outer-blanks':   { counts: 'they are shown', find: text(/^\s|\s$/) },
  signs:            { counts: 'they are shown', find: text(/["'\\<>&%]/) },
  'beyond-bmp':     { counts: 'it is shown', find: text(/[\u{10000}-\u{10ffff}]/u) },
  alone:            { counts: 'it is shown', find: alone, names: two },
  'member-alone':   { counts: 'it is shown', find: alone, names: two },
  kept:             { counts: 'it is shown as before', find: kept },
  'in-company':     { counts: 'both are shown', find: together(() => true) },
  'told-apart':     { counts: 'both are shown', find: together((one, other) => !same(one, other)), names: two },
  'own-part':       { counts: 'it is shown', find: change(isPartChanged) },
  length:           { counts: 'it is shown', find: value((sent, { variant }) => Array.isArray(sent) && (variant === 'ten' ? sent.length >= 10 : sent.length === lengths[variant])), names: variant => lengths[variant] ?? 0 },
  shortened:        { counts: 'they are shown', find: list((sent, before) => sent.length > 0 && sent.length < before.length) },
  'item-changed':   { counts: 'the list is shown', find: list(isItemChanged), names: () => 3 },
  reordered:        { counts: 'the list is shown', find: list((sent, before) => sent.length > 1 && !same(sent, before) && same([...texts(sent)], [...texts(before)])), names: two },
  doubled:          { counts: 'the list is shown', find: value(sent => Array.isArray(sent) && new Set(texts(sent)).size < sent.length) },
  'wrong-type':     { counts: 'it is refused beside an accepted control', find: refusedFor((_problem, sent, { variant }) => typeName(sent) === variant) },
  'no-null':        { counts: 'it is refused beside an accepted control', find: refusedFor((_problem, sent) => sent === null) },
  'no-fraction':    { counts: 'it is refused beside an accepted control', find: refusedFor((problem, sent) => problem.keyword === 'type' && typeof sent === 'number') },
  'beyond-bound':   { counts: 'it is refused beside an accepted control', find: refusedFor(({ keyword }, sent, { variant }) => keyword === variant && sent !== null) },
  unlisted:         { counts: 'it is refused beside an accepted control', find: refusedFor(({ keyword }, sent, { node, variant }) => keyword === 'enum' && typeof sent === 'string' && (variant === 'letter case') === isMemberInOtherCase(sent, node?.schema.enum)) },
  'off-pattern':    { counts: 'it is refused beside an accepted control', find: refusedFor(({ keyword }, sent, { variant }) => keyword === 'pattern' && (variant !== 'a sign') === /[^\0-\x7f]/.test(String(sent))) },
  missing:          { counts: 'it is refused beside an accepted control', find: refusedFor(({ keyword }) => keyword === 'required') },
  condition:        { counts: 'it is refused beside an accepted control', find: refusedFor((_problem, _sent, { variant, row }, { body }) => breaksCondition(body, row.body, variant), true) },
  'later-item':     { counts: 'it is refused beside an accepted control', find: refusedFor(({ pointer }) => /\/[1-9]\d*(\/|$)/.test(pointer), true) },
  varied:           { counts: 'answers show two values of the field', find: byAnswers },
  'same-presence':  { counts: 'two items of one page carry the field', find: byAnswers },
  'read-back':      { counts: 'it shows what was written', find: byAnswers },
  'carried-out':    { counts: 'it is carried out', find: carriedOut },
  neighbours:       { counts: 'both readings are there', find: neighbours },
  'without-key':    { counts: 'it is refused, and accepted with the key', find: keyless('none') },
  'other-key':      { counts: 'it is refused, and accepted with the key', find: keyless('other') },
  page:             { counts: 'the page has items', find: page({ first: one => one.page === 1, second: one => one.page === 2, last: one => one.isLast, 'limit 1': one => one.limit === 1, 'limit 2 to 9': one => one.limit > 1 && one.limit < 10, 'limit 10': one => one.limit === 10, 'limit beyond 10': one => one.limit > 10 }) },
};
