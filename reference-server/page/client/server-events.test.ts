import { describe, expect, it } from 'vitest';
import { eventReader } from './live.ts';

describe('server-sent events', () => {
  it('are read wherever the pieces are cut, and comments are none', () => {
    const text =
      ': requests\n\nid: 1\nevent: request\ndata: {"number":1}\n\n: \n\nid: 2\r\ndata:{"a":\r\ndata: 2}\r\n\r\ndata: unfinished';
    for (let size = 1; size <= text.length; size += 1) {
      const told: string[] = [];
      const read = eventReader(data => told.push(data));
      for (let at = 0; at < text.length; at += size) read(text.slice(at, at + size));
      expect(told).toEqual(['{"number":1}', '{"a":\n2}']);
    }
  });
});
