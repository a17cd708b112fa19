import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { artifacts } from './artifacts.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

test.each(artifacts)('$path is fresh', ({ path, content }) => {
  const committed = existsSync(inRepository(path)) ? readFileSync(inRepository(path), 'utf8') : undefined;
  expect(committed === content(), `${path} is stale: npm run generate`).toBe(true);
});

test('every file has one row and ends in a new line', () => {
  const paths = artifacts.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(artifacts.filter(({ content }) => !content().endsWith('\n')).map(({ path }) => path)).toEqual([]);
});

test('no schema file is left of something that is no more', () => {
  const generated = artifacts.map(({ path }) => path).filter(path => path.startsWith('contracts/json/'));
  const committed = readdirSync(inRepository('contracts/json')).map(name => `contracts/json/${name}`);
  expect(committed.sort()).toEqual(generated.sort());
});
