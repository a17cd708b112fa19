import { Agent, createServer, request as forward } from 'node:http';
import { onLoopback } from '../testing/loopback.ts';

/** Serves several servers at one address and passes each request to the next one. */
export async function inTurns(
  servers: readonly URL[],
): Promise<{ readonly url: URL; readonly close: () => Promise<void> }> {
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  const proxy = createServer((request, response) => {
    const { hostname, port } = servers[count++ % servers.length] as URL;
    const { method, url: path, rawHeaders } = request;
    const onward = forward({ agent, hostname, port, method, path, headers: rawHeaders }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    // A server that refuses a body may not read it.
    onward.on('error', error => response.headersSent || response.destroy(error));
    request.pipe(onward);
  });
  const { url, close } = await onLoopback(proxy);
  return {
    url,
    close: async () => {
      await close();
      agent.destroy();
    },
  };
}
