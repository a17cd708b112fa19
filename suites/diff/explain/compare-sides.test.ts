import { describe, expect, test } from 'vitest';
import type { Json } from '../../../contracts/json.ts';
import { onePage } from '../../proof/testing/answers.ts';
import type { Recording } from '../record/recording.ts';
import { exchange, type Made, recording, shows } from '../record/recordings.fixture.ts';
import { compareSides } from './compare-sides.ts';

const of = 'patch-gate/frame#one';
const run = (token: string, made: readonly Partial<Made>[], rest: Partial<Recording> = {}): Recording =>
  recording(
    token,
    made.map((one, index) =>
      exchange({ id: index === 0 ? of : `${of}.${index + 1}`, param: 'g', body: { measureMetricLifts: true }, ...one }),
    ),
    rest,
  );
const placesOf = (a: readonly Partial<Made>[], b: readonly Partial<Made>[], sameStart = true) =>
  compareSides([run('aaaa', a)], [run('bbbb', b)], sameStart).comparison.places.map(
    ({ label, requirement = '-', pointer, aspect }) => `${label} ${requirement} ${pointer} ${aspect}`,
  );
const gate = (members: { readonly [name: string]: Json }) => [{ value: shows({ id: 'g', ...members }) }];

describe('two answers to one request', () => {
  // biome-ignore format: a table
  test.each<[what: string, a: Partial<Made>, b: Partial<Made>, places: readonly string[]]>([
    ['that are alike',                    {},                                      {},                                      []],
    ['accepted and refused',              { body: {} },                            { body: {}, status: 400 },                         ['open open.empty-body status outcome']],
    ['refused with other statuses',       { status: 400 },                         { status: 422 },                         ['open open.error-status status status']],
    ['refused in other shapes',           { status: 400, value: { error: 'x' } },  { status: 400, value: { errors: ['x'] } }, ['open open.error-body body value']],
    ['refused in other words',            { status: 400, value: { error: 'x' } },  { status: 400, value: { error: 'y' } },  []],
    ['accepted with other codes',         { value: shows({}) },                    { value: shows({}), status: 202 },       ['unsaid - status status']],
    ['that never came and came',          {},                                      { status: 0, failure: 'timeout' },       ['unsaid - status answered']],
    ['that never came',                   { status: 0, failure: 'timeout' },       { status: 0, failure: 'dropped' },       []],
    ['put off',                           {},                                      { status: 429 },                         []],
    ['with another message',              { value: shows({}) },                    { value: { message: 'Ok', data: {} } },  ['unsaid - /message value']],
    ['that read other rules',             { body: {}, value: shows({ id: 'g', rules: [{ id: 'r' }] }) }, { body: {}, value: shows({ id: 'g', rules: [] }) }, ['open open.read-after-write /data/rules value']],
    ['without a key',                     { status: 401, request: { key: 'none' } }, { status: 403, request: { key: 'none' } }, ['open open.missing-key-status status status']],
  ])('%s', (_, a, b, places) => expect(placesOf([a], [b])).toEqual(places));
});

