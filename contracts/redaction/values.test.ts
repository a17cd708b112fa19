import { expect, test } from 'vitest';
import type { CheckEnd, RunEvent } from '../report/journal.ts';
import { redactedEvent } from './events.ts';
import { createSecrets } from './secrets.ts';
import { documentOf, redactedValue } from './values.ts';

const secrets = createSecrets();
secrets.add('patch-gate', '«the key»');
secrets.add('en', '«the header»', 'field');
secrets.add('k', '«short»');

const body = (text: string) => ({ text, bytes: 9, truncated: false });
const exchange = (text: string) => ({
  id: 'patch-gate/accepts#1',
  request: { method: 'GET', url: `http://x/${text}`, headers: [{ name: text, value: 'en' }], body: body(text) },
  response: { status: 200, headers: [{ name: 'a', value: text }], body: body(`{"lang":"en","of":"${text}"}`) },
  durationMs: 1,
});

const end = (text: string): CheckEnd => ({
  event: 'check-end',
  id: 'patch-gate/accepts',
  endpoint: 'patch-gate',
  check: 'accepts',
  level: 'MUST',
  verdict: 'fail',
  because: text,
  remedy: text,
  findings: [
    {
      requirement: 'echo.patch-gate',
      level: 'MUST',
      pointer: `/data/${text}`,
      expected: text,
      actual: text,
      occurrences: 1,
      timeline: [text],
      accused: text,
      counterexample: {
        path: '1',
        unit: 'patch-gate/accepts',
        title: text,
        pointer: '',
        sent: { [text]: [text, 'en', 'k'] },
        shrinks: 0,
      },
      exchange: exchange(text),
      steps: [{ number: 1, exchange: { ...exchange(text), failure: text }, shown: text }],
    },
  ],
  notExercised: [{ field: text, because: text, remedy: text, requirements: ['field.patch-gate'] }],
  stats: { cases: 1, requests: 1, accepted: 1, refused: 0, durationMs: 1 },
});

test('every text of an event is without secrets, and what is our own stays', () => {
  const expected = JSON.parse(JSON.stringify(end('of «the key»'))) as CheckEnd;
  const [finding] = expected.findings;
  if (finding?.counterexample === undefined || finding.exchange === undefined) throw new Error('it has one');
  finding.counterexample.sent = { 'of «the key»': ['of «the key»', 'en', '«short»'] };
  for (const one of [finding.exchange, ...(finding.steps ?? []).map(step => step.exchange)])
    for (const header of one.request.headers) header.value = '«the header»';
  expect(redactedEvent(end('of patch-gate'), secrets)).toEqual(expected);
});

test('an event without a secret is the same one', () => {
  const events: RunEvent[] = [
    { event: 'check-start', id: 'patch-gate/accepts' },
    { event: 'observation', requirement: 'open.patch-gate', subject: 'a', value: 'b' },
    { event: 'snapshot', endpoint: 'patch-gate', param: 'a', body: { a: [{ lang: 'en' }, null, 1] } },
  ];
  for (const event of events) expect(redactedEvent(event, secrets)).toBe(event);
});

test('a member keeps its name, whatever that is, unless it is a secret', () => {
  const value = JSON.parse('{"__proto__":{"a":"patch-gate"},"patch-gate":1}') as object;
  expect(JSON.stringify(redactedValue(value, secrets))).toBe('{"__proto__":{"a":"«the key»"},"«the key»":1}');
});

test('of a document the names that its schema has stay, and what it does not foresee is looked through', () => {
  const schema = {
    type: 'object',
    properties: {
      'patch-gate': { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
      one: { anyOf: [{ type: 'string' }, { type: 'object', properties: { name: { type: 'string' } } }] },
    },
  } as const;
  const value = { 'patch-gate': [{ id: 'a patch-gate' }, 'patch-gate', { id: 'en' }], one: { name: 'patch-gate k' } };
  expect(documentOf(schema)(value, secrets)).toEqual({
    'patch-gate': [{ id: 'a «the key»' }, '«the key»', { id: 'en' }],
    one: { name: '«the key» k' },
  });
});

test('a key of digits is found where a target repeats it as a number', () => {
  const digits = createSecrets();
  digits.add('481516234242', '«the key»');
  const [finding] = end('of').findings;
  const fault = { kind: 'value', expected: 4815, got: { id: [481516234242, 4815] } } as const;
  const shown = redactedEvent({ ...end('of'), findings: [{ ...finding, fault }] } as RunEvent, digits) as CheckEnd;
  expect(shown.findings[0]?.fault).toEqual({ kind: 'value', expected: 4815, got: { id: ['«the key»', 4815] } });
});
