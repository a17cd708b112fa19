import { expect, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import { givenAnswer, observed } from '../../proof/testing/answers.ts';
import { notJudged, passed } from '../../protocol/check.ts';
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

test('a success shows it beside its data and its links, which others have written', () => {
  const trace = 'Error: x\n    at handle (/srv/app/index.js:10:5)';
  expect(observed(disclosure, { value: { message: '', data: {}, debug: trace } })).toEqual(['robust.no-leak body']);
  const given = { message: '', data: { description: trace }, pagination: { all: '/srv/app/x.js' } };
  expect(observed(disclosure, { value: given })).toBe('not judged');
});

test('a link beside the data of a success is no file, and a page of documentation may show a trace', () => {
  expect(observed(disclosure, { value: { message: '', data: {}, self: '/app/gates/a.v2' } })).toBe('not judged');
  const body = { kind: 'broken', why: 'is no JSON', text: 'Traceback (most recent call last):' } as const;
  expect(disclosure.observe(givenAnswer({ status: 200, body }), endpoints['patch-gate'])).toEqual(notJudged);
});

test('a success, an empty refusal and silence', () => {
  expect(observed(disclosure, { status: 200 })).toBe('not judged');
  expect(observed(disclosure, { status: 200, value: { data: '/var/lib/a.db' } })).toBe('not judged');
  expect(observed(disclosure, { status: 400 })).toEqual([]);
  expect(observed(disclosure, { failure: { kind: 'dropped', message: '' } })).toBe('not judged');
});

test('a refusal without a body shows nothing of what its texts give away', () => {
  expect(disclosure.observe(givenAnswer({ status: 400 }), endpoints['patch-gate']).covers).toEqual([]);
});

/** Returns what a refusal of a request to this path is told to show. */
function shownBy(path: string, message: string): readonly string[] {
  const answer = givenAnswer({ status: 404, value: { message } });
  const reply = { ...answer.reply, request: { ...answer.reply.request, path } };
  return disclosure.observe({ ...answer, reply }, endpoints['patch-gate']).violations.map(({ actual }) => actual);
}

test.each([
  ['', '/console/v1/gates/gate.v2', '/app/console/v1/gates/gate.v2'],
  [' with a query', '/console/v1/gates/gate.v2?page=1.5', '/app/v.2/console/v1/gates/gate.v2'],
  [' decoded', '/console/v1/gates/..%2F..%2Fa%20b.txt', '/app/console/v1/gates/../../a b.txt'],
])('the path of the request below that of the API%s is no file', (_what, path, shown) => {
  expect(shownBy(path, `Nothing is at ${shown}.`)).toEqual([]);
});

test('a file whose path goes on after that of the request, or that stands beside it, is one', () => {
  const path = '/console/v1/gates/gate_a';
  for (const shown of [`/srv/app${path}.html`, `/app${path} (/srv/app/gates.js)`])
    expect(shownBy(path, `no such file: ${shown}`)).toEqual([expect.stringContaining('/srv/app/')]);
});

test.each([
  ['calls of .NET', 'at a() in '.repeat(6_500)],
  ['a call of JavaScript', `\n at ${'(:1'.repeat(21_000)}`],
  ['lines', '\n'.repeat(65_000)],
  ['a path', '/x/'.repeat(21_000)],
])('a long refusal of nothing but %s is searched to its end', (_what, text) => {
  const body = { kind: 'broken', why: 'is no JSON', text } as const;
  expect(disclosure.observe(givenAnswer({ status: 400, body }), endpoints['patch-gate'])).toEqual(passed);
});
