import { expect, test } from 'vitest';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { allUnits, isOneShot, lanes } from '../checks/units.ts';
import { NothingSelected, plannedCheck, type Selection, select } from './plan.ts';

const chosen = (selection: Partial<Selection>) => select({ only: [], skip: [], ...selection }).map(({ id }) => id);
const all = allUnits().map(({ id }) => id);

test('nothing named is everything: every endpoint, no unit twice', () => {
  expect(chosen({})).toEqual(all);
  expect(new Set(all).size).toBe(all.length);
  expect(new Set(allUnits().map(({ endpoint }) => endpoint)).size).toBe(endpointIds.length);
});

test.each([
  ['an endpoint', 'patch-gate', /^patch-gate\//],
  ['a check', 'echo', /\/echo$/],
  ['one unit', 'patch-gate/echo', /^patch-gate\/echo$/],
  ['endpoints by a glob', 'list-*', /^list-/],
  ['a check everywhere', '*/rejects', /\/rejects$/],
  ['alternatives', '{patch,disable}-gate', /^(patch|disable)-gate\//],
])('a glob names %s', (_what, glob, expected) => {
  expect(chosen({ only: [glob] })).toEqual(all.filter(id => expected.test(id)));
  expect(chosen({ skip: [glob] })).toEqual(all.filter(id => !expected.test(id)));
});

test('what is skipped is taken from what is wanted', () => {
  expect(chosen({ only: ['patch-gate'], skip: ['*/echo'] })).toEqual(
    all.filter(id => id.startsWith('patch-gate/') && id !== 'patch-gate/echo'),
  );
});

test.each<[string, Partial<Selection>, RegExp]>([
  ['a glob that matches nothing', { only: ['patch-gate', 'patch-gates'] }, /--only patch-gates matches/],
  ['a skip that matches nothing', { skip: ['nobody/*'] }, /--skip nobody\/\* matches/],
  ['an empty glob', { only: [''] }, /matches no/],
  ['filters that leave nothing', { only: ['patch-gate'], skip: ['patch-*'] }, /leave nothing/],
])('%s is a mistake', (_what, selection, message) => {
  expect(() => chosen(selection)).toThrow(NothingSelected);
  expect(() => chosen(selection)).toThrow(message);
});

test.each([1, 2, 3, 5, 9, 20])('%i shards cover everything, no unit twice and no lane in two', total => {
  const shards = Array.from({ length: total }, (_, index) =>
    select({ only: [], skip: [], shard: { index: index + 1, total } }),
  );
  expect(shards.flatMap(units => units.map(({ id }) => id)).sort()).toEqual([...all].sort());
  const lanesOf = shards.map(units => new Set(units.map(({ lane }) => lane)));
  expect(lanesOf.reduce((sum, set) => sum + set.size, 0)).toBe(lanes.length);
});

test('the archive is the last operation on configs, and what works only once is accepted last, but for what comes after it', () => {
  const configs = allUnits().filter(({ lane }) => lane === 'configs');
  expect(configs.at(-1)?.endpoint).toBe('archive-config');
  for (const endpoint of endpointIds.filter(isOneShot)) {
    const active = allUnits().filter(unit => unit.endpoint === endpoint && unit.check.kind === 'active');
    const ids = active.map(({ check }) => check.id);
    const after =
      endpoint === 'archive-config' ? ['rejects', 'violations', 'ended-configs', 'archive-reason'] : ['ended-configs'];
    expect(ids.slice(ids.indexOf('accepts'))).toEqual(['accepts', ...after]);
  }
});

test('within a lane reads come before writes, and what cannot be undone comes last', () => {
  const order = ['read', 'restorable', 'additive', 'destructive'];
  for (const lane of lanes) {
    const effects = allUnits()
      .filter(unit => unit.lane === lane)
      .map(({ endpoint }) => order.indexOf(endpoints[endpoint].effect));
    expect(effects).toEqual([...effects].sort((a, b) => a - b));
  }
});

test('a unit is announced with the rows it can verify', () => {
  const unit = allUnits().find(({ id }) => id === 'list-segments/message');
  expect(unit && plannedCheck(unit)).toMatchObject({
    id: 'list-segments/message',
    lane: 'segments',
    requirements: ['message.list-segments'],
  });
});
