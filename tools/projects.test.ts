import { relative } from 'node:path';
import picomatch from 'picomatch';
import { afterAll, describe, expect, test } from 'vitest';
import { createVitest } from 'vitest/node';
import { files, has, packageFile, root, textOf } from './repository.ts';

const vitest = await createVitest('test', { root, watch: false, reporters: [] });
afterAll(() => vitest.close());
const projects = await Promise.all(
  vitest.projects.map(async project => ({
    name: project.name,
    globs: project.config.include,
    held: (await project.globTestFiles()).testFiles.map(path => relative(root, path)),
  })),
);

describe('the projects', () => {
  test('are those that CONTRIBUTING.md names', () => {
    const page = textOf('CONTRIBUTING.md');
    expect(projects.map(({ name }) => name).filter(name => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('hold every test file, once', () => {
    const tests = files.filter(path => path.endsWith('.test.ts'));
    expect(tests.length).toBeGreaterThan(100);
    expect(projects.flatMap(({ held }) => held).sort()).toEqual([...tests].sort());
  });

  // A renamed file would become a unit test, and slow those down.
  test.each(projects)('$name: every glob finds something', ({ globs, held }) => {
    expect(globs.filter(glob => !held.some(path => picomatch.isMatch(path, glob)))).toEqual([]);
  });

  test('have every test that is repeated for proof', () => {
    const named = [...textOf('bench/prove.ts').matchAll(/'((?:cli|reference-server|suites)\/[^']+)'/g)];
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(match => match[1] ?? '').filter(path => !has(path))).toEqual([]);
  });

  test('are all run by `npm test`, and the quick ones by `npm run test:unit`', () => {
    expect(packageFile.scripts.test).toBe('vitest run');
    expect(packageFile.scripts['test:unit']).toBe('vitest run --project unit');
  });
});
