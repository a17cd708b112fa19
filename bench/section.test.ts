import { expect, test } from 'vitest';
import { withSection } from './section.ts';

test('a section is replaced, and nothing beside it', () => {
  const document = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter\n';
  expect(withSection(document, 'a', 'new\n')).toBe('before\n<!-- a -->\n\nnew\n\n<!-- /a -->\nafter\n');
  expect(() => withSection(document, 'b', 'new')).toThrow(RangeError);
});
