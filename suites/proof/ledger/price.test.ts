import { expect, test } from 'vitest';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { object } from '../../../contracts/object.ts';
import { cellsOf } from '../../ledger/cells.ts';
import type { RelationId } from '../../ledger/relations.ts';
import { fillable, priceOf, prices, weightOf } from './price.ts';

const kind = { enum: ['A', 'B', 'C'] } as const;
const beside = (value: string) => ({ ...kind, annotation: { beside: [value] } }) as const;

const row = {
  ...endpointRow('patch-gate'),
  body: object({
    one: kind,
    two: { enum: ['A', 'B'] },
    three: { type: 'boolean' },
    four: { type: 'boolean' },
    five: { type: 'boolean' },
  }),
};
const of = (relation: RelationId, body = row.body as Parameters<typeof object>[0] | typeof row.body) =>
  cellsOf('patch-gate', { ...row, body: body as typeof row.body }, {}).filter(cell => cell.relation === relation);

test('acceptances share requests: as many as the field with most variants needs', () => {
  expect(priceOf(of('member'))).toBe(3);
  expect(priceOf(of('in-company'))).toBe(1);
});

test('fields that demand different values of a third share none', () => {
  const parted = object({ one: kind, two: beside('one=A'), three: beside('one=B') });
  expect(priceOf(of('member', parted as never))).toBe(6);
});

test('refusals and changes of one field take a request each, readings none', () => {
  expect(priceOf(of('unlisted'))).toBe(4);
  expect(priceOf(of('alone'))).toBe(5);
  expect(priceOf(of('varied'))).toBe(0);
});

test('fields are told apart by some log₂ of their number', () => {
  expect(priceOf(of('kept'))).toBe(3);
});

test('a budget buys the cheapest weight first, and part of what costs a request for each cell', () => {
  const priced = prices([...of('member'), ...of('unlisted')]);
  const whole = weightOf([...of('member'), ...of('unlisted')]);
  expect(fillable(priced, 100)).toBe(1);
  expect(fillable(priced, 3)).toBeCloseTo(weightOf(of('member')) / whole);
  expect(fillable(priced, 5)).toBeCloseTo((weightOf(of('member')) + 6) / whole);
});
