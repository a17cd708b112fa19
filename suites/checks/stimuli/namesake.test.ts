import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, membersOf, objectsIn } from '../../../contracts/json.ts';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, type Wrong } from '../../proof/testing/model.ts';
import { experimentNeighbours } from './experiment-neighbours.ts';
import { namesakeOf } from './namesake.ts';

const { target } = contextOf('enable-groups');
const beside = (groups: string[]) => ({
  ...target,
  fixtures: {
    ...target.fixtures,
    experiments: [
      { id: 'an_experiment', groups: ['Control', 'Test'] },
      { id: 'an_experiment_too', groups },
    ],
  },
});

/** Keeps which groups of each experiment are disabled; `reaches` tells in which others one is enabled too. */
const flagged =
  (reaches: (time: number) => boolean, shown: (isDisabled: boolean) => Json = isDisabled => isDisabled): Wrong =>
  model => {
    const disabled = new Set<string>();
    let time = 0;
    return (request, body) => {
      const given = model(request, body);
      const { param = '' } = request;
      const key = (name: unknown, of = param): string => JSON.stringify([of, name]);
      for (const { name, disabled: flag } of objectsIn(membersOf(body).groups))
        if (flag === true) disabled.add(key(name));
        else disabled.delete(key(name));
      for (const name of (membersOf(body).group_names ?? []) as readonly Json[]) {
        disabled.delete(key(name));
        if (param === 'an_experiment' && reaches(time++)) disabled.delete(key(name, 'an_experiment_too'));
      }
      const { data } = membersOf(given.value);
      if (!isObject(data) || !Array.isArray(data.groups)) return given;
      const groups = objectsIn(data.groups).map(one => ({ ...one, disabled: shown(disabled.has(key(one.name))) }));
      return { ...given, value: { ...membersOf(given.value), data: { ...data, groups } as JsonObject } };
    };
  };

const judged = (wrong: Wrong) =>
  judgedBy(experimentNeighbours, 'enable-groups', wrong, { target: beside(['Control', 'Large']) });

test('a group elsewhere that is enabled by its name is told, and a right server is not accused', async () => {
  expect((await judged(flagged(() => true))).found).toEqual(['state.neighbours /data/groups/0/disabled']);
  const sound = await judged(flagged(() => false));
  expect({ found: sound.found, because: sound.because }).toEqual({ found: [], because: [] });
  expect(sound.sent.at(-1)).toMatchObject({
    endpoint: 'enable-groups',
    param: 'an_experiment_too',
    body: { group_names: ['Control'] },
  });
});

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, because: string]>([
  ['it happens once, as somebody else may have done it', flagged(time => time === 1),          ''],
  ['flags are not shown',                                flagged(() => true, () => false),     'the group Control of an_experiment_too is not shown as disabled'],
  ['no group may be disabled',                           instead({ status: 403 }, (_, body) => JSON.stringify(body).includes('"disabled":true')), 'disabling a group of an_experiment_too was refused (status 403)'],
])('nothing is told where %s', async (_what, wrong, because) => {
  const { found, because: said } = await judged(wrong);
  expect(found).toEqual([]);
  expect(said.join('; ')).toContain(because);
});

test('it takes another experiment with a group of the same name, and one of another name', () => {
  const of = (groups: string[]) => namesakeOf(contextOf('enable-groups', { target: beside(groups) }));
  expect(of(['Large', 'Control'])).toEqual({ id: 'an_experiment_too', name: 'Control', reader: 'Large' });
  expect(of(['Control', 'Test'])).toBeUndefined();
  expect(of(['Small', 'Large'])).toBeUndefined();
});
