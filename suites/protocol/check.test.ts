import { expect, test } from 'vitest';
import { givenAnswer } from '../proof/testing/answers.ts';
import { violation } from './check.ts';

// biome-ignore format: a table
const kinds: readonly [pointer: string, status: number, kind: string][] = [
  ['connection',          200, 'unanswered'],
  ['/data/name',          200, 'value'],
  ['',                    200, 'body'],
  ['body',                200, 'body'],
  ['header content-type', 200, 'header'],
  ['query limit',         200, 'request'],
  ['status',              200, 'accepted'],
  ['status',              404, 'refused'],
  ['status',              503, 'failed'],
  ['status',              301, 'status'],
];

test.each(kinds)('a violation at %j of an answer with status %i is of the kind %s', (pointer, status, kind) => {
  expect(violation(givenAnswer({ status }), 'robust.no-hang', pointer, 'a', 'b')).toMatchObject({
    expected: 'a',
    actual: 'b',
    fault: { kind },
  });
});

test('a violation has the values of which it speaks, but for long ones', () => {
  const of = (expected: unknown, got: unknown) =>
    violation(givenAnswer({}), 'echo.sent-field', '/data/a', { words: '', value: expected }, { words: '', value: got });
  expect(of(null, [1]).fault).toEqual({ kind: 'value', expected: null, got: [1] });
  expect(of('a'.repeat(5_000), undefined).fault).toEqual({ kind: 'missing' });
});
