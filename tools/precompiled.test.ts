import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { folder } from '../cli/testing/command.fixture.ts';
import { compile } from '../contracts/compiler.ts';
import type { Json } from '../contracts/json.ts';
import { fingerprint, precompiledIn, precompiledIndex } from '../contracts/precompiled.ts';
import { createReferenceServer, referenceTarget } from '../reference-server/index.ts';
import { arbitraryOf, mutantsOf } from '../suites/generators/walked.fixture.ts';
import { isTestSupport } from './boundaries.ts';
import type { Compiled } from './compiled.fixture.ts';
import { type NamedSchema, precompiledFiles, shippedSchemas } from './precompiled.ts';
import { files, packageFile, root, textOf } from './repository.ts';

/** No contract has a pattern whose result depends on matching by code points; this one does. */
const astral: NamedSchema = ['astral', { type: 'string', pattern: '^[a😀]*$', maxLength: 300 }];
const schemas = [...shippedSchemas, astral];

// A folder as the build leaves it.
const built = mkdtempSync(join(tmpdir(), 'conform-precompiled-'));
for (const { name, text } of await precompiledFiles(schemas)) writeFileSync(join(built, name), text);
const find = precompiledIn(pathToFileURL(`${built}/`));
afterAll(() => rmSync(built, { recursive: true }));

/**
 * Values that schemas of ours may accept or refuse: each kind of value, and members named like those of every object.
 */
const strangers: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e300,
    '',
    'text',
    '😀'.repeat(300),
    '\ud83d',
    '\u0000',
    [],
    [[]],
    [null],
    {},
    { data: 1 },
  ],
  JSON.parse('{"__proto__": {"id": "a"}, "constructor": 1}'),
];

/** Returns valid values, and some of them broken in every way that the schema allows. */
function valuesOf(schema: Parameters<typeof arbitraryOf>[0]): unknown[] {
  const valid: readonly Json[] = fc.sample(arbitraryOf(schema), { seed: 1, numRuns: 8 });
  return [...valid, ...valid.slice(0, 2).flatMap(value => mutantsOf(schema, value).map(mutant => mutant.value))];
}

describe('a validator that the build writes', () => {
  test.each(schemas)('says of %s what one compiled now says', (_name, schema) => {
    const written = find(schema);
    const compiled = compile(schema);
    const tally = { valid: 0, broken: 0 };
    for (const value of [...valuesOf(schema), ...strangers]) {
      expect(written?.(value)).toBe(compiled(value));
      expect(written?.errors).toEqual(compiled.errors);
      tally[compiled.errors === null ? 'valid' : 'broken']++;
    }
    expect(tally.valid).toBeGreaterThan(0);
    // Members outside the tables may have any value.
    expect(tally.broken > 0).toBe(JSON.stringify(schema) !== '{}');
  });

  test('is found by what its schema says, and by nothing else', () => {
    const [, schema] = shippedSchemas[0] ?? expect.unreachable();
    expect(find(structuredClone(schema))).toBe(find(schema));
    expect(find({ ...schema, description: 'changed since it was built' })).toBeUndefined();
    expect(precompiledIn(pathToFileURL(`${built}/nowhere/`))(schema)).toBeUndefined();
  });

  test('is not looked for in an index that cannot be read', () => {
    const broken = folder();
    writeFileSync(join(broken, precompiledIndex), '{');
    expect(() => precompiledIn(pathToFileURL(`${broken}/`))).toThrow(SyntaxError);
  });
});

describe('the build', () => {
  test('writes a file for each of them once it has emptied the folder', async () => {
    expect(packageFile.scripts.build).toMatch(/^tsc .*&& tsx tools\/precompile\.ts && /);
    expect(packageFile.scripts.prebuild).toContain("rmSync('dist'");
    const names = (await precompiledFiles(shippedSchemas)).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(new Set(shippedSchemas.map(([, schema]) => fingerprint(schema))).size + 1);
  });

  test('finds no file that loads the compiler before it is called', () => {
    const shipped = files.filter(path => /\.ts$/.test(path) && !isTestSupport(path) && !/^(tools|bench)\//.test(path));
    expect(shipped).toContain('contracts/compiler.ts');
    expect(shipped.filter(path => /^(import|export) (?!type\b)[^;]*from 'ajv[/']/m.test(textOf(path)))).toEqual([]);
  });

  test('leaves nothing to compile in a run, nor when its files are read again', async () => {
    const apiKey = 'a-key';
    const server = createReferenceServer({ apiKey });
    const { url } = await server.listen();
    onTestFinished(() => server.close());
    const out = folder();
    const config = join(out, 'conform.config.json');
    writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey }));
    const report = join(out, 'report.json');
    const commands = [
      ['run', '--config', config, '--profile', 'quick', '--out', out],
      ['report', join(out, 'journal.ndjson'), '--out', out],
      ['compare', report, report],
    ];
    // In a new process, where nothing is compiled yet.
    const argv = ['--import=tsx', 'tools/compiled.fixture.ts', JSON.stringify(commands)];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: root });
    const { codes, compiled }: Compiled = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(codes).toEqual(commands.map(() => 0));
    expect(compiled.length).toBeGreaterThan(20);
    const known = new Set(shippedSchemas.map(([, schema]) => fingerprint(schema)));
    expect(compiled.filter(one => !known.has(one))).toEqual([]);
  });
});
