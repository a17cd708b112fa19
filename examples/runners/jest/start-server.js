/**
 * Starts the reference server once for all tests. CONFORM is the command that starts the program;
 * `npx console-conformance@0.1.0` when absent.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const conform = process.env.CONFORM || 'npx console-conformance@0.1.0';

export default async function start() {
  const ready = join(mkdtempSync(join(tmpdir(), 'conform-')), 'ready.json');
  const [command, ...args] = conform.split(' ');
  const server = spawn(command, [...args, 'serve', '--port', '0', '--ready-file', ready, '--quiet'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  globalThis.referenceServer = server;
  for (let tries = 0; tries < 1200 && server.exitCode === null; tries += 1) {
    if (existsSync(ready) && readFileSync(ready, 'utf8').endsWith('\n')) {
      process.env.REFERENCE_SERVER = readFileSync(ready, 'utf8');
      return;
    }
    await delay(50);
  }
  server.kill();
  throw new Error('the server did not start');
}
