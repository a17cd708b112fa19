import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, type Model, right, type Wrong } from '../../proof/testing/model.ts';
import { neighbours } from './neighbours.ts';

/** Stores concurrent writes under the gate of the previous one. */
const mixing: Wrong = model => {
  let last: string | undefined;
  return (request, body) => {
    const description = (body as { description?: string } | undefined)?.description ?? '';
    if (!description.includes('at once')) return model(request, body);
    const param = last ?? request.param;
    last = request.param;
    (model as Model)({ ...request, param }, body);
    return { status: 200, value: { data: {} } };
  };
};

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, found: readonly string[]]>([
  ['a right server, patches',           'patch-gate',   right,                                            []],
  ['a right server, disabling',         'disable-gate', right,                                            []],
  ['writes at once mixed up',           'patch-gate',   mixing,                                           ['state.concurrent-answers /data/description']],
])('%s', async (_what, endpoint, wrong, found) => {
  expect((await judgedBy(neighbours, endpoint, wrong)).suspected).toEqual(found);
});

test('refused writes prove nothing', async () => {
  const refused = instead({ status: 400 }, (_request, body) => 'description' in body);
  expect((await judgedBy(neighbours, 'patch-gate', refused)).because).toEqual([
    'the write was refused (status 400)',
    'of 3 requests at once all were refused (status 400)',
  ]);
});

test('it takes two gates', async () => {
  const { target } = contextOf('patch-gate');
  const more = { target: { ...target, fixtures: { gates: ['gate_a'] } } };
  expect((await judgedBy(neighbours, 'patch-gate', right, more)).because).toEqual([
    'the target file names one gate, and this takes two',
  ]);
});
