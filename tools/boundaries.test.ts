import { describe, expect, test } from 'vitest';
import {
  besideOthers,
  folders,
  isTestSupport,
  packageHomes,
  problems,
  testCrossings,
  withoutCircles,
} from './boundaries.ts';
import { circles, importsOf, resolved } from './imports.ts';
import { files, packageFile, textOf } from './repository.ts';

// This file is full of forbidden samples.
const sources = files.filter(file => /^.+\/.+\.tsx?$/.test(file) && file !== 'tools/boundaries.test.ts');
const imported = new Map(sources.map(file => [file, importsOf(textOf(file))]));

describe('the house', () => {
  test('no file imports what it must not', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(sources.flatMap(file => problems(file, textOf(file)))).toEqual([]);
  });

  test('every folder with code has a row', () => {
    const held = new Set(sources.map(file => file.split('/')[0]));
    expect([...held].filter(folder => !Object.hasOwn(folders, folder ?? ''))).toEqual([]);
  });

  test.each(withoutCircles)('no file of %s imports itself by way of others', folder => {
    const shipped = sources.filter(file => file.startsWith(`${folder}/`) && !isTestSupport(file));
    expect(shipped.length).toBeGreaterThan(5);
    const targets = (file: string) =>
      (imported.get(file) ?? []).flatMap(name => (name?.startsWith('.') ? resolved(file, name) : []));
    expect(circles(new Map(shipped.map(file => [file, targets(file)])))).toEqual([]);
  });

  test('every package has a home, and its home uses it', () => {
    const packages = { ...packageFile.devDependencies, ...packageFile.peerDependencies };
    expect(Object.keys(packageHomes).filter(name => !Object.hasOwn(packages, name))).toEqual([]);
    const used = (name: string) =>
      [...imported].some(
        ([file, names]) => !isTestSupport(file) && names.some(one => one === name || one?.startsWith(`${name}/`)),
      );
    expect(Object.keys(packageHomes).filter(name => !used(name))).toEqual([]);
    for (const pair of Object.entries(besideOthers))
      expect(Object.keys(packages)).toEqual(expect.arrayContaining(pair));
  });

  test('only the floors below are on the way of a test', () => {
    for (const { from, to } of testCrossings) expect(Object.keys(folders)).toEqual(expect.arrayContaining([from, to]));
  });
});

// biome-ignore format: a table
const reads: readonly [source: string, names: (string | null)[]][] = [
  ["import a from './a.ts';",                              ['./a.ts']],
  ["import type { A } from './a.ts';",                     ['./a.ts']],
  ["import {\n  a,\n  type B,\n} from '../b/c.ts';",       ['../b/c.ts']],
  ["import * as r from 'koa';",                            ['koa']],
  ["import './side-effect.ts';",                           ['./side-effect.ts']],
  ["export { a } from './a.ts';",                          ['./a.ts']],
  ["export * from \"./a.ts\";",                            ['./a.ts']],
  ["  const { a } = await import('./a.ts');",              ['./a.ts']],
  ["let a: import('../b.ts').A;",                          ['../b.ts']],
  ["const { a } = require('koa');",                        ['koa']],
  ["await import(name);",                                  [null]],
  ["await import(`./a.ts`);",                        [null]],
  ["export const from = 1;\nconst a = 'from';",            []],
  ["/** Taken from 'elsewhere'. */\nexport const a = 1;",  []],
];

