import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { keyMaterialIn } from '../contracts/redaction/credentials.ts';
import { hidden } from '../contracts/report/evidence.ts';
import { BadProxy, proxyFor } from '../suites/client/proxy.ts';
import type { Access } from '../suites/protocol/sut.ts';
import { addHeader } from '../suites/sut/target-secrets.ts';
import type { ConnectionFlags } from './flags.ts';
import { refuse, refusing, variable } from './input.ts';
import { readInput } from './input-file.ts';
import { knownSecrets } from './writer.ts';

type AccessFlags = Omit<ConnectionFlags, 'apiKeyCommand' | 'wait'>;

/** Headers that the suite sets itself, or that belong to the connection (RFC 9110 section 7.6.1). */
// biome-ignore format: a table
const ownHeaders = new Set([
  'content-type', 'content-length', 'host', 'connection', 'transfer-encoding', 'keep-alive', 'upgrade', 'te', 'trailer',
  'expect', 'proxy-authorization', 'proxy-connection',
]);

/** Replaces `$NAME` and `${NAME}` in a text; `$$` is one dollar sign. */
function withVariables(text: string, place: string): string {
  return text.replace(/\$(?:\$|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g, (_all, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    return name === undefined ? '$' : variable(name, place);
  });
}

/** Refuses a header that would replace another, or that cannot be sent. Does not show its value. */
function refuseHeader(name: string, value: string, apiKeyHeader: string, place: string): void {
  const lower = name.toLowerCase();
  if (lower === apiKeyHeader.toLowerCase()) refuse(`${place} would replace the API key; give the key with --api-key`);
  if (ownHeaders.has(lower)) refuse(`${place} would replace a header that the suite sets itself`);
  if (value === '' || /[^\t\x20-\x7e]/.test(value)) refuse(`${place} has a value that no header can have`);
}

function headersOf(header: readonly string[], apiKeyHeader: string): Access['headers'] {
  const entries = header.map(text => {
    const colon = text.indexOf(':');
    const name = text.slice(0, colon);
    const place = `--header ${name}`;
    const value = withVariables(text.slice(colon + 1).trim(), place);
    addHeader(value, knownSecrets());
    refuseHeader(name, value, apiKeyHeader, place);
    return [name.toLowerCase(), value] as const;
  });
  const twice = entries.find(([name], index) => entries.findIndex(([other]) => other === name) < index);
  if (twice) refuse(`--header ${twice[0]} is given twice`);
  return Object.fromEntries(entries);
}

/** Refuses headers of a target file that cannot be sent. `place` is the JSON Pointer of the list, after the file. */
export function refuseHeaders(
  headers: readonly { readonly name: string; readonly value: string }[],
  apiKeyHeader: string,
  place: string,
): void {
  for (const [index, { name, value }] of headers.entries())
    refuseHeader(name, value, apiKeyHeader, `${place}/${index} (${name})`);
}

/**
 * Reads a PEM file and tries it: `attempt` throws, or returns a text, if it cannot be used. Throws a `UsageError` that
 * names the flag and the file, but quotes no content.
 */
export function pem<File extends string | undefined>(
  flag: string,
  file: File,
  attempt: (text: string) => unknown,
): File {
  if (file === undefined) return file;
  const text = readInput(file, `file of ${flag}`);
  let why: unknown;
  try {
    why = attempt(text);
  } catch (error) {
    why = (error as { code?: string }).code ?? 'not valid';
  }
  if (typeof why === 'string') refuse(`${flag} ${file} cannot be used (${why})`);
  return text as File;
}

function tlsOf({ ca, clientCert, clientKey }: AccessFlags): Access['tls'] {
  if (clientKey !== undefined && clientCert === undefined)
    refuse('--client-key without --client-cert: which certificate is it the key of?');
  const authorities = pem('--ca', ca, text => new X509Certificate(text));
  const cert = pem('--client-cert', clientCert, text => new X509Certificate(text));
  const key = pem(clientKey === undefined ? '--client-cert' : '--client-key', clientKey ?? clientCert, text =>
    createSecureContext({ cert, key: text }),
  );
  for (const line of keyMaterialIn(key ?? '')) knownSecrets().add(line, hidden.clientKey);
  // A list of authorities replaces all others, so those of the environment have to be repeated.
  const extra = process.env.NODE_EXTRA_CA_CERTS ?? '';
  const also = ca === undefined || extra === '' ? [] : [readInput(extra, 'file of NODE_EXTRA_CA_CERTS')];
  return {
    ...(authorities !== undefined && { ca: [authorities, ...also] }),
    ...(cert !== undefined && key !== undefined && { cert, key }),
  };
}

/** Returns how to reach a target, from the flags and the environment. Throws a `UsageError` for a mistake in them. */
export function accessOf(flags: AccessFlags, baseUrl: URL, apiKeyHeader: string): Access {
  return refusing([BadProxy], () => ({
    headers: headersOf(flags.header ?? [], apiKeyHeader),
    tls: tlsOf(flags),
    proxy: proxyFor(baseUrl, process.env),
  }));
}
