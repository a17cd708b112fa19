import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import { type Members, membersOf } from '../../../contracts/json.ts';
import { createReferenceServer, type ReferenceServerOptions } from '../../../reference-server/index.ts';
import type { NoAnswer, ObservedExchange } from '../../traffic/index.ts';
import { bytesOf } from '../testing/exchanges.ts';
import { patientServer } from '../testing/patient-server.ts';

/** The key of the servers of these tests. */
export const serverKey = 'Traffic-Proof-Key';

/** One request of a client, with ordinary values for everything that is not given. */
export interface Call {
  readonly endpoint?: EndpointId;
  readonly param?: string;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: unknown;
  /** The literal body, instead of `body`. */
  readonly raw?: string | Buffer;
  readonly method?: string;
  /** The literal path and query. */
  readonly path?: string;
  /** Headers besides the usual ones; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** A received answer. */
export interface Came {
  readonly status: number;
  readonly value: unknown;
}

/** A server driven by clients, and the exchanges between them. */
export interface Driven {
  send(call: Call): Promise<Came>;
  readonly exchanges: readonly ObservedExchange[];
  /** The text of each answer, for the comparison with another run. */
  readonly transcript: readonly string[];
}

const targetOf = ({ endpoint = 'list-segments', param, query, path }: Call): string => {
  if (path !== undefined) return path;
  const own = endpoints[endpoint].path.replace(/\{\w+\}/, () => encodeURIComponent(param ?? ''));
  const asked = Object.entries(query ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return asked.length === 0 ? own : `${own}?${asked.join('&')}`;
};

interface Raw {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

function exchanged(
  url: URL,
  path: string,
  method: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { path, method, headers, agent: false, maxHeaderSize: 65_536 });
    outgoing.on('error', reject);
    outgoing.on('response', answer => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const pairs = answer.rawHeaders.flatMap((name, index, all) =>
          index % 2 === 0 ? [[name, all[index + 1] ?? ''] as const] : [],
        );
        resolve({ status: answer.statusCode ?? 0, headers: pairs, body: Buffer.concat(chunks) });
      });
    });
    outgoing.end(body);
  });
}

const coded = (bytes: Buffer): Buffer => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);

/** Returns what came instead of an answer. Each request has its own connection. */
function failed(error: NodeJS.ErrnoException): NoAnswer {
  if (error.code !== 'ECONNRESET') return { failure: error.message };
  return { failure: 'the target closed the connection without an answer', isDropped: true };
}

/** Milliseconds between two requests as the judge sees them, so that writes have settled. */
const pace = 10_000;

/**
 * Starts a reference server, lets a client drive it, and returns the exchanges. `clock` gives the times of requests and
 * answers; by default each request comes well after the previous one.
 */
export async function driven(
  server: ReferenceServerOptions,
  client: (driven: Driven) => Promise<void>,
  clock?: () => number,
): Promise<Driven> {
  const reference = createReferenceServer({
    ...patientServer,
    apiKey: serverKey,
    now: () => 1_760_000_000_000,
    grace: 20,
    onError: () => {},
    ...server,
  });
  const { url } = await reference.listen();
  const exchanges: ObservedExchange[] = [];
  const transcript: string[] = [];
  let number = 0;
  const send = async (call: Call): Promise<Came> => {
    number += 1;
    const own = number;
    const { endpoint = 'list-segments', body, raw } = call;
    const method = call.method ?? endpoints[endpoint].method;
    const bytes =
      raw === undefined ? (body === undefined ? undefined : Buffer.from(JSON.stringify(body))) : Buffer.from(raw);
    const usual: Record<string, string | null> = {
      [reference.naming.apiKeyHeader]: reference.apiKey,
      accept: 'application/json',
      'user-agent': 'ordinary-client/1.0',
      ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      ...call.headers,
    };
    const headers = Object.fromEntries(
      Object.entries(usual).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
    const target = targetOf(call);
    const sentAtMs = clock?.() ?? own * pace;
    const came = await exchanged(new URL(url), target, method, headers, bytes).catch((error: Error) => error);
    const answeredAtMs = clock?.() ?? sentAtMs + 5;
    const request = {
      method,
      target,
      headers: Object.entries(headers),
      body: bytes === undefined ? null : bytesOf(coded(bytes).toString()),
    };
    const common = { number: own, source: 'the test', request, sentAtMs, answeredAtMs };
    if (came instanceof Error) {
      exchanges.push({ ...common, response: failed(came) });
      transcript.push(`${own} no answer`);
      return { status: 0, value: undefined };
    }
    const text = coded(came.body);
    const observed = { bytes: text, length: text.length, isCut: false };
    exchanges.push({
      ...common,
      response: { status: came.status, headers: came.headers, body: text.length === 0 ? null : observed },
    });
    const type = came.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    transcript.push(`${own} ${came.status} ${type} ${text.toString('latin1')}`);
    let value: unknown;
    try {
      value = JSON.parse(text.toString());
    } catch {
      value = undefined;
    }
    return { status: came.status, value };
  };
  const run: Driven = { send, exchanges, transcript };
  try {
    await client(run);
  } finally {
    await reference.close();
  }
  return run;
}

/** Returns `data` of an answer, as an object. */
export const dataOf = ({ value }: Came): Members => membersOf(membersOf(value).data);

/** Returns the query of the link to the next page; undefined on the last one. */
export function nextOf({ value }: Came): Record<string, string> | undefined {
  const { nextPage } = membersOf(membersOf(value).pagination);
  if (typeof nextPage !== 'string') return undefined;
  return Object.fromEntries(new URLSearchParams(nextPage.slice(nextPage.indexOf('?') + 1)));
}
