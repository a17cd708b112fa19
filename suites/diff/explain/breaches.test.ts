import { describe, expect, test } from 'vitest';
import type { Json } from '../../../contracts/json.ts';
import type { RecordedBreach, Recording } from '../record/recording.ts';
import { exchange, type Made, recording, shows } from '../record/recordings.fixture.ts';
import { compareSides } from './compare-sides.ts';

const of = 'patch-gate/frame#one';
const run = (token: string, made: readonly Partial<Made>[], rest: Partial<Recording> = {}): Recording =>
  recording(
    token,
    made.map(one => exchange({ id: of, param: 'g', body: { measureMetricLifts: true }, ...one })),
    rest,
  );
const gate = (members: { readonly [name: string]: Json }) => [{ value: shows({ id: 'g', ...members }) }];

describe('a requirement that one breaks', () => {
  const breach = (rest: Partial<RecordedBreach> = {}): RecordedBreach => ({
    id: of,
    requirement: 'gate.description.type',
    level: 'MUST',
    pointer: '/data/description',
    expected: 'a string',
    actual: 'a number',
    ...rest,
  });
  const made = gate({ description: 'x' });
  const broken = gate({ description: 1 });
  const sides = (ofA: readonly RecordedBreach[], ofB: readonly RecordedBreach[]) =>
    compareSides(
      [run('aaaa', ofA.length > 0 ? broken : made, { breaches: ofA })],
      [run('bbbb', ofB.length > 0 ? broken : made, { breaches: ofB })],
      true,
    ).comparison;

  test('is put to that one, and what comes of it is told once', () => {
    expect(sides([], [breach()]).places).toMatchObject([
      {
        label: 'b-breaks',
        requirement: 'gate.description.type',
        level: 'MUST',
        aspect: 'type',
        a: '"x"',
        b: 'a number',
      },
    ]);
    expect(sides([breach()], []).places).toMatchObject([{ label: 'a-breaks', a: 'a number', b: '"x"' }]);
  });

  test('is no difference where both break it', () => {
    const both = sides([breach()], [breach()]);
    expect(both.places).toEqual([]);
    expect(both.shared).toEqual([{ requirement: 'gate.description.type', endpoints: ['patch-gate'] }]);
  });

  const two = 'patch-gate/frame#two';
  const bothCases = (token: string, breaches: readonly RecordedBreach[], shown: Json = {}) =>
    recording(
      token,
      [of, two].map(id => exchange({ id, param: 'g', body: { measureMetricLifts: true }, value: shown })),
      { breaches },
    );
  const labelsOf = (a: readonly Recording[], b: readonly Recording[]) => {
    const { places, shared } = compareSides(a as never, b as never, true).comparison;
    return [...places.map(one => `${one.label} ${one.example.path}`), ...shared.map(one => `both ${one.requirement}`)];
  };
  const failing = (id: string): RecordedBreach => breach({ id, requirement: 'robust.no-5xx', pointer: '' });

  test('is put to each where both break it, in cases that have nothing to do with one another', () => {
    expect(labelsOf([bothCases('aaaa', [failing(of)])], [bothCases('bbbb', [failing(two)])])).toEqual([
      'b-breaks two',
      'a-breaks one',
    ]);
    const more = bothCases('bbbb', [failing(of), failing(two)]);
    expect(labelsOf([bothCases('aaaa', [failing(of)])], [more])).toEqual(['b-breaks two', 'both robust.no-5xx']);
  });

  test('is shown by what its own operation answered, with the title of the case, where only that side was sent it', () => {
    const [first, second] = [`${of}.2`, `${of}.3`];
    const lists = [
      exchange({ id: first, endpoint: 'list-segments' }),
      exchange({ id: second, endpoint: 'list-qualifying-events' }),
    ];
    const breaches = [first, second].map(id => breach({ id, requirement: 'pagination.complete', pointer: '/data' }));
    const b = recording('bbbb', [exchange({ id: of }), ...lists], { breaches });
    const { places } = compareSides([recording('aaaa', [exchange({ id: of })])], [b], true).comparison;
    expect(places.map(({ endpoint, example }) => [endpoint, example.title, example.steps[0]?.request?.path])).toEqual([
      ['list-segments', `the case ${second}`, '/console/v1/segments'],
      ['list-qualifying-events', `the case ${second}`, '/console/v1/experiments/qualifying_events'],
    ]);
  });

  test('is shared where it is one place of the answer, or where luck decides which case shows it', () => {
    const at = (id: string): RecordedBreach => breach({ id });
    expect(labelsOf([bothCases('aaaa', [at(of)])], [bothCases('bbbb', [at(two)])])).toEqual([
      'both gate.description.type',
    ]);
    const now = [bothCases('bbbb', [failing(two)]), bothCases('cccc', [failing(of)])];
    expect(labelsOf([bothCases('aaaa', [failing(of)])], now)).toEqual(['both robust.no-5xx']);
  });

  // biome-ignore format: a table
  test.each<[what: string, breach: Partial<RecordedBreach>, a: Json, b: Json, places: readonly string[]]>([
    ['a message, beside a member that nobody documents', { requirement: 'message.gate', pointer: '/message' }, shows({ id: 'g' }), { message: 'x', data: { id: 'g', shiny: 1 } }, ['b-breaks /message', 'unsaid /data/shiny']],
    ['one member, beside another one',                   {},                                                  shows({ description: 'x', status: 'x' }), shows({ description: 1, status: 'y' }), ['b-breaks /data/description', 'open /data/status']],
    ['the state, beside a member that nobody documents', { requirement: 'state.patch-only-sent', pointer: '/data/tags' }, shows({ tags: ['a'], name: 'x' }), shows({ tags: [], name: 'y', shiny: 1 }), ['b-breaks /data/tags', 'unsaid /data/shiny']],
    ['the whole answer',                                 { requirement: 'envelope.object', pointer: '' },         shows({ id: 'g' }), ['x'], ['b-breaks ']],
  ])('is put to %s, and hides nothing that does not come of it', (_, odd, a, b, places) => {
    const broken = bothCases('bbbb', [breach(odd), breach({ ...odd, id: two })], b);
    const { comparison } = compareSides([bothCases('aaaa', [], a)], [broken], true);
    expect(comparison.places.map(({ label, pointer }) => `${label} ${pointer}`)).toEqual(places);
  });

  test('is no difference where a side died of it, or where a warning was seen only sometimes', () => {
    const dead = run('bbbb', [{ status: 0, failure: 'dropped' }], { breaches: [breach()], outcome: 'unreachable' });
    expect(compareSides([run('aaaa', made)], [dead], true).comparison.places).toEqual([]);
    const warned = run('bbbb', made, { breaches: [breach({ level: 'SHOULD' })] });
    expect(compareSides([run('aaaa', made)], [warned, run('cccc', made)], true).comparison.places).toEqual([]);
    expect(compareSides([run('aaaa', made)], [warned], true).comparison.places).toHaveLength(1);
  });
});
