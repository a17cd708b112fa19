import { expect, test } from 'vitest';
import { fitted, fittedRequest, pathOf } from './page.ts';

test('a text that is too long ends in a sign, and is never wider than its room', () => {
  expect(fitted('abcdef', 6)).toBe('abcdef');
  expect(fitted('abcdefg', 6)).toBe('abcde…');
  expect(fitted('a\u202ebcdefghij', 8)).toHaveLength(8);
});

// biome-ignore format: a table
const requests: readonly [what: string, url: string, body: string | undefined, room: number, shown: string][] = [
  ['whole where there is room',     'http://h/console/v1/gates/a',                        '{}',               40, 'GET /console/v1/gates/a {}'],
  ['by the end of its path',        'http://h/console/v1/configs/prices/versions?page=2', undefined,          34, 'GET …/prices/versions?page=2'],
  ['by its path before its body',   'http://h/console/v1/gates/new_checkout',             '{"isEnabled":true}', 36, 'GET …/gates/new_checkout {"isEnable…'],
  ['cut where even that is long',   `http://h/console/v1/events/${'a'.repeat(99)}`,       undefined,          20, 'GET …/events/aaaaaa…'],
];

test.each(requests)('a request is shown %s', (_what, url, body, room, shown) => {
  expect(fittedRequest(`GET ${pathOf(url)}`, body ?? '', room)).toBe(shown);
});
