import { expect, test } from 'vitest';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { object } from '../../contracts/object.ts';
import { cellsOf, relationOf } from './cells.ts';
import { type RelationId, relationIds } from './relations.ts';

const gate = endpointRow('patch-gate');

/** Returns the cells of one relation, for an operation with these fields. */
const cells = (relation: RelationId, row: Partial<Endpoint>, gates: readonly string[] = ['a', 'b-', 'c!', 'd']) =>
  cellsOf('patch-gate', { ...gate, ...row }, { gates: [...gates] })
    .filter(cell => cell.relation === relation)
    .map(({ id }) => id.replace(`patch-gate ${relation}`, '').trim());

const body = object({
  kind: { enum: ['A', 'B'], annotation: { shownOnly: ['C'] } },
  count: { type: ['integer', 'null'], exclusiveMinimum: 1 },
  size: { type: 'number', exclusiveMinimum: 1 },
  owner: { type: 'string', annotation: { semantics: 'reference', refersTo: 'user' } },
  note: { type: 'string', maxLength: 9 },
  isOn: { type: 'boolean' },
  tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  groups: { type: 'array', items: object({ name: { type: 'string' } }), annotation: { formatHint: 'groups' } },
});

test('each stated member, bound and null is a cell', () => {
  expect(cells('member', { body })).toEqual(['kind "A"', 'kind "B"']);
  expect(cells('bound', { body })).toEqual(['count exclusiveMinimum', 'note maxLength', 'tags maxItems']);
  expect(cells('beyond-bound', { body })).toContain('size exclusiveMinimum');
  expect(cells('null', { body })).toEqual(['count']);
  expect(cells('both-ways', { body })).toEqual(['isOn true', 'isOn false']);
});

test('odd texts are for fields that name nothing, at every depth', () => {
  expect(cells('signs', { body })).toEqual(['note', 'tags[]', 'groups[].name']);
  expect(cells('long', { body })).toEqual(['tags[]', 'groups[].name']);
});

test('lists are tried at the lengths that they may have, and living sets at none', () => {
  expect(cells('length', { body })).toEqual(['tags empty', 'tags two', 'tags three']);
  expect(cells('reordered', { body })).toEqual(['tags']);
  expect(cells('reordered', { body, action: 'create' })).toEqual([]);
});

test('a pair of fields is one cell, and none where the two demand different values of a third', () => {
  const [bayesian, sprt] = ['kind=A', 'kind=B'].map(
    one => ({ type: 'string', annotation: { beside: [one] } }) as const,
  );
  const excluding = { type: 'object', properties: { kind: body.properties.kind, bayesian, sprt } } as NonNullable<
    Endpoint['body']
  >;
  expect(cells('in-company', { body: excluding })).toEqual(['kind sprt', 'bayesian kind']);
  expect(cells('told-apart', { body: excluding })).toEqual([]);
  expect(cells('told-apart', { body })).toEqual(['count size', 'note owner', 'groups tags']);
});

test('what a field is not gives its refusals', () => {
  expect(cells('wrong-type', { body: object({ any: {}, note: { type: 'string' } }) })).toEqual(
    ['number', 'boolean', 'array', 'object'].map(type => `note ${type}`),
  );
  const conditional = {
    ...body,
    required: ['note'],
    allOf: [{ if: { properties: { kind: { const: 'A' } }, required: ['kind'] }, then: { required: ['size'] } }],
  } as const;
  expect(cells('condition', { body: conditional })).toEqual(['size kind=A']);
  expect(cells('missing', { body: conditional })).toEqual(['note']);
});

test('an operation is carried out on all fixtures, on two where nothing puts it back, on the last where it archives', () => {
  expect(cells('carried-out', {})).toEqual(['a', 'b-', 'c!', 'd']);
  expect(cells('carried-out', { effect: 'destructive' })).toEqual(['c!', 'd']);
  expect(cells('carried-out', { effect: 'destructive', oneShot: true, lastFixture: true })).toEqual(['d']);
  expect(cells('neighbours', { effect: 'read' })).toEqual([]);
});

test('every relation has cells somewhere, and no two cells one id', () => {
  const all = [...cellsOf('patch-gate', gate, { gates: ['a', 'b'] })];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(relationIds.filter(id => all.some(cell => cell.relation === id)).length).toBeGreaterThan(25);
  expect(relationOf({ relation: 'alone' }).price).toBe('each');
});
