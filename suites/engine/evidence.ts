import { redactedBeginning, slack } from '../../contracts/redaction/beginning.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import type { BodyEvidence, Exchange } from '../../contracts/report/evidence.ts';
import type { Answer } from '../protocol/answer.ts';
import type { WireRequest } from '../protocol/reply.ts';
import type { Target } from '../protocol/sut.ts';

/**
 * How much of an exchange a report keeps: characters of the body that was sent, of the one that was answered, of a header,
 * headers, characters of all headers.
 */
interface Bounds {
  readonly sent: number;
  readonly body: number;
  readonly header: number;
  readonly headers: number;
  readonly allHeaders: number;
}

/** What the suite sends is bounded by itself, and is kept so that scripts and clients can send it again. */
const whole: Bounds = { sent: 16_384, body: 4_096, header: 512, headers: 40, allHeaders: 8_192 };
const brief: Bounds = { sent: 512, body: 512, header: 128, headers: 8, allHeaders: 1_024 };

/** Characters of an answered body that evidence shows. */
export const longestBody = whole.body;

const bodyEvidence = (text: string, bytes: number, secrets: Secrets, most: number): BodyEvidence => ({
  ...redactedBeginning(text, most, secrets),
  bytes,
});

function headerEvidence(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secrets: Secrets,
  bounds: Bounds,
): { name: string; value: string }[] {
  let room = bounds.allHeaders;
  return Object.entries(headers)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value ?? '']).map(text => ({ name, value: text })))
    .slice(0, bounds.headers)
    .map(header => ({
      name: redactedBeginning(header.name, bounds.header, secrets).text,
      value: redactedBeginning(header.value, bounds.header, secrets).text,
    }))
    .filter(header => {
      room -= header.name.length + header.value.length;
      return room >= 0;
    });
}

/** Characters of a body, and headers, beyond which no evidence shows anything: more is not kept. */
const longestKept = whole.body + slack + 1;

/** The beginning of a long text, through bytes: a slice would hold on to the whole of it. */
const cut = (text: string): string =>
  text.length <= longestKept ? text : Buffer.from(text.slice(0, longestKept)).toString();

/** An answer as a run keeps it: all that evidence shows, but neither megabytes of text nor the parsed value. */
export function keptAnswer(answer: Answer): Answer {
  const { body, headers } = answer.reply;
  const kept = Object.entries(headers);
  return {
    ...answer,
    value: undefined,
    data: undefined,
    reply: {
      ...answer.reply,
      headers: kept.length <= whole.headers ? headers : Object.fromEntries(kept.slice(0, whole.headers)),
      body: body.kind === 'empty' ? body : { kind: 'broken', why: 'was judged, and is not kept', text: cut(body.text) },
    },
  };
}

/** What a client writes of the framing of a body: of a body in pieces, for the case may be about that. */
const framingOf = ({ chunked }: WireRequest): Readonly<Record<string, string>> =>
  chunked === true ? { 'transfer-encoding': 'chunked' } : {};

/** An answer and its request as a report shows them: bounded (`inBrief` more narrowly), every secret redacted. */
export function exchangeOf(answer: Answer, target: Target, secrets: Secrets, inBrief = false): Exchange {
  const bounds = inBrief ? brief : whole;
  const { reply } = answer;
  const base = target.baseUrl.href.replace(/\/+$/, '');
  const sent = reply.request.body;
  const received = reply.body;
  return {
    id: answer.id,
    request: {
      method: reply.request.method,
      url: secrets.redact(`${base}${reply.request.path}`),
      headers: headerEvidence({ ...reply.request.headers, ...framingOf(reply.request) }, secrets, bounds),
      ...(sent === undefined
        ? {}
        : { body: bodyEvidence(sent.toString(), Buffer.byteLength(sent), secrets, bounds.sent) }),
    },
    ...(reply.failure === null
      ? {
          response: {
            status: reply.status,
            headers: headerEvidence(reply.headers, secrets, bounds),
            body: bodyEvidence(received.kind === 'empty' ? '' : received.text, reply.bytes, secrets, bounds.body),
          },
        }
      : { failure: reply.failure.message }),
    durationMs: Math.round(reply.durationMs * 100) / 100,
  };
}
