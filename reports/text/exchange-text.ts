import { exactPointer, jsonAt } from '../../contracts/json-tree.ts';
import type { Exchange } from '../../contracts/report/evidence.ts';
import { type Message, messagesOf, type ReportedFinding } from './finding-text.ts';
import { fittedRequest } from './fitted.ts';
import { flatJson, foldedJson } from './folded-json.ts';
import { counted, entry, type Line, styled, wrapped } from './page.ts';

/** The most lines of a body that is shown whole. */
const mostLines = 40;

/** A JSON value in so many characters, with its length where it is cut. */
function cutInside(value: string, room: number): string {
  if (value.length <= room) return value;
  const count = ` (${counted(Array.from(value).length - (value.startsWith('"') ? 2 : 0), 'character')})`;
  return `${value.slice(0, Math.max(8, room - count.length - 1))}…${count}`;
}

/** A message in short: its first line, and what is accused of its body, or the body on one line. */
function messageInShort(
  { line, body, note }: Message,
  text: string | undefined,
  place: string | undefined,
  width: number,
): Line[] {
  const flat = text?.replace(/\s*\n\s*/g, ' ') ?? '';
  if (flat === '' || line.length + flat.length < width) return [[`${line} ${flat}`]];
  if (flat.length <= width) return [[line], [flat]];
  // The way to the accused member is told by its pointer: what counts is the value.
  const value = place === undefined ? undefined : jsonAt(flat, place);
  if (place !== undefined && value !== undefined) {
    const name = `${place}: `;
    const size = ` (of ${counted(Buffer.byteLength(flat), 'byte')})`;
    const brief =
      /^[[{]/.test(value) && value.length + name.length > width ? flatJson(value, width - name.length) : value;
    const room = width - name.length;
    const shown: Line = [styled('faint', name), styled('strong', cutInside(brief ?? value, room))];
    const length = name.length + Math.min(room, (brief ?? value).length);
    const whole = length + size.length <= width ? [...shown, styled('faint', size)] : shown;
    return line.length < 4 && line.length + 1 + length + size.length <= width
      ? [[`${line} `, ...whole]]
      : [[line], whole];
  }
  const beside = line.length < 4;
  const short = flatJson(flat, beside ? width - line.length - 1 : width);
  if (short !== undefined) return beside ? [[`${line} ${short}`]] : [[line], [short]];
  return [
    [line],
    ...body.slice(0, 1).map((one): Line => [one]),
    ...(note === undefined ? [] : [[styled('faint', note)]]),
  ];
}

/** Returns the accused place in the answer, if there is one: of a value that was accepted, what became of it. */
export function placeInAnswer({ pointer, counterexample, exchange, fault }: ReportedFinding): string | undefined {
  const { status = 0 } = exchange?.response ?? {};
  if (pointer === 'status')
    return status < 300 && counterexample?.pointer ? `/data${counterexample.pointer}` : undefined;
  return pointer.startsWith('/')
    ? exactPointer(exchange?.response?.body.text ?? '', pointer, JSON.stringify(fault?.got))
    : undefined;
}

/** Returns what was sent and what came, in at most four lines each. */
export function exchangeInShort(finding: ReportedFinding, width: number): { sent: Line[]; answered: Line[] } {
  const { exchange, counterexample, pointer, accused } = finding;
  if (exchange === undefined) return { sent: [], answered: [] };
  const { request, response } = messagesOf(exchange, { lines: 2, columns: width, empty: '(empty)' });
  // What a refusal says stands in what came already.
  const isSaid = pointer === 'status' && placeInAnswer(finding) === undefined;
  const { method, url } = exchange.request;
  const line = fittedRequest({ method, url }, width);
  const atAccused: Line[] = [
    [cameText(exchange)],
    [styled('faint', `${pointer}: `), styled('strong', cutInside(accused ?? '', width - pointer.length - 2))],
  ];
  return {
    sent: messageInShort(
      { ...request, line },
      exchange.request.body?.text,
      counterexample?.pointer || undefined,
      width,
    ),
    answered: isSaid
      ? []
      : accused === undefined
        ? messageInShort(response, exchange.response?.body.text, placeInAnswer(finding), width)
        : atAccused,
  };
}

/** Returns the status of an answer, or why there is none. */
export const cameText = ({ response, failure = 'unknown' }: Exchange): string =>
  response === undefined ? `no answer: ${failure}` : String(response.status);

/** Returns request and answer, their bodies folded around what is accused. */
export function exchangeLines(finding: ReportedFinding, width: number): Line[] {
  const { exchange, counterexample, pointer, accused } = finding;
  if (exchange === undefined) return [];
  const { request, response } = messagesOf(exchange, { lines: mostLines, columns: width, empty: '(empty)' });
  return [
    ...entry(
      'request',
      messageLines(request, exchange.request.body?.text, counterexample?.pointer || undefined, width),
    ),
    ...entry('response', messageLines(response, exchange.response?.body.text, placeInAnswer(finding), width)),
    ...entry('accused', accused === undefined ? [] : wrapped(`${pointer}: ${accused}`, width)),
  ];
}

function messageLines(
  { line, headers, body, note }: Message,
  text: string | undefined,
  place: string | undefined,
  width: number,
): Line[] {
  const faint = (one: string): Line => [styled('faint', one)];
  const head: Line[] = [[line], ...headers.map(faint)];
  const folded =
    text === undefined || place === undefined
      ? undefined
      : foldedJson(text, [place], { lines: mostLines, columns: width });
  if (folded !== undefined)
    return [
      ...head,
      ...folded.slice(0, mostLines).map((one): Line => [one.accused ? styled('strong', one.text) : one.text]),
    ];
  return [...head, ...body.map(one => [one]), ...(note === undefined ? [] : [faint(note)])];
}
