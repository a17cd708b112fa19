import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasFinerNumber } from './open-body.ts';

const doubles = fc.double({ noDefaultInfinity: true, noNaN: true });

test('no number that a program writes of a double is finer than doubles', () => {
  fc.assert(fc.property(fc.array(doubles), values => !hasFinerNumber(JSON.stringify(values))));
});

test('a number a little beyond one with a fraction is', () => {
  const fractions = fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: 1, max: 99_999 }));
  fc.assert(
    fc.property(fractions, fc.integer({ min: 17, max: 40 }), ([whole, fraction], zeros) =>
      hasFinerNumber(`{"a":[${whole}.${fraction}${'0'.repeat(zeros)}1]}`),
    ),
  );
});

test.each([
  ['1e-400', true],
  ['[-0.0,0e9]', false],
  ['9007199254740993', false],
  ['{"0.99900000000000001":"\\"0.99900000000000001"}', false],
  ['["0.1\\\\",0.99900000000000001]', true],
  ['"0.99900000000000001', false],
])('of %s it is %s', (text, isFiner) => {
  expect(hasFinerNumber(text)).toBe(isFiner);
});