describe('what two servers show of an entity', () => {
  // biome-ignore format: a table
  test.each<[what: string, a: { [name: string]: Json }, b: { [name: string]: Json }, places: readonly string[]]>([
    ['a field that nobody documents',        { shiny: 1 },                       {},                                  ['unsaid - /data/shiny presence']],
    ['a field of a request alone',           { gradual_rollout_strategy: {} },   {},                                  ['open open.request-only-fields /data/gradual_rollout_strategy presence']],
    ['another value',                        { description: 'x' },               { description: 'y' },                ['unsaid - /data/description value']],
    ['another type',                         { checksPerHour: 1 },               { checksPerHour: '1' },              ['unsaid - /data/checksPerHour type']],
    ['a clock',                              { createdTime: 1_760_000_000_000 }, { createdTime: 1_770_000_000_000 },  []],
    ['another unit of a clock',              { createdTime: 1_760_000_000_000 }, { createdTime: 1_760_000_000 },      ['open open.timestamp-unit /data/createdTime value']],
    ['a measurement',                        { checksPerHour: 1 },               { checksPerHour: 2 },                []],
    ['ids of their own',                     { creatorID: 'u1' },                { creatorID: 'v7' },                 []],
    ['one id where the other has two',       { creatorID: 'u1', lastModifierID: 'u1' }, { creatorID: 'v7', lastModifierID: 'v8' }, ['unsaid - /data/lastModifierID value']],
    ['tags in another order',                { tags: ['a', 'b'] },               { tags: ['b', 'a'] },                ['unsaid - /data/tags order']],
    ['a status of a gate',                   { status: 'Launched' },             { status: 'In Progress' },           ['open open.gate-status-values /data/status value']],
    ['a rule of another shape',              { rules: [{ id: 'r' }] },           { rules: [{ id: 'r', more: 1 }] },   ['open open.gate-item-shapes /data/rules/*/more presence']],
    ['other rules',                          { rules: [{ id: 'r' }] },           { rules: [] },                       ['unsaid - /data/rules value']],
  ])('%s', (_, a, b, places) => expect(placesOf(gate(a), gate(b))).toEqual(places));

  test('names the groups of each experiment as it likes, where each keeps its own', () => {
    const groups = (param: string, ids: readonly string[]): Partial<Made> => ({
      endpoint: 'enable-groups',
      param,
      body: { group_names: ['x'] },
      value: shows({ id: param, groups: ids.map((id, index) => ({ id, name: `G${index}` })) }),
    });
    const counted = [groups('e', ['1', '2']), groups('f', ['1', '2'])];
    expect(placesOf(counted, [groups('e', ['u', 'v']), groups('f', ['x', 'y'])])).toEqual([]);
    const renamed = [groups('e', ['u', 'v']), groups('e', ['v', 'u'])];
    expect(placesOf([groups('e', ['1', '2']), groups('e', ['1', '2'])], renamed)).toHaveLength(1);
  });

  test('is compared by presence and type where it was there before the run', () => {
    const [a, b] = [gate({ description: 'x', shiny: 1 }), gate({ description: 'y' })];
    const { comparison } = compareSides([run('aaaa', a)], [run('bbbb', b)], false);
    expect(comparison.places.map(({ pointer }) => pointer)).toEqual(['/data/shiny']);
    expect(comparison.start).toEqual([{ endpoint: 'patch-gate', pointer: '/data/description', count: 1 }]);
  });

  test('is what each was sent, where that differs by the names of the servers', () => {
    const own = (team: string) => [{ body: { team }, value: shows({ id: 'g', team }) }];
    expect(placesOf(own('payments'), own('billing'))).toEqual([]);
    const lost = [{ body: { team: 'billing' }, value: shows({ id: 'g', team: null }) }];
    expect(placesOf(own('payments'), lost)).toEqual(['unsaid - /data/team value']);
  });

  test('shows what another case wrote, where both took that', () => {
    const shown = (isTaken: boolean, members: { readonly [name: string]: Json }): Partial<Made>[] => [
      { body: { team: 'x' }, ...(isTaken ? { value: shows({ id: 'g', ...members }) } : { status: 400 }) },
      { id: 'patch-gate/frame#two', value: shows({ id: 'g', ...members }) },
    ];
    const places = (b: Partial<Made>[]) => placesOf(shown(true, { team: 'x' }), b);
    expect(places(shown(true, {}))).toEqual(['unsaid - /data/team presence']);
    expect(places(shown(false, {}))).toEqual(['unsaid - status outcome']);
  });

  test('counts its version on in steps of its own', () => {
    const counted = (step: number) => [
      { body: { tags: [] }, value: shows({ id: 'g', version: 5 }) },
      { body: { tags: ['a'] }, value: shows({ id: 'g', version: 5 + step }) },
    ];
    expect(placesOf(counted(1), counted(1))).toEqual([]);
    expect(placesOf(counted(1), counted(10))).toEqual(['open open.version-increase /data/version value']);
  });
});

