import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import { sequences } from './sequences.ts';

/** Stores of a patch what is left of it, in view of how many came before. */
const storing =
  (change: (body: JsonObject, before: number) => JsonObject): Wrong =>
  model => {
    let writes = 0;
    return (request, body = {}) => {
      if (request.endpoint !== 'patch-gate' || JSON.stringify(body) === '{}') return model(request, body);
      writes += 1;
      return model(request, change(body as JsonObject, writes - 1));
    };
  };

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                          right,                                                                         []],
  ['a creator by another of its names',       storing(body => ('creatorEmail' in body ? { creatorID: 'user-2', ...body } : body)), []],
  ['a field that cannot be changed back',     storing((body, before) => (before > 0 && 'type' in body ? { ...body, type: 'PERMANENT' } : body)), ['state.patch-every-sent']],
  ['every other write lost',                  storing((body, before) => (before % 2 === 1 ? {} : body)),                     ['state.disable-gate-false', 'state.patch-every-sent']],
  ['a disable that is not stored',            model => (request, body) => (request.endpoint === 'disable-gate' ? { status: 200, value: { data: {} } } : model(request, body)), ['state.disable-gate-false']],
  ['a disable that undoes a patch',           model => (request, body) => {
    if (request.endpoint === 'disable-gate') model({ ...request, endpoint: 'patch-gate' }, { description: '' });
    return model(request, body);
  },                                                                                                                         ['state.patch-every-sent']],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(sequences, 'patch-gate', wrong, { amounts: { fuzz: 100, walks: 0, creations: 0 } })).cited).toEqual(cited);
});

test('refused steps prove nothing, and change nothing', async () => {
  const withTags = instead({ status: 400 }, (_request, body) => 'tags' in body);
  expect((await judgedBy(sequences, 'patch-gate', withTags)).cited).toEqual([]);
  const { because } = await judgedBy(sequences, 'patch-gate', instead({ status: 400 }));
  expect(because).toEqual(['every step was refused']);
});

test('a case tells its steps', async () => {
  const { results } = await judgedBy(sequences, 'patch-gate');
  expect(results.some(({ title }) => /^(patch|disable).*, then (patch|disable)/.test(title))).toBe(true);
});
