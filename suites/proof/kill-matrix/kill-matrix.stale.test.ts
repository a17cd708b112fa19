import { expect, test } from 'vitest';
import { catalogues } from '../prove/catalogues.ts';
import { readRows, staleIds, staleness } from '../prove/rows.ts';

test.each(catalogues)('$name is proven with what there is now', ({ name, file, present }) => {
  expect(staleness(name, staleIds(present(), readRows(file)))).toBe('');
});
