import { expect, test } from 'vitest';
import type { Json } from '../../contracts/json.ts';
import { dynamicConfig } from '../../contracts/resources/dynamic-config.ts';
import { mayBeSame } from './compare.ts';
import { tell } from './told.fixture.ts';

const list = { endpoint: 'list-config-versions', param: 'a' } as const;
const pagination = { itemsPerPage: 10, pageNumber: 1, totalItems: 2, nextPage: null, previousPage: null, all: '' };
const archive = { endpoint: 'archive-config', param: 'a', body: {} } as const;
const disable = { endpoint: 'disable-config', param: 'a' } as const;
const rule = {
  name: 'Those',
  passPercentage: 50,
  conditions: [{ operator: 'any' }, { operator: 'none' }],
  returnValue: { a: 1 },
};
const config = (more: object = {}, version = 3) => ({ id: 'a', version, rules: [rule], tags: ['Core'], ...more });
const other = { rules: [{ ...rule, conditions: rule.conditions.slice(0, 1) }] };

/** Returns the suspicions after a list is read, a config is archived, and lists are read again. */
function course(answered: object, later: readonly object[], { settleMs = 0, waitMs = 0 } = {}): readonly string[] {
  const told = tell({ settleMs });
  told.exchange(list, { data: [config(), config({}, 2)], pagination });
  told.exchange(archive, { data: answered });
  for (const one of later) {
    told.wait(waitMs);
    told.exchange(list, { data: [one, config({}, 2)], pagination });
  }
  return told.said();
}

const explained = ['explained disagree a 3 rules state.config-shown'];
const firm = ['firm disagree a 3 rules state.config-shown'];

// biome-ignore format: a table
test.each<readonly [what: string, said: readonly string[], expected: readonly string[]]>([
  ['the same',                                      course(config(), [config()]),                                   []],
  ['otherwise, and the list stays as it was',       course(config(other), [config()]),                              firm],
  ['as the list has it from then on',               course(config(other), [config(other)]),                         explained],
  ['as the list has it later',                      course(config(other), [config(), config(other)], { settleMs: 1000 }), explained],
  ['as the list does not have it in time',          course(config(other), [config(), config()], { settleMs: 1000, waitMs: 900 }), firm],
  ['under a number that is not listed',             course(config(other, 4), [config()]),                           []],
  ['without a number',                              course({ ...config(other), version: undefined }, [config()]),   []],
  ['with other settings, which make no version',    course(config({ tags: [], team: 'x' }), [config()]),            []],
  ['without some members',                          course(config({ rules: [{ name: 'Those' }] }), [config()]),     []],
  ['with a rule less',                              course(config({ rules: [] }), [config()]),                      firm],
  ['in another order, and another layout',          course(config({ rules: [{ ...rule, conditions: rule.conditions.toReversed() }] }), [config()]), []],
  ['of another type, which is judged by itself',    course(config({ rules: 'none' }), [config()]),                  []],
])('a config that is archived is answered %s', (_what, said, expected) => {
  expect(said).toEqual(expected);
});

test('nothing is said before another operation has shown the version', () => {
  const told = tell();
  told.exchange(disable, { data: config(other) });
  told.exchange(list, { data: [config()], pagination });
  expect(told.said()).toEqual([]);
});

test('an answer that shows it as it was takes back what one before it showed', () => {
  const told = tell({ settleMs: 1000 });
  told.exchange(list, { data: [config()], pagination });
  told.exchange(disable, { data: config(other) });
  told.exchange(disable, { data: config() });
  told.wait(2000);
  told.exchange(list, { data: [config()], pagination });
  expect(told.said()).toEqual(explained);
});

test('an answer that agrees with the list has shown that it does', () => {
  const told = tell();
  told.exchange(list, { data: [config()], pagination });
  expect(told.covers).not.toContain('state.config-shown');
  told.exchange(archive, { data: config() });
  expect(told.covers).toContain('state.config-shown');
});

const { rules } = dynamicConfig.properties;
// biome-ignore format: a table
test.each<readonly [one: Json, other: Json, isSame: boolean]>([
  [[rule],                                [{ ...rule, id: 'r' }],                     true],
  [[rule],                                [{ ...rule, returnValue: {} }],             false],
  [[rule],                                [{ ...rule, returnValueJson5: '{a:1}' }],   true],
  [[{ ...rule, returnValueJson5: '{ a: 1 }' }], [{ ...rule, returnValueJson5: '{a:1}' }], true],
  [[{ ...rule, returnValueJson5: '{a:1}' }],    [{ ...rule, returnValueJson5: '{a:' }],   false],
  [[rule, rule],                          [rule],                                     false],
  [[rule],                                [rule, { name: 'More' }],                   false],
])('%j may be %j: %s', (one, two, isSame) => {
  expect(mayBeSame(one, two, rules)).toBe(isSame);
  expect(mayBeSame(two, one, rules)).toBe(isSame);
});

const metricBody = { name: 'ours 1', type: 'event_user' };
const created = {
  ...metricBody,
  id: 'ours 1::event_user',
  createdTime: 1_760_000_123_456,
  creatorName: 'Ada',
  owner: { ownerID: 'u1', ownerName: 'Ada' },
  isVerified: false,
  lineage: { events: ['page_view'], metrics: [] },
};
/** Returns the suspicions after a metric is created and then listed with changes. */
function listedAs(...shown: readonly object[]): readonly string[] {
  const told = tell({ isSoleWriter: true });
  told.exchange({ endpoint: 'create-metric', body: metricBody }, { data: created });
  for (const more of shown)
    told.exchange(
      { endpoint: 'list-event-metrics', param: 'page_view' },
      { data: [{ ...created, ...more }], pagination: { ...pagination, totalItems: 1 } },
    );
  return told.said();
}
const answered = (field: string): string => `firm lost ours 1::event_user ${field} state.metric-as-answered`;

// biome-ignore format: a table
test.each<readonly [what: string, said: readonly string[], expected: readonly string[]]>([
  ['as it was answered',                      listedAs({}, {}),                                             []],
  ['at another time',                         listedAs({ createdTime: 1_760_000_123_457 }),                 [answered('createdTime')]],
  ['with its time in seconds',                listedAs({ createdTime: 1_760_000_123 }),                     []],
  ['with its time to the hour',               listedAs({ createdTime: 1_759_996_800_000 }, { createdTime: 1_759_996_800_000 }), []],
  ['of another creator',                      listedAs({ creatorName: 'Brice' }),                           [answered('creatorName')]],
  ['of no creator',                           listedAs({ creatorName: null }),                              []],
  ['with less of its owner',                  listedAs({ owner: { ownerName: 'Ada' } }),                    []],
  ['of another owner',                        listedAs({ owner: { ownerID: 'u2', ownerName: 'Ada' } }),     [answered('owner')]],
  ['with what was blank filled',              listedAs({ isVerified: true, team: 'growth' }),               []],
  ['as answered at first, otherwise later',   listedAs({}, { creatorName: 'Brice' }),                       ['firm disagree ours 1::event_user creatorName state.metric-as-created']],
])('a created metric, listed %s', (_what, said, expected) => expect(said).toEqual(expected));
