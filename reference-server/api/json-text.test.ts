import { describe, expect, it } from 'vitest';
import { jsonText, keepText } from './json-text.ts';

describe('the text of a body', () => {
  it.each([
    ['an object', { message: 'ü "🎈"', none: undefined, data: [{ a: 1 }, null] }],
    ['a list', [1]],
    ['a text', 'm'],
    ['null', null],
  ])('is that of JSON.stringify: %s', (_what, body) => {
    expect(jsonText(body)).toBe(JSON.stringify(body));
  });

  it('is made once where it is kept, and for no other value that is equal', () => {
    const counted = (times: number) => ({ toJSON: () => ({ times: ++times }) });
    const kept = counted(0);
    keepText(kept);
    expect([jsonText(kept), jsonText(kept), jsonText(counted(7))]).toEqual([
      '{"times":1}',
      '{"times":1}',
      '{"times":8}',
    ]);
  });
});
