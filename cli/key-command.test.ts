import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keysOfCommand } from './key-command.ts';
import { conform, folder } from './testing/command.fixture.ts';
import { allGone, written } from './testing/processes.fixture.ts';

/** Returns a command whose child ignores SIGTERM and keeps the output open; the child's id goes to a file. */
const deaf = (file: string): string =>
  `sh -c 'trap "" TERM; echo $$ > ${file}; while :; do sleep 0.1; done' & while [ ! -s ${file} ]; do sleep 0.01; done`;

const file = (): string => join(folder(), 'pid');

// biome-ignore format: a table
test.each([
  ['prints for ever',         'yes',                    /printed far more than a key/],
  ['prints for ever, deaf',   'trap "" TERM PIPE; while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done', /printed far more than a key/],
  ['complains for ever',      'yes >&2',                /printed far more than a key/],
  ['fails',                   'echo key; exit 1',       /failed \(exit code 1\)/],
  ['ends by a signal',        'echo key; kill -9 $$',   /failed \(exit code 137\)/],
])('of a command that %s nothing is left, and its children are gone', async (_what, command, says) => {
  const pid = file();
  await expect(keysOfCommand(`${deaf(pid)}; ${command}`)).rejects.toThrow(says);
  await allGone([await written(pid)]);
});

// biome-ignore format: a table
test.each([
  ['nothing',    'echo',                   /printed no key/],
  ['two lines',  'echo a; echo b',         /HTTP header/],
  ['a control',  "printf 'a\\033[31mb'",   /HTTP header/],
])('one that prints %s brings no key, and nothing of it is shown', async (_what, command, says) => {
  await expect(keysOfCommand(command)).rejects.toThrow(says);
});

test('what one complains of is said at once, and does nothing to who reads of it', async () => {
  const complaint = "printf 'no \\033]0;x\\007\\n::error::x\\nlast' >&2; exit 3";
  const ended = await conform([
    'run',
    '--base-url',
    'http://127.0.0.1:9',
    '--api-key-command',
    complaint,
    '--out',
    folder(),
  ]);
  expect(ended.code).toBe(2);
  expect(ended.err).toMatch(
    /^no \\u\{1b\}\]0;x\\u\{7\}\n[^:].*error::x\nlast\nconform: --api-key-command failed \(exit code 3\)\n$/,
  );
});

test('of what one complains of two hundred lines are shown', async () => {
  const base = ['run', '--base-url', 'http://127.0.0.1:9', '--out', folder()];
  const ended = await conform([...base, '--api-key-command', 'seq 1000 >&2; exit 3']);
  const lines = ended.err.trimEnd().split('\n');
  expect([lines.length, lines[199]]).toEqual([202, '200']);
  expect(lines.slice(200)).toEqual([
    '… (and more, which is not shown)',
    'conform: --api-key-command failed (exit code 3)',
  ]);
});

test('one that does not end is ended with its children, when its time is over', async () => {
  const real = setTimeout;
  const over: (() => void)[] = [];
  const spy = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((act: () => void, ms: number) =>
      ms === 60_000 ? void over.push(act) : real(act, ms)) as never);
  onTestFinished(() => spy.mockRestore());
  const pid = file();
  const keys = expect(keysOfCommand(`${deaf(pid)}; wait`)).rejects.toThrow('did not end within 1m');
  const id = await written(pid);
  for (const act of over) act();
  await keys;
  await allGone([id]);
});

test('a key is taken from one that leaves a child behind, in its group or beyond it', async () => {
  const [near, far] = [file(), file()];
  const command = `${deaf(near)}; setsid sh -c 'echo $$ > ${far}; exec sleep 600' & while [ ! -s ${far} ]; do sleep 0.01; done; echo the-key`;
  const keys = await keysOfCommand(command);
  expect(keys.current()).toBe('the-key');
  await allGone([await written(near)]);
  process.kill(await written(far), 'SIGKILL');
});

// biome-ignore format: a table
test.each([
  ['run',    '--api-key-command', ['--base-url', 'http://127.0.0.1:9']],
  ['doctor', '--api-key-command', ['--base-url', 'http://127.0.0.1:9']],
  ['proxy',  '--exec',            []],
])('%s refuses a %s without a command', async (verb, flag, more) => {
  for (const nothing of ['', ' \t']) {
    const out = verb === 'doctor' ? [] : ['--out', folder()];
    const ended = await conform([verb, ...more, flag, nothing, ...out]);
    expect(ended).toEqual({ code: 2, out: '', err: `conform: ${flag} names no command\n` });
  }
});
