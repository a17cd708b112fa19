import { expect, test } from 'vitest';
import type { Schema } from '../../contracts/dialect.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { compareEcho, type Mismatch, storedMismatches } from './echo.ts';

const text = { type: 'string' } as const satisfies Schema;
const texts = { type: 'array', items: text } as const satisfies Schema;
const tags = { ...texts, annotation: { compare: 'tags' } } as const satisfies Schema;
const moment = { ...text, annotation: { formatHint: 'iso-date-time' } } as const satisfies Schema;
const apps = { anyOf: [text, texts], annotation: { compare: 'faithful' } } as const satisfies Schema;
const merged = { ...texts, annotation: { compare: 'never' } } as const satisfies Schema;
const free = { type: 'object' } as const satisfies Schema;
const link = {
  type: 'object',
  properties: { url: text, title: { type: ['string', 'null'] }, more: free },
} as const satisfies Schema;
const links = { type: 'array', items: link } as const satisfies Schema;
const anyOrder = { ...links, annotation: { compare: 'unordered' } } as const satisfies Schema;
const nested = {
  type: 'array',
  items: { type: 'object', properties: { in: anyOrder } },
  annotation: { compare: 'unordered' },
} as const satisfies Schema;
const rule = { type: 'object', annotation: { compare: 'members' } } as const satisfies Schema;

const [a, b] = [{ url: 'a' }, { url: 'b' }];
const [aWithId, bWithId] = [
  { ...a, id: 1 },
  { ...b, id: 2 },
];

type Row = readonly [what: string, schema: Schema | undefined, sent: Json, got: unknown, found: readonly string[]];

