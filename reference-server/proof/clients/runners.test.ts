import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const program = at('dist/cli/main.js');
const python = process.env.PYTHON ?? 'python3';
const has = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** The examples for test runners of other languages, tried where they are asked for and their tools are there. */
const isAsked = process.env.CLIENTS === '1' && existsSync(program);
// biome-ignore format: a table
const runners: readonly (readonly [name: string, command: string, args: readonly string[], isThere: boolean, passed: RegExp])[] = [
  ['pytest',  python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], has(python, '-c', 'import pytest'), /3 passed/],
  ['go',      'go',   ['test', '-count=1', './...'],                    has('go', 'version'),               /^ok/m],
];

for (const [name, command, args, isThere, passed] of runners)
  test.skipIf(!isAsked || !isThere)(`the example for ${name} passes with the built program`, async () => {
    const env = { ...process.env, CONFORM: `${process.execPath} ${program}`, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(command, [...args], { cwd: at(`examples/runners/${name}`), env });
    expect(stdout).toMatch(passed);
  });
