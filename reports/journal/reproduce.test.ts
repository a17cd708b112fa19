import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { RunStart } from '../../contracts/report/journal.ts';
import { start } from '../testing/runs.fixture.ts';
import { reproduceLine } from './check-report.ts';

const run = start([]);
const tail = "--only 'patch-gate/reject' --seed 42 --profile standard";
const head = 'npx conform run';

// biome-ignore format: a table
const cases: readonly [what: string, run: RunStart, path: string | undefined, line: string][] = [
  ['a target with a file',  run, '16:0:2',   `${head} --base-url https://staging.example.test --config conform.config.json ${tail} --path 16:0:2`],
  ['no counterexample',     run, undefined,  `${head} --base-url https://staging.example.test --config conform.config.json ${tail}`],
  ['the embedded server',   { ...run, target: { baseUrl: 'http://127.0.0.1:50123', embedded: true }, options: { readOnly: false, strict: false, only: [], skip: [] } }, '0', `${head} ${tail} --path 0`],
  ['flags that bear on it', { ...run, options: { ...run.options, readOnly: true, strict: true } }, undefined, `${head} --base-url https://staging.example.test --config conform.config.json ${tail} --read-only --strict`],
  ['the minimal request',     run, 'plain',    `${head} --base-url https://staging.example.test --config conform.config.json ${tail}`],
  ['what no case shows',      run, '',         `${head} --base-url https://staging.example.test --config conform.config.json --only 'patch-gate/*' --seed 42 --profile standard`],
  ['a negative seed',       { ...run, seed: -7 }, undefined, `${head} --base-url https://staging.example.test --config conform.config.json --only 'patch-gate/reject' --seed=-7 --profile standard`],
];

test.each(cases)('%s', (_what, run, path, line) => {
  expect(reproduceLine(run, 'patch-gate/reject', path === undefined ? undefined : { path })).toBe(line);
});

test('recorded traffic is judged again, of the same server; traffic that no file holds cannot be', () => {
  const of = (...sources: string[]): RunStart => {
    const traffic = { sources, soleWriter: true, settleMs: 5, failOn: 'any' as const };
    return { ...run, options: { ...run.options, traffic } };
  };
  expect(reproduceLine(of('a.har', 'b c.har'), 'patch-gate/schema')).toBe(
    "npx conform judge a.har 'b c.har' --base-url https://staging.example.test --sole-writer --settle 5ms",
  );
  expect(reproduceLine(of('the proxy'), 'patch-gate/schema')).toBeUndefined();
  expect(reproduceLine(of(), 'patch-gate/schema')).toBeUndefined();
});

test('hostile values stay one word of the shell', () => {
  const config = `it's a "file" $(id); & \u202e.json`;
  const line = reproduceLine({ ...run, options: { ...run.options, config } }, `a/'b'`, { path: '-1; id' });
  const output = execFileSync('sh', ['-c', `npx() { printf '%s\\0' "$@"; }\n${line}`]).toString();
  expect(output.split('\0')).toEqual(expect.arrayContaining([config, `a/'b'`, '--path=-1; id']));
});
