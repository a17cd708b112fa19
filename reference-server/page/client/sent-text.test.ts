import { describe, expect, it } from 'vitest';
import { redacted } from './curl.ts';
import { headerLines, headersOf, targetOf } from './sent-text.ts';

const headers = { Host: 'h', 'SERVICE-API-KEY': redacted, Cookie: redacted, 'X-A': 'b: c', 'Sec-Fetch-Mode': 'cors' };

describe('a request to edit', () => {
  it('shows its header fields without those of the connection and without other credentials', () => {
    const sent = { method: 'GET', url: '/', headers, body: '' };
    expect(headerLines(sent, 'service-api-key')).toBe(`SERVICE-API-KEY: ${redacted}\nX-A: b: c`);
    // A request without a key is repeated without one.
    expect(headerLines({ ...sent, headers: { Accept: '*/*' } }, 'SERVICE-API-KEY')).toBe('Accept: */*');
  });

  it('is sent with the key where the log has its mark', () => {
    expect(headersOf(`SERVICE-API-KEY: ${redacted}\n\n X-A :b: c`, 'secret')).toEqual([
      ['SERVICE-API-KEY', 'secret'],
      ['X-A', 'b: c'],
    ]);
    expect(() => headersOf('no field', '')).toThrow('This is no header field: no field');
  });

  it('goes to the API of this server and to no other place', () => {
    const here = 'http://127.0.0.1:4010';
    expect(targetOf('/console/v1/gates/a%2Fb?x=1#y', here)).toBe('/console/v1/gates/a%2Fb?x=1');
    for (const path of [
      '//evil.example/console/v1',
      'http://evil.example/console/',
      '/\\evil.example/console/',
      'console/v1',
      '',
    ])
      expect(() => targetOf(path, here)).toThrow('stays at this server');
    for (const path of ['/_reference/v1/reset', '/console/../_reference/v1/reset'])
      expect(() => targetOf(path, here)).toThrow('below /console/');
  });
});
