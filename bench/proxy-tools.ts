import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { createReferenceServer, faults, referenceTarget } from '../reference-server/index.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import { targetOf } from '../suites/sut/target.ts';
import { createTrafficJudge } from '../suites/traffic/index.ts';
import { startProxy } from '../suites/traffic/proxy/proxy.ts';
import { apiKey } from './servers.ts';
import { steadyRequests } from './steady-requests.ts';

const program = fileURLToPath(new URL('./node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
const document = fileURLToPath(new URL('../contracts/openapi.json', import.meta.url));
const everyNth = 7;

/** What a proxy says of the traffic of a server: each line once. */
type Said = ReadonlySet<string>;

async function sent(origin: URL, { method, path, headers, body }: WireRequest) {
  const answer = await request(new URL(path, origin), { method: method as 'GET', headers, body: body ?? null });
  await answer.body.dump();
  return answer.headers;
}

async function saidByOurs(target: URL, requests: readonly WireRequest[]): Promise<Said> {
  const said = new Set<string>();
  const judge = createTrafficJudge({
    baseUrl: target,
    soleWriter: true,
    settleMs: 0,
    emit: () => {},
    onBreach: ({ side, requirement }) => void said.add(`${side} ${requirement}`),
  });
  const proxy = await startProxy({ target, sink: judge }, { host: '127.0.0.1', port: 0 });
  for (const one of requests) await sent(proxy.url, one).catch(() => {});
  await proxy.close();
  judge.end();
  return said;
}

async function saidByPrism(prism: URL, requests: readonly WireRequest[]): Promise<Said> {
  const said = new Set<string>();
  for (const one of requests) {
    const headers = await sent(prism, one).catch(() => ({}) as Record<string, string>);
    const violations = JSON.parse(String(headers['sl-violations'] ?? '[]')) as {
      location: string[];
      message: string;
    }[];
    for (const { location, message } of violations) said.add(`${one.path} ${location.join('.')} ${message}`);
  }
  return said;
}

/** Prism's proxy before an address behind which the server can be changed. */
async function startPrismProxy() {
  let behind = new URL('http://127.0.0.1:9');
  const front = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const onward = forward(new URL(url ?? '/', behind), { method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve));
  const upstream = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const port = 20_000 + (process.pid % 20_000);
  const child = fork(
    program,
    ['proxy', '--host', '127.0.0.1', '--port', `${port}`, '-v', 'silent', document, upstream],
    {
      execArgv: ['--import', 'data:text/javascript,process.once("disconnect",()=>process.exit(0))'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const url = new URL(`http://127.0.0.1:${port}`);
  while (
    child.exitCode === null &&
    !(await request(url).then(
      ({ body }) => body.dump().then(() => true),
      () => false,
    ))
  )
    await pause(100);
  return {
    url,
    before: (target: URL) => {
      behind = target;
    },
    close() {
      child.kill('SIGKILL');
      front.close();
    },
  };
}

/** Prints what our proxy and Prism's find in the same traffic before the same faults, and what they say of a sound server. */
export async function proxyTools(print: (line: string) => void): Promise<void> {
  if (!existsSync(program)) return print('proxy beside Prism   not measured: `npm ci --prefix bench` installs Prism');
  const prism = await startPrismProxy();
  async function both(ids: readonly string[]): Promise<{ ours: Said; theirs: Said }> {
    const said: Said[] = [];
    for (const tool of ['ours', 'theirs'] as const) {
      const server = createReferenceServer({ apiKey, faults: ids });
      const url = new URL((await server.listen()).url);
      // Each operation twice, in the order of the endpoints: ordinary use without a mistake.
      const steady = [...steadyRequests(targetOf(referenceTarget(), url, apiKey)).values()];
      prism.before(url);
      const requests = [...steady, ...steady];
      said.push(await (tool === 'ours' ? saidByOurs(url, requests) : saidByPrism(prism.url, requests)));
      await server.close();
    }
    return { ours: said[0] as Said, theirs: said[1] as Said };
  }
  try {
    const sound = await both([]);
    const chosen = faults.filter((_fault, index) => index % everyNth === 0);
    const found = { ours: 0, theirs: 0, both: 0 };
    for (const { id } of chosen) {
      const said = await both([id]);
      const isNew = (now: Said, before: Said): boolean => [...now].some(line => !before.has(line));
      const ours = isNew(said.ours, sound.ours);
      const theirs = isNew(said.theirs, sound.theirs);
      found.ours += Number(ours);
      found.theirs += Number(theirs);
      found.both += Number(ours && theirs);
    }
    print(
      `proxy beside Prism's, same traffic: of ${chosen.length} faults (every ${everyNth}th) ours shows ${found.ours}, Prism's ${found.theirs}, both ${found.both}`,
    );
    print(
      `  said of the sound server: ours ${sound.ours.size}, Prism's ${sound.theirs.size}${[...sound.theirs]
        .slice(0, 3)
        .map(line => `\n    ${line}`)
        .join('')}`,
    );
    print('  each operation twice by its minimal request, no mistakes: what other faults need is not in this traffic');
  } finally {
    prism.close();
  }
}
