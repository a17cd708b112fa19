import { expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { disables } from './disables.ts';

const isDisabling = ({ endpoint }: ApiRequest): boolean => endpoint === 'disable-gate';
/** Refuses to disable a gate that is disabled. */
const once: Wrong = model => {
  let isDisabled = false;
  return (request, body) => {
    const isAgain = isDisabling(request) && isDisabled;
    isDisabled = isDisabling(request) || (isDisabled && (body as { isEnabled?: boolean }).isEnabled !== true);
    return isAgain ? { status: 409 } : model(request, body);
  };
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[]]>([
  ['a right server',                       right,                                                        []],
  ['a second disabling that is refused',   once,                                                         ['state.disable-gate-idempotent status']],
  ['one of a gate that does not exist',    instead({ status: 200, value: { data: {} } }, ({ param }) => param === 'conform-test-none'), ['state.disable-unknown-gate status']],
])('%s', async (_what, wrong, found) => {
  expect((await judgedBy(disables, 'disable-gate', wrong)).found).toEqual(found);
});

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, because: readonly string[]]>([
  ['disabled',         instead({ status: 400 }, isDisabling),                                    ['disabling was refused (status 400)']],
  ['enabled first',    instead({ status: 400 }, (_request, body) => body.isEnabled === true),    ['enabling the gate first was refused (status 400)']],
  ['read back',        instead({ status: 400 }, ({ endpoint }, body) => endpoint === 'patch-gate' && !('tags' in body)),  ['what was written could not be read back (status 400)']],
])('nothing is proved of a gate that could not be %s', async (_what, wrong, because) => {
  expect((await judgedBy(disables, 'disable-gate', wrong)).because).toEqual(because);
});

test('a target that refuses much at once is given what matters alone', async () => {
  const atOnce = instead({ status: 400 }, (_request, body) => 'tags' in body);
  const { results, because, suspected } = await judgedBy(disables, 'disable-gate', atOnce);
  expect([because, suspected]).toEqual([[], []]);
  expect(results.every(({ proved, violations }) => proved && violations.length === 0)).toBe(true);
});
