import { expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import { agrees } from './compare.ts';

const { properties } = endpoints['update-experiment'].body;
const link = (title: string) => ({ url: `https://example.com/${title}`, title });

// biome-ignore format: a table
test.each<readonly [name: 'links' | 'tags' | 'primaryMetrics', sent: readonly unknown[], shown: readonly unknown[], isRight: boolean]>([
  ['links',          [link('a'), link('b')],     [link('a'), link('b')],     true],
  ['links',          [link('a'), link('b')],     [link('b'), link('a')],     false],
  ['tags',           ['a', 'b'],                 ['B', 'a'],                 true],
  ['primaryMetrics', [{ name: 'a' }, { name: 'b' }], [{ name: 'b' }, { name: 'a' }], true],
])('%s that were sent are shown later in the same order, if it counts', (name, sent, shown, isRight) => {
  const compared = { asked: properties[name], shown: undefined };
  expect(agrees({ how: 'sent', value: sent }, shown, compared)).toBe(isRight);
});
