import { expect, test } from 'vitest';
import { urlText } from './url-text.ts';

// biome-ignore format: a table
test.each([
  ['a/b c',        'a%2Fb%20c'],
  ['😀',           '%F0%9F%98%80'],
  ['a\ud800b',     'a%EF%BF%BDb'],
  ['\udfff\ud800', '%EF%BF%BD%EF%BF%BD'],
])('%j', (text, encoded) => {
  expect(urlText(text)).toBe(encoded);
});
