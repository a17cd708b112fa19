import { jsonAt } from '../../contracts/json-tree.ts';
import { present } from '../../contracts/present.ts';
import { redactedBeginning, slack } from '../../contracts/redaction/beginning.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import type { BodyEvidence, Exchange, Step } from '../../contracts/report/evidence.ts';
import type { Answer } from '../protocol/answer.ts';
import type { NumberedAnswer, Session, Violation } from '../protocol/check.ts';
import type { WireRequest } from '../protocol/reply.ts';
import type { Target } from '../protocol/sut.ts';

/**
 * Limits on what a report keeps of an exchange: characters of the sent body, the answered body, one header and all
 * headers, and the number of headers.
 */
type Bounds = Readonly<Record<keyof typeof whole, number>>;

/** The suite bounds what it sends; sent bodies are kept whole so that scripts and clients can repeat the request. */
const whole = { sent: 16_384, body: 4_096, header: 512, headers: 40, allHeaders: 8_192 } as const;
const brief: Bounds = { sent: 512, body: 512, header: 128, headers: 8, allHeaders: 1_024 };

/** Maximum number of characters of an answered body in evidence. */
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

/** Maximum number of characters of a body that is kept: evidence never shows more. */
const longestKept = whole.body + slack + 1;

/** Returns the beginning of a long text. Copies through bytes, because a slice would keep the whole text in memory. */
const cut = (text: string): string =>
  text.length <= longestKept ? text : Buffer.from(text.slice(0, longestKept)).toString();

/** Returns an answer as a run keeps it: everything that evidence shows, without long texts or the parsed value. */
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

/** Returns the framing headers that the client adds for a chunked body: the case may be about them. */
const framingOf = ({ chunked }: WireRequest): Readonly<Record<string, string>> =>
  chunked === true ? { 'transfer-encoding': 'chunked' } : {};

/** Returns an exchange as a report shows it: bounded (`inBrief` more narrowly), every secret redacted. */
export function exchangeOf(answer: Answer, target: Target, secrets: Secrets, inBrief = false): Exchange {
  const bounds = inBrief ? brief : whole;
  const { request, status, headers, bytes, failure, durationMs } = answer.reply;
  const base = target.baseUrl.href.replace(/\/+$/, '');
  const { method, path, body: sent } = request;
  return {
    id: answer.id,
    request: {
      method,
      url: secrets.redact(`${base}${path}`),
      headers: headerEvidence({ ...request.headers, ...framingOf(request) }, secrets, bounds),
      ...(sent !== undefined && { body: bodyEvidence(sent.toString(), Buffer.byteLength(sent), secrets, bounds.sent) }),
    },
    ...(failure === null
      ? {
          response: {
            status,
            headers: headerEvidence(headers, secrets, bounds),
            body: bodyEvidence(textOf(answer), bytes, secrets, bounds.body),
          },
        }
      : { failure: failure.message }),
    durationMs: Math.round(durationMs * 100) / 100,
  };
}

/** Maximum number of steps of a finding: the first and the last ones. */
const most = { first: 3, last: 9 } as const;

/**
 * Maximum number of exchanges kept while a case runs, in addition to the first ones. An accused answer is judged only
 * after later requests have tested other explanations.
 */
const mostKept = 120;

/** Maximum number of characters of a value in a step. */
const longestShown = 200;

/** True if a request only reads: an empty patch reads a gate. */
const isReading = ({ method, body }: WireRequest): boolean => method === 'GET' || body?.toString() === '{}';

/** Requirements that are violated by a sequence of requests, not by one answer alone. */
const ofSequences = /^state\.|^reject\.no-trace$|^auth\.no-effect$/;

/** True if two consecutive requests repeat a reading: checks that wait read again and again. */
function isRepetition({ reply: { request: one }, status }: Answer, next: Answer): boolean {
  const other = next.reply.request;
  const isSame = one.method === other.method && one.path === other.path && status === next.status;
  return isSame && isReading(one) && isReading(other);
}

/** True if a reading shows the same as the one that was kept. */
const isSameReading = (one: Answer, next: Answer): boolean =>
  isRepetition(one, next) && textOf(one) === textOf(keptAnswer(next));

/** Returns the text of an answered body. */
export const textOf = ({ reply: { body } }: Answer): string => (body.kind === 'empty' ? '' : body.text);

/** Returns a bounded number of steps, without repeated readings. */
function inShort(steps: readonly NumberedAnswer[]): NumberedAnswer[] {
  const own = steps.filter(({ answer }, index) => {
    const next = steps[index + 1];
    return next === undefined || !isRepetition(answer, next.answer);
  });
  return own.length <= most.first + most.last ? own : [...own.slice(0, most.first), ...own.slice(-most.last)];
}

/**
 * Makes a session remember a bounded number of its exchanges. The returned function adds to a violation the steps that
 * led to its answer, if there were several.
 */
export function recordSteps(session: Session): (violation: Violation) => Violation {
  const { send } = session;
  const kept: { readonly number: number; answer: Answer }[] = [];
  const places = new Map<string, NumberedAnswer>();
  /** The last answer, unabridged: most cases send one request, whose steps are never shown. */
  let lastWhole: Answer | undefined;
  let count = 0;
  session.send = async request => {
    const answer = await send(request);
    count += 1;
    const last = kept.at(-1);
    if (last !== undefined && last.answer === lastWhole) last.answer = keptAnswer(lastWhole);
    // A repeated reading replaces the previous one, so that waiting pushes out no other step.
    if (last !== undefined && kept.length > 1 && isSameReading(last.answer, answer)) {
      places.set(answer.id, last);
      return answer;
    }
    lastWhole = answer;
    kept.push({ number: count, answer });
    if (kept.length > most.first + mostKept) kept.splice(most.first, 1);
    return answer;
  };
  return violation => {
    const { id } = violation.answer;
    const at = kept.findIndex(one => one.answer.id === id || one === places.get(id));
    const step = kept[at];
    const isOfSequence = violation.pointer.startsWith('/') || ofSequences.test(violation.requirement);
    if (step === undefined || at === 0 || !isOfSequence) return violation;
    const accused = { ...step, answer: keptAnswer(violation.answer) };
    return { ...violation, steps: inShort([...kept.slice(0, at), accused]) };
  };
}

/** Returns steps as a report shows them: in brief, with the value at the accused place. */
export function stepsOf({ steps = [], pointer }: Violation, target: Target, secrets: Secrets): Step[] {
  return steps.map(({ number, answer }) => {
    const text = textOf(answer);
    const shown = jsonAt(text, pointer) ?? jsonAt(text, pointer.replace('/*', ''));
    return {
      number,
      exchange: exchangeOf(answer, target, secrets),
      ...present({ shown: shown && redactedBeginning(shown, longestShown, secrets).text }),
    };
  });
}
