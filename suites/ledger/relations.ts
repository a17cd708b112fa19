import type { Endpoint } from '../../contracts/endpoint.ts';
import { takesNull } from '../generators/index.ts';
import {
  type Applies,
  alikeSiblings,
  always,
  bounds,
  boundsWithin,
  company,
  conditions,
  fixturesOf,
  hasRulesWithin,
  isFreeText,
  isKind,
  isList,
  isListBefore,
  isOpenInside,
  isRewrite,
  isTop,
  listLengths,
  members,
  once,
  otherTypes,
  pages,
  readersOf,
  takesNoNull,
} from './applies.ts';

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
}

/** Returns the cells of an operation, by the names of its fixtures. */
type OfOperation = (row: Endpoint, fixtures: readonly string[]) => readonly string[];

/** A row of the table: its subject, and the cells that it has there. */
export type Relation = Row &
  (
    | { readonly of: 'body' | 'data'; readonly cells: Applies }
    | { readonly of: 'operation'; readonly cells: OfOperation }
  );

type Columns = readonly [side: Side, weight: number, price: Price, sends: string];

const row = ([side, weight, price, sends]: Columns): Row => ({ side, weight, price, sends });
const ofBody = (cells: Applies, ...columns: Columns): Relation => ({ of: 'body', cells, ...row(columns) });
const ofData = (cells: Applies, ...columns: Columns): Relation => ({ of: 'data', cells, ...row(columns) });
const ofOperation = (cells: OfOperation, ...columns: Columns): Relation => ({
  of: 'operation',
  cells,
  ...row(columns),
});

/**
 * The closed table of relations: everything to try at a place of a request or answer, a fixture or an operation. The
 * contract alone decides where a row applies.
 */
// biome-ignore format: a table
export const relations = {
  accepted:         ofBody(once(always), 'acceptance', 3, 'shared', 'the field at an ordinary value'),
  absent:           ofBody(once(node => node.name !== null && !node.isRequired), 'acceptance', 1, 'shared', 'the object without the member'),
  member:           ofBody(members, 'acceptance', 3, 'shared', 'each stated member'),
  bound:            ofBody(boundsWithin, 'acceptance', 3, 'shared', 'the value at each stated bound'),
  null:             ofBody(once(({ schema }) => takesNull(schema)), 'acceptance', 3, 'shared', 'the documented null'),
  'two-values':     ofBody(once(isKind('string', 'number', 'integer', 'any')), 'acceptance', 3, 'shared', 'two values that no other place of the body has'),
  'both-ways':      ofBody(once(isKind('boolean'), 'true', 'false'), 'acceptance', 3, 'shared', 'true, and false'),
  fraction:         ofBody(once(isKind('number')), 'acceptance', 1, 'shared', 'a number with a fraction'),
  long:             ofBody(once((node, row) => isFreeText(node, row) && node.schema.maxLength === undefined), 'acceptance', 1, 'shared', 'more than 255 characters, where no length is stated'),
  'letter-case':    ofBody(once(isFreeText), 'acceptance', 3, 'shared', 'capital and small letters'),
  'outer-blanks':   ofBody(once(isFreeText), 'acceptance', 1, 'shared', 'blanks at the ends'),
  signs:            ofBody(once(isFreeText), 'acceptance', 3, 'shared', 'quotes and signs of markup'),
  'beyond-bmp':     ofBody(once(isFreeText), 'acceptance', 3, 'shared', 'a character beyond the basic plane'),
  alone:            ofBody(once((node, row) => isTop(node, row) && isRewrite(row)), 'acceptance', 3, 'each', 'a change of the field alone'),
  'member-alone':   ofBody(once((node, row) => node.name !== null && node.parent?.path !== '' && isRewrite(row)), 'acceptance', 1, 'each', 'the object with this member alone changed'),
  kept:             ofBody(once((node, row) => isTop(node, row) && isRewrite(row)), 'acceptance', 3, 'parted', 'changes of other fields, while this one holds something'),
  'in-company':     ofBody(company, 'acceptance', 0.1, 'once', 'two fields in one request'),
  'told-apart':     ofBody(alikeSiblings, 'acceptance', 0.3, 'parted', 'two members of one type at different values'),
  'own-part':       ofBody(once(isOpenInside), 'acceptance', 3, 'each', 'what the entity holds itself, with one part changed'),
  length:           ofBody(listLengths, 'acceptance', 1, 'shared', 'a list of none, two, three, ten'),
  shortened:        ofBody(once(isListBefore), 'acceptance', 3, 'shared', 'fewer items than there are'),
  'item-changed':   ofBody(once(isListBefore, 'first', 'last'), 'acceptance', 1, 'shared', 'one item changed, the first or the last'),
  reordered:        ofBody(once(isListBefore), 'acceptance', 1, 'shared', 'the items in another order'),
  doubled:          ofBody(once(isList), 'acceptance', 1, 'shared', 'an item twice'),
  'wrong-type':     ofBody(otherTypes, 'refusal', 0.5, 'each', 'a value of each other type'),
  'no-null':        ofBody(once(takesNoNull), 'refusal', 1, 'each', 'a null that is not documented'),
  'no-fraction':    ofBody(once(isKind('integer')), 'refusal', 1, 'each', 'a fraction for an integer'),
  'beyond-bound':   ofBody(bounds, 'refusal', 3, 'each', 'the value past each stated bound'),
  unlisted:         ofBody(once(isKind('enum'), 'another word', 'letter case'), 'refusal', 3, 'each', 'a text that is no member, and a member in other letter case'),
  'off-pattern':    ofBody(once(({ schema }) => schema.pattern !== undefined, 'a sign', 'a letter beyond ASCII'), 'refusal', 3, 'each', 'a character that the pattern has not'),
  missing:          ofBody(once(({ isRequired, schema }) => isRequired && schema.annotation?.missed !== 'OPEN'), 'refusal', 3, 'each', 'the object without a required member'),
  condition:        ofBody(conditions, 'refusal', 3, 'each', 'what is wrong only beside another field'),
  'later-item':     ofBody(once(hasRulesWithin), 'refusal', 1, 'each', 'a broken rule in an item after the first'),
  varied:           ofData(once(({ schema }) => schema.properties === undefined && schema.const === undefined), 'reading', 1, 'free', 'nothing of its own'),
  'same-presence':  ofData(once((node, row) => row.list && node.parent?.path === ''), 'reading', 1, 'free', 'nothing of its own'),
  'read-back':      ofBody(readersOf, 'reading', 3, 'shared', 'each other operation that shows the field, after a write'),
  'carried-out':    ofOperation(fixturesOf, 'reading', 3, 'each', 'the operation on each fixture of its kind'),
  neighbours:       ofOperation((row, names) => (row.effect === 'read' || row.param === null || names.length < 2 ? [] : fixturesOf(row, names)), 'reading', 3, 'each', 'a write to each fixture, its neighbours read before and after'),
  'without-key':    ofOperation((row, names) => (row.param === null ? [''] : names), 'refusal', 3, 'each', 'the request without a key, on each fixture'),
  'other-key':      ofOperation(() => [''], 'refusal', 3, 'each', 'the request with another key'),
  page:             ofOperation(pages, 'reading', 3, 'each', 'each page and limit'),
} as const;

/** The id of a relation. */
export type RelationId = keyof typeof relations;

/** The ids of the relations, in the order of the table. */
export const relationIds = Object.keys(relations) as readonly RelationId[];