describe('lists', () => {
  const page = (keys: readonly string[], rest: Json = null): Partial<Made>[] => [
    {
      endpoint: 'list-segments',
      value: shows(
        keys.map(id => ({ id, rest })),
        { pagination: onePage(keys).pagination },
      ),
    },
  ];
  const left = 'conform_cccc_1';
  // biome-ignore format: a table
  test.each<[what: string, a: readonly Partial<Made>[], b: readonly Partial<Made>[], sameStart: boolean, places: readonly string[]]>([
    ['that are alike',                        page(['a', 'b']),    page(['a', 'b']),    true,  []],
    ['in another order',                      page(['a', 'b']),    page(['b', 'a']),    true,  ['unsaid - /data order']],
    ['of other items',                        page(['a', 'b']),    page(['a', 'c']),    true,  ['unsaid - /data value']],
    ['with what earlier runs left there',     page(['a', left]),   page(['a', left]),   true,  []],
    ['with it, and in another order',         page(['a', 'b', left]), page(['b', left, 'a']), true, ['unsaid - /data order']],
    ['with it, and of other items',           page(['a', left]),   page(['b', left]),   true,  ['unsaid - /data value']],
    ['of other items, which were there',      page(['a', 'b']),    page(['c']),         false, []],
    ['with another value in an item',         page(['a'], 'x'),    page(['a'], 'y'),    true,  ['unsaid - /data/*/rest value']],
    ['with one that was there before',        page(['a'], 'x'),    page(['a'], 'y'),    false, []],
  ])('%s', (_, a, b, sameStart, places) => expect(placesOf(a, b, sameStart)).toEqual(places));

  test('of which every item of one shows a field, and none of the other', () => {
    const items = (ids: readonly string[], more: { [name: string]: Json }): Partial<Made>[] => [
      { endpoint: 'list-segments', value: shows(ids.map(id => ({ id, ...more }))) },
    ];
    expect(placesOf(items(['a'], { shiny: 1 }), items(['b'], {}), false)).toEqual(['unsaid - /data/*/shiny presence']);
    const [a, b] = [run('aaaa', items(['a', 'c'], { shiny: 1 })), run('bbbb', items(['b'], {}))];
    const [place] = compareSides([a], [b], false).comparison.places;
    expect(place?.example.steps).toMatchObject([{ a: { status: 200 }, b: { status: 200 } }]);
    expect(place).toMatchObject({ lacks: 'b' });
  });
});

describe('what differs from itself', () => {
  const drawn = (value: string) => gate({ salted: value });

  test('is noise, on either side', () => {
    const places = (a: readonly string[], b: readonly string[]) => {
      const [runsOfA, runsOfB] = [a, b].map((values, side) => values.map(value => run(`${side}`, drawn(value))));
      return compareSides(runsOfA as never, runsOfB as never, true).comparison;
    };
    expect(places(['x', 'x'], ['y', 'y']).places).toHaveLength(1);
    expect(places(['x', 'z'], ['y', 'y'])).toMatchObject({
      places: [],
      noise: [{ because: 'A differs from itself here' }],
    });
    expect(places(['x', 'x'], ['y', 'z'])).toMatchObject({
      places: [],
      noise: [{ because: 'B differs from itself here' }],
    });
  });

  test('is no noise where it is there on one side alone', () => {
    const [a, b] = [[run('aaaa', gate({}))], [run('bbbb', drawn('x')), run('cccc', drawn('y'))]];
    expect(compareSides(a as never, b as never, true).comparison.places).toMatchObject([
      { pointer: '/data/salted', aspect: 'presence', lacks: 'a', statuses: { a: 200, b: 200 } },
    ]);
  });

  test('is noise in its case alone, where it is whether an answer was accepted', () => {
    const other = 'patch-gate/frame#two';
    const runs = (token: string, one: number, two: number) =>
      recording(token, [exchange({ id: of, status: one }), exchange({ id: other, body: {}, status: two })]);
    const { places } = compareSides([runs('a', 200, 200), runs('c', 400, 200)], [runs('b', 400, 400)], true).comparison;
    expect(places).toMatchObject([{ example: { path: 'two' }, occurrences: 1, statuses: { a: 200, b: 400 } }]);
  });
});
