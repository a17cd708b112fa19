import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../testing/built.ts';
import { opened } from './connection.fixture.ts';
import { fire } from './fire.fixture.ts';
import { asked } from './lists.fixture.ts';

it('`serve` outlives an attack, says nothing of it, and ends when it is told to, with clients that dawdle or are held back', async () => {
  const program = await builtProgram(fileURLToPath(new URL('../../../cli/main.ts', import.meta.url)));
  const argv = ['serve', '--port', '0', '--api-key', 'reference-key'];
  const child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text;
  });
  const ended = once(child, 'exit');
  let port = 0;
  for await (const line of createInterface(child.stdout)) {
    port = Number(/base URL +http:\/\/[^:]+:(\d+)/.exec(line)?.[1] ?? port);
    if (line.startsWith('Ctrl-C')) break;
  }
  const { problems, statuses } = await fire(port, 2, 0, 1000);
  expect(problems).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(100);
  expect((await asked(port, 'GET', '/_reference/health')).status).toBe('ok');
  const slow = await Promise.all(Array.from({ length: 5 }, () => opened(port)));
  for (const connection of slow)
    connection.write('PATCH /console/v1/gates/dark_mode HTTP/1.1\r\nHost: x\r\nContent-Le');
  const behaviour = { id: 'held', match: { operation: 'list-segments' }, latency: { ms: 600_000 } };
  await asked(port, 'POST', '/_reference/v1/behaviours', behaviour);
  const held = await opened(port);
  held.write('GET /console/v1/segments HTTP/1.1\r\nHost: x\r\nSERVICE-API-KEY: reference-key\r\n\r\n');
  await expect.poll(async () => (await asked(port, 'GET', '/_reference/v1/behaviours/held')).met).toBe(1);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await Promise.all([...slow, held].map(connection => connection.closed));
  expect(complaints).toBe('');
});
