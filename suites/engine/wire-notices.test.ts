import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { referenceTarget } from '../../reference-server/index.ts';
import { givenAnswer, onePage } from '../proof/testing/answers.ts';
import { targetOf } from '../sut/target.ts';
import { createEffectiveness, createRetryNotices, createSlowAnswers, retriesOf } from './effectiveness.ts';

const client = (closed: number, gateway: number, sent: number, outages = 0) => ({
  retries: () => ({ closed, gateway }),
  outages: () => outages,
  sent: () => sent,
});

describe('what had to be sent again', () => {
  test('is not told where there was nothing', () => {
    expect(createRetryNotices(client(0, 0, 10)).all?.()).toEqual([]);
    expect(retriesOf(client(0, 0, 10))).toEqual({});
  });

  test.each([
    [1, 200, 'info'],
    [1, 199, 'warning'],
    [5, 1_000, 'info'],
    [6, 1_000, 'warning'],
  ])('%i times in %i requests is told as %s', (count, sent, severity) => {
    const words = `${count} of ${sent.toLocaleString('en')} requests ${count === 1 ? 'was' : 'were'} sent again`;
    const [closed] = createRetryNotices(client(count, 0, sent)).all?.() ?? [];
    expect(closed).toMatchObject({ severity, text: expect.stringContaining(words) });
    const [gateway] = createRetryNotices(client(0, count, sent)).all?.() ?? [];
    expect(gateway).toMatchObject({ severity, text: expect.stringMatching(/502, 503 or 504/) });
    expect(retriesOf(client(count, 1, sent))).toEqual({ retries: { closedConnections: count, gatewayErrors: 1 } });
  });
});

test.each([
  [1, 'once'],
  [2, '2 times'],
])('that the target was away is told (%i)', (outages, words) => {
  const told = createRetryNotices(client(0, 0, 10, outages)).all?.();
  expect(told).toMatchObject([{ severity: 'warning', text: expect.stringContaining(`was away ${words} `) }]);
});

describe('a list that is too short', () => {
  const told = (endpoint: EndpointId, items: readonly object[]) => {
    const effectiveness = createEffectiveness(targetOf(referenceTarget(), new URL('http://127.0.0.1'), 'key'));
    effectiveness.note({ ...givenAnswer({ endpoint, value: onePage(items) }), own: true });
    return effectiveness.all().map(({ remedy }) => remedy);
  };

  test('and empty may be that of a name which nothing has', () => {
    const remedy = 'give each list 14 items or more';
    expect(told('list-events', [])).toEqual([`${remedy}, or see whether fixtures.events are named rightly`]);
    expect(told('list-events', [{}])).toEqual([remedy]);
    expect(told('list-segments', [])).toEqual([remedy]);
  });
});

test('of reasons that are equally frequent the same one is told, whichever came first', () => {
  const told = (...reasons: readonly string[]) => {
    const effectiveness = createEffectiveness(targetOf(referenceTarget(), new URL('http://127.0.0.1'), 'key'));
    for (const [index, message] of reasons.entries())
      effectiveness.note(
        givenAnswer({ endpoint: 'patch-gate', id: `patch-gate/accepts#${index}`, status: 400, value: { message } }),
      );
    return effectiveness.all().map(({ text }) => text);
  };
  expect(told('b', 'a')).toEqual(told('a', 'b'));
  expect(told('b', 'a', 'b')).toEqual([expect.stringContaining('most often with status 400: "b"')]);
});

describe('an operation that refuses whatever it is sent', () => {
  const told = (status: number, ...endpoints: readonly EndpointId[]) => {
    const effectiveness = createEffectiveness(targetOf(referenceTarget(), new URL('http://127.0.0.1'), 'key'));
    for (const endpoint of endpoints)
      for (const id of [1, 2]) effectiveness.note(givenAnswer({ endpoint, id: `${endpoint}/accepts#${id}`, status }));
    return effectiveness.all().map(({ remedy }) => remedy);
  };

  test.each([
    [402, 'use a project whose plan has what the operation takes'],
    [403, 'use a key that has the right to it, or leave it out with --skip'],
    [423, 'unlock the fixtures of the target file, or name others'],
    [428, 'let the service take writes without a condition (If-Match): the specification knows none'],
  ])('with %i is told what helps, once for all that do', (status, remedy) => {
    expect(told(status, 'patch-gate')).toEqual([remedy]);
    expect(told(status, 'patch-gate', 'create-metric')).toEqual([remedy]);
  });

  test('with another status is told where to see what was tried', () => {
    expect(told(400, 'patch-gate')).toEqual([expect.stringContaining('mend the operation')]);
    expect(told(400, 'patch-gate', 'create-metric')).toEqual([
      'what was tried of each: npx conform explain patch-gate/accepts REPORT (the report.json of this run)',
    ]);
  });
});

describe('slow answers', () => {
  const arrival = { number: 1, lost: [], atMs: 0 };
  const took = (ms: number, id: string) => {
    const answer = givenAnswer({ id, endpoint: 'list-segments' });
    return { ...answer, reply: { ...answer.reply, durationMs: ms } };
  };

  test('are counted, and the slowest is named', () => {
    const slow = createSlowAnswers(100);
    for (const [index, ms] of [20, 150, 900.4, 100].entries())
      slow.note(took(ms, `list-segments/frame#${index}`), arrival);
    expect(slow.all?.()).toEqual([
      {
        event: 'notice',
        severity: 'warning',
        text: '2 of 4 answers took longer than 100 ms; the slowest, of list-segments, 900 ms (list-segments/frame#2)',
      },
    ]);
  });

  test('are not told where there are none, and no answer is no slow one', () => {
    const slow = createSlowAnswers(100);
    slow.note(took(100, 'a'), arrival);
    slow.note(givenAnswer({ failure: { kind: 'timeout', message: 'no complete answer' } }), arrival);
    expect(slow.all?.()).toEqual([]);
  });
});
