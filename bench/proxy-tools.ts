import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { createReferenceServer, faults, referenceTarget } from '../reference-server/index.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import { targetOf } from '../suites/sut/target.ts';
import { createRedaction } from '../suites/traffic/exchange/redaction.ts';
import { createTrafficJudge, type ObservedExchange } from '../suites/traffic/index.ts';
import { harEntry } from '../suites/traffic/recordings/har-entry.ts';
import { startProxy } from '../suites/traffic/wire/proxy.ts';
import { apiKey } from './servers.ts';
import { steadyRequests } from './steady-requests.ts';

/** Redocly's command line. Its `proxy` records a HAR and judges it with the engine of `drift`, which takes a HAR. */
const program = fileURLToPath(new URL('./node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const document = fileURLToPath(new URL('../contracts/openapi.json', import.meta.url));
const everyNth = 14;

/** The address that the traffic shows, because the ports of the servers differ. */
const baseUrl = new URL('http://api.example.test');

/** The messages of a tool about some traffic, each once. */
type Said = ReadonlySet<string>;

async function sent(origin: URL, { method, path, headers, body }: WireRequest): Promise<void> {
  const answer = await request(new URL(path, origin), { method: method as 'GET', headers, body: body ?? null });
  await answer.body.dump();
}

/** Returns the exchanges with a faulty server that is sent each operation twice, in the order of the endpoints. */
async function traffic(ids: readonly string[]): Promise<readonly ObservedExchange[]> {
  const server = createReferenceServer({ apiKey, faults: ids });
  const target = new URL((await server.listen()).url);
  const seen: ObservedExchange[] = [];
  const sink = { observe: (exchange: ObservedExchange) => void seen.push(exchange) };
  const proxy = await startProxy({ target, sink }, { host: '127.0.0.1', port: 0 });
  const steady = [...steadyRequests(targetOf(referenceTarget(), target, apiKey)).values()];
  for (const one of [...steady, ...steady]) await sent(proxy.url, one).catch(() => {});
  await Promise.all([proxy.close(), server.close()]);
  return seen;
}

function saidByOurs(exchanges: readonly ObservedExchange[]): Said {
  const said = new Set<string>();
  const judge = createTrafficJudge({
    baseUrl,
    soleWriter: true,
    settleMs: 0,
    emit: () => {},
    onBreach: ({ side, requirement }) => void said.add(`${side} ${requirement}`),
  });
  for (const exchange of exchanges) judge.observe(exchange);
  judge.end();
  return said;
}

/** A problem in Redocly's report. Those of severity `info` (a header that no operation documents) do not count. */
interface Problem {
  readonly severity: string;
  readonly operationId?: string;
  readonly message: string;
}

async function saidByRedocly(exchanges: readonly ObservedExchange[]): Promise<Said> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-redocly-'));
  const [har, out] = [join(folder, 'traffic.har'), join(folder, 'report.json')];
  const written = { baseUrl, startedAt: 0, redaction: createRedaction('SERVICE-API-KEY', undefined).texts };
  const entries = exchanges.map(exchange => harEntry(exchange, written));
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: { name: 'bench', version: '0' }, entries } }));
  const given = ['drift', har, '--api', document, '--server', baseUrl.origin, '--format', 'json', '-o', out];
  // Redocly exits with 1 if it finds something.
  const options = { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } };
  await promisify(execFile)(process.execPath, [program, ...given], options).catch(() => {});
  const { problems } = JSON.parse(readFileSync(out, 'utf8')) as { readonly problems: readonly Problem[] };
  rmSync(folder, { recursive: true });
  const told = problems.filter(({ severity }) => severity !== 'info');
  return new Set(told.map(({ operationId, message }) => `${operationId} ${message}`));
}

/** Prints what our judge and Redocly's find in the same traffic with the same faults, and report of a sound server. */
export async function proxyTools(print: (line: string) => void): Promise<void> {
  if (!existsSync(program)) return print('proxy beside Redocly   not measured: `npm ci --prefix bench` installs it');
  const both = async (ids: readonly string[]): Promise<{ ours: Said; theirs: Said }> => {
    const exchanges = await traffic(ids);
    return { ours: saidByOurs(exchanges), theirs: await saidByRedocly(exchanges) };
  };
  const sound = await both([]);
  const isNew = (now: Said, before: Said): boolean => [...now].some(line => !before.has(line));
  const chosen = faults.filter((_fault, index) => index % everyNth === 0);
  const found = { ours: 0, theirs: 0, both: 0 };
  for (const { id } of chosen) {
    const said = await both([id]);
    const [ours, theirs] = [isNew(said.ours, sound.ours), isNew(said.theirs, sound.theirs)];
    found.ours += Number(ours);
    found.theirs += Number(theirs);
    found.both += Number(ours && theirs);
  }
  print(
    `traffic judged beside Redocly's drift: of ${chosen.length} faults (every ${everyNth}th) ours shows ${found.ours}, theirs ${found.theirs}, both ${found.both}`,
  );
  const first = [...sound.theirs].slice(0, 3).map(line => `\n    ${line}`);
  print(`  said of the sound server: ours ${sound.ours.size}, theirs ${sound.theirs.size}${first.join('')}`);
  print('  each operation twice by its minimal request, no mistakes: what other faults need is not in this traffic');
}
