import { exactPointer } from '../../contracts/json-tree.ts';
import type { Exchange } from '../../contracts/report/evidence.ts';
import { type Message, messagesOf, type ReportedFinding } from './finding-text.ts';
import { flatJson, foldedJson } from './folded-json.ts';
import { counted, entry, type Line, styled, wrapped } from './page.ts';
import { pathOf } from './path.ts';
import { safeText } from './safe-text.ts';

/** The most lines of a body that is shown whole. */
const mostLines = 40;

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
  const accused =
    place === undefined
      ? []
      : (foldedJson(flat, [place], { lines: 2, columns: width }) ?? []).filter(one => one.accused);
  if (place !== undefined && accused.length > 0) {
    const [first = '', ...others] = accused.map(one => one.text.trimStart());
    const size = `(${place}, of ${counted(Buffer.byteLength(flat), 'byte')})`;
    const isShort = others.length === 0 && first.length + size.length < width;
    const beside = line.length < 4 && isShort && line.length + first.length + size.length + 1 < width;
    const shown: Line = [styled('strong', first), styled('faint', ` ${size}`)];
    if (beside) return [[`${line} `, ...shown]];
    return isShort
      ? [[line], shown]
      : [
          [`${line}  `, styled('faint', size)],
          ...[first, ...others].slice(0, 3).map((one): Line => [styled('strong', one)]),
        ];
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

/** The accused place in the answer, if there is one: of a value that was accepted, what became of it. */
function placeInAnswer({ pointer, counterexample, exchange, actual }: ReportedFinding): string | undefined {
  const { status = 0 } = exchange?.response ?? {};
  if (pointer === 'status')
    return status < 300 && counterexample?.pointer ? `/data${counterexample.pointer}` : undefined;
  return pointer.startsWith('/') ? exactPointer(exchange?.response?.body.text ?? '', pointer, actual) : undefined;
}

/** Returns what was sent and what came, in at most four lines each. */
export function exchangeInShort(finding: ReportedFinding, width: number): { sent: Line[]; answered: Line[] } {
  const { exchange, counterexample, pointer, accused } = finding;
  if (exchange === undefined) return { sent: [], answered: [] };
  const { request, response } = messagesOf(exchange, { lines: 2, columns: width, empty: '(empty)' });
  // What a refusal says stands in what came already.
  const isSaid = pointer === 'status' && placeInAnswer(finding) === undefined;
  const line = safeText(`${exchange.request.method} ${pathOf(exchange.request.url)}`, width);
  const atAccused: Line[] = [[cameText(exchange)], [styled('strong', safeText(`${pointer}: ${accused}`, width))]];
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
