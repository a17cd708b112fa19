import { expect, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import { givenAnswer, observed } from '../../proof/testing/answers.ts';
import { disclosure } from './disclosure.ts';

// biome-ignore format: a table
test.each<readonly [what: string, text: string]>([
  ['a JavaScript stack trace',  'TypeError: x\n    at handle (/srv/app/index.js:10:5)'],
  ['a Python traceback',        'Traceback (most recent call last):\n  File "x.py"'],
  ['a Java stack trace',        'at org.example.Api.handle(Api.java:42)'],
  ['a Go panic',                'goroutine 7 [running]:'],
  ['a .NET stack trace',        'at Api.Gates.Patch(String id) in Gates.cs:line 12'],
  ['a Ruby backtrace',          "gates.rb:12:in `patch'"],
  ['a file path of the server', 'cannot read /var/lib/gates/gates.db'],
])('%s in a refusal is found', (what, text) => {
  const answer = givenAnswer({ status: 500, body: { kind: 'broken', why: 'is no JSON', text } });
  const { violations } = disclosure.observe(answer, endpoints['patch-gate']);
  expect(violations.map(({ requirement }) => requirement)).toEqual(['robust.no-leak']);
  expect(violations[0]?.actual).toContain(what);
  expect(observed(disclosure, { status: 400, value: { message: text } })).toEqual(['robust.no-leak body']);
});

test.each([
  ['a sentence', 'The name is too long: at most 100 characters.'],
  ['a path of the API', 'No operation at /console/v1/gates/gate_a.'],
  ['a time', 'Try again at 10:20:30.'],
])('%s gives nothing away', (_what, message) => {
  expect(observed(disclosure, { status: 400, value: { message } })).toEqual([]);
});

test('a success, an empty refusal and silence', () => {
  expect(observed(disclosure, { status: 200, value: { data: '/var/lib/a.db' } })).toBe('not judged');
  expect(observed(disclosure, { status: 400 })).toEqual([]);
  expect(observed(disclosure, { failure: { kind: 'dropped', message: '' } })).toBe('not judged');
});

test('a refusal without a body shows nothing of what its texts give away', () => {
  expect(disclosure.observe(givenAnswer({ status: 400 }), endpoints['patch-gate']).covers).toEqual([]);
});
