import { expect, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import { samples } from '../../../contracts/resources/samples.fixture.ts';
import { givenAnswer, observed } from '../../proof/testing/answers.ts';
import { presence } from './presence.ts';

const endpoint = 'update-qualifying-event';
const whole: Record<string, unknown> = samples.qualifyingEvent;
const without = (...fields: string[]) =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => !fields.includes(key)));

// biome-ignore format: a table
test.each<readonly [what: string, data: unknown, found: readonly string[] | 'not judged']>([
  ['all of them',                     whole,                                              []],
  ['one that is null',                { ...whole, tags: null },                           []],
  ['one left out',                    without('tags'),                                    ['presence.named /data/tags']],
  ['two left out',                    without('sql', 'tags'),                             ['presence.named /data/tags', 'presence.named /data/sql']],
  ['one that section 4 does not name', without('team'),                                   []],
  ['no table of a table',             { ...without('tableName'), sourceType: 'table' },   ['presence.named /data/tableName']],
  ['no table of a query',             { ...without('tableName'), sourceType: 'query' },   []],
  ['data that is a list',             [whole],                                            'not judged'],
])('%s', (_what, data, found) => {
  expect(observed(presence, { endpoint, value: { message: '', data } })).toEqual(found);
});

test('each item of a list is looked at', () => {
  const value = { message: '', data: [{ lineage: {} }, 1, {}] };
  expect(observed(presence, { endpoint: 'list-event-metrics', value })).toEqual(['presence.named /data/2/lineage']);
});

test('an empty list, and a refusal, show nothing', () => {
  expect(observed(presence, { endpoint: 'list-event-metrics', value: { data: [] } })).toBe('not judged');
  expect(observed(presence, { endpoint, status: 400, value: { data: {} } })).toBe('not judged');
});

test('the finding names the section', () => {
  const { violations } = presence.observe(
    givenAnswer({ endpoint, value: { data: without('sql') } }),
    endpoints[endpoint],
  );
  expect(violations).toMatchObject([{ expected: 'the member `sql` that section 4.3 names', actual: 'no such member' }]);
});
