import { BlockList, isIP } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { decoded } from '../../contracts/decoded.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import { proxyRefusal } from './failure.ts';

type Connector = buildConnector.connector;

/** Thrown if a variable of the environment names an unusable proxy. */
export class BadProxy extends Error {}

/** Prefers lower-case names, because a server that maps headers to variables cannot set those. */
function variable(environment: Readonly<Record<string, string | undefined>>, name: string): readonly [string, string] {
  const lower = environment[name.toLowerCase()];
  return lower === undefined ? [name, environment[name]?.trim() ?? ''] : [name.toLowerCase(), lower.trim()];
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase();

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const familyOf = (host: string): 'ipv4' | 'ipv6' => (isIP(host) === 6 ? 'ipv6' : 'ipv4');

/** True for this machine itself (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
function isLoopback({ hostname }: URL): boolean {
  const host = withoutBrackets(hostname).replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isIP(host) !== 0 && loopback.check(host, familyOf(host));
}

/** True if an entry of `NO_PROXY` matches a host: a name with its subdomains, an address, or a range of addresses. */
function names(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, address = '', bits] = /^\[?([^[\]/]*)\]?\/(\d{1,3})$/.exec(entry) ?? [];
  if (bits !== undefined) {
    if (isIP(address) === 0 || isIP(address) !== isIP(host) || Number(bits) > (isIP(host) === 6 ? 128 : 32))
      return false;
    const range = new BlockList();
    range.addSubnet(address, Number(bits), familyOf(address));
    return range.check(host, familyOf(host));
  }
  const [, name = '', only] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const wanted = withoutBrackets(name.replace(/^\*?\./, ''));
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
}

/**
 * Returns the proxy that the environment names for a target, or null. It is `HTTP_PROXY` or `HTTPS_PROXY` by the
 * target's scheme, in upper or lower case, unless `NO_PROXY` matches the host. Null for this machine itself, which a
 * proxy could not reach. Throws `BadProxy` if it is no http or https URL.
 */
export function proxyFor(target: URL, environment: Readonly<Record<string, string | undefined>>): URL | null {
  const [name, text] = variable(environment, target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (text === '' || isLoopback(target)) return null;
  const host = withoutBrackets(target.hostname);
  const port = target.port || (defaultPorts[target.protocol] ?? '');
  const [, exceptions] = variable(environment, 'NO_PROXY');
  if (exceptions.split(/[\s,]+/).some(entry => entry !== '' && names(entry, host, port))) return null;
  let proxy: URL;
  try {
    proxy = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  } catch {
    // Omit the text, which may hold a password.
    throw new BadProxy(`${name} is no URL; give one such as http://proxy.example:3128`);
  }
  if (!(proxy.protocol in defaultPorts))
    throw new BadProxy(`${name} must be an http or https URL, not ${proxy.protocol}`);
  return proxy;
}

/** Returns user name and password of a proxy's URL, decoded if they are valid text. */
const proxyCredentials = ({ username, password }: URL): readonly [string, string] => [
  decoded(username),
  decoded(password),
];

/** Returns the credentials header for a proxy, from its URL (RFC 9110 section 11.7.2, RFC 7617). */
export function proxyHeaders(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === '' && proxy.password === '') return {};
  return { 'proxy-authorization': `Basic ${Buffer.from(proxyCredentials(proxy).join(':')).toString('base64')}` };
}

/**
 * Returns a connector that makes a proxy connect (`CONNECT`, RFC 9110 section 9.3.6), then speaks through it.
 *
 * @param outer connects to the proxy
 * @param inner speaks TLS to the target over the proxy's connection
 * @param timeoutMs maximum wait for the proxy's answer
 */
export function tunnelThrough(proxy: URL, outer: Connector, inner: Connector, timeoutMs: number): Connector {
  return (options, callback) => {
    const client = new Client(proxy.origin, { connect: outer, headersTimeout: timeoutMs });
    const authority = `${options.hostname}:${options.port || defaultPorts[options.protocol]}`;
    client.connect({ path: authority, headers: { host: authority, ...proxyHeaders(proxy) } }).then(
      ({ statusCode, socket }) => {
        if (statusCode >= 200 && statusCode < 300) {
          inner({ ...options, httpSocket: socket as never }, callback);
          return;
        }
        socket.on('error', () => {}).destroy();
        void client.destroy();
        callback(proxyRefusal(`${proxy.host} does not connect to ${authority} (status ${statusCode})`), null);
      },
      (error: Error & { code?: string }) => {
        void client.destroy();
        const why = error.code ?? clip(error.message, 120);
        callback(proxyRefusal(`${proxy.host} cannot be used (${why})`), null);
      },
    );
  };
}
