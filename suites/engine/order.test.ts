import { expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import { allUnits, effectOrder, isOneShot, lanes } from '../checks/units.ts';
import { select, withFirst } from './plan.ts';

const all = allUnits();
const ids = (first: readonly string[]): string[] => withFirst(all, new Set(first)).map(({ id }) => id);

test('nothing to come first leaves the order as it is', () => {
  expect(ids([])).toEqual(all.map(({ id }) => id));
  expect(ids(['nobody/nothing'])).toEqual(all.map(({ id }) => id));
});

test('what failed last comes before the rest of its endpoint, but behind the checks that need entities as found', () => {
  const own = ids(['patch-gate/rejects']).filter(id => id.startsWith('patch-gate/'));
  expect(own.indexOf('patch-gate/rejects')).toBe(own.indexOf('patch-gate/accepts') + 1);
  expect(own.indexOf('patch-gate/frame')).toBe(0);
});

test('an endpoint with a failure comes before the others of its lane that do no more than it', () => {
  const gates = ids(['disable-gate/rejects']).filter(id => /^(patch|disable)-gate\//.test(id));
  const before = all.filter(({ lane }) => lane === 'gates')[0]?.endpoint;
  const other = before === 'patch-gate' ? 'disable-gate' : 'patch-gate';
  const moved = ids([`${other}/schema`]).filter(id => /^(patch|disable)-gate\//.test(id));
  expect(moved[0]?.startsWith(other)).toBe(endpoints[other].effect === endpoints['patch-gate'].effect);
  expect(gates).toHaveLength(moved.length);
});

test('whatever failed, no unit is lost, lanes stay whole, and what cannot be undone comes last', () => {
  for (const { id } of all) {
    const units = withFirst(all, new Set([id]));
    expect(new Set(units)).toEqual(new Set(all));
    const order = units.map(({ lane, endpoint }) => 10 * lanes.indexOf(lane) + effectOrder[endpoints[endpoint].effect]);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
});

test('where an operation works only once its accepted request stays last', () => {
  for (const endpoint of new Set(all.map(unit => unit.endpoint).filter(isOneShot))) {
    const own = ids([`${endpoint}/accepts`]).filter(id => id.startsWith(`${endpoint}/`));
    expect(own).toEqual(all.filter(unit => unit.endpoint === endpoint).map(({ id }) => id));
  }
});

test('a selection has first what it is told', () => {
  const chosen = select({ only: ['patch-gate'], skip: [], first: ['patch-gate/violations'] }).map(({ id }) => id);
  expect(chosen.indexOf('patch-gate/violations')).toBe(chosen.indexOf('patch-gate/accepts') + 1);
});
