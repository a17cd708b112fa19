import { present } from '../../contracts/present.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import type { Failure, Obstacle } from '../protocol/reply.ts';

/** Returns an error with a code of this client. */
export function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Returns the error of an answer beyond a limit; `how` completes "the answer …". */
export const tooLarge = (how: string): Error => coded('CONFORM_TOO_LARGE', `the answer ${how}`);

/** Returns the error of a proxy that refuses a connection; `how` completes "the proxy …". */
export const proxyRefusal = (how: string): Error => coded('CONFORM_PROXY', `the proxy ${how}`);

/** Maximum size of an answer's header section, in bytes. Node's default is 16 KiB; gateways send more. */
export const maxHeaderBytes = 65_536;

/** The parts of a transport error that tell what happened. */
interface TransportError extends Error {
  readonly code?: string;
  /** The call of the operating system that failed. */
  readonly syscall?: string;
  /** The bytes that the HTTP parser could not parse. */
  readonly data?: string;
  /** The certificate, if it is for other names. */
  readonly cert?: { readonly subjectaltname?: string; readonly subject?: { readonly CN?: string } };
}

/** Maximum length of certificate names, because the target chooses them. */
const longestNames = 160;

const namesIn = ({ cert }: TransportError): string =>
  clip(
    String(cert?.subjectaltname ?? cert?.subject?.CN ?? 'none')
      .replaceAll('DNS:', '')
      .replaceAll('IP Address:', ''),
    longestNames,
  );

/** True if a certificate is for other names than the host. */
export const isOtherName = ({ code }: TransportError): boolean => code === 'ERR_TLS_CERT_ALTNAME_INVALID';

/**
 * Returns the same error with another code: undici leaves requests unanswered if the original occurs more than once.
 */
export const otherName = ({ message, cert }: TransportError): Error =>
  Object.assign(coded('CONFORM_OTHER_NAME', message), { cert });

/** Connection errors of Node and OpenSSL, with the obstacle. */
// biome-ignore format: a table
const refusals: readonly (readonly [codes: RegExp, obstacle: Obstacle | undefined, says: (error: TransportError) => string])[] = [
  [/^ECONNREFUSED$/,                                     'nobody',             ({ code }) => `no connection (${code})`],
  [/^(ENOTFOUND|EAI_[A-Z]+)$/,                           'unknown-host',       ({ code }) => `no connection (${code})`],
  [/^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ETIMEDOUT|EMFILE|ENFILE|ENOBUFS)$/, 'network', ({ code }) => `no connection (${code})`],
  [/^CONFORM_OTHER_NAME$/,                               'other-name',         error => `its certificate is for other names: ${namesIn(error)}`],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,                 'out-of-date',        ({ code }) => `its certificate is out of date (${code})`],
  [/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|^CERT_(UNTRUSTED|REJECTED|SIGNATURE_FAILURE|CHAIN_TOO_LONG)$|^INVALID_CA$/, 'untrusted', ({ code }) => `its certificate is not trusted (${code})`],
  [/^ERR_SSL_.*(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA|UNKNOWN_CERTIFICATE|CERTIFICATE_UNKNOWN)$/, 'client-certificate', ({ code }) => `it refuses the TLS connection without a certificate that it trusts (${code})`],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNEXPECTED_MESSAGE)$/, 'speaks-http', () => 'it does not speak TLS'],
  [/^ERR_SSL_/,                                          undefined,            ({ code }) => `no TLS connection (${code})`],
  [/^CONFORM_PROXY$/,                                    'proxy',              ({ message }) => message],
];

/** The beginning of a TLS alert record (RFC 8446 section 5.1): a TLS port's answer to plain text. */
const alert = '\u0015\u0003';

/** Returns the failure for a transport error; `timeoutMs` is the limit that a timeout exceeded. */
export function failureOf(error: TransportError, timeoutMs: number): Failure {
  const { code = '', message } = error;
  if (/^(CONFORM|UND_ERR_(CONNECT|HEADERS|BODY))_TIMEOUT$/.test(code)) {
    return { kind: 'timeout', message: `no complete answer within ${timeoutMs} ms` };
  }
  if (code === 'CONFORM_TOO_LARGE') return { kind: 'too-large', message };
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return { kind: 'too-large', message: `the answer has more than ${maxHeaderBytes / 1024} KiB of headers` };
  // A connection that fails while it is used has carried the request.
  const isInUse = error.syscall === 'read' || error.syscall === 'write';
  const refusal = isInUse ? undefined : refusals.find(([codes]) => codes.test(code));
  if (refusal) {
    const [, obstacle, says] = refusal;
    return { kind: 'refused', message: says(error), ...present({ obstacle }) };
  }
  if (error.name === 'HTTPParserError' || /^HPE_|^UND_ERR_(RESPONSE|RES_)/.test(code)) {
    const isAlert = error.data?.startsWith(alert) === true;
    return {
      kind: 'garbage',
      message: isAlert ? 'it speaks TLS, not plain HTTP' : `the answer is not HTTP: ${clip(message, 160)}`,
      ...(isAlert ? { obstacle: 'speaks-https' } : {}),
    };
  }
  return { kind: 'dropped', message: `the connection closed without an answer (${code || clip(message, 160)})` };
}

/** True if nobody listens for the target: it may be restarting. */
const isNobody = ({ obstacle }: Failure): boolean => obstacle === 'nobody';

/** True if a request came to grief on its way: the network, the name service or the proxy failed, not the target. */
export const isOnTheWay = ({ obstacle }: Failure): boolean =>
  obstacle === 'network' || obstacle === 'unknown-host' || obstacle === 'proxy';

/** True if a request did not reach the target, which may be there again soon. */
export const isUnreached = (failure: Failure): boolean => isNobody(failure) || isOnTheWay(failure);