// biome-ignore format: a table
const rows: readonly Row[] = [
  ['a text as it was',                        text,     'é🎉',              'é🎉',                          []],
  ['a text composed where it was decomposed', text,     'e\u0301',          '\u00e9',                       ['wrong ']],
  ['a text decomposed where it was composed', text,     '\u00e9',           'e\u0301',                      ['wrong ']],
  ['a text in another letter case',           text,     'Name',             'name',                         ['wrong ']],
  ['a text trimmed',                          text,     ' a ',              'a',                            ['soft ']],
  ['a text without its inner blanks',         text,     'a  b',             'a b',                          ['wrong ']],
  ['an emoji cut in half',                    text,     '🎉',               '\ud83c',                       ['wrong ']],
  ['an empty text',                           text,     '',                 '',                             []],
  ['an empty text dropped',                   text,     '',                 undefined,                      ['missing ']],
  ['an empty text turned into null',          text,     '',                 null,                           ['wrong ']],
  ['null as null',                            text,     null,               null,                           []],
  ['null left out',                           text,     null,               undefined,                      []],
  ['null turned into an empty text',          text,     null,               '',                             ['wrong ']],
  ['a number as a text',                      undefined, 1,                 '1',                            ['type ']],
  ['a number rounded',                        undefined, 50.46,             50.5,                           ['wrong ']],
  ['a negative zero as zero',                 undefined, -0,                0,                              []],
  ['true as 1',                               undefined, true,              1,                              ['type ']],
  ['false left out',                          undefined, false,             undefined,                      ['missing ']],
  ['tags as they were',                       tags,     ['a', 'b'],         ['a', 'b'],                     []],
  ['an instant without its fraction',         moment,   '2022-09-23T14:36:00.000Z', '2022-09-23T14:36:00Z', []],
  ['an instant in another zone',              moment,   '2022-09-23T14:36:00.000Z', '2022-09-23T16:36:00+02:00', []],
  ['another instant',                         moment,   '2022-09-23T14:36:00.000Z', '2022-09-23T14:36:01Z', ['wrong ']],
  ['an instant without its zone',             moment,   '2022-09-23T14:36:00.000Z', '2022-09-23T14:36:00',  ['wrong ']],
  ['an instant in a text that is none',       text,     '2022-09-23T14:36:00.000Z', '2022-09-23T14:36:00Z', ['wrong ']],
  ['tags in another order',                   tags,     ['a', 'b'],         ['b', 'a'],                     ['soft ']],
  ['tags in another letter case',             tags,     ['A'],              ['a'],                          ['soft ']],
  ['tags without duplicates',                 tags,     ['a', 'a'],         ['a'],                          ['soft ']],
  ['a tag lost',                              tags,     ['a', 'b'],         ['a'],                          ['wrong ']],
  ['a tag added',                             tags,     ['a'],              ['a', 'b'],                     ['wrong ']],
  ['tags emptied but kept',                   tags,     [],                 ['a'],                          ['wrong ']],
  ['a list with its order',                   links,    [a, b],             [a, b],                         []],
  ['a list that lost its order',              links,    [a, b],             [b, a],                         ['order ']],
  ['a list that lost its order and gained',   links,    [a, b],             [bWithId, aWithId],             ['order ']],
  ['a list with one item changed',            links,    [a, b],             [a, { url: 'c' }],              ['wrong /1/url']],
  ['a list with an item lost',                links,    [a, b],             [a],                            ['wrong ']],
  ['a list with an item added',               links,    [a],                [a, b],                         ['wrong ']],
  ['a list that is none any more',            links,    [a],                { 0: a },                       ['type ']],
  ['a list of any order, reordered',          anyOrder, [a, b],             [b, a],                         ['soft ']],
  ['a list of any order, reordered, gained',  anyOrder, [a, b],             [bWithId, aWithId],             ['soft ']],
  ['a list of any order, gained',             anyOrder, [a, b],             [aWithId, bWithId],             []],
  ['lists of any order within one, reordered', nested,  [{ in: [a, b] }, { in: [b] }], [{ in: [b] }, { in: [b, a] }], ['soft ']],
  ['a list of any order, one item gained',    anyOrder, [{ ...a }, { ...a, title: 't' }], [{ ...a, title: 't' }, { ...a }], ['soft ']],
  ['a custom id of a rule that is another',   rule,     { id: 'x', customID: 'a', ruleID: 1 }, { id: 'y', customID: 'b', ruleID: 2 }, ['wrong /customID']],
  ['a list of any order with a wrong item',   anyOrder, [a, b],             [b, { url: 'c' }],              ['wrong /0/url', 'wrong /1/url']],
  ['a list of any order with one item twice', anyOrder, [a, b],             [b, b],                         ['wrong /0/url']],
  ['apps as a list',                          apps,     'web,ios',          ['ios', 'web'],                 []],
  ['apps as a text',                          apps,     ['web', 'ios'],     'web, ios',                     []],
  ['apps with one lost',                      apps,     ['web', 'ios'],     'web',                          ['wrong ']],
  ['no apps as an empty text',                apps,     [],                 '',                             []],
  ['apps left out',                           apps,     ['web'],            undefined,                      ['missing ']],
  ['what is merged',                          merged,   ['a'],              ['b', 'c'],                     []],
  ['what is merged and left out',             merged,   ['a'],              undefined,                      []],
  ['an object that gained members',           link,     a,                  aWithId,                        []],
  ['an object with a member lost',            link,     { url: 'a', title: 't' }, a,                        ['missing /title']],
  ['an object with a null member left out',   link,     { url: 'a', title: null }, a,                       []],
  ['an object that is null',                  link,     a,                  null,                           ['wrong ']],
  ['an object that is a list',                link,     a,                  [],                             ['type ']],
  ['a member that nobody documented',         link,     { other: 1 },       {},                             []],
  ['a member from the prototype',             { type: 'object', properties: { toString: text } }, { toString: 'a' } as Json, {}, ['missing /toString']],
  ['a free-form object as it was',            free,     { x: [1, { y: null }] }, { x: [1, { y: null }] },   []],
  ['a free-form object in another order',     free,     { x: 1, y: 2 },     { y: 2, x: 1 },                 []],
  ['a free-form object that gained',          free,     { x: 1 },           { x: 1, y: 2 },                 ['free-form ']],
  ['a free-form object that lost a null',     free,     { x: null },        {},                             ['free-form ']],
  ['a free-form object with a number as text', free,    { x: 1 },           { x: '1' },                     ['free-form ']],
  ['a free-form object with negative zero',   free,     { x: [-0] },        { x: [0] },                     []],
  ['a free-form object deep down',            link,     { more: { x: { y: 1 } } }, { more: { x: { y: 2 } } }, ['free-form /more']],
  ['a free-form object without names that make objects', free, { x: [{ constructor: 1, y: 2 }], prototype: 3 }, { x: [{ y: 2 }] }, []],
  ['one that lost another name beside them',  free,     { x: [{ constructor: 1, y: 2 }] }, { x: [{}] },         ['free-form ']],
  ['an object of which nothing is known',     undefined, { x: 1 },          { x: 2 },                       ['free-form ']],
];