// biome-ignore format: a table
const judged: readonly [file: string, source: string, problem: string | null][] = [
  ['contracts/a.ts',             "import a from './b.ts';",                                   null],
  ['contracts/a.ts',             "import type { A } from '../suites/a.ts';",                  'contracts must not import suites'],
  ['reference-server/a/b.ts',    "import a from '../../contracts/a.ts';",                     null],
  ['reference-server/a/b.ts',    "import a from '../../suites/a.ts';",                        'reference-server must not import suites'],
  ['suites/a.ts',                "import a from '../reports/a.ts';",                          'suites must not import reports'],
  ['suites/a.ts',                "import a from '../reference-server/index.ts';",             'suites must not import reference-server'],
  ['suites/a.test.ts',           "import a from '../reference-server/index.ts';",             null],
  ['suites/proof/testing/a.ts',        "import a from '../../reference-server/index.ts';",          null],
  ['reference-server/api/a.ts',  "import a from '../handlers/b.ts';",                         'reference-server/api must not import reference-server/handlers'],
  ['reference-server/worlds/a.ts', "import a from '../faults/index.ts';",                      'reference-server/worlds must not import reference-server/faults'],
  ['reference-server/page/client/a.ts', "import a from '../../control/b.ts';",                 null],
  ['reference-server/page/a.ts', "import a from '../control/b.ts';",                          'reference-server/page must not import reference-server/control'],
  ['reference-server/store/a.ts', "import a from '../entities.ts';",                           null],
  ['reference-server/store/a.ts', "import a from '../server.ts';",                             'reference-server/store must not import reference-server/.'],
  ['reference-server/new/a.ts',  "import a from '../store/a.ts';",                             'reference-server/new is no floor of reference-server'],
  ['reference-server/a.test.ts', "import a from '../suites/a.ts';",                           'reference-server must not import suites'],
  ['reports/a.ts',               "const a = await import('../cli/main.ts');",                 'reports must not import cli'],
  ['cli/a.ts',                   "import a from '../reports/index.ts';",                      null],
  ['cli/a.ts',                   "import a from '../bench/a.ts';",                            'cli must not import bench'],
  ['cli/a.ts',                   "import a from '../../elsewhere/a.ts';",                     'cli must not import ..'],
  ['suites/a.ts',                "import a from './a.fixture.ts';",                           'suites/a.fixture.ts is there for tests only'],
  ['reports/a.ts',               "import a from './examples.fixture.ts';",                            'reports/examples.fixture.ts is there for tests only'],
  ['reports/a.ts',               "import a from './nowhere/proof/a.ts';",                     'reports/nowhere/proof/a.ts is there for tests only'],
  ['contracts/a.test.ts',        "import { test } from 'node:test';",                         'nobody imports node:test'],
  ['contracts/a.ts',             "import { readFileSync } from 'node:fs';",                   null],
  ['contracts/a.ts',             "import { test } from 'vitest';",                            'vitest is imported in suites/conformance and reference-server/vitest only'],
  ['contracts/a.ts',             "import { test } from 'mocha';",                             'mocha has no home'],
  ['contracts/a.test.ts',        "import { test } from 'vitest';",                            null],
  ['contracts/a.ts',             "import { Ajv } from 'ajv/dist/2020.js';",                   null],
  ['suites/engine/a.ts',         "import { fetch } from 'undici';",                           'undici is imported in suites/client and suites/traffic only'],
  ['suites/clients/a.ts',        "import { fetch } from 'undici';",                           'undici is imported in suites/client and suites/traffic only'],
  ['suites/engine/a.ts',         "import a from '../sut/a.ts';",                               null],
  ['suites/sut/a.ts',            "import a from '../engine/a.ts';",                            'suites/sut must not import suites/engine'],
  ['suites/sut/a.test.ts',       "import a from '../engine/a.ts';",                            null],
  ['suites/attic/a.ts',          "import a from '../engine/a.ts';",                            'suites/attic is no floor of suites'],
  ['suites/diff/align/a.ts',     "import a from '../record/a.ts';",                            null],
  ['suites/diff/align/a.ts',     "import a from '../compare/a.ts';",                           'suites/diff/align must not import suites/diff/compare'],
  ['suites/diff/align/a.ts',     "import a from '../run.ts';",                                 'suites/diff/align must not import suites/diff/.'],
  ['suites/diff/align/a.ts',     "import a from '../../traffic/a.ts';",                        'suites/diff must not import suites/traffic'],
  ['reports/run/a.ts',           "import a from '../text/a.ts';",                              null],
  ['reports/text/a.ts',          "import a from '../document/a.ts';",                          'reports/text must not import reports/document'],
  ['reports/document/a.ts',      "import a from '../run/a.ts';",                               'reports/document must not import reports/run'],
  ['reports/journal/a.ts',       "import a from '../index.ts';",                               'reports/journal must not import reports/.'],
  ['reports/run/a.test.ts',      "import a from '../compare/a.ts';",                           null],
  ['suites/generators/a.ts',     "import { base, en, Faker } from '@faker-js/faker/locale/en';", null],
  ['reference-server/page/client/a.tsx', "import { render } from 'preact';",                    null],
  ['reference-server/control/a.ts', "import { render } from 'preact';",                         'preact is imported in reference-server/page/client only'],
  ['reports/a.ts',               "import { faker } from '@faker-js/faker';",                  '@faker-js/faker is imported in suites/generators only'],
  ['cli/a.ts',                   'await import(name);',                                       'a dynamic import of a computed name'],
];

describe('circles', () => {
  const tree = new Map([
    ['a', ['b', 'c']],
    ['b', ['c']],
    ['c', []],
  ]);

  test('are none where all imports lead down', () => {
    expect(circles(tree)).toEqual([]);
  });

  test('are told by the files on them, a file that imports itself too', () => {
    expect(circles(new Map([...tree, ['c', ['b']]]))).toEqual([['b', 'c']]);
    expect(circles(new Map([...tree, ['c', ['c']]]))).toEqual([['c']]);
  });
});

describe('the judge', () => {
  test.each(reads)('reads %j', (source, names) => {
    expect(importsOf(source)).toEqual(names);
  });

  test.each(judged)('holds %s with %j to be %s', (file, source, problem) => {
    expect(problems(file, source)).toEqual(problem === null ? [] : [expect.stringContaining(`${file}: ${problem}`)]);
  });
});
