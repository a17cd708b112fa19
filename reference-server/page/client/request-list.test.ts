import { describe, expect, it } from 'vitest';
import type { LoggedRequest } from '../../log/request-log.ts';
import { cutOf, keptCharacters, matching, mostEntries, withRequests } from './request-list.ts';

const request = (number: number, change: Partial<LoggedRequest> = {}): LoggedRequest => ({
  number,
  time: 1000,
  took: 1,
  method: 'GET',
  url: `/console/v1/segments?limit=${number}`,
  endpoint: 'list-segments',
  status: 200,
  headers: {},
  body: '',
  answerHeaders: {},
  answer: '',
  refused: null,
  behaviours: [],
  answeredBy: null,
  keyName: null,
  ...change,
});

describe('the requests that the page keeps', () => {
  it('hold each once, in the order in which they came, and are bounded', () => {
    const first = withRequests([], [request(1), request(2)]);
    const then = withRequests(first, [request(2), request(3)]);
    expect(then.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(withRequests(then, [])).toBe(then);
    const many = withRequests(
      then,
      Array.from({ length: mostEntries }, (_, at) => request(at + 4)),
    );
    expect([many.length, many[0]?.number]).toEqual([mostEntries, 4]);
  });

  it('tell the requests of a server that was started anew from those before', () => {
    const known = withRequests([], [request(1)]);
    expect(withRequests(known, [request(1, { time: 2000 })]).map(({ key }) => key)).toEqual(['1-1000', '1-2000']);
  });

  it('are found by every word and by the class of their status, newest first', () => {
    const entries = withRequests(
      [],
      [
        request(1),
        request(2, { status: 404, body: '{"a":"b"}' }),
        request(3, { status: null }),
        request(4, { status: 503 }),
      ],
    );
    const found = (text: string, status = '') =>
      matching(entries, { text, status, operation: '' }).map(({ number }) => number);
    expect(found('')).toEqual([4, 3, 2, 1]);
    expect(found('', 'none')).toEqual([3]);
    expect(found('', '5xx')).toEqual([4]);
    expect(found('LIMIT=2 segments')).toEqual([2]);
    expect(found('"a":"b"')).toEqual([2]);
    expect(found('limit=2 nowhere')).toEqual([]);
  });

  it('say what the log did not keep of a body, by its bytes', () => {
    expect(cutOf({ headers: { 'Content-Length': '2' }, body: 'é' })).toBeUndefined();
    expect(cutOf({ headers: { 'content-length': '9000' }, body: 'x'.repeat(2048) })).toContain(
      '2048 of the 9000 bytes',
    );
    expect(cutOf({ headers: {}, body: 'x'.repeat(keptCharacters) })).toContain('may keep the beginning');
    expect(cutOf({ headers: {}, body: '' })).toBeUndefined();
  });
});
