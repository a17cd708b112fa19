import { describe, expect, it } from 'vitest';
import { redactionOf } from './redaction.ts';
import { createRequestLog, type Exchange } from './request-log.ts';

describe('the request log', () => {
  const entry: Exchange = {
    time: 0,
    took: 1,
    method: 'GET',
    url: '/',
    endpoint: null,
    status: 200,
    rawHeaders: [],
    body: '',
    answerHeaders: {},
    answer: '',
  };
  const logOf = (key: string, capacity?: number) =>
    createRequestLog(redactionOf([key], 'SERVICE-API-KEY'), 'SERVICE-API-KEY', capacity);

  it('keeps the last ones in order', () => {
    const log = logOf('k3y', 3);
    for (let status = 1; status <= 7; status++) log.add({ ...entry, status });
    expect(log.list().map(({ number, status }) => [number, status])).toEqual([
      [5, 5],
      [6, 6],
      [7, 7],
    ]);
  });

  it('redacts a short key where it is a value, and leaves names that hold it alone', () => {
    const log = logOf('k');
    const body = '{"key":"k","id":"new_checkout","note":"k k"}';
    log.add({ ...entry, url: '/console/v1/gates/k/disable?a=k&k=1&b=ok', body });
    expect(log.list()).toMatchObject([
      {
        url: '/console/v1/gates/k/disable?a=[redacted]&k=1&b=ok',
        body: '{"key":"[redacted]","id":"new_checkout","note":"k k"}',
      },
    ]);
  });

  it('cuts long texts, and finds a key that stands across the cut', () => {
    const log = logOf('k3y-k3y-');
    log.add({ ...entry, body: `${'x'.repeat(2047)}k3y-k3y-${'x'.repeat(5000)}`, url: `/${'y'.repeat(5000)}` });
    const [only] = log.list();
    expect(only?.body).toBe(`${'x'.repeat(2047)}[`);
    expect(only?.url).toHaveLength(1024);
  });
});
