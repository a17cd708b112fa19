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
 * How much of an exchange a report keeps: characters of the body that was sent, of the one that was answered, of a header,
 * headers, characters of all headers.
 */
type Bounds = Readonly<Record<keyof typeof whole, number>>;

/** What the suite sends is bounded by itself, and is kept so that scripts and clients can send it again. */
const whole = { sent: 16_384, body: 4_096, header: 512, headers: 40, allHeaders: 8_192 } as const;
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

/** The most steps of a finding: the first of them, and the last. */
const most = { first: 3, last: 9 } as const;

/**
 * The most exchanges of a case that are kept while it goes on, beside the first: what is accused is judged once others
 * have been asked whether they did it.
 */
const mostKept = 120;

/** The most characters of a value that a step shows. */
const longestShown = 200;

/** True of a request that only reads: a gate is read by an empty patch. */
const isReading = ({ method, body }: WireRequest): boolean => method === 'GET' || body?.toString() === '{}';

/** What such a requirement says of an answer, it says for what was sent before. */
const ofSequences = /^state\.|^reject\.no-trace$|^auth\.no-effect$/;

/** Requests that read the same: a check that waits for something reads again and again. */
function isRepetition({ reply: { request: one }, status }: Answer, next: Answer): boolean {
  const other = next.reply.request;
  const isSame = one.method === other.method && one.path === other.path && status === next.status;
  return isSame && isReading(one) && isReading(other);
}

/** A reading that shows the same as one that was kept. */
const isSameReading = (one: Answer, next: Answer): boolean =>
  isRepetition(one, next) && textOf(one) === textOf(keptAnswer(next));

/** The text of an answered body. */
export const textOf = ({ reply: { body } }: Answer): string => (body.kind === 'empty' ? '' : body.text);

/** Steps without those that were asked again, at most so many. */
function inShort(steps: readonly NumberedAnswer[]): NumberedAnswer[] {
  const own = steps.filter(({ answer }, index) => {
    const next = steps[index + 1];
    return next === undefined || !isRepetition(answer, next.answer);
  });
  return own.length <= most.first + most.last ? own : [...own.slice(0, most.first), ...own.slice(-most.last)];
}

/**
 * Has a session remember a bounded number of the exchanges that it sends one after another. The function that comes back
 * returns a violation with the steps that led to its answer, where there were several.
 */
export function recordSteps(session: Session): (violation: Violation) => Violation {
  const { send } = session;
  const kept: { readonly number: number; answer: Answer }[] = [];
  const places = new Map<string, NumberedAnswer>();
  /** The last answer, as it came: most cases have one request, of which no step is ever shown. */
  let whole: Answer | undefined;
  let count = 0;
  session.send = async request => {
    const answer = await send(request);
    count += 1;
    const last = kept.at(-1);
    if (last !== undefined && last.answer === whole) last.answer = keptAnswer(whole);
    // Who watches reads the same again and again: it takes the place of one step, and pushes no other out.
    if (last !== undefined && kept.length > 1 && isSameReading(last.answer, answer)) {
      places.set(answer.id, last);
      return answer;
    }
    whole = answer;
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

/** Returns steps as a report shows them: each in brief, with what its answer had at the accused place. */
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
