import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const prism = fileURLToPath(new URL('./node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
const document = fileURLToPath(new URL('../contracts/openapi.json', import.meta.url));

/** True where `npm ci --prefix bench` has been run. */
export const isPrismInstalled = (): boolean => existsSync(prism);

/** Prism's mock server in a process of its own. */
export interface PrismServer {
  readonly url: URL;
  close(): void;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>(resolve => probe.close(() => resolve()));
  return port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });

/**
 * Starts Prism's mock of `contracts/openapi.json` with the given flags on a free port of the loopback interface. Its
 * process ends with this one however this one ends, as the channel between them is then closed.
 */
export async function startPrism(flags: readonly string[]): Promise<PrismServer> {
  const port = await freePort();
  const child = fork(prism, ['mock', '--host', '127.0.0.1', '--port', `${port}`, ...flags, document], {
    execArgv: ['--import', 'data:text/javascript,process.once("disconnect",()=>process.exit(0))'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  while (!(await accepts(port))) {
    if (ended) throw new Error(`Prism ended with code ${child.exitCode} before it listened`);
    await pause(50);
  }
  return { url: new URL(`http://127.0.0.1:${port}`), close: () => void child.kill('SIGKILL') };
}
