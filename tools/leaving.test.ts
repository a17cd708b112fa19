import { describe, expect, test } from 'vitest';
import { isTestSupport } from './boundaries.ts';
import { leavingProblems, ways } from './leaving.ts';
import { files, textOf } from './repository.ts';

const sources = files.filter(file => /\.tsx?$/.test(file));

describe('nothing leaves but through the writer', () => {
  test('no file writes, or vouches for a text, that must not', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(sources.flatMap(file => leavingProblems(file, textOf(file)))).toEqual([]);
  });

  test('every exception is needed', () => {
    const idle = ways.flatMap(({ pattern, homes }) =>
      Object.keys(homes).filter(
        home => !sources.some(file => !isTestSupport(file) && file.startsWith(home) && pattern.test(textOf(file))),
      ),
    );
    // Two patterns have this home, and only one of them occurs there.
    expect(idle).toEqual(['cli/writer.ts']);
  });
});

// biome-ignore format: a table
const judged: readonly [file: string, source: string, problem: string | null][] = [
  ['cli/a.ts',               "process.stdout.write('a');",                                  'a stream of the process'],
  ['cli/a.ts',               "const { stderr } = process;",                                 'a stream of the process'],
  ['suites/a.ts',            'process\n  .stderr.write(text);',                             'a stream of the process'],
  ['suites/a.ts',            "process.emitWarning('a');",                                   'a stream of the process'],
  ['reports/a.ts',           'console.log(text);',                                          'the console'],
  ['reports/a.ts',           "import { error } from 'node:console';",                       'the console'],
  ['contracts/a.ts',         "const at = 'https://console.example.com/gates';",             null],
  ['cli/a.ts',               "import { readFileSync, writeFileSync } from 'node:fs';",      'a way to write files'],
  ['cli/a.ts',               "import {\n  existsSync,\n  openSync as open,\n} from 'fs';",  'a way to write files'],
  ['cli/a.ts',               "import { appendFile } from 'node:fs/promises';",              'a way to write files'],
  ['cli/a.ts',               "import { existsSync, readFileSync } from 'node:fs';",         null],
  ['cli/a.ts',               "import fs from 'node:fs';",                                   'all of node:fs'],
  ['cli/a.ts',               "import * as fs from 'node:fs/promises';",                     'all of node:fs'],
  ['cli/a.ts',               "const fs = await import('node:fs');",                         'all of node:fs'],
  ['cli/a.ts',               'output.write(text as Shown);',                                'a cast to Shown'],
  ['cli/a.ts',               'output.write(text as unknown as Shown<string>);',             'a cast to Shown'],
  ['cli/a.ts',               'output.write(vouched(text));',                                'vouching for a text'],
  ['cli/a.ts',               '/** As process.stdout.write(text) would. */\n// console.log(', null],
  ['cli/a.test.ts',          'process.stdout.write(vouched(text as Shown));',               null],
  ['tools/a.ts',             "process.stdout.write('a');",                                  null],
  ['reference-server/a.ts',  "import { writeFileSync } from 'node:fs';",                    'a way to write files'],
  ['reference-server/store/folder-lock.ts', "import { writeFileSync } from 'node:fs';",     null],
];

test.each(judged)('holds %s with %j to be %s', (file, source, problem) => {
  expect(leavingProblems(file, source)).toEqual(
    problem === null ? [] : [expect.stringContaining(`${file}: ${problem}`)],
  );
});
