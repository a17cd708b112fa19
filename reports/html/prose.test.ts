import { expect, test } from 'vitest';
import { prose } from './prose.ts';

// biome-ignore format: a table
const cases: readonly [statement: string, pieces: string][] = [
  ['A gate has rules.',                        'plain:A gate has rules.'],
  ['The `id` of a gate.',                      'plain:The |code:id|plain: of a gate.'],
  ['`id`',                                     'code:id'],
  ['Success of *Create Metric* says `a * b`.', 'plain:Success of |emphasis:Create Metric|plain: says |code:a * b|plain:.'],
  ['A lone ` and a lone * stay.',              'plain:A lone ` and a lone * stay.'],
  ['2 * 3 * 4',                                'plain:2 * 3 * 4'],
  ['',                                         ''],
];

test.each(cases)('%s', (statement, pieces) => {
  expect(
    prose(statement)
      .map(({ text, as }) => `${as}:${text}`)
      .join('|'),
  ).toBe(pieces);
});
