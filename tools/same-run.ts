import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './repository.ts';

/**
 * Shows that two versions of the suite send and judge the same: `npx tsx tools/same-run.ts OTHER-CHECKOUT [ARGUMENT…]`.
 *
 * Runs the built command line of both checkouts against the embedded server, with seed 1 and the given arguments.
 * Compares the journals and the requests as sets of lines, without what may differ: timings, the token, the port, and
 * renamed fields of an older journal. Exit code 1 on a difference, whose first lines are shown.
 */

/** Texts of an older journal and their present form: renamed fields and words. */
// biome-ignore format: a table
const renamed: readonly (readonly [before: string, now: string])[] = [
  ['"version":1',          '"version":2'],
  ['"event":"original"',   '"event":"snapshot"'],
  ['"beyond":',            '"extended":'],
  ['twin',                 'control'],
  ['plain request',        'minimal request'],
];

interface Recorded {
  readonly journal: readonly string[];
  readonly requests: readonly string[];
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

/** Returns lines without their varying parts, sorted because lanes run concurrently. */
function normalised(lines: readonly string[], token: string): string[] {
  const line = (text: string): string =>
    renamed
      .reduce((all, [before, now]) => all.replaceAll(before, now), text)
      .replaceAll(token, 'TOKEN')
      .replaceAll(/TOKEN_\d+/g, 'TOKEN_N')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
      .replaceAll(/"(durationMs|startedAt|journal)":("[^"]*"|[\d.]+)/g, '"$1":0');
  return lines.map(line).sort();
}

function record(checkout: string, more: readonly string[]): Recorded {
  const folder = mkdtempSync(join(tmpdir(), 'same-run-'));
  const requests = join(folder, 'requests.ndjson');
  const hook = join(root, 'tools', 'record-requests.mjs');
  const program = join(checkout, 'dist/cli/main.js');
  const command = ['--import', hook, program, 'run', '--seed', '1', '--out', folder, ...more];
  const { status, stderr } = spawnSync(process.execPath, command, {
    env: { ...process.env, RECORD_REQUESTS: requests },
    encoding: 'utf8',
  });
  const journal = linesOf(join(folder, 'journal.ndjson'));
  const hasEnded = journal.some(line => line.startsWith('{"event":"run-end"'));
  if (status === 2 || !hasEnded) throw new Error(`the run of ${checkout} could not be made: ${stderr}`);
  const { token } = JSON.parse(journal[0] ?? '{}') as { token: string };
  const recorded = { journal: normalised(journal, token), requests: normalised(linesOf(requests), token) };
  rmSync(folder, { recursive: true });
  return recorded;
}

/** Returns the lines that one side has more often than the other. */
function missing(from: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of other) counts.set(line, (counts.get(line) ?? 0) + 1);
  return from.filter(line => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

const [other, ...more] = process.argv.slice(2);
if (other === undefined) throw new Error('npx tsx tools/same-run.ts OTHER-CHECKOUT [ARGUMENT…]');
const before = record(resolve(other), more);
const now = record(root, more);
for (const part of ['journal', 'requests'] as const) {
  const lost = missing(before[part], now[part]);
  const gained = missing(now[part], before[part]);
  process.stdout.write(`${part}: ${before[part].length} lines and ${now[part].length}, `);
  process.stdout.write(`${lost.length} only there, ${gained.length} only here\n`);
  for (const line of lost.slice(0, 3)) process.stdout.write(`- ${line.slice(0, 400)}\n`);
  for (const line of gained.slice(0, 3)) process.stdout.write(`+ ${line.slice(0, 400)}\n`);
  if (lost.length + gained.length > 0) process.exitCode = 1;
}
