import { expect, test } from 'vitest';
import type { Suspicion } from '../model/suspicion.ts';
import { suspicionWords } from './suspicion-words.ts';

const suspicion = (more: Partial<Suspicion>): Suspicion => ({
  kind: 'changed',
  resource: 'gate',
  id: 'a',
  field: 'tags',
  endpoint: 'patch-gate',
  pointer: '/data/tags',
  expected: [['old']],
  got: [],
  requirements: [],
  culprits: [],
  known: undefined,
  hasStood: false,
  shown: 1,
  excuses: new Set(),
  behindMs: undefined,
  isExplained: false,
  ...more,
});

// biome-ignore format: a table
test.each<[Partial<Suspicion>, string, string]>([
  [{},                                                        'tags of the gate a as it was: ["old"]',                                     '[]'],
  [{ kind: 'lost' },                                          '["old"], as last sent to the gate a',                                       '[]'],
  [{ kind: 'trace' },                                         'tags of the gate a as it was: ["old"], for the request was not carried out', '[]'],
  [{ kind: 'disagree' },                                      'tags of the gate a as other answers show it: ["old"]',                      '[]'],
  [{ kind: 'swapped' },                                       'the gate a',                                                                'what another gate has'],
  [{ kind: 'missing', resource: 'metric', expected: ['a'] },  'the metric a in the list',                                                  'it is not listed'],
  [{ kind: 'present', resource: 'metric', expected: [], got: 'a' }, 'no metric a in the list',                                             'it shows "a"'],
  [{ kind: 'present', resource: 'metric', expected: ['e'] },  '"e" in the lineage of the metric a',                                        '[]'],
])('%j in words', (more, expected, actual) => {
  expect(suspicionWords(suspicion(more))).toEqual({ expected, actual });
});
