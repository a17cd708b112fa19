import { tool } from '../../contracts/report/tool.ts';
import type { Mark, MarkKind } from '../html/marks.ts';
import { fitted, fittedRequest } from '../text/fitted.ts';
import { flatJson } from '../text/folded-json.ts';
import { grouped } from '../text/grouped.ts';
import {
  counted,
  type Display,
  entry,
  heading,
  indented,
  type Line,
  pageWidth,
  paint,
  proseWidth,
  type Span,
  type Style,
  styled,
  wrapped,
} from '../text/page.ts';
import {
  clauseText,
  type Entry,
  type Example,
  type ExampleStep,
  type Item,
  itemText,
  type Matrix,
  type Part,
  type ReportDocument,
} from './document.ts';

/** How a report is shown at a terminal. */
export interface DocumentDisplay extends Display {
  /** How many entries that count are shown whole; absent: as many as is usual for the report. */
  readonly maxFailures?: number;
  /** The files that were written, to be named at the end. */
  readonly files?: readonly string[];
}

/** The most that is shown: of entries, steps, items, lines of a clause and of a list. */
const most = { listed: 18, steps: 5, items: 3, statement: 2, lines: 4 } as const;

// biome-ignore format: a table
const signs: Readonly<Record<MarkKind, readonly [sign: string, style: Style]>> = {
  pass: ['✓', 'good'], fail: ['✗', 'bad'], warn: ['!', 'careful'], untested: ['◐', 'careful'],
  error: ['✗', 'bad'], 'not-applicable': ['–', 'faint'], open: ['·', 'faint'],
};

const marked = ({ kind, word }: Mark, width: number): Span => {
  const [sign, style] = signs[kind];
  return styled(style, `${sign} ${word}`.padEnd(width));
};

/** Returns a report for a terminal: what counts whole, the rest a line each, and the verdict last. */
export function documentText(document: ReportDocument, display: DocumentDisplay): string {
  const { verdict, subjects, sentences, cautions, matrix, facts, rest } = document;
  const { colour, columns, files = [] } = display;
  const room = { whole: display.maxFailures ?? document.whole };
  const widest = Math.max(...subjects.map(({ mark: { word } }) => word.length)) + 4;
  const headOf = subjects.length > 26 ? 4 : 2;
  const lines: Line[] = [
    [styled('strong', `${tool.name} ${tool.version}`), styled('faint', `  ${factsText(document)}`)],
    ...subjects.flatMap(({ letter, mark, name, about }) =>
      wrapped(`${name}  ${about}`, pageWidth(columns) - widest - headOf - 2).map(
        (line, index): Line =>
          index === 0
            ? [styled('strong', letter.padEnd(headOf + 2)), marked(mark, widest), ...line]
            : [' '.repeat(widest + headOf + 2), ...line],
      ),
    ),
    ...cautions.flatMap(caution => indented(0, `! ${caution}`, columns)),
    ...(matrix === undefined ? [] : matrixLines(matrix, document, columns)),
    ...document.parts.flatMap(part => partLines(part, rest, room, columns)),
    [],
    [styled(signs[verdict.kind][1], verdict.word.toUpperCase()), factOf(facts, 'Exit code', '  exit ')],
    ...sentences.flatMap(text => indented(2, text, columns)),
    ...(files.length === 0 ? [] : [[styled('faint', '  reports      '), files.join(', ')]]),
  ];
  return paint(lines, colour);
}

const factOf = (facts: ReportDocument['facts'], wanted: string, before: string): string => {
  const fact = facts.find(({ name }) => name === wanted);
  return fact === undefined ? '' : `${before}${fact.value}`;
};

const factsText = ({ facts }: ReportDocument): string =>
  facts
    .filter(({ name }) => name !== 'Exit code')
    .map(({ name, value }) => `${name.toLowerCase()} ${value}`)
    .join(', ');

/** The endpoints that differ, a row each, and the others by what they are. */
function matrixLines({ rows, empty }: Matrix, { subjects }: ReportDocument, columns: number | undefined): Line[] {
  if (rows.length === 0) return [[], [empty]];
  const same = rows.filter(({ isSame }) => isSame);
  const groups = grouped(same, ({ cells: [first] }) => first?.mark.word ?? '');
  const words = [...groups].map(([word, own]) => `${own.length} ${word}`).join(', ');
  const width = 18;
  return [
    [],
    [styled('faint', `${''.padEnd(26)}${subjects.map(({ letter }) => letter.padEnd(width)).join('')}`)],
    ...rows
      .filter(({ isSame }) => !isSame)
      .map(
        ({ endpoint, cells }): Line => [`  ${endpoint.padEnd(24)}`, ...cells.map(({ mark }) => marked(mark, width))],
      ),
    ...(same.length === 0 ? [] : indented(2, `${counted(same.length, 'endpoint')} unchanged: ${words}`, columns)),
  ];
}

/** A part: those entries whole that count, as many as there is room for; then the others a line each. */
function partLines(
  { title, note, entries, lines }: Part,
  rest: string,
  room: { whole: number },
  columns: number | undefined,
): Line[] {
  const more = (count: number): Line[] => (count > 0 ? [[`  and ${count} more in ${rest}`]] : []);
  if (lines !== undefined)
    return [
      ...heading(title.toUpperCase()),
      ...lines.slice(0, most.lines).flatMap(text => indented(2, text, columns)),
      ...more(lines.length - most.lines),
    ];
  const worst = entries.find(({ counts }) => counts) ?? entries[0];
  const shown = entries.slice(0, Math.max(most.listed, room.whole));
  return [
    ...heading(title.toUpperCase(), worst === undefined ? 'strong' : headingStyle(worst)),
    ...(note === undefined ? [] : indented(2, note, columns)),
    ...shown.flatMap((one, index) => {
      if (room.whole === 0 || !one.counts) return listedLines(one, columns);
      room.whole -= 1;
      return [...(index === 0 ? [] : [[]]), ...wholeLines(one, columns)];
    }),
    ...more(entries.length - shown.length),
  ];
}

