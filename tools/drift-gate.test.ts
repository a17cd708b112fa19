import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = resolve('examples/drift-gate.sh');

/** Runs the script in a folder with these files and a command that prints its words. Returns the output. */
function ran(argv: readonly string[], files: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'drift-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of files) writeFileSync(join(folder, file), '');
  return execFileSync('sh', [script, ...argv], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CONFORM: 'echo' },
  }).trim();
}

test('the drift gate records the old server, and keeps the recording only where there is one', () => {
  const says = 'run --base-url http://old --config conform.config.json --record today.rec.new --profile quick';
  expect(ran(['record', 'http://old', '--profile', 'quick'])).toBe(says);
  expect(ran(['record', 'http://old', '--profile', 'quick'], ['today.rec.new'])).toBe(says);
});

test('the drift gate holds the new server to it, but for what is acknowledged', () => {
  const reporters = '--fail-on open --reporter terminal --reporter junit --reporter html';
  expect(ran(['http://new'])).toBe(`diff today.rec http://new --config conform.config.json ${reporters}`);
  expect(ran(['http://new', '--out', 'x'], ['conform.differences.json'])).toBe(
    `diff today.rec http://new --config conform.config.json ${reporters} --allow conform.differences.json --out x`,
  );
});
