import { once } from 'node:events';

export default async function stop() {
  const server = globalThis.referenceServer;
  if (server.exitCode !== null) return;
  server.kill();
  await once(server, 'exit');
}
