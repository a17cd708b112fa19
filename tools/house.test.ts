import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpointIds } from '../contracts/endpoints.ts';
import { tool } from '../contracts/report/tool.ts';
import { dialects, faults } from '../reference-server/index.ts';
import { allUnits } from '../suites/checks/units.ts';
import { isTestSupport } from './boundaries.ts';
import { sourceOf } from './bundled.ts';
import { files, has, packageFile, textOf } from './repository.ts';

/** Texts that no file may mention, and why. They are assembled here, so that this file does not mention them. */
// biome-ignore format: a table
const unwanted: readonly { readonly pattern: RegExp; readonly why: string; readonly only?: RegExp }[] = [
  { pattern: new RegExp(['', 'work', ''].join('/')),                    why: 'a path of one machine' },
  { pattern: new RegExp(['', 'root', ''].join('/')),                    why: 'a path of one machine' },
  { pattern: /\/(home|Users)\/[a-z]+\//,                                why: 'a path of one machine' },
  { pattern: new RegExp(['', '(shared|judgement|design|spec)\\.md'].join('\\b')), why: 'a document that is not here' },
  { pattern: new RegExp(['\\.\\.', 'shared\\b'].join('/')),             why: 'a folder that is not here' },
  { pattern: new RegExp(['registry', '(npmjs|yarnpkg|npmmirror)'].join('\\.')), why: 'the host of a registry' },
  { pattern: /"resolved": "https?:/,                                    why: 'the host of a registry', only: /package-lock\.json$/ },
  { pattern: new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')})\\b`), why: 'work that is left undone', only: /\.(tsx?|md|json)$/ },
  { pattern: /\b(it|test|describe)\.(only|skip|todo|fails)\b/,          why: 'a test that does not test', only: /\.test\.ts$/ },
  { pattern: /Math\.random\(/,                                          why: 'a value that no seed fixes', only: /\.tsx?$/ },
];

/** Maximum number of lines in a file of code. Tests, and tables of data, may be longer. */
const longest = 260;

/** Longer files, and why they may be. */
// biome-ignore format: a table
const long: Readonly<Record<string, string>> = {
  'contracts/resources/samples.fixture.ts': 'a table: a sample of every resource',
};

const lines = (path: string): number => textOf(path).split('\n').length - 1;
const binary = /\.(png|ico|woff2?)$/;
const pages = files.filter(path => /^([^/]+|docs\/(decisions|guide)\/[^/]+)\.md$/.test(path));

describe('every file', () => {
  test.each(unwanted)('is free of $pattern: $why', ({ pattern, only }) => {
    const held = files.filter(path => !binary.test(path) && (only?.test(path) ?? true));
    expect(held.length).toBeGreaterThan(0);
    expect(held.filter(path => pattern.test(textOf(path)))).toEqual([]);
  });

  // biome-ignore format: a table
  test.each([
    ['/work', 'er/src',             false],
    ['/work', '/main/contracts',    true],
    ['see design', '.md',           true],
    ['see docs/endpoints', '.md',   false],
    ['https://registry', '.npmjs.org/koa', true],
    ['// TO', 'DO: later',          true],
    ['it.sk', 'ip(',                true],
    ['item.only', 'One',            false],
  ])('would be caught with %s%s: %s', (head, tail, caught) => {
    expect(unwanted.some(({ pattern }) => pattern.test(head + tail))).toBe(caught);
  });

  test('makes a text a part of a URL by the one function that takes half a surrogate pair', () => {
    const shipped = files.filter(path => /^(contracts|suites|reports|cli|reference-server)\/.*\.ts$/.test(path));
    const own = shipped.filter(
      path =>
        !isTestSupport(path) && !path.includes('/page/') && /^(?! \*).*\bencodeURI(Component)?\b/m.test(textOf(path)),
    );
    expect(own).toEqual(['contracts/url-text.ts']);
  });

  test(`of code has at most ${longest} lines, or says why`, () => {
    const code = files.filter(path => /\.tsx?$/.test(path) && !path.endsWith('.test.ts') && !isTestSupport(path));
    expect(code.filter(path => lines(path) > longest && long[path] === undefined)).toEqual([]);
    expect(Object.keys(long).filter(path => !has(path) || lines(path) <= longest)).toEqual([]);
  });
});

describe('the package', () => {
  test('is of the version that reports tell', () => {
    expect(packageFile.version).toBe(tool.version);
    expect(textOf('CHANGELOG.md')).toContain(`\n## ${tool.version}\n`);
  });

  const build = JSON.parse(textOf('tsconfig.build.json')) as {
    compilerOptions: { outDir: string; rootDir: string; declaration: boolean };
    include: string[];
  };

  test('is built with declarations into dist, folder by folder', () => {
    expect(build.compilerOptions).toMatchObject({ outDir: 'dist', rootDir: '.', declaration: true });
    expect(packageFile.files).toContain('dist');
  });

  test.each(Object.entries(packageFile.bin))('has a source for the command %s', (_name, path) => {
    expect(packageFile.scripts.build).toContain('tsx tools/program.ts');
    expect(textOf(path.replace('dist/', '').replace(/js$/, 'ts'))).toMatch(/^#!\/usr\/bin\/env node\n/);
    // The build writes files that are not executable, and npx links to them unchanged.
    expect(packageFile.scripts.postbuild).toContain(`chmodSync('${path}', 0o755)`);
  });

  test.each(Object.entries(packageFile.exports))('has what it exports as %s', (_name, target) => {
    if (typeof target === 'string') {
      expect(has(target.replace(/\*$/, ''))).toBe(true);
      return;
    }
    expect(target.types.startsWith('./dist/')).toBe(true);
    expect(build.include).toContain(sourceOf(target.types).split('/')[0]);
    expect(has(sourceOf(target.types))).toBe(true);
  });

  test('ships what it names', () => {
    expect(packageFile.files.filter(path => !/^!?dist/.test(path) && !has(path))).toEqual([]);
  });

  test.each(['fast-check', '@faker-js/faker'])('pins %s, on whose version replays depend', name => {
    expect(packageFile.devDependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('the pages', () => {
  const program = files
    .filter(path => /^cli\/(?:definitions\/)?[a-z-]+\.ts$/.test(path))
    .map(textOf)
    .join('\n');
  const command = [...program.matchAll(/\.command\('([a-z]+)'\)/g)].map(match => match[1]);
  const flags = [...program.matchAll(/(?:option|Option)\(\s*'(--[a-z-]+)/g)].map(match => match[1]);
  const all = (path: string, pattern: RegExp) => [...textOf(path).matchAll(pattern)].map(match => match[1] as string);

  test('are found, and so are the commands', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']));
    expect(command).toEqual(expect.arrayContaining(['run', 'serve', 'list', 'report']));
    expect(flags).toEqual(expect.arrayContaining(['--base-url', '--profile', '--port']));
  });

  test.each(pages)('%s names scripts, commands and flags that exist', path => {
    expect(all(path, /\bnpm run ([a-z:-]+)/g).filter(name => packageFile.scripts[name] === undefined)).toEqual([]);
    expect(all(path, /\bconform ([a-z]+)\b(?! server| to)/g).filter(name => !command.includes(name))).toEqual([]);
    const lines = all(path, /((?:npx )(?:conform|console-conformance) [^\n`]*)/g);
    const given = lines.flatMap(line => [...line.matchAll(/ (--[a-z-]+)/g)].map(match => match[1]));
    expect(given.filter(flag => !flags.includes(flag))).toEqual([]);
  });

  test('the guide shows a run of every endpoint', () => {
    const shown = all('docs/guide/run.md', /^ {2}✓ conformant +([a-z-]+) /gm);
    expect(shown, 'paste what `npx conform run` prints').toEqual(endpointIds);
    const passed = all('docs/guide/run.md', /^ {2}✓ conformant +[a-z-]+ +(\d+\/\d+) /gm);
    const planned = endpointIds.map(id => allUnits().filter(({ endpoint }) => endpoint === id).length);
    expect(passed).toEqual(planned.map(count => `${count}/${count}`));
    expect(all('docs/guide/run.md', /^ {2}run +(\d+) checks passed; /gm)).toEqual([`${allUnits().length}`]);
    for (const page of ['README.md', 'docs/guide/run.md'])
      expect(textOf(page)).toContain(`${endpointIds.length} of ${endpointIds.length} endpoints conform.`);
  });

  test('README.md counts the faults and the dialects', () => {
    const counted = [faults, dialects].map(({ length }) => length.toLocaleString('en'));
    const shown = [/^- .*? ([\d,]+) single, realistic faults/m, /^- .*? ([\d,]+) _dialects_/m];
    expect(shown.map(pattern => pattern.exec(textOf('README.md'))?.[1])).toEqual(counted);
  });

  test.each(pages)('%s names files that exist', path => {
    const named = all(path, /`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:ts|md))`/g).filter(
      name => !/^(conform-report|docs\/decisions|console-conformance)\/|^node:/.test(name),
    );
    const linked = all(path, /\]\(([\w./-]+)(?:#[\w-]+)?\)/g).map(link => posix.join(posix.dirname(path), link));
    expect([...named, ...linked].filter(name => !has(name))).toEqual([]);
  });
});

describe('SECURITY.md', () => {
  const promises = [...textOf('SECURITY.md').matchAll(/^- (.*)$/gm)].map(([, line = '']) => line);
  const held = promises.flatMap(line => [...line.matchAll(/`([\w./-]+\.test\.ts)` \("([^"]+)"\)/g)]);

  test('ships with the package', () => {
    expect(packageFile.files).toContain('SECURITY.md');
  });

  test.each(held.map(([, path = '', title = '']) => ({ path, title })))('names a test that exists: $title', one => {
    expect(has(one.path)).toBe(true);
    expect(textOf(one.path)).toContain(`'${one.title}'`);
  });

  test('names one for each promise, but for what is told to be no promise', () => {
    const open = promises.filter(line => !/`[\w./-]+\.test\.ts` \("/.test(line));
    expect(held.length).toBeGreaterThan(15);
    expect(open.filter(line => !/\b(is not taken for|pass unjudged)\b/.test(line))).toEqual([]);
  });
});
