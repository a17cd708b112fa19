import type { Failure } from '../protocol/reply.ts';

/** Puts an error of the transport into one of five kinds, in words a reader knows. */
export function failureOf(error: Error & { code?: string }, timeoutMs: number): Failure {
  const code = error.code ?? '';
  if (code === 'CONFORM_TIMEOUT') return { kind: 'timeout', message: `no complete answer within ${timeoutMs} ms` };
  if (code === 'CONFORM_TOO_LARGE') return { kind: 'too-large', message: error.message };
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code)) {
    return { kind: 'timeout', message: `no complete answer within ${timeoutMs} ms` };
  }
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) {
    return { kind: 'refused', message: `no connection (${code})` };
  }
  if (error.name === 'HTTPParserError' || /^HPE_|^UND_ERR_(RESPONSE|HEADERS_OVERFLOW|RES_)/.test(code)) {
    return { kind: 'garbage', message: `the answer is not HTTP: ${error.message.slice(0, 160)}` };
  }
  return {
    kind: 'dropped',
    message: `the connection closed without an answer (${code || error.message.slice(0, 160)})`,
  };
}
