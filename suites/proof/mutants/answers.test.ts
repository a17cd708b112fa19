import { describe, expect, test } from 'vitest';
import { answerSchema, endpointIds } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { differences } from '../../../contracts/pointer.ts';
import { answerMutants, answerMutation, answerOperators, watchDiffering } from './answers.ts';
import { nameOf, placesOf } from './places.ts';
import type { Asked } from './seam.ts';

const asked = (param: string): Asked => ({ endpoint: 'list-segments', param, body: {} });

/** Answers with the bodies of a list, one after another. */
function served(operator: string, path: string, bodies: readonly JsonObject[]) {
  let differed = 0;
  const mutation = answerMutation({ operator, endpoint: 'list-segments', path: path.split('.') })(
    () => (differed += 1),
  );
  const answers = bodies.map(async body => (await mutation(asked(''), async () => ({ status: 200, body }))).body);
  return Promise.all(answers).then(shown => ({ shown, differed }));
}

const listed = (...items: readonly JsonObject[]): JsonObject => ({ message: 'ok', data: [...items], pagination: {} });
const items = (one: Json, other: Json, member: string): JsonObject =>
  listed({ id: 'a', [member]: one }, { id: 'b', [member]: other });

// biome-ignore format: a table
const examples: readonly (readonly [operator: string, member: string, was: readonly [Json, Json], is: readonly [Json | undefined, Json | undefined]])[] = [
  ['drop',       'count',       [1, 2],               [undefined, undefined]],
  ['null',       'count',       [1, 2],               [null, null]],
  ['retype',     'count',       [1, 2],               ['1', '2']],
  ['retype',     'tags',        [['x'], []],          [{ 0: 'x' }, {}]],
  ['neighbour',  'count',       [1, 2],               [2, 1]],
  ['off-by-one', 'count',       [1, 2],               [2, 3]],
  ['round',      'count',       [1.5, 2],             [2, 2]],
  ['truncate',   'description', ['x'.repeat(30), 'y'], ['x'.repeat(24), 'y']],
  ['trim',       'description', [' x ', 'y'],         ['x', 'y']],
  ['reorder',    'tags',        [['x', 'y'], ['z']],  [['y', 'x'], ['z']]],
  ['shorten',    'tags',        [['x', 'y'], []],     [['x'], []]],
  ['double',     'tags',        [['x', 'y'], []],     [['x', 'y', 'y'], []]],
  ['empty',      'tags',        [['x'], ['y']],       [[], []]],
  ['flip',       'isEnabled',   [true, false],        [false, true]],
];

describe('an operator', () => {
  test.each(examples)('%s changes %s and nothing else', async (operator, member, [one, other], [first, second]) => {
    const body = items(one, other, member);
    const { shown, differed } = await served(operator, `data.*.${member}`, [body]);
    const [answer] = shown as [JsonObject];
    const places = differences(body, answer);
    expect(places.every(place => place.endsWith(`/${member}`) || place.includes(`/${member}/`))).toBe(true);
    expect(answer.data).toEqual(
      [first, second].map((value, index) => ({ id: 'ab'[index], ...(value === undefined ? {} : { [member]: value }) })),
    );
    expect(differed).toBe(
      [one, other].filter((was, index) => differences(was, [first, second][index]).length > 0).length,
    );
  });

  test('a constant is what was shown first', async () => {
    const { shown } = await served('constant', 'data.*.count', [items(1, 2, 'count'), items(3, 1, 'count')]);
    expect(shown.map(({ data }) => data)).toEqual([items(1, 1, 'count').data, items(1, 1, 'count').data]);
  });

  test('a sibling is the next member of the type with another value', async () => {
    const body = listed({ id: 'a', count: 7, type: 'x', description: 'x' });
    const { shown } = await served('sibling', 'data.*.type', [body]);
    expect(shown[0]?.data).toEqual([{ id: 'a', count: 7, type: 'a', description: 'x' }]);
  });

  test('what is stale is shown one answer late, entity by entity', async () => {
    const { shown } = await served('stale', 'data.*.count', [items(1, 2, 'count'), items(3, 2, 'count')]);
    expect(shown.map(({ data }) => data)).toEqual([items(1, 2, 'count').data, items(1, 2, 'count').data]);
  });

  test('a single entity shows what another one showed', async () => {
    const mutation = answerMutation({ operator: 'neighbour', endpoint: 'disable-gate', path: ['data', 'name'] })(
      () => {},
    );
    const ask = async (param: string) =>
      (
        await mutation({ endpoint: 'disable-gate', param, body: {} }, async () => ({
          status: 200,
          body: { message: 'ok', data: { id: param, name: `gate ${param}` } },
        }))
      ).body.data;
    expect([await ask('1'), await ask('2'), await ask('2')]).toEqual([
      { id: '1', name: 'gate 1' },
      { id: '2', name: 'gate 1' },
      { id: '2', name: 'gate 1' },
    ]);
  });

  test('each of the table has an example here', () => {
    const elsewhere = ['constant', 'sibling', 'stale'];
    expect(new Set([...examples.map(([operator]) => operator), ...elsewhere])).toEqual(
      new Set(Object.keys(answerOperators)),
    );
  });
});

test('refusals, and the answers of other operations, stay', async () => {
  const mutation = answerMutation({ operator: 'null', endpoint: 'list-segments', path: ['message'] })(() => {});
  const refusal = { status: 404, body: { message: 'no' } };
  expect(await mutation(asked(''), async () => refusal)).toBe(refusal);
  const other = { status: 200, body: { message: 'yes' } };
  expect(await mutation({ ...asked(''), endpoint: 'patch-gate' }, async () => other)).toBe(other);
});

test('places are those of the contract, each once', () => {
  for (const id of endpointIds) {
    const names = placesOf(answerSchema(id)).map(({ path }) => nameOf(path));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('message');
  }
  expect(placesOf(answerSchema('list-segments')).map(({ path }) => nameOf(path))).toContain(
    'data.*.rules.conditions.*.targetValue',
  );
});

test('a mutant that would change nothing is not among those that differ', async () => {
  const found = new Set<number>();
  const watch = watchDiffering(found);
  const body = items('x', 'y', 'description');
  const answer = await watch(asked(''), async () => ({ status: 200, body }));
  expect(answer.body).toBe(body);
  const names = [...found]
    .map(number => answerMutants()[number])
    .map(mutant => `${mutant?.operator} ${mutant?.path.join('.')}`);
  expect(names).toContain('drop data.*.description');
  expect(names).not.toContain('trim data.*.description');
  expect(names).not.toContain('drop data.*.count');
});
