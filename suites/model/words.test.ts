import { expect, test } from 'vitest';
import type { Answer } from '../protocol/answer.ts';
import type { Suspicion } from './suspicion.ts';
import { suspectedViolation, suspicionWords } from './words.ts';

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
  certainBy: undefined,
  beside: [],
  ...more,
});

const places = { links: [{ url: 'a', text: 't' }], more: 1 };
const long = 'n'.repeat(200);

// biome-ignore format: a table
test.each<[Partial<Suspicion>, string, string, string?]>([
  [{},                                                        'tags of the gate a as it was: ["old"]',                                     '[]'],
  [{ requirements: ['state.neighbours'] },                    'tags of the gate a as it was, because only another gate was written: ["old"]', '[]'],
  [{ expected: ['old', 'new'] },                              'tags of the gate a as it was: "new" or "old"',                              '[]'],
  [{ expected: [places], got: { ...places, more: 2 } },       'tags.more of the gate a as it was: 1',                                           '2', '/data/tags/more'],
  [{ expected: [places], got: { ...places, links: [{ url: 'b', text: 't' }] } }, 'tags.links[0].url of the gate a as it was: "a"',                      '"b"', '/data/tags/links/0/url'],
  [{ expected: [places], got: { links: [], more: 2 } },       'tags of the gate a as it was: {"links":[{"url":"a","text":"t"}],"more":1}', '{"links":[],"more":2}'],
  [{ id: long, field: long },                                 `${'n'.repeat(120)}… of the gate ${'n'.repeat(120)}… as it was: ["old"]`,    '[]'],
  [{ kind: 'lost' },                                          '["old"], as last sent to the gate a',                                       '[]'],
  [{ kind: 'lost', setBy: 'disable', field: 'isEnabled', expected: [false], got: true }, 'false, because the gate a was disabled',             'true'],
  [{ kind: 'lost', setBy: 'answer', resource: 'metric' },     '["old"], as the answer to the creation of the metric a showed',             '[]'],
  [{ kind: 'lost', setBy: 'default', resource: 'metric', field: 'directionality', expected: ['increase'], got: 'decrease' }, '"increase", the default, because the metric a was created without directionality', '"decrease"'],
  [{ kind: 'lost', expected: ['one', 'two'], got: 'three' },  '"two" or "one", as sent to the gate a at the same time',                     '"three"'],
  [{ kind: 'trace', requirements: ['reject.no-trace'] },      'tags of the gate a as it was: ["old"], because the request was refused',     '[]'],
  [{ kind: 'trace', requirements: ['auth.no-effect'] },       'tags of the gate a as it was: ["old"], because the request had no valid key', '[]'],
  [{ kind: 'trace', requirements: ['state.dry-run-metric'] }, 'tags of the gate a as it was: ["old"], because the request was a dry run',   '[]'],
  [{ kind: 'disagree' },                                      'tags of the gate a as other answers show it: ["old"]',                      '[]'],
  [{ kind: 'swapped' },                                       'the gate a',                                                                'what another gate has'],
  [{ kind: 'missing', resource: 'metric', expected: ['a'] },  'the metric a in the list',                                                  'it is not listed'],
  [{ kind: 'present', resource: 'metric', expected: [], got: 'a' }, 'no metric a in the list, for none was created',                       'it shows "a"'],
  [{ kind: 'present', resource: 'qualifying-event', expected: ['b'], got: 'a' }, 'the name that the qualifying event a had: "b"',                     'it shows "a"'],
  [{ kind: 'present', resource: 'metric', expected: ['e'] },  '"e" in the lineage of the metric a',                                        '[]'],
])('%j in words', (more, expected, actual, pointer = '/data/tags') => {
  expect(suspicionWords(suspicion(more))).toEqual({ expected, actual, pointer });
});

test('what nobody sent is another value, and not one that was lost', () => {
  const answer = { success: true, status: 200 } as Answer;
  const kindOf = (more: Partial<Suspicion>) =>
    suspectedViolation(suspicion({ kind: 'lost', ...more }), answer, 'state.patch-every-sent').fault?.kind;
  expect(kindOf({})).toBe('lost');
  expect(kindOf({ setBy: 'disable' })).toBe('value');
});
