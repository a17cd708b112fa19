import { jsonAt } from '../../contracts/json-tree.ts';
import { present } from '../../contracts/present.ts';
import type { Step } from '../../contracts/report/evidence.ts';
import type { LocatedFinding } from '../journal/selections.ts';
import { differingPart, markedDifference } from '../text/difference.ts';
import { cameText, placeInAnswer } from '../text/exchange-text.ts';
import { caseText, gotText, type Message, messagesOf, type ReportedFinding } from '../text/finding-text.ts';
import { fittedRequest } from '../text/fitted.ts';
import { foldedJson } from '../text/folded-json.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { differenceText } from '../text/value.ts';
import { type Prose, titleProse } from './prose.ts';

/** A name and a value. `kind` is a class of the style. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly kind?: string;
  /** The value split around the part in which it differs from another one. */
  readonly marked?: Marked;
}

/** A text split around the part in which it differs from another one. */
interface Marked {
  readonly before: string;
  readonly odd: string;
  readonly after: string;
}

const most = { brief: 160, step: 110, shown: 120, command: 20_000 } as const;
const bodyBounds = { lines: 60, columns: 300, empty: '(empty body)' } as const;
const stepBounds = { ...bodyBounds, lines: 30 } as const;

/** A message whose body is folded around the accused place, where it has one; else as much of it as there is room for. */
function messageView(message: Message, text: string | undefined, place: string | undefined) {
  const { line, headers, body, note } = message;
  const folded = text === undefined || place === undefined ? undefined : foldedJson(text, [place], around);
  if (folded === undefined || !folded.some(({ accused }) => accused))
    return { line, headers, lines: body.map(one => ({ text: one, accused: false })), note };
  const isLess = folded.length < body.length;
  return {
    line,
    headers,
    lines: folded,
    ...(isLess
      ? { whole: { title: `All of the body, ${counted(Buffer.byteLength(text ?? ''), 'byte')}`, body, note } }
      : {}),
  };
}

/** How much of an accused value is shown. */
const around = { lines: 40, columns: 300 } as const;

/** The two messages of a finding, folded around what is accused. */
function exchangeView(finding: ReportedFinding) {
  const { exchange, counterexample } = finding;
  if (exchange === undefined) return {};
  const { request, response } = messagesOf(exchange, bodyBounds);
  return {
    request: messageView(request, exchange.request.body?.text, counterexample?.pointer || undefined),
    response: messageView(response, exchange.response?.body.text, placeInAnswer(finding)),
  };
}

/** A step of a sequence: what was sent and what came in one line, and both messages. The last is the accused one. */
function stepView({ number, exchange, shown }: Step, pointer: string, isLast: boolean) {
  const { request, response } = messagesOf(exchange, stepBounds);
  const sent = exchange.request.body?.text;
  const field = pointer.replace(/^\/data(?=\/)/, '');
  const isSent = sent !== undefined && jsonAt(sent, field) !== undefined;
  return {
    number,
    line: `${fittedRequest(exchange.request, most.step)} → ${cameText(exchange)}`,
    isLast,
    ...(shown === undefined ? {} : { shown: safeText(shown, most.shown) }),
    request: messageView(request, sent, isSent ? field : undefined),
    response: messageView(response, exchange.response?.body.text, shown === undefined ? undefined : pointer),
  };
}

/** A text that ends in `own`, split around the part in which that differs from another one. */
function markedIn(text: string, own: string, other: string): Marked | undefined {
  const part = differingPart(other, own);
  const shift = text.length - own.length;
  if (part === undefined || /[^ -~]/.test(text)) return undefined;
  const [from, to] = [part.from + shift, part.to + shift];
  return { before: text.slice(0, from), odd: text.slice(from, to), after: text.slice(to) };
}

/** Returns the view of a finding, whole or in short: without its exchange, which makes up most of a page. */
export function findingView(
  { endpoint, check, finding }: LocatedFinding,
  anchor: string,
  { symptom, said, whole }: { readonly symptom: string; readonly said: string; readonly whole: boolean },
) {
  const { counterexample, exchange, curl, reproduce, steps = [], timeline = [], accused } = finding;
  const difference = counterexample && markedDifference(counterexample);
  const sendable = whole && curl !== undefined && curl.length <= most.command;
  const left = exchange !== undefined && !whole ? 'Request, answer and curl line: see report.json.' : undefined;
  const long = whole && curl !== undefined && !sendable ? 'The curl line is long: see report.json.' : undefined;
  const elsewhere = left ?? long;
  const { expected, actual } = finding;
  const got = gotText(finding);
  const [wanted, came] = [markedIn(expected, expected, actual), markedIn(got, actual, expected)];
  const pairs: Fact[] = [
    { name: 'Expected', value: expected, kind: 'expected', ...present({ marked: wanted }) },
    { name: 'Got', value: got, kind: 'got', ...present({ marked: came }) },
    { name: 'Case', value: caseText(finding) },
    { name: 'Differs', value: (counterexample && differenceText(counterexample)) ?? '' },
  ];
  return {
    anchor,
    check: check.id,
    title: `${endpoint.title}: ${check.title}`,
    endpoint: endpoint.id,
    /** What happened, short enough for the line that stands when the rest is folded; nothing where the cause says it. */
    brief: symptom === said ? ([] as Prose) : titleProse(safeText(symptom, most.brief)),
    /** What was expected, what came, the case, and how it differs from its control. */
    pairs: pairs.filter(({ name, value }) => value !== '' || name === 'Expected' || name === 'Got'),
    ...present({ difference }),
    ...(whole && steps.length === 0 ? exchangeView(finding) : {}),
    /** The requests of a sequence, one after another. */
    steps: whole ? steps.map(step => stepView(step, finding.pointer, step === steps.at(-1))) : [],
    /** How requests that were sent at once went, a line each. */
    race: timeline,
    /** The value that is accused, where the body of the answer is cut before it. */
    ...present({ accused }),
    /** Command lines to copy; a comment may stand on a line before one. */
    commands: [
      ...(sendable ? [{ label: 'Send it again', lines: curl.split('\n') }] : []),
      ...(reproduce === undefined ? [] : [{ label: 'Replay this case', lines: reproduce.split('\n') }]),
    ],
    /** Which part of it is left to `report.json`. */
    ...present({ elsewhere }),
  };
}
