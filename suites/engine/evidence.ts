import type { BodyEvidence, Exchange } from '../../contracts/report/evidence.ts';
import type { Secrets } from '../client/secrets.ts';
import type { Target } from '../target/world.ts';
import type { Answer } from './answer.ts';

/** Characters of a body that a report keeps. */
const longestBody = 4_096;
const longestHeader = 512;
const mostHeaders = 40;

function bodyEvidence(text: string, bytes: number, secrets: Secrets): BodyEvidence {
  const redacted = secrets.redact(text);
  const truncated = redacted.length > longestBody;
  return { text: truncated ? redacted.slice(0, longestBody) : redacted, bytes, truncated };
}

function headerEvidence(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secrets: Secrets,
): { name: string; value: string }[] {
  return Object.entries(headers)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value ?? '']).map(text => ({ name, value: text })))
    .slice(0, mostHeaders)
    .map(header => ({ name: header.name, value: secrets.redact(header.value).slice(0, longestHeader) }));
}

/** An answer and its request as a report shows them: bounded, every secret replaced by its label. */
export function exchangeOf(answer: Answer, target: Target, secrets: Secrets): Exchange {
  const { reply } = answer;
  const base = target.baseUrl.href.replace(/\/+$/, '');
  const sent = reply.request.body;
  const received = reply.body;
  return {
    id: answer.id,
    request: {
      method: reply.request.method,
      url: secrets.redact(`${base}${reply.request.path}`),
      headers: headerEvidence(reply.request.headers, secrets),
      ...(sent === undefined ? {} : { body: bodyEvidence(sent.toString(), Buffer.byteLength(sent), secrets) }),
    },
    ...(reply.failure === null
      ? {
          response: {
            status: reply.status,
            headers: headerEvidence(reply.headers, secrets),
            body: bodyEvidence(received.kind === 'empty' ? '' : received.text, reply.bytes, secrets),
          },
        }
      : { failure: reply.failure.message }),
    durationMs: Math.round(reply.durationMs * 100) / 100,
  };
}
