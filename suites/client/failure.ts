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
const refusals: readonly { readonly codes: RegExp; readonly obstacle?: Obstacle; readonly says: (error: TransportError) => string }[] = [
  { codes: /^ECONNREFUSED$/,                                     obstacle: 'nobody',             says: ({ code }) => `no connection (${code})` },
  { codes: /^(ENOTFOUND|EAI_AGAIN)$/,                            obstacle: 'unknown-host',       says: ({ code }) => `no connection (${code})` },
  { codes: /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,                                         says: ({ code }) => `no connection (${code})` },
  { codes: /^CONFORM_OTHER_NAME$/,                               obstacle: 'other-name',         says: error => `its certificate is for other names: ${namesIn(error)}` },
  { codes: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,                 obstacle: 'out-of-date',        says: ({ code }) => `its certificate is out of date (${code})` },
  { codes: /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|^CERT_(UNTRUSTED|REJECTED|SIGNATURE_FAILURE|CHAIN_TOO_LONG)$|^INVALID_CA$/, obstacle: 'untrusted', says: ({ code }) => `its certificate is not trusted (${code})` },
  { codes: /^ERR_SSL_.*(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA|UNKNOWN_CERTIFICATE|CERTIFICATE_UNKNOWN)$/, obstacle: 'client-certificate', says: ({ code }) => `it refuses the TLS connection without a certificate that it trusts (${code})` },
  { codes: /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNEXPECTED_MESSAGE)$/, obstacle: 'speaks-http', says: () => 'it does not speak TLS' },
  { codes: /^ERR_SSL_/,                                                                          says: ({ code }) => `no TLS connection (${code})` },
  { codes: /^CONFORM_PROXY$/,                                    obstacle: 'proxy',              says: ({ message }) => message },
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
  const refusal = refusals.find(({ codes }) => codes.test(code));
  if (refusal !== undefined) {
    const { obstacle, says } = refusal;
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
export const isNobody = ({ kind, obstacle }: Failure): boolean => kind === 'refused' && obstacle === 'nobody';