const inShort = ({ kind, pointer }: Mismatch): string => `${kind} ${pointer}`;

test.each(rows)('%s', (_what, schema, sent, got, found) => {
  expect(compareEcho(sent, got, schema, '').map(inShort)).toEqual(found);
});

test('a place is a JSON Pointer from the root that is given, escaped, with what was sent and what came', () => {
  const schema = { type: 'object', properties: { 'a/b~c': texts } } as const satisfies Schema;
  expect(compareEcho({ 'a/b~c': ['x'] }, { 'a/b~c': ['y'] }, schema, '/data')).toEqual([
    { pointer: '/data/a~1b~0c/0', kind: 'wrong', sent: 'x', got: 'y' },
  ]);
});

test('an object made without a prototype is as good as any', () => {
  const bare = Object.assign(Object.create(null), { x: 1 });
  expect(compareEcho(bare, { x: 1 }, free, '')).toEqual([]);
});

// biome-ignore format: a table
test.each<readonly [what: string, sent: JsonObject, stored: JsonObject, found: readonly string[]]>([
  ['what was sent',                  { description: 'a' },        { description: 'a', id: 'b' },    []],
  ['another value',                  { description: 'a' },        { description: 'b' },             ['wrong /at/description']],
  ['a field that is not shown',      { description: 'a' },        {},                               []],
  ['another order of tags',          { tags: ['a', 'b'] },        { tags: ['b', 'a'] },             []],
  ['another type',                   { isEnabled: true },         { isEnabled: 'true' },            []],
  ['ids given anew, a member added', { rules: [{ id: '1', name: 'a', is: ['b', 'c'] }] }, { rules: [{ id: '2', name: 'a', is: ['c', 'b'], more: 1 }] }, []],
  ['another part of a rule',         { rules: [{ id: '1', name: 'a' }] }, { rules: [{ id: '1', name: 'b' }] }, ['wrong /at/rules/0/name']],
  ['a text of digits in a rule as a number', { rules: [{ is: ['5'] }] }, { rules: [{ is: [5] }] },   ['wrong /at/rules/0/is/0']],
  ['a rule too few',                 { rules: [{ name: 'a' }, { name: 'b' }] }, { rules: [{ name: 'a' }] }, ['wrong /at/rules']],
  ['a metric that gained members',   { monitoringMetrics: [{ name: 'a', type: 'sum' }] }, { monitoringMetrics: [{ name: 'a', type: 'sum', directionality: 'increase' }] }, []],
  ['another metric',                 { monitoringMetrics: [{ name: 'a', type: 'sum' }] }, { monitoringMetrics: [{ name: 'a', type: 'mean' }] }, ['wrong /at/monitoringMetrics/0/type']],
  ['what is not to be expected back', { reviewSettings: { requiredReview: true } }, { reviewSettings: {} }, []],
])('of an entity read back, %s', (_what, sent, stored, found) => {
  expect(storedMismatches(sent, stored, endpoints['patch-gate'], '/at').map(inShort)).toEqual(found);
});

test('a field that was shown before counts as shown', () => {
  const found = storedMismatches({ description: 'a' }, {}, endpoints['patch-gate'], '/at', { description: 'b' });
  expect(found.map(inShort)).toEqual(['missing /at/description']);
});
