import { expect, test } from 'vitest';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import { everythingDeclared } from './capabilities.fixture.ts';
import { nearChanges } from './near-requests.ts';

const unit = { type: 'string', annotation: { semantics: 'reference', refersTo: 'idType' } } as const;
const item: ObjectSchema = { type: 'object', properties: { name: { type: 'string' }, unit } };
const schema: ObjectSchema = { type: 'object', properties: { items: { type: 'array', items: item }, unit } };
const addedAt = (place: string) =>
  nearChanges(schema, { items: [{ name: 'a' }, { name: 'b' }] }, everythingDeclared).more.find(
    ({ pointer }) => pointer === place,
  );

test('the items of a list get a name each, where several are known, so that none is named twice', () => {
  const { becomes, each = [] } = addedAt('/items/*/unit') ?? {};
  expect(each.length).toBeGreaterThan(1);
  expect(new Set(each).size).toBe(each.length);
  expect(each[0]).toBe(becomes);
  expect(addedAt('/unit')).toMatchObject({ becomes });
  expect(addedAt('/unit')).not.toHaveProperty('each');
});
