import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { LedgerExchange } from './attempt.ts';
import type { RelationId } from './relations.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const properties = {
  must: text,
  note: text,
  description: { type: 'string', maxLength: 10 },
  kind: { enum: ['A', 'B'] },
  size: { type: 'number', minimum: 1 },
  count: { type: ['integer', 'null'] },
  isOn: flag,
  isOff: flag,
  tags: { type: 'array', items: text },
  rule: { type: 'object' },
  code: { type: 'string', pattern: '^[a-z]*$' },
  part: { type: 'object', properties: { inner: text, other: text } },
} as const;

/** An operation with a field of each kind, in place of Partially Update Gates. */
export const exampleRow: Endpoint = {
  ...endpointRow('patch-gate'),
  body: {
    type: 'object',
    properties,
    required: ['must'],
    allOf: [{ if: { properties: { kind: { const: 'B' } }, required: ['kind'] }, then: { required: ['size'] } }],
  },
  data: { type: 'object', properties },
};

/** Returns the row of an operation, with the example in place of its own. */
export const exampleRowOf = (id: EndpointId): Endpoint => (id === 'patch-gate' ? exampleRow : endpointRow(id));

type Key = LedgerExchange['request']['key'];

let count = 0;
const exchange = (
  endpoint: EndpointId,
  status: number,
  value: Json,
  request: { param?: string; query?: Record<string, number>; body?: JsonObject; key?: Key },
): LedgerExchange => {
  count += 1;
  return {
    id: `${endpoint}/example#case-${count}-`,
    endpoint,
    request: { key: 'valid', own: true, ...request },
    status,
    value,
  };
};

const whole = (body: JsonObject): JsonObject => ({ must: 'm', ...body });

/** An accepted request, and the entity in the answer: by default as sent. */
const sent = (body: JsonObject, shown: JsonObject = body, param = 'g'): LedgerExchange =>
  exchange('patch-gate', 200, { message: '', data: { id: param, ...whole(shown) } }, { param, body: whole(body) });

const refused = (body: JsonObject, isWhole = true): LedgerExchange =>
  exchange('patch-gate', 400, { message: 'no' }, { param: 'g', body: isWhole ? whole(body) : body });

const keyless = (key: Key): LedgerExchange => exchange('patch-gate', 401, {}, { param: 'g', body: whole({}), key });

const disabled = (description: string): LedgerExchange =>
  exchange('disable-gate', 200, { message: '', data: { id: 'g', description } }, { param: 'g' });

const listed = (pageNumber: number, ...items: JsonObject[]): LedgerExchange =>
  exchange(
    'list-segments',
    200,
    { message: '', data: items, pagination: { pageNumber, itemsPerPage: 2, nextPage: null } },
    { query: { page: pageNumber } },
  );

/** Exchanges that prove a cell, and similar ones that must not. */
export interface Example {
  readonly endpoint?: EndpointId;
  readonly cell: string;
  readonly counts: readonly LedgerExchange[];
  readonly not: readonly LedgerExchange[];
}

/** Updates with successive values of the text field. */
const notes = (...values: readonly string[]): readonly LedgerExchange[] => values.map(note => sent({ note }));
const tags = (...values: readonly (readonly Json[])[]): readonly LedgerExchange[] =>
  values.map(one => sent({ tags: [...one] }));
const ofText = (right: string, wrong: string): Example => ({
  cell: 'note',
  counts: notes('a', right),
  not: notes('a', wrong),
});

