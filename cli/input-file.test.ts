import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInput } from './input-file.ts';
import { conform, folder } from './testing/command.fixture.ts';

const server = ['--base-url', 'http://127.0.0.1:9', '--api-key', 'k'];
const out = (): string[] => ['--out', folder()];

/** Every way in which a command reads a given file. */
// biome-ignore format: a table
const readers: readonly (readonly [what: string, argv: (file: string) => string[]])[] = [
  ['a target file',            file => ['run', '--config', file, ...out()]],
  ['what was learned',         file => ['run', ...server, '--learned', file, ...out()]],
  ['a baseline',               file => ['run', ...server, '--baseline', file, ...out()]],
  ['authorities',              file => ['init', ...server, '--ca', file]],
  ['a certificate',            file => ['doctor', ...server, '--client-cert', file]],
  ['a seed',                   file => ['serve', '--port', '0', '--seed', file]],
  ['a certificate to serve',   file => ['serve', '--port', '0', '--tls-cert', file, '--tls-key', file]],
  ['JSON for ctl',             file => ['ctl', 'put', 'gates', 'a', `@${file}`]],
  ['a recording of traffic',   file => ['judge', file, ...out()]],
  ['expected breaches',        file => ['judge', 'examples/traffic/tests.har', '--expect-breach', file, ...out()]],
  ['a recording of a run',     file => ['diff', file, file, ...out()]],
  ['acknowledged differences', file => ['diff', 'http://127.0.0.1:9', 'http://127.0.0.1:8', '--api-key', 'k', '--allow', file, ...out()]],
  ['reports',                  file => ['compare', file, file]],
  ['a report',                 file => ['badge', file]],
  ['a report with a cause',    file => ['explain', 'F1', file]],
  ['a report to replay',       file => ['replay', 'F1', file]],
  ['a journal',                file => ['report', file]],
  ['a journal to restore',     file => ['restore', file]],
];

/** Returns a sparse file of 600 MiB, which takes no space on disk. */
function huge(): string {
  const file = join(folder(), 'huge');
  writeFileSync(file, '');
  truncateSync(file, 600 * 1024 * 1024);
  return file;
}

const one = /^conform: [^\n]+\n$/;

test('a device that never ends is refused', () => {
  expect(() => readInput('/dev/zero', 'config')).toThrow(
    /^cannot read the config \/dev\/zero: it has more than 5\d+ bytes/,
  );
});

test.each(readers)('%s that is too long, or is a folder, is refused in one line', async (_what, argv) => {
  for (const [file, why] of [
    [huge(), /more than 5\d+ bytes/],
    [folder(), /EISDIR|has no file/],
  ] as const) {
    const { code, err } = await conform(argv(file));
    expect([code, err]).toEqual([2, expect.stringMatching(one)]);
    expect(err).toMatch(why);
  }
});

test.each(readers)('%s that nests without end, or is no JSON, is refused without a word of it', async (_what, argv) => {
  for (const text of [
    '{"a":'.repeat(100_000),
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    '{"apiKey":sk-secret}',
  ]) {
    const file = join(folder(), 'file.json');
    writeFileSync(file, text);
    const { code, err } = await conform(argv(file));
    expect([code, err]).toEqual([2, expect.stringMatching(one)]);
    expect(err).not.toMatch(/sk-|sec/);
  }
});
