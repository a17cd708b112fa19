import { expect, test } from 'vitest';
import { redactions } from '../../../contracts/report/evidence.ts';
import {
  bytesOf,
  type GivenExchange,
  gateUpdated,
  givenExchange,
  judgedInTurn as judged,
  judgedTraffic,
} from '../../proof/testing/exchanges.ts';
import type { ObservedExchange } from '../exchange/exchange.ts';
import { createRedaction } from '../exchange/redaction.ts';
import { harEntry } from '../recordings/har-entry.ts';

const json = JSON.stringify;
const patch = (more: GivenExchange): GivenExchange => ({
  method: 'PATCH',
  target: '/console/v1/gates/gate_a',
  answer: gateUpdated(),
  ...more,
});

/** Set `TRAFFIC_EXCHANGES=100000` to prove that memory does not grow. */
const most = Number(process.env.TRAFFIC_EXCHANGES ?? 10_000);

test('what is kept of ever so many exchanges is bounded', () => {
  function* many() {
    for (let number = 1; number <= most; number += 1) {
      const id = `gate_${number % 2_500}`;
      const target = number % 3 === 0 ? `/console/v1/unknown_${number}` : `/console/v1/gates/${id}`;
      const answer = number % 50 === 0 ? gateUpdated({ id }) : { message: 'No.' };
      const status = number % 50 === 0 ? 200 : 429;
      const headers = { 'SERVICE-API-KEY': `key-number-${number}` };
      yield givenExchange({ method: 'PATCH', target, body: {}, status, answer, headers }, number);
    }
  }
  const { remembered, report } = judgedTraffic(many(), { soleWriter: true });
  expect(report.traffic).toMatchObject({ exchanges: most, judged: most });
  expect(remembered).toBeLessThan(5_000);
});

test('of more than is remembered of state at once all is forgotten, and counted', () => {
  function* many() {
    for (let number = 1; number <= most; number += 1) {
      const id = `gate_${number}`;
      const answer = gateUpdated({ id, description: `number ${number}` });
      yield givenExchange(
        { method: 'PATCH', target: `/console/v1/gates/${id}`, body: {}, answer, sentAtMs: number },
        number,
      );
    }
  }
  const { remembered, report } = judgedTraffic(many(), { soleWriter: true });
  expect(remembered).toBeLessThan(120_000);
  expect(report.traffic?.stateNotJudged.map(({ because }) => because)).toEqual([
    'there was more to remember than is kept',
  ]);
});

test('of more keys than can be taken out of texts none is told, and what has none in a text is judged', () => {
  // A thousand characters each: the bound on the characters of all keys together takes effect.
  const keyOf = (number: number): string => `key-of-sandbox-${number}-`.padEnd(1_000, 'abcdefgh');
  const one = (number: number, more: GivenExchange = {}): GivenExchange =>
    patch({ body: { name: 'ab' }, headers: { 'SERVICE-API-KEY': keyOf(number) }, ...more });
  const many = Array.from({ length: 500 }, (_, index) => one(index));
  const leaking = many.map((_, index) => one(index, { body: { note: keyOf(index) } }));
  const { events, report } = judged([...many, ...leaking]);
  expect(report.traffic?.judged).toBe(900);
  expect(report.traffic?.notJudged).toEqual([
    { because: 'it holds one of too many different keys, which could not be taken out of what is kept', count: 100 },
  ]);
  expect(JSON.stringify(events)).not.toContain('key-of-sandbox');
});

test.each([
  { what: 'a thousand, which are found in whatever follows', size: 24, isFull: false },
  { what: 'more than are remembered, after which values are left out', size: 1_000, isFull: true },
])('of many keys of clients none is told: $what', ({ size, isFull }) => {
  const redaction = createRedaction('SERVICE-API-KEY', undefined);
  const options = { baseUrl: new URL('http://target.test/'), startedAt: 0, redaction: redaction.texts };
  const keyOf = (index: number): string => `key-of-client-${index}-`.padEnd(size, 'x');
  const entries = Array.from({ length: 1_000 }, (_, index) => {
    const before = keyOf(Math.max(0, index - 1));
    const one: ObservedExchange = {
      number: index,
      source: 'a connection',
      sentAtMs: 0,
      answeredAtMs: 1,
      request: {
        method: 'GET',
        target: `/elsewhere/${before}`,
        headers: [['SERVICE-API-KEY', keyOf(index)]],
        body: null,
      },
      response: { status: 200, headers: [['X-Seen', before]], body: bytesOf(json({ before })) },
    };
    redaction.learn(one);
    return harEntry(one, options);
  });
  expect(json(entries)).not.toContain('key-of-client');
  expect(entries[399]?.response.content.text).toBe(json({ before: redactions.key }));
  const last = entries.at(-1);
  expect(last?.response.content.text).toBe(isFull ? '' : json({ before: redactions.key }));
  const words = 'its values are left out: more secrets passed than can be taken out';
  expect(last?.comment.includes(words)).toBe(isFull);
});
