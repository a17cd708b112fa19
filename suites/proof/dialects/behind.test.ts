import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { areNotAccusedWhereBehind, groups } from './spoken.fixture.ts';

describe('a server that shows what it was is not accused', () => areNotAccusedWhereBehind());

test.each(groups)('the dialects of %s have a file of tests', group => {
  expect(existsSync(new URL(`${group}.test.ts`, import.meta.url))).toBe(true);
});
