import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { files, root, textOf } from './repository.ts';

/** The behaviour of the stand-in for `npm` and `npx`, besides recording its calls. */
interface Outcome {
  /** The calls that fail. */
  readonly failing?: readonly string[];
  /** The JSON report of vitest that `npm test` writes. */
  readonly results?: object;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Records its arguments and the names of its variables as a line of JSON, and writes the report that vitest would. */
const standIn = (log: string, { failing = [], results = {} }: Outcome): string => `#!${process.execPath}
const { appendFileSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');
const command = [basename(process.argv[1]), ...process.argv.slice(2)].join(' ');
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ command, variables: Object.keys(process.env) }) + '\\n');
const report = command.match(/--outputFile\\.json=(\\S+)/);
if (report !== null) writeFileSync(report[1], ${JSON.stringify(JSON.stringify(results))});
process.exitCode = ${JSON.stringify(failing)}.some(start => command.startsWith(start)) ? 1 : 0;
`;

/** Runs the script of CI with stand-ins for everything slow, and nothing else replaced. */
function runCi(outcome: Outcome) {
  const folder = mkdtempSync(join(tmpdir(), 'conform-ci-'));
  folders.push(folder);
  const bin = join(folder, 'bin');
  const log = join(folder, 'log');
  mkdirSync(bin);
  // Otherwise a package.json in a parent folder would decide the module type.
  writeFileSync(join(bin, 'package.json'), '{}');
  for (const name of ['npm', 'npx', 'chromium', 'initdb']) {
    writeFileSync(join(bin, name), standIn(log, outcome));
    chmodSync(join(bin, name), 0o755);
  }
  const given = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, TMPDIR: folder, CHROMIUM: join(bin, 'chromium') };
  const { stdout, status } = spawnSync('bash', [join(root, '.ci/run')], { cwd: folder, env: given, encoding: 'utf8' });
  const calls = readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as { readonly command: string; readonly variables: readonly string[] });
  return { calls, given: Object.keys(given), status, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

const passed = { numPassedTests: 7, numFailedTests: 0, success: true, testResults: [] };

describe('the script of CI', () => {
  test('runs what the README gives, whole: it adds reporters and an output folder, and sets no variable but CI', () => {
    const { calls, given, status, lastLine } = runCi({ results: passed });
    // Bash itself sets the last three.
    const known = [...given, 'CI', 'PWD', 'SHLVL', '_', 'OLDPWD'];
    expect(calls.flatMap(({ variables }) => variables.filter(name => !known.includes(name)))).toEqual([]);
    const added = / (--|--reporter=\S+|--outputFile\.json=\S+|--out \S+)(?= |$)/g;
    const commands = calls.map(({ command }) => command.replace(added, ''));
    expect(commands).toEqual(['npm ci', 'npm run check', 'npm test', 'npx conform run']);
    const shown = [...textOf('README.md').matchAll(/^npm ci && (np[mx] [a-z ]+?) +#/gm)].map(match => match[1]);
    expect(shown.length).toBe(2);
    expect(commands).toEqual(expect.arrayContaining(shown));
    expect({ status, lastLine }).toEqual({ status: 0, lastLine: '7 passed, 0 failed' });
  });

  // biome-ignore format: a table
  test.each<[what: string, outcome: Outcome, lastLine: string]>([
    ['a test', { failing: ['npm test'], results: { ...passed, numFailedTests: 2, success: false } }, '7 passed, 2 failed'],
    ['a test file that cannot be loaded', { failing: ['npm test'], results: { ...passed, success: false, testResults: [{ status: 'failed', assertionResults: [] }] } }, '7 passed, 1 failed'],
    ['vitest, of no test', { failing: ['npm test'], results: passed }, '7 passed, 1 failed'],
    ['the check', { failing: ['npm run check'], results: passed }, '7 passed, 1 failed'],
    ['the run of the suite', { failing: ['npx conform run'], results: passed }, '7 passed, 1 failed'],
    ['the check and the run', { failing: ['npm run check', 'npx conform run'], results: passed }, '7 passed, 2 failed'],
    ['the installation', { failing: ['npm ci'] }, '0 passed, 1 failed'],
  ])('fails, and counts it, where %s fails', (_what, outcome, lastLine) => {
    expect(runCi(outcome)).toMatchObject({ status: 1, lastLine });
  });
});

/** Environment variables that tests read, and why none of them weakens `npm test`. */
// biome-ignore format: a table
const variables: Readonly<Record<string, string>> = {
  CI:                 'makes tests fail that are skipped elsewhere for want of a browser or a database',
  PATH:               'finds programs',
  CHROMIUM:           'finds the browser',
  KILLS:              'how many more moments `npm run prove` kills a process at',
  KILL_SEED:          'which of those moments',
  RUN_KILLS:          'how many more runs `npm run prove` kills',
  RUN_KILL_SEED:      'at which places',
  VERIFIED:           'how many more results `npm run prove` verifies',
  CLIENTS:            'whether `npm run prove` calls foreign clients, of which `npm test` has the noted answers',
  PYTHON:             'finds the interpreter of one of them',
  OUTAGES:            'how many more outages of a database `npm run prove` makes',
  OUTAGE_SEED:        'when they begin and end',
  INTERRUPT_AT:       'at which request `npm run prove` interrupts a run',
  INSTANCES_PROFILE:  'the larger profile of `npm run prove`',
  UNDER_FIRE_REQUESTS: 'how many more requests `npm run prove` sends',
  UNDER_FIRE_SEED:    'which requests',
  ATTACK_SEEDS:       'by which other seeds commands are attacked, and with more each time',
  HISTORIES:          'how many more random histories the model is shown',
  HISTORIES_SEED:     'which histories',
  TRAFFIC_EXCHANGES:  'how many more exchanges are judged',
  SCRIPTS:            'how many more scripts servers are held to over a database',
  CONFORM:            'the command that a stand-in for a container starts',
  CONFORM_BASE_URL:   'the target of the adapter for vitest, as its users give it',
  CONFORM_CONFIG:     'likewise, its target file',
  CONFORM_PROFILE:    'likewise, its profile',
};

test('no test reads a variable that could make less of it, but those that say why they do not', () => {
  const tests = files.filter(path => /\.(test|fixture)\.ts$|(^|\/)proof\/.*\.ts$|^vitest\.config\.ts$/.test(path));
  const read = tests.flatMap(path =>
    [...textOf(path).matchAll(/process\.env(?:\.(\w+)|\[)/g)].map(match => match[1] ?? path),
  );
  const destructured = tests.flatMap(path =>
    [...textOf(path).matchAll(/const \{([^}]*)\} = process\.env/g)].flatMap(match =>
      [...(match[1] ?? '').matchAll(/\b([A-Z][A-Z_]+)\b/g)].map(name => name[1] ?? ''),
    ),
  );
  const names = new Set([...read, ...destructured]);
  expect([...names].filter(name => variables[name] === undefined)).toEqual([]);
  expect(Object.keys(variables).filter(name => !names.has(name))).toEqual([]);
});
