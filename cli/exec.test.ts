import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommand } from './exec.ts';
import { folder } from './testing/command.fixture.ts';
import { started } from './testing/process.fixture.ts';
import { allGone, written } from './testing/processes.fixture.ts';

test('a command is run by the shell with the environment that it is given, and its exit code is told', async () => {
  const running = startCommand('test "$ANSWER" = 42 && exit 7', { ...process.env, ANSWER: '42' });
  expect(await running.ended).toBe(7);
  await running.cleanUp();
});

test('a command that there is not, and one that a signal ends, are told as a shell tells them', async () => {
  expect(await startCommand('no-such-command-here 2>/dev/null', process.env).ended).toBe(127);
  expect(await startCommand('kill -TERM $$', process.env).ended).toBe(143);
});

test('what a command leaves behind ends with it, also where it does not listen', async () => {
  const here = folder();
  const deaf = join(here, 'deaf');
  const meek = join(here, 'meek');
  const running = startCommand(
    `sh -c 'trap "" TERM; echo $$ > ${deaf}; while :; do sleep 0.1; done' & sleep 600 & echo $! > ${meek}; while [ ! -s ${deaf} ]; do sleep 0.01; done; exit 0`,
    process.env,
  );
  expect(await running.ended).toBe(0);
  const pids = [await written(deaf), await written(meek)];
  await running.cleanUp();
  await allGone(pids);
});

test('a signal is handed on to the command and to all that it started', async () => {
  const here = folder();
  const running = startCommand(
    `trap 'exit 9' INT; echo $$ > ${join(here, 'up')}; while :; do sleep 0.05; done`,
    process.env,
  );
  await written(join(here, 'up'));
  running.signal('SIGINT');
  expect(await running.ended).toBe(9);
  await running.cleanUp();
});

test('a signal of which nobody takes care ends all that was started, and then this process', async () => {
  const file = join(folder(), 'pid');
  const command = `trap "" INT TERM HUP; echo $$ > ${file}; while :; do sleep 0.05; done`;
  const running = started(['doctor', '--base-url', 'http://127.0.0.1:9', '--api-key-command', command]);
  const pid = await written(file);
  running.child.kill('SIGHUP');
  expect(await running.ended).toBe('SIGHUP');
  await allGone([pid]);
});
