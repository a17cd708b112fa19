import { connect } from 'node:tls';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import { type Answer, type ApiRequest, isKeyRefusal, isSilence } from '../protocol/answer.ts';
import type { Failure, Obstacle } from '../protocol/reply.ts';
import type { Target } from '../protocol/sut.ts';
import { absenceRemedy } from './gateway-errors.ts';
import { subjectOf } from './target.ts';
import { secretsOf } from './target-secrets.ts';

/** Maximum wait for a handshake, in milliseconds: a server without TLS may never answer it. */
const longestHandshake = 3_000;

/**
 * Resolves to true if the port of a URL speaks TLS. Sends only the handshake and verifies no certificate, because this
 * only decides which base URL to suggest.
 */
function speaksTls({ hostname, port }: URL, timeoutMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false });
    const end = (speaks: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(speaks);
    };
    const timer = setTimeout(end, Math.min(timeoutMs, longestHandshake), false);
    socket.once('secureConnect', () => end(true));
    socket.on('error', () => end(false));
    socket.once('close', () => end(false));
  });
}

/** Why testing a target is pointless, in one line, with a remedy. */
export interface Hindrance {
  readonly area: 'reachable' | 'key';
  readonly text: string;
  readonly remedy: string;
}

/** Maximum number of characters of a target's text. */
const longestText = 200;

/** The remedy for each obstacle to a connection. */
// biome-ignore format: a table
const remedies: Record<Obstacle, (target: Target) => string> = {
  'nobody':             () => 'start it, or wait for it with --wait 60s',
  'unknown-host':       ({ baseUrl }) => `check the host name ${baseUrl.hostname} in the base URL`,
  'network':            ({ baseUrl }) => `check that this machine reaches ${baseUrl.hostname}, and the address in the base URL`,
  'untrusted':          () => 'name the certificate of its authority with --ca FILE, or in NODE_EXTRA_CA_CERTS',
  'other-name':         () => 'use a host name of the certificate in the base URL',
  'out-of-date':        () => 'renew the certificate, and check the clock of this machine',
  'client-certificate': () => 'give a certificate that it trusts, with --client-cert FILE and --client-key FILE',
  'speaks-http':        ({ baseUrl }) => `use http in the base URL: ${otherScheme(baseUrl)}`,
  'speaks-https':       ({ baseUrl }) => `use https in the base URL: ${otherScheme(baseUrl)}`,
  'proxy':              () => 'check HTTPS_PROXY (its user name and password stand in the URL), or name the host in NO_PROXY',
};

/** Returns the same address with the other scheme; the port does not change. */
function otherScheme({ protocol, host, pathname }: URL): string {
  return `${protocol === 'https:' ? 'http' : 'https'}://${host}${pathname.replace(/\/+$/, '')}`;
}

function remedyFor({ kind, obstacle }: Failure, target: Target): string {
  if (obstacle !== undefined) return remedies[obstacle](target);
  if (kind === 'timeout')
    return 'see whether the server hangs, or a firewall is in between; --timeout allows more time';
  if (kind === 'dropped' && target.baseUrl.protocol === 'https:' && target.access.tls.cert === undefined)
    return 'look at its log; if it wants a certificate of the client, give one with --client-cert FILE';
  return 'look whether something else listens there, and at its log';
}

/**
 * Returns the hindrance if no request was answered. A TLS server closes plain connections, usually without an answer.
 */
async function silence(target: Target, answers: readonly Answer[], timeoutMs: number): Promise<Hindrance> {
  const { reply } = answers[0] as Answer;
  const first = reply.failure as Failure;
  const isClosed = first.obstacle === undefined && (first.kind === 'dropped' || first.kind === 'garbage');
  const wantsTls =
    isClosed &&
    target.baseUrl.protocol === 'http:' &&
    target.access.proxy === null &&
    (await speaksTls(target.baseUrl, timeoutMs));
  const failure: Failure = wantsTls
    ? { ...first, message: 'it speaks TLS, not plain HTTP', obstacle: 'speaks-https' }
    : first;
  return {
    area: 'reachable',
    text: `no answer from ${target.baseUrl.href}: ${failure.message}`,
    remedy: remedyFor(failure, target),
  };
}

const textOf = ({ reply: { body } }: Answer): string => (body.kind === 'empty' ? '' : body.text.slice(0, 2_000));

/** True of a page for people. JSON under its content type is an answer of the API, with a wrong header. */
const isHtml = (answer: Answer): boolean =>
  (answer.reply.body.kind !== 'json' &&
    /^(text\/html|application\/xhtml)/i.test(String(answer.reply.headers['content-type'] ?? ''))) ||
  /^\s*<(!doctype html|html|head|body)\b/i.test(textOf(answer));

/** Returns the target of a redirect, without its query; null if it cannot be followed. */
function locationOf({ reply }: Answer, { baseUrl }: Target): URL | null {
  const { location } = reply.headers;
  if (reply.status < 300 || reply.status > 399 || typeof location !== 'string') return null;
  try {
    const url = new URL(location, `${baseUrl.href.replace(/\/+$/, '')}${reply.request.path}`);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  } catch {
    return null;
  }
}

const trimmed = ({ origin, pathname }: URL): string => clip(`${origin}${pathname.replace(/\/+$/, '')}`, longestText);

/** Returns the base URL to which a redirect moves the API; null if it leads elsewhere. */
function newBase(location: URL, { reply }: Answer): string | null {
  const path = reply.request.path.split('?')[0] as string;
  const pathname = location.pathname.replace(/\/+$/, '');
  if (!pathname.endsWith(path)) return null;
  return clip(`${location.origin}${pathname.slice(0, -path.length)}`, longestText);
}

