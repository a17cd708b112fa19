import { expect, test } from 'vitest';
import { stepOf } from './step-text.ts';

// biome-ignore format: a table
test.each([
  ['real',                                      'real'],
  ['500',                                       { status: 500 }],
  ['429 Retry-After: 1; X-Why: too busy: wait', { status: 429, headers: { 'Retry-After': '1', 'X-Why': 'too busy: wait' } }],
  ['real 1.5s',                                 { delay: { ms: 1500 } }],
  ['502 before reset',                          { status: 502, effect: 'before', wire: 'reset' }],
  ['200 drip=10',                               { status: 200, bytesPerSecond: 10 }],
  ['',                                          undefined],
  ['rael',                                      undefined],
  ['500 Retry-After',                           undefined],
  ['500 A: b; c',                               undefined],
])('%s', (line, step) => {
  expect(stepOf(line)).toEqual(step);
});
