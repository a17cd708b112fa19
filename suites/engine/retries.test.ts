import { describe, expect, test } from 'vitest';
import type { ReferenceServerOptions } from '../../reference-server/index.ts';
import { checksThat, type RunRecord, recordedRun } from '../proof/testing/reference-run.ts';

type Decorate = NonNullable<ReferenceServerOptions['decorateListener']>;

/** Carries out every request, but closes the connection unanswered after the first `answers` of them. */
const closingAfter =
  (answers: number): Decorate =>
  inner => {
    const counts = new WeakMap<object, number>();
    return (request, response) => {
      const count = (counts.get(request.socket) ?? 0) + 1;
      counts.set(request.socket, count);
      if (count > answers) {
        response.end = () => {
          request.socket.destroy();
          return response;
        };
      }
      inner(request, response);
    };
  };

/** A gateway that replaces every n-th answer, although its server carried out the request. */
const failing =
  (status: number, every: number): Decorate =>
  inner => {
    let count = 0;
    return (request, response) => {
      count += 1;
      if (count % every === 0) {
        const { writeHead, end } = response;
        const failed = () => {
          Object.assign(response, { writeHead, end });
          return response.writeHead(status, { 'content-length': 0 }).end();
        };
        Object.assign(response, { writeHead: () => response, flushHeaders: () => {}, write: () => true, end: failed });
      }
      inner(request, response);
    };
  };

const only = ['create-metric', 'create-prompt-version', 'patch-gate', 'disable-config', 'archive-config'];
const run = (decorateListener: Decorate): Promise<RunRecord> => recordedRun({ server: { decorateListener }, only });

const isTold = (record: RunRecord, text: RegExp): boolean =>
  record.notices.some(notice => notice.severity === 'warning' && text.test(notice.text));

describe('a server that is right is not accused', () => {
  test('where it closes every connection after twenty answers, and carries out what comes then', async () => {
    const record = await run(closingAfter(20));
    expect(checksThat(record, 'fail')).toEqual([]);
    expect(record.end.stats.retries?.closedConnections).toBeGreaterThan(7);
    expect(record.end.stats.retries?.gatewayErrors).toBe(0);
    expect(isTold(record, /were sent again over a fresh connection.*more than one in 200/)).toBe(true);
  });

  test.each([502, 503, 504])('where a gateway in front answers %i now and then', async status => {
    const record = await run(failing(status, 61));
    expect(checksThat(record, 'fail')).toEqual([]);
    expect(record.end.stats.retries?.gatewayErrors).toBeGreaterThan(2);
    expect(isTold(record, /were answered 502, 503 or 504 at first.*more than one in 200/)).toBe(true);
  });
});

test('a server that answers 502 to every valid request of one operation is found', async () => {
  const record = await recordedRun({
    server: {
      decorate: (id, handler) =>
        id === 'create-metric'
          ? () => {
              throw Object.assign(new Error('gone'), { status: 502 });
            }
          : handler,
    },
    only: ['create-metric/accepts', 'patch-gate/accepts'],
  });
  expect(checksThat(record, 'fail')).toEqual(['create-metric/accepts']);
  expect(record.end.stats.retries).toBeUndefined();
});

test('nothing is told where nothing had to be sent again', async () => {
  const record = await run(inner => inner);
  expect(record.end.stats.retries).toBeUndefined();
  expect(record.notices.filter(({ text }) => /sent again/.test(text))).toEqual([]);
});
