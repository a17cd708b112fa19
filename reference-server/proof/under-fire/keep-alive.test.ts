import { describe, expect, it } from 'vitest';
import { bodyLimit } from '../../http/read-body.ts';
import { started } from '../testing/started.ts';
import { opened } from './connection.fixture.ts';
import { type Head, requestText } from './request.fixture.ts';

const { url, server } = await started();
const port = Number(new URL(url).port);

const gate = '/console/v1/gates/dark_mode';
const patch: Head = { method: 'PATCH', target: gate };
const json = { 'Content-Type': 'application/json' };
/** A request hidden in a body (request smuggling): a server that miscounts the bytes of the body responds to it. */
const hidden = requestText({ method: 'PUT', target: `${gate}/disable` });
const large = Buffer.alloc(bodyLimit + 1, hidden);
const chunked = (body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), Buffer.from(body), Buffer.from('\r\n0\r\n\r\n')]);

// biome-ignore format: a table
const refusals: readonly (readonly [what: string, status: number, request: Head, body: string | Buffer])[] = [
  ['of another type',                 415, { ...patch, headers: { 'Content-Type': 'text/plain' } }, hidden],
  ['of no type',                      415, patch, hidden],
  ['in chunks, of another type',      415, { ...patch, headers: { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' } }, chunked(hidden)],
  ['compressed',                      415, { ...patch, headers: { ...json, 'Content-Encoding': 'gzip' } }, hidden],
  ['that is not JSON',                400, { ...patch, headers: json }, hidden],
  ['that is not UTF-8',               400, { ...patch, headers: json }, Buffer.from(`"${hidden}\xff"`, 'latin1')],
  ['that is too large',               413, { ...patch, headers: json }, large],
  ['that grows too large in chunks',  413, { ...patch, headers: { ...json, 'Transfer-Encoding': 'chunked' } }, chunked(large)],
  ['sent with a wrong key',           401, { ...patch, key: 'wrong', headers: json }, hidden],
  ['sent with a wrong key, too large', 401, { ...patch, key: 'wrong', headers: json }, large],
  ['of an unknown gate',              404, { ...patch, target: '/console/v1/gates/nothing', headers: json }, `{"description":${JSON.stringify(hidden)}}`],
  ['of an unknown path',              404, { method: 'POST', target: '/console/v1/nothing', headers: json }, hidden],
  ['of an unknown path, too large',   404, { method: 'POST', target: '/console/v1/nothing', headers: json }, large],
  ['of a method that there is not',   405, { method: 'DELETE', target: gate, headers: json }, hidden],
  ['of a method without one',         400, { method: 'GET', target: '/console/v1/segments?page=0', headers: json }, hidden],
  ['that was to be waited for',       415, { ...patch, headers: { 'Content-Type': 'text/plain', Expect: '100-continue' } }, hidden],
  ['with an expectation',             417, { ...patch, headers: { ...json, Expect: 'something-else' } }, hidden],
];

describe('a connection', () => {
  it.each(refusals)('goes on in step, or closes, after a body %s (%d)', async (_what, status, request, body) => {
    const connection = await opened(port);
    for (let page = 1; page <= 3; page++) {
      // In one piece, so that only counting tells where the first request ends.
      connection.write(
        Buffer.concat([
          Buffer.from(requestText(request, Buffer.byteLength(body))),
          Buffer.from(body),
          Buffer.from(requestText({ method: 'GET', target: `/console/v1/segments?limit=1&page=${page}` })),
        ]),
      );
      const refused = await connection.answer(request.method);
      expect(refused?.status).toBe(status);
      expect(JSON.parse(refused?.body ?? '')).toMatchObject({ status });
      if (refused?.headers.get('connection') === 'close') {
        expect((await connection.closed).toString()).toBe('');
        return;
      }
      const next = await connection.answer('GET');
      expect(next?.status).toBe(200);
      expect(JSON.parse(next?.body ?? '').pagination.pageNumber).toBe(page);
    }
    await connection.end();
    expect((await connection.closed).toString()).toBe('');
  });

  it('carried none of the requests that stood in those bodies', async () => {
    expect((await server.store.get('gates', 'dark_mode'))?.isEnabled).toBe(true);
  });
});
