import { jsonAt } from '../../contracts/json-tree.ts';
import { compact } from '../../contracts/present.ts';
import type { BodyEvidence } from '../../contracts/report/evidence.ts';
import { boundedBody } from '../text/finding-text.ts';
import { flatJson, foldedJson } from '../text/folded-json.ts';
import { counted, entry, fitted, fittedRequest, type Line, styled, wrapped } from '../text/page.ts';
import type { Message, Step } from './document.ts';

/** Lays out requests and answers at a terminal. */

/** Maximum lines of a full body, and characters of the value at the accused place of a step. */
const most = { lines: 40, shown: 28 } as const;

/** Returns a JSON value cut to a number of characters, followed by its length. */
function cutInside(value: string, room: number): string {
  if (value.length <= room) return value;
  const count = ` (${counted(Array.from(value).length - (value.startsWith('"') ? 2 : 0), 'character')})`;
  return `${value.slice(0, Math.max(8, room - count.length - 1))}…${count}`;
}

/** Returns the accused place and value on one line, followed by the size of the body if there is room. */
function accusedLine(place: string, value: string, bytes: number, width: number): Line {
  const name = `${place}: `;
  const room = width - name.length;
  const brief = /^[[{]/.test(value) && value.length > room ? (flatJson(value, room) ?? value) : value;
  const size = ` (of ${counted(bytes, 'byte')})`;
  const shown: Line = [styled('faint', name), styled('strong', cutInside(brief, room))];
  return name.length + Math.min(room, brief.length) + size.length <= width ? [...shown, styled('faint', size)] : shown;
}

/** Returns as much of a body as there is room for, with a note if it was cut. */
function bodyLines(body: BodyEvidence, lines: number, columns: number): Line[] {
  const { body: shown, note } = boundedBody(body, { lines, columns, empty: '(empty)' });
  return compact([...shown.map((one): Line => [one]), note !== undefined && [styled('faint', note)]]);
}

/** Returns a body on one line. */
const onOneLine = (body: BodyEvidence | undefined): string => body?.text.replace(/\s*\n\s*/g, ' ') ?? '';

/** Returns a message in short: its first line with the accused part of its body, or with the body on one line. */
function messageInShort({ body, place, accused, ...message }: Message, line: string, width: number): Line[] {
  if (place !== undefined && accused !== undefined)
    return [
      [message.brief],
      [styled('faint', `${place}: `), styled('strong', cutInside(accused, width - place.length - 2))],
    ];
  const flat = onOneLine(body);
  if (!body || flat === '' || line.length + flat.length < width) return [[`${line} ${flat}`]];
  if (flat.length <= width) return [[line], [flat]];
  // The pointer already tells where the accused member is: show its value.
  const value = place === undefined ? undefined : jsonAt(flat, place);
  if (place !== undefined && value !== undefined)
    return [[line], accusedLine(place, value, Buffer.byteLength(flat), width)];
  const short = flatJson(flat, width);
  return [[line], ...(short === undefined ? bodyLines(body, 1, width) : [[short]])];
}

/** Returns a whole message, its body folded around the accused place. */
function messageLines({ line, headers, body, place }: Message, width: number): Line[] {
  const folded = body && place !== undefined && foldedJson(body.text, place, { lines: most.lines, columns: width });
  return [
    [line],
    ...headers.map((one): Line => [styled('faint', one)]),
    ...(folded
      ? folded.slice(0, most.lines).map(({ text, accused }): Line => [accused ? styled('strong', text) : text])
      : body
        ? bodyLines(body, most.lines, width)
        : []),
  ];
}

/** Returns the place of a request that matters: the accused one, or the one that the accused place of the answer shows. */
function sentPlace({ body, place }: Message, answer: Message): string | undefined {
  const shown = answer.place?.replace(/^\/data(?=\/)/, '');
  const isSent = shown !== undefined && jsonAt(onOneLine(body), shown) !== undefined;
  return place ?? (isSent ? shown : undefined);
}

/** Returns the only request of an item with its answer, in short or in full. */
export function exchangeLines({ requests, answers }: Step, width: number, isWhole: boolean): Line[] {
  const [request] = requests;
  const [answer] = answers;
  if (!request || !answer) return [];
  if (!isWhole)
    return [
      ...entry(
        'sent',
        messageInShort({ ...request, place: sentPlace(request, answer) }, fitted(request.brief, width), width),
      ),
      ...(answer.isTold ? [] : entry('answered', messageInShort(answer, answer.line, width))),
    ];
  const { accused, place } = answer;
  return [
    ...entry('request', messageLines(request, width)),
    ...entry('response', messageLines(answer, width)),
    ...entry('accused', accused === undefined ? [] : wrapped(`${place}: ${accused}`, width)),
  ];
}

/** Returns a request and the beginning of its body, within a number of columns. */
export const requestText = ({ brief, body }: Message, room: number): string =>
  fittedRequest(brief, body?.text ?? '', room);

/** Returns a step of a sequence. A single answer stands beside the request, several have a line each. */
export function stepLines(step: Step, width: number, isLast: boolean): Line[] {
  const { number, requests, answers, shown } = step;
  const [only, other] = answers;
  const nth = `${number} `;
  const [request] = requests;
  if (!other && only && request) {
    const came = ` → ${only.brief}`;
    const value = shown === undefined ? '' : fitted(shown, most.shown);
    const room = Math.max(20, width - came.length - (value === '' ? 0 : value.length + 2) - nth.length);
    const accused = isLast ? styled('bad', value) : value;
    return [[styled('faint', nth), requestText(request, room), came, ...(value === '' ? [] : [', ', accused])]];
  }
  const texts = requests.map(one => requestText(one, width - nth.length - 5));
  // Show one line if the requests to both sides look the same.
  const isSame = texts.every(text => text === texts[0]);
  return [
    ...(isSame ? requests.slice(0, 1) : requests).map(
      ({ letter }, index): Line => [
        styled('faint', `${index === 0 ? nth : '  '}${letter === '' || isSame ? '' : `to ${letter}: `}`),
        texts[index] ?? '',
      ],
    ),
    ...answers.map(({ letter, brief, body }): Line => {
      const room = width - brief.length - 5;
      const flat = onOneLine(body);
      const text = flat.length <= room ? flat : (flatJson(flat, room) ?? flat);
      return compact([
        '  ',
        styled('strong', letter),
        ` ${fitted(brief, width - 4)} `,
        room >= 8 && fitted(text, room),
      ]);
    }),
  ];
}