const headingStyle = ({ mark: { kind } }: Entry): Style => (kind === 'open' ? 'strong' : signs[kind][1]);

/** An entry in a line, its first requirement beside or below it. */
function listedLines({ id = '', mark, title, known, clauses, remedy }: Entry, columns: number | undefined): Line[] {
  const [sign, style] = signs[mark.kind];
  const head = `  ${id === '' ? '' : id.padEnd(4)}${sign} `;
  const width = pageWidth(columns);
  const clause = fitted(clauses[0]?.id ?? '', width - head.length);
  const line = fitted(`${title}${known === undefined ? '' : `  (${known})`}`, width - head.length);
  const isBeside = clause !== '' && line.length + clause.length + 2 + head.length <= width;
  return [
    [styled(style, head), line, ...(isBeside ? [styled('faint', `  ${clause}`)] : [])],
    // The same symptom may be left open by several clauses: which one it is says what was asked.
    ...(clause === '' || isBeside ? [] : [[' '.repeat(head.length), styled('faint', clause)]]),
    ...(remedy === undefined ? [] : [[styled('strong', `    → ${remedy}`)]]),
  ];
}

function wholeLines(one: Entry, columns: number | undefined): Line[] {
  const { id, mark, title, label, known, clauses, tags, items, example, command, remedy } = one;
  const width = proseWidth(columns);
  const [sign, style] = signs[mark.kind];
  const head = `  ${id === undefined ? '' : `${id} `}${sign} `;
  const [first, ...others] = items;
  const rule = [
    label,
    ...clauses.slice(0, 1).map(clause => [clauseText(clause), clause.statement].filter(Boolean).join(': ')),
  ];
  // Where there is no sequence to show, the places are all there is to it.
  const listed = example === undefined ? items : others;
  return [
    ...wrapped(title, width + 8, style).map(
      (line, index): Line => [styled(style, index === 0 ? head : ' '.repeat(head.length)), ...line],
    ),
    ...entry(
      label === undefined ? 'rule' : clauses.length === 0 ? 'about' : 'whose',
      wrapped(rule.filter(Boolean).join(': '), width).slice(0, rule.some(Boolean) ? most.statement : 0),
    ),
    ...(first === undefined || example === undefined ? [] : exampleLines(first, example, width)),
    ...entry(example === undefined ? 'at' : 'also at', [
      ...listed.slice(0, most.items).flatMap(item => itemLines(item, example === undefined, width)),
      ...(listed.length > most.items ? [[`${listed.length - most.items} more places`]] : []),
    ]),
    ...entry(
      'about',
      items.length > 0 || tags.length === 0 ? [] : wrapped(tags.join(', '), width).slice(0, most.lines),
    ),
    ...entry('evidence', command === undefined ? [] : [[command]]),
    ...(remedy === undefined ? [] : [[styled('strong', `    → ${remedy}`)]]),
    ...(known === undefined ? [] : indented(6, known, columns)),
  ];
}

/** Where an item shows; what each shows beside it, or on lines of its own. */
function itemLines(item: Item, isRoomy: boolean, width: number): Line[] {
  const { where, because, pairs } = item;
  const values = pairs.map(({ name, value }) => `${name} ${value}`);
  if (!isRoomy) return [[fitted(`${where}: ${values.join(', ')}`, width)]];
  return [
    ...wrapped(itemText(item), width),
    ...(because === undefined ? [] : [[`  ${fitted(because, width - 2)}`]]),
    ...values.map((value): Line => [`  ${fitted(value, width - 2)}`]),
  ];
}

function exampleLines(first: Item, { title, steps }: Example, width: number): Line[] {
  const shown = steps.length <= most.steps ? steps : [...steps.slice(0, 1), ...steps.slice(-(most.steps - 1))];
  return [
    ...entry('at', wrapped(`${itemText(first)}; case: ${title}`, width).slice(0, most.statement)),
    ...entry(
      'sent',
      shown.flatMap(step => [...requestLines(step, width), ...answerLines(step, width)]),
    ),
  ];
}

/** What was sent: on one line where what the two were sent differs in nothing that is shown. */
function requestLines({ number, requests }: ExampleStep, width: number): Line[] {
  const room = width - String(number).length - 7;
  const sent = requests.map(({ to, method, path, body }) => ({
    to,
    text: fittedRequest({ method, url: path, ...(body === undefined ? {} : { body: { text: body } }) }, room),
  }));
  const isSame = sent.length === 2 && sent[0]?.text === sent[1]?.text;
  return sent.slice(0, isSame ? 1 : 2).map(({ to, text }, index): Line => {
    const head = index === 0 ? `${number} ` : '  ';
    return [styled('faint', `${head}${to === '' || isSame ? '' : `to ${to}: `}`), text];
  });
}

const answerLines = ({ answers }: ExampleStep, width: number): Line[] =>
  answers.flatMap(({ letter, head, body }): Line[] => {
    if (head === undefined) return [];
    const room = width - head.length - 5;
    const flat = body.replace(/\s*\n\s*/g, ' ');
    const text = flat.length <= room ? flat : (flatJson(flat, room) ?? flat);
    return [
      ['  ', styled('strong', letter), ` ${fitted(head, width - 4)} `, ...(room < 8 ? [] : [fitted(text, room)])],
    ];
  });