function redirectRemedy(answers: readonly Answer[], target: Target): string {
  const [first] = answers as [Answer];
  const base = newBase(locationOf(first, target) as URL, first);
  if (base === null)
    return 'check the base URL; where a gateway in front asks for a login, give what it wants with --header';
  if (base === trimmed(target.baseUrl)) return 'have it answer the paths of the specification without a redirect';
  return `use the new base URL: ${base}`;
}

function notFoundRemedy({ baseUrl }: Target): string {
  const twice = /\/+console(\/+v1(\/.*)?)?\/*$/.exec(baseUrl.pathname);
  if (twice === null)
    return 'serve an operation first, or check the base URL: the paths of the API, which begin with /console/v1, are put behind it';
  const base = `${baseUrl.origin}${baseUrl.pathname.slice(0, twice.index)}`;
  return `leave ${twice[0].replace(/\/+$/, '')} out of the base URL: ${base}`;
}

/** A pattern in all answers that makes further testing pointless. */
interface Row {
  /** Absent: `reachable`. */
  readonly area?: Hindrance['area'];
  readonly matches: (answer: Answer, target: Target) => boolean;
  /** True if an operation that was not asked yet may answer otherwise. */
  readonly askMore?: true;
  readonly text: (answers: readonly Answer[], target: Target) => string;
  readonly remedy: (target: Target, answers: readonly Answer[]) => string;
}

const statuses = (answers: readonly Answer[]): string =>
  `status ${[...new Set(answers.map(answer => answer.status))].join(' and ')}`;

/** Texts of servers and gateways about plain HTTP on a TLS port, and about a missing client certificate. */
const plainToTls = /\b(plain )?HTTP\b.*\b(HTTPS|SSL|TLS)\b/i;
const noCertificate = /(SSL|TLS|client) certificate/i;

// biome-ignore format: a table
const rows: readonly Row[] = [
  { matches: (answer, target) => locationOf(answer, target) !== null,
    text: (answers, target) => `every answer is a redirect (${statuses(answers)}), to ${trimmed(locationOf(answers[0] as Answer, target) as URL)} for one; redirects are not followed, for the key stays where it was sent`,
    remedy: (target, answers) => redirectRemedy(answers, target) },
  { matches: answer => answer.status === 404, askMore: true,
    text: answers => `no path of the API is known there (status 404 on ${answers.length} of ${answers.length} requests)`,
    remedy: notFoundRemedy },
  { matches: answer => answer.status >= 500, askMore: true,
    text: answers => `every answer is an error of the server (${statuses(answers)} on ${answers.length} of ${answers.length} requests)`,
    remedy: () => absenceRemedy },
  { matches: (answer, { baseUrl }) => baseUrl.protocol === 'http:' && answer.status === 400 && plainToTls.test(textOf(answer)),
    text: ([first], { baseUrl }) => `no answer from ${baseUrl.href} but that it wants TLS (status ${first?.status})`,
    remedy: remedies['speaks-https'] },
  { matches: (answer, { baseUrl }) => baseUrl.protocol === 'https:' && /^(400|49[56])$/.test(String(answer.status)) && noCertificate.test(textOf(answer)),
    text: answers => `it wants a certificate of the client (${statuses(answers)})`,
    remedy: remedies['client-certificate'] },
  { matches: isHtml, askMore: true,
    text: answers => `every answer is an HTML page, none comes from an API (${statuses(answers)})`,
    remedy: () => 'check the base URL; where a gateway or a firewall stands in front, give what it wants with --header' },
  { area: 'key', matches: isKeyRefusal,
    text: answers => `the key was refused everywhere (${statuses(answers)} on ${answers.length} of ${answers.length} minimal requests)`,
    remedy: ({ naming }) => `check --api-key (or SERVICE_API_KEY) and the header name (naming.apiKeyHeader is ${naming.apiKeyHeader})` },
];

/** Returns reads of entities that the target file names, beside the plain lists. */
const furtherReads = (target: Target): readonly ApiRequest[] =>
  endpointIds.flatMap(endpoint => {
    const param = subjectOf(target, endpoint);
    return endpoints[endpoint].method === 'GET' && param !== undefined ? [{ endpoint, param }] : [];
  });

/** The input of `hindranceOf`. */
interface FirstAnswers {
  readonly target: Target;
  /** The answers to all first requests. */
  readonly answers: readonly Answer[];
  readonly timeoutMs: number;
  /** Sends a read; null if its answer cannot be shown. */
  readonly read: (request: ApiRequest) => Promise<Answer | null>;
}

/**
 * Returns what prevents all testing, by a target's first answers, or null. Either no request is answered, or every
 * answer is a redirect, an unknown path, a server error, an HTML page, or refuses the key. If other operations may
 * still answer, reads them all before it decides.
 */
export async function hindranceOf({ target, answers, timeoutMs, read }: FirstAnswers): Promise<Hindrance | null> {
  if (answers.length === 0) return null;
  const secrets = secretsOf(target);
  if (answers.every(isSilence)) {
    const found = await silence(target, answers, timeoutMs);
    return { ...found, text: secrets.redact(found.text) };
  }
  const row = rows.find(({ matches }) => answers.every(answer => matches(answer, target)));
  if (row === undefined) return null;
  const all = [...answers];
  for (const request of row.askMore === true ? furtherReads(target) : []) {
    const answer = await read(request);
    if (answer === null || !row.matches(answer, target)) return null;
    all.push(answer);
  }
  return {
    area: row.area ?? 'reachable',
    text: secrets.redact(row.text(all, target)),
    remedy: secrets.redact(row.remedy(target, all)),
  };
}
