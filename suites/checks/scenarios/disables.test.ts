import { expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { disables } from './disables.ts';

const isDisabling = ({ endpoint }: ApiRequest): boolean => endpoint === 'disable-gate';

/** Disables by a patch of its own. */
const byPatch =
  (patch: (isFirst: boolean) => object): Wrong =>
  model => {
    let calls = 0;
    return (request, body) => {
      if (!isDisabling(request) || request.param !== 'gate_c') return model(request, body);
      calls += 1;
      return model({ ...request, endpoint: 'patch-gate' }, { ...patch(calls === 1) });
    };
  };
/** Refuses to disable a gate that is disabled. */
const once: Wrong = model => {
  let calls = 0;
  return (request, body) => {
    if (isDisabling(request)) calls += 1;
    return isDisabling(request) && calls > 1 ? { status: 409 } : model(request, body);
  };
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[]]>([
  ['a right server',                       right,                                                        []],
  ['a status that follows',                byPatch(() => ({ isEnabled: false, status: 'Launched', version: 8 })), []],
  ['a disable that toggles',               byPatch(isFirst => ({ isEnabled: !isFirst })),                ['state.disable-gate-false /data/isEnabled']],
  ['one that is answered but not stored',  model => answering('disable-gate', gate => ({ ...gate, isEnabled: false }))(byPatch(() => ({}))(model)), ['state.disable-gate-false /data/isEnabled']],
  ['one that is stored but not answered',  answering('disable-gate', gate => ({ ...gate, isEnabled: true })), ['state.disable-gate-false /data/isEnabled']],
  ['one that clears the tags',             byPatch(() => ({ isEnabled: false, tags: [] })),              ['state.disable-gate-frame /data/tags', 'state.disable-gate-idempotent /data/tags']],
  ['a second one that changes more',       byPatch(isFirst => ({ isEnabled: false, ...(isFirst ? {} : { description: '' }) })), ['state.disable-gate-idempotent /data/description', 'state.disable-gate-frame /data/description']],
  ['a second one that is refused',         once,                                                         ['state.disable-gate-idempotent status']],
  ['one of a gate that does not exist',    instead({ status: 200, value: { data: {} } }, ({ param }) => param === 'conform-test-none'), ['state.disable-unknown-gate status']],
])('%s', async (_what, wrong, found) => {
  expect((await judgedBy(disables, 'disable-gate', wrong)).found).toEqual(found);
});

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, because: readonly string[]]>([
  ['disabled',         instead({ status: 400 }, isDisabling),                                    ['disabling was refused (status 400), which the acceptance check reports']],
  ['enabled first',    instead({ status: 400 }, (_request, body) => body.isEnabled === true),    ['the gate could not be enabled first (status 400)']],
  ['read back',        instead({ status: 400 }, (_request, body) => !('tags' in body)),          ['the gate could not be read back']],
])('nothing is proved of a gate that could not be %s', async (_what, wrong, because) => {
  expect((await judgedBy(disables, 'disable-gate', wrong)).because).toEqual(expect.arrayContaining([...because]));
});

test('a target that refuses much at once is given what matters alone', async () => {
  const { results, because } = await judgedBy(
    disables,
    'disable-gate',
    instead({ status: 400 }, (_request, body) => 'tags' in body),
  );
  expect(because).toEqual([]);
  expect(results.every(({ proved, violations }) => proved && violations.length === 0)).toBe(true);
});
