import type { ObjectSchema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import type { Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { differences, same } from '../../contracts/pointer.ts';
import { isValid } from '../../contracts/validation.ts';
import { takesNull } from '../generators/index.ts';
import {
  type Applies,
  alikeSiblings,
  always,
  boundOf,
  bounds,
  boundsWithin,
  company,
  conditions,
  fixturesOf,
  hasRulesWithin,
  isFractional,
  isFreeText,
  isInteger,
  isKind,
  isList,
  isListBefore,
  isOpenInside,
  isRewrite,
  isTop,
  lengths,
  listLengths,
  members,
  once,
  otherTypes,
  pages,
  readersOf,
  takesNoNull,
} from './applies.ts';
import { none, type Seen } from './moment.ts';
import {
  absent,
  alone,
  carriedOut,
  change,
  kept,
  keyless,
  neighbours,
  page,
  refusedFor,
  together,
  twoValues,
  value,
} from './seen.ts';

/** The minimum cost of a relation. */
export type Price =
  /** One request per cell: one fault per request, one field per change, one fixture per path. */
  | 'each'
  /** Shared by all fields of an operation: as many requests as the field with the most variants needs. */
  | 'shared'
  /** Shared by all fields and variants in one request: all pairs of fields meet in one body. */
  | 'once'
  /** Requests that distinguish each field of an operation from every other: about log₂ of their number. */
  | 'parted'
  /** No requests: the answers to other requests show it. */
  | 'free';

/** Whether requests must be accepted, must be refused, or only serve to read answers. */
export type Side = 'acceptance' | 'refusal' | 'reading';

interface Row {
  readonly side: Side;
  /** The weight of a cell: 3 if the specification states it, 1 if it shows it, less for pairs and wrong types. */
  readonly weight: number;
  readonly price: Price;
  /** The request, in words. */
  readonly sends: string;
  /** What must be seen for a cell to count, in words. */
  readonly counts: string;
  /** Finds what counts in an exchange. */
  readonly find: Seen;
  /** Returns the number of existing names that a field with references needs; absent: one. */
  readonly names?: ((variant: string) => number) | undefined;
}

/** Returns the cells of an operation, by the names of its fixtures. */
type OfOperation = (row: Endpoint, fixtures: readonly string[]) => readonly string[];

/** A row of the table: its subject, and the cells that it has there. */
export type Relation = Row &
  (
    | { readonly of: 'body' | 'data'; readonly cells: Applies }
    | { readonly of: 'operation'; readonly cells: OfOperation }
  );

/** A request that must be accepted. */
const accepts = (
  cells: Applies,
  weight: number,
  price: Price,
  sends: string,
  counts: string,
  find: Seen,
  names?: Row['names'],
): Relation => ({ of: 'body', side: 'acceptance', cells, weight, price, sends, counts, find, names });

/** A request that must be refused: it breaks one rule, and the same request without the fault is accepted. */
const refuses = (cells: Applies, weight: number, sends: string, ...rule: Parameters<typeof refusedFor>): Relation => ({
  of: 'body',
  side: 'refusal',
  cells,
  weight,
  price: 'each',
  sends,
  counts: 'it is refused beside an accepted control',
  find: refusedFor(...rule),
});

/** No evidence of one exchange: `createLedger` judges these cells by later answers, or by all of an operation. */
const byAnswers: Seen = () => none;

/** What the answers to other requests show. */
const answers = (cells: Applies, counts: string): Relation => ({
  of: 'data',
  side: 'reading',
  cells,
  weight: 1,
  price: 'free',
  sends: 'nothing of its own',
  counts,
  find: byAnswers,
});

const ofOperation = (side: Side, cells: OfOperation, sends: string, counts: string, find: Seen): Relation => ({
  of: 'operation',
  side,
  cells,
  weight: 3,
  price: 'each',
  sends,
  counts,
  find,
});

const chars = (text: string): number => [...text].length;
const sizeOf = (sent: Json): number =>
  typeof sent === 'string' ? chars(sent) : Array.isArray(sent) ? sent.length : Number(sent);
const text = (pattern: RegExp): Seen => value(sent => typeof sent === 'string' && pattern.test(sent));
const texts = (items: readonly Json[]): readonly string[] => items.map(item => JSON.stringify(item)).toSorted();
const two = (): number => 2;

/** Returns the type of a JSON value. */
const typeName = (value: Json | undefined): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

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

/**
 * The closed table of relations: everything to try at a place of a request or answer, a fixture or an operation. The
 * contract alone decides where a row applies.
 */
// biome-ignore format: a table
export const relations = {
  accepted:         accepts(once(always), 3, 'shared', 'the field at an ordinary value', 'it is shown, and was shown otherwise', value(sent => sent !== null)),
  absent:           accepts(once(node => node.name !== null && !node.isRequired), 1, 'shared', 'the object without the member', 'it is accepted', absent),
  member:           accepts(members, 3, 'shared', 'each stated member', 'it is shown', value((sent, { variant }) => JSON.stringify(sent) === variant)),
  bound:            accepts(boundsWithin, 3, 'shared', 'the value at each stated bound', 'it is shown', value((sent, { node, variant }) => node !== null && sent !== null && sizeOf(sent) === boundOf(node, variant))),
  null:             accepts(once(({ schema }) => takesNull(schema)), 3, 'shared', 'the documented null', 'it is shown, or the field is gone', value(sent => sent === null)),
  'two-values':     accepts(once(isKind('string', 'number', 'any')), 3, 'shared', 'two values that no other place of the body has', 'both are shown', twoValues, two),
  'both-ways':      accepts(once(isKind('boolean'), 'true', 'false'), 3, 'shared', 'true, and false', 'each is shown', value((sent, { variant }) => String(sent) === variant)),
  fraction:         accepts(once(isFractional), 1, 'shared', 'a number with a fraction', 'it is shown', value(sent => typeof sent === 'number' && !Number.isInteger(sent))),
  long:             accepts(once((node, row) => isFreeText(node, row) && node.schema.maxLength === undefined), 1, 'shared', 'more than 255 characters, where no length is stated', 'it is shown to its end', value(sent => typeof sent === 'string' && chars(sent) > 255)),
  'letter-case':    accepts(once(isFreeText), 3, 'shared', 'capital and small letters', 'they are shown', text(/(?=.*\p{Lu})\p{Ll}/su)),
  'outer-blanks':   accepts(once(isFreeText), 1, 'shared', 'blanks at the ends', 'they are shown', text(/^\s|\s$/)),
  signs:            accepts(once(isFreeText), 3, 'shared', 'quotes and signs of markup', 'they are shown', text(/["'\\<>&%]/)),
  'beyond-bmp':     accepts(once(isFreeText), 3, 'shared', 'a character beyond the basic plane', 'it is shown', text(/[\u{10000}-\u{10ffff}]/u)),
  alone:            accepts(once((node, row) => isTop(node, row) && isRewrite(row)), 3, 'each', 'a change of the field alone', 'it is shown', alone, two),
  'member-alone':   accepts(once((node, row) => node.name !== null && node.parent?.path !== '' && isRewrite(row)), 1, 'each', 'the object with this member alone changed', 'it is shown', alone, two),
  kept:             accepts(once((node, row) => isTop(node, row) && isRewrite(row)), 3, 'parted', 'changes of other fields, while this one holds something', 'it is shown as before', kept),
  'in-company':     accepts(company, 0.1, 'once', 'two fields in one request', 'both are shown', together(() => true)),
  'told-apart':     accepts(alikeSiblings, 0.3, 'parted', 'two members of one type at different values', 'both are shown', together((one, other) => !same(one, other)), two),
  'own-part':       accepts(once(isOpenInside), 3, 'each', 'what the entity holds itself, with one part changed', 'it is shown', change(isPartChanged)),
  length:           accepts(listLengths, 1, 'shared', 'a list of none, two, three, ten', 'it is shown', value((sent, { variant }) => Array.isArray(sent) && (variant === 'ten' ? sent.length >= 10 : sent.length === lengths[variant])), variant => lengths[variant] ?? 0),
  shortened:        accepts(once(isListBefore), 3, 'shared', 'fewer items than there are', 'they are shown', list((sent, before) => sent.length > 0 && sent.length < before.length)),
  'item-changed':   accepts(once(isListBefore, 'first', 'last'), 1, 'shared', 'one item changed, the first or the last', 'the list is shown', list(isItemChanged), () => 3),
  reordered:        accepts(once(isListBefore), 1, 'shared', 'the items in another order', 'the list is shown', list((sent, before) => sent.length > 1 && !same(sent, before) && same([...texts(sent)], [...texts(before)])), two),
  doubled:          accepts(once(isList), 1, 'shared', 'an item twice', 'the list is shown', value(sent => Array.isArray(sent) && new Set(texts(sent)).size < sent.length)),
  'wrong-type':     refuses(otherTypes, 0.5, 'a value of each other type', (_problem, sent, { variant }) => typeName(sent) === variant),
  'no-null':        refuses(once(takesNoNull), 1, 'a null that is not documented', (_problem, sent) => sent === null),
  'no-fraction':    refuses(once(isInteger), 1, 'a fraction for an integer', (problem, sent) => problem.keyword === 'type' && typeof sent === 'number'),
  'beyond-bound':   refuses(bounds, 3, 'the value past each stated bound', ({ keyword }, sent, { variant }) => keyword === variant && sent !== null),
  unlisted:         refuses(once(isKind('enum'), 'another word', 'letter case'), 3, 'a text that is no member, and a member in other letter case', ({ keyword }, sent, { node, variant }) => keyword === 'enum' && typeof sent === 'string' && (variant === 'letter case') === isMemberInOtherCase(sent, node?.schema.enum)),
  'off-pattern':    refuses(once(({ schema }) => schema.pattern !== undefined, 'a sign', 'a letter beyond ASCII'), 3, 'a character that the pattern has not', ({ keyword }, sent, { variant }) => keyword === 'pattern' && (variant !== 'a sign') === /[^\0-\x7f]/.test(String(sent))),
  missing:          refuses(once(({ isRequired, schema }) => isRequired && schema.annotation?.missed !== 'OPEN'), 3, 'the object without a required member', ({ keyword }) => keyword === 'required'),
  condition:        refuses(conditions, 3, 'what is wrong only beside another field', (_problem, _sent, { variant, row }, { body }) => breaksCondition(body, row.body, variant), true),
  'later-item':     refuses(once(hasRulesWithin), 1, 'a broken rule in an item after the first', ({ pointer }) => /\/[1-9]\d*(\/|$)/.test(pointer), true),
  varied:           answers(once(({ schema }) => !schema.properties && schema.const === undefined), 'answers show two values of the field'),
  'same-presence':  answers(once((node, row) => row.list && node.parent?.path === ''), 'two items of one page carry the field'),
  'read-back':      { ...accepts(readersOf, 3, 'shared', 'each other operation that shows the field, after a write', 'it shows what was written', byAnswers), side: 'reading' },
  'carried-out':    ofOperation('reading', fixturesOf, 'the operation on each fixture of its kind', 'it is carried out', carriedOut),
  neighbours:       ofOperation('reading', (row, names) => (row.effect === 'read' || !row.param || names.length < 2 ? [] : fixturesOf(row, names)), 'a write to each fixture, its neighbours read before and after', 'both readings are there', neighbours),
  'without-key':    ofOperation('refusal', (row, names) => (row.param ? names : ['']), 'the request without a key, on each fixture', 'it is refused, and accepted with the key', keyless('none')),
  'other-key':      ofOperation('refusal', () => [''], 'the request with another key', 'it is refused, and accepted with the key', keyless('other')),
  page:             ofOperation('reading', pages, 'each page and limit', 'the page has items', page({ first: one => one.page === 1, second: one => one.page === 2, last: one => one.isLast, 'limit 1': one => one.limit === 1, 'limit 2 to 9': one => one.limit > 1 && one.limit < 10, 'limit 10': one => one.limit === 10, 'limit beyond 10': one => one.limit > 10 })),
} as const;

/** The id of a relation. */
export type RelationId = keyof typeof relations;

/** The ids of the relations, in the order of the table. */
export const relationIds = Object.keys(relations) as readonly RelationId[];