/** An example of each relation. */
// biome-ignore format: a table
export const examples: Readonly<Record<RelationId, Example>> = {
  accepted:        { cell: 'note', counts: notes('a', 'b'), not: notes('a', 'a') },
  absent:          { cell: 'note', counts: [sent({})], not: notes('a') },
  member:          { cell: 'kind "A"', counts: [sent({ kind: 'B', size: 1 }), sent({ kind: 'A' })], not: [sent({ kind: 'B', size: 1 })] },
  bound:           { cell: 'description maxLength', counts: [sent({ description: 'x' }), sent({ description: '0123456789' })],
                     not: [sent({ description: 'x' }), sent({ description: '0123456789' }, { description: '012345678' })] },
  null:            { cell: 'count', counts: [sent({ count: 1 }), sent({ count: null })], not: [sent({ count: null })] },
  'two-values':    { cell: 'note', counts: notes('a', 'b'), not: [sent({ note: 'a', description: 'a' }), sent({ note: 'b', description: 'b' })] },
  'both-ways':     { cell: 'isOn true', counts: [sent({ isOn: false }), sent({ isOn: true })], not: [sent({ isOn: true })] },
  fraction:        { cell: 'size', counts: [sent({ size: 1 }), sent({ size: 1.5 })], not: [sent({ size: 1 }), sent({ size: 2 })] },
  long:            ofText('x'.repeat(256), 'x'.repeat(255)),
  'letter-case':   ofText('aB', 'ab'),
  'outer-blanks':  ofText(' x', 'x y'),
  signs:           ofText('"a"', 'a.'),
  'beyond-bmp':    ofText('🚀', 'é'),
  alone:           { cell: 'note', counts: [sent({ note: 'a', description: 'x' }), sent({ note: 'b', description: 'x' })],
                     not: [sent({ note: 'a', description: 'x' }), sent({ note: 'b', description: 'y' })] },
  'member-alone':  { cell: 'part.inner', counts: [sent({ part: { inner: 'a', other: 'x' } }), sent({ part: { inner: 'b', other: 'x' } })],
                     not: [sent({ part: { inner: 'a', other: 'x' } }), sent({ part: { inner: 'b', other: 'y' } })] },
  kept:            { cell: 'note', counts: [sent({ note: 'a' }), sent({ description: 'x' }, { note: 'a', description: 'x' })],
                     not: [sent({ note: 'a' }), sent({ description: 'x' }, { note: '', description: 'x' })] },
  'in-company':    { cell: 'description note', counts: [sent({ note: 'b', description: 'y' }), sent({ note: 'a', description: 'x' })], not: [...notes('a', 'b'), sent({ description: 'x' }), sent({ description: 'y' })] },
  'told-apart':    { cell: 'isOff isOn', counts: [sent({ isOn: false, isOff: true }), sent({ isOn: true, isOff: false })], not: [sent({ isOn: false, isOff: false }), sent({ isOn: true, isOff: true })] },
  'own-part':      { cell: 'rule', counts: [sent({ rule: { a: 1, b: 2 } }), sent({ rule: { a: 1, b: 3 } })], not: [sent({ rule: {} }), sent({ rule: { a: 1 } })] },
  length:          { cell: 'tags two', counts: tags(['a'], ['a', 'b']), not: tags(['a'], ['a', 'b', 'c']) },
  shortened:       { cell: 'tags', counts: tags(['a', 'b'], ['a']), not: tags(['a'], ['a', 'b']) },
  'item-changed':  { cell: 'tags last', counts: tags(['a', 'b'], ['a', 'c']), not: tags(['a', 'b'], ['c', 'b']) },
  reordered:       { cell: 'tags', counts: tags(['a', 'b'], ['b', 'a']), not: tags(['a', 'b'], ['b', 'c']) },
  doubled:         { cell: 'tags', counts: tags(['a'], ['a', 'a']), not: tags(['a'], ['a', 'b']) },
  'wrong-type':    { cell: 'note number', counts: [...notes('a'), refused({ note: 1 })], not: [refused({ note: 1 })] },
  'no-null':       { cell: 'note', counts: [...notes('a'), refused({ note: null })], not: [...notes('a'), sent({ note: null })] },
  'no-fraction':   { cell: 'count', counts: [sent({ count: 1 }), refused({ count: 1.5 })], not: [sent({ count: 1 }), refused({ count: '1.5' })] },
  'beyond-bound':  { cell: 'size minimum', counts: [sent({ size: 1 }), refused({ size: 0 })], not: [sent({ size: 1 }), refused({ size: 0, note: 'never accepted' })] },
  unlisted:        { cell: 'kind letter case', counts: [sent({ kind: 'A' }), refused({ kind: 'a' })], not: [sent({ kind: 'A' }), refused({ kind: 'z' })] },
  'off-pattern':   { cell: 'code a sign', counts: [sent({ code: 'a' }), refused({ code: '!' })], not: [sent({ code: 'a' }), refused({ code: 'é' })] },
  missing:         { cell: 'must', counts: [...notes('a'), refused({ note: 'a' }, false)], not: [...notes('b'), refused({ note: 'a' }, false)] },
  condition:       { cell: 'size kind=B', counts: [sent({ kind: 'B', size: 1 }), refused({ kind: 'B' })], not: [sent({ kind: 'B', size: 1 }), refused({ kind: 'B', size: 0 })] },
  'later-item':    { cell: 'tags', counts: [...tags(['a', 'b']), refused({ tags: ['a', 1] })], not: [...tags(['a', 'b']), refused({ tags: [1, 'b'] })] },
  varied:          { cell: 'note', counts: [sent({}, { note: 'a' }), sent({}, { note: 'b' })], not: [sent({}, { note: 'a' }), sent({}, { note: 'a' })] },
  'same-presence': { endpoint: 'list-segments', cell: 'description', counts: [listed(1, { id: 'a', description: '' }, { id: 'b', description: '' })], not: [listed(1, { id: 'a', description: '' }, { id: 'b' })] },
  'read-back':     { cell: 'description disable-gate', counts: [sent({ description: 'x' }), disabled('x')], not: [disabled('x'), sent({ description: 'x' })] },
  'carried-out':   { cell: 'g', counts: [sent({})], not: [refused({}), sent({}, {}, 'h')] },
  neighbours:      { cell: 'g', counts: [sent({}, {}, 'h'), sent({}), sent({}, {}, 'h')], not: [sent({}, {}, 'h'), sent({})] },
  'without-key':   { cell: 'g', counts: [sent({}), keyless('none')], not: [keyless('none')] },
  'other-key':     { cell: '', counts: [sent({}), keyless('other')], not: [sent({}), keyless('none')] },
  page:            { endpoint: 'list-segments', cell: 'second', counts: [listed(2, { id: 'a' })], not: [listed(2)] },
};
