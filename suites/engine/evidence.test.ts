import { expect, test } from 'vitest';
import { createSecrets } from '../../contracts/redaction/secrets.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import { targetOf } from '../sut/target.ts';
import { exchangeOf, keptAnswer } from './evidence.ts';

const key = 'the-secret-key';
const target = targetOf({}, new URL('http://127.0.0.1:9/below/'), key);
const secrets = createSecrets();
secrets.add(key, '«key»');

test('shows the request and the response as they were on the wire', () => {
  const exchange = exchangeOf(givenAnswer({ value: { a: 1 }, sent: { b: 'é' }, id: 'x/y#1' }), target, secrets);
  expect(exchange).toMatchObject({
    id: 'x/y#1',
    request: {
      method: 'PATCH',
      url: 'http://127.0.0.1:9/below/x',
      body: { text: '{"b":"é"}', bytes: 10, truncated: false },
    },
    response: { status: 200, body: { text: '{"a":1}', bytes: 7, truncated: false } },
  });
  expect(exchange).not.toHaveProperty('failure');
});

test('a request without an answer shows why, and no response', () => {
  const exchange = exchangeOf(givenAnswer({ failure: { kind: 'timeout', message: 'too late' } }), target, secrets);
  expect(exchange.failure).toBe('too late');
  expect(exchange).not.toHaveProperty('response');
});

test('bodies are bounded, and the bytes before the cut are told', () => {
  const exchange = exchangeOf(givenAnswer({ value: 'é'.repeat(5000) }), target, secrets);
  expect(exchange.response?.body).toMatchObject({ bytes: 10_002, truncated: true });
  expect(exchange.response?.body.text).toHaveLength(4096);
});

test('what was sent is kept whole four times as far, so that it can be sent again', () => {
  const sent = (length: number) =>
    exchangeOf(givenAnswer({ sent: 'x'.repeat(length - 2) }), target, secrets).request.body;
  expect(sent(16_384)).toMatchObject({ bytes: 16_384, truncated: false });
  expect(sent(16_385)).toMatchObject({ bytes: 16_385, truncated: true });
});

test.each([4080, 4090, 4095, 4096])('a secret that begins at character %i is not cut in two and shown', at => {
  const exchange = exchangeOf(givenAnswer({ value: `${'x'.repeat(at - 1)}${key}` }), target, secrets);
  expect(exchange.response?.body.text).not.toMatch(/the-/);
});

test('headers are bounded in number and length, and redacted before they are cut', () => {
  const answer = givenAnswer({ value: {} });
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`h${index}`, 'v']));
  const headers = { long: `${'x'.repeat(505)}${key}`, several: [key, 'b'], ...many };
  const { response } = exchangeOf({ ...answer, reply: { ...answer.reply, headers } }, target, secrets);
  expect(response?.headers).toHaveLength(40);
  expect(response?.headers[0]?.value).toMatch(/^x{505}«key»$/);
  expect(response?.headers.slice(1, 3)).toEqual([
    { name: 'several', value: '«key»' },
    { name: 'several', value: 'b' },
  ]);
});

test('the key is taken out of the URL and of the request', () => {
  const answer = givenAnswer({ sent: { note: key } });
  const request = { ...answer.reply.request, path: `/x?SERVICE-API-KEY=${key}`, headers: { 'SERVICE-API-KEY': key } };
  const exchange = exchangeOf({ ...answer, reply: { ...answer.reply, request } }, target, secrets);
  expect(JSON.stringify(exchange)).not.toContain(key);
  expect(exchange.request.url).toContain('SERVICE-API-KEY=«key»');
});

test.each([
  ['of nothing but secrets, longer than what is looked through', key.repeat(2_000)],
  ['whose secret stands where the looking through ends', `${'x'.repeat(4_096 + 4_096 - 4)}${key}`],
])('a long body %s shows none, and is told to be cut', (_what, value) => {
  const { response } = exchangeOf(givenAnswer({ value }), target, secrets);
  expect(response?.body.text).not.toMatch(/the-|secret/);
  expect(response?.body.truncated).toBe(true);
});

test('headers are bounded all together, and in brief everything is shorter', () => {
  const answer = givenAnswer({ value: 'y'.repeat(9_000) });
  const headers = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`h${index}`, 'v'.repeat(9_000)]));
  const long = { ...answer, reply: { ...answer.reply, headers } };
  expect(JSON.stringify(exchangeOf(long, target, secrets)).length).toBeLessThan(14_000);
  expect(JSON.stringify(exchangeOf(long, target, secrets, true)).length).toBeLessThan(3_000);
});

test.each([
  ['short', { a: 1 }],
  ['long', ['z'.repeat(1_000_000)]],
  ['long and full of secrets', [key.repeat(2_000)]],
])('of a %s answer everything is kept that evidence covers, and little else', (_how, value) => {
  const answer = givenAnswer({ value });
  const headers = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`h${index}`, 'v']));
  const judged = { ...answer, reply: { ...answer.reply, headers } };
  const kept = keptAnswer(judged);
  expect(JSON.stringify(kept).length).toBeLessThan(10_000);
  expect(exchangeOf(kept, target, secrets)).toEqual(exchangeOf(judged, target, secrets));
});
