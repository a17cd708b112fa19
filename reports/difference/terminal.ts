import type {
  AnswerOfSide,
  DifferenceReport,
  DifferenceReportEntry,
  StepOfBoth,
} from '../../contracts/report/difference.ts';
import { fitted, fittedRequest } from '../text/fitted.ts';
import { flatJson } from '../text/folded-json.ts';
import {
  type Display,
  entry,
  heading,
  indented,
  type Line,
  pageWidth,
  paint,
  proseWidth,
  type Style,
  styled,
  wrapped,
} from '../text/page.ts';
import {
  answerText,
  explainCommand,
  isCounted,
  labelText,
  otherLists,
  partsOf,
  placeText,
  requestsOf,
  requirementWords,
  sideText,
  timesText,
  verdictSentences,
  verdictWord,
} from './words.ts';

/** How a comparison is shown at a terminal. */
export interface DifferenceDisplay extends Display {
  /** How many differences that count are shown whole; absent: ten. */
  readonly maxFailures?: number;
  /** The files that the comparison wrote, to be named at the end. */
  readonly files?: readonly string[];
}

/** The most that is shown: of differences whole, of others a line each, of steps, places and lines of each list. */
const most = { whole: 10, listed: 18, steps: 5, places: 3, statement: 2, lines: 4 } as const;

const labelWidth = 3;

/** Returns a comparison for a terminal: what counts whole, with both answers, the rest a line each, and the verdict. */
export function differenceText(report: DifferenceReport, display: DifferenceDisplay): string {
  const { colour, columns, files = [] } = display;
  const lines: Line[] = [
    [
      styled('strong', `${report.tool.name} ${report.tool.version}`),
      styled('faint', `  seed ${report.seed}, ${report.profile}`),
    ],
    ...entry('A', wrapped(sideText(report.a), proseWidth(columns)), labelWidth - 1),
    ...entry('B', wrapped(sideText(report.b), proseWidth(columns)), labelWidth - 1),
    ...partLines(report, display),
    ...otherLists(report).flatMap(({ title, lines: own }) => [
      ...heading(title.toUpperCase()),
      ...own.slice(0, most.lines).flatMap(text => indented(2, text, columns)),
      ...moreLine(own.length - most.lines),
    ]),
    ...acknowledgedLines(report, columns),
    ...verdictLines(report, columns),
    ...(files.length === 0 ? [] : [[styled('faint', '  reports      '), files.join(', ')]]),
  ];
  return paint(lines, colour);
}

const moreLine = (count: number): Line[] => (count > 0 ? [[`  and ${count} more in difference.json`]] : []);

/** The differences by kind: those that count whole, as many as are asked for; then the others a line each. */
function partLines(report: DifferenceReport, { columns, maxFailures = most.whole }: DifferenceDisplay): Line[] {
  let whole = maxFailures;
  return partsOf(report).flatMap(({ label, title, entries }) => {
    const isBad = label === 'a-breaks' || label === 'b-breaks';
    const counts = entries.some(one => isCounted(one, report));
    const shown = entries.slice(0, Math.max(most.listed, whole));
    return [
      ...heading(title.toUpperCase(), counts ? 'bad' : isBad ? 'careful' : 'strong'),
      ...shown.flatMap((one, index) => {
        if (whole === 0 || !isCounted(one, report)) return listedLine(one, report, columns);
        whole -= 1;
        return [...(index === 0 ? [] : [[]]), ...wholeLines(one, report, columns)];
      }),
      ...moreLine(entries.length - shown.length),
    ];
  });
}

const signOf = (one: DifferenceReportEntry, report: DifferenceReport): readonly [sign: string, style: Style] =>
  isCounted(one, report)
    ? ['✗', 'bad']
    : one.label === 'a-breaks' || one.label === 'b-breaks'
      ? ['!', 'careful']
      : ['·', 'faint'];

function listedLine(one: DifferenceReportEntry, report: DifferenceReport, columns: number | undefined): Line[] {
  const [sign, style] = signOf(one, report);
  const head = `  ${one.id.padEnd(4)}${sign} `;
  const because = one.acknowledged === undefined ? '' : `  (${one.acknowledged.reason})`;
  const width = pageWidth(columns);
  const clause = fitted(one.requirements[0] ?? '', width - head.length);
  const line = fitted(`${one.title}${because}`, width - head.length);
  // The same symptom may be left open by several clauses: which one it is says what was asked.
  if (clause === '' || line.length + clause.length + 2 + head.length > width)
    return [
      [styled(style, head), line],
      ...(clause === '' ? [] : [[' '.repeat(head.length), styled('faint', clause)]]),
    ];
  return [[styled(style, head), line, styled('faint', `  ${clause}`)]];
}

function wholeLines(one: DifferenceReportEntry, report: DifferenceReport, columns: number | undefined): Line[] {
  const width = proseWidth(columns);
  const [sign, style] = signOf(one, report);
  const [first] = one.places;
  const head = wrapped(one.title, width + 8, style);
  const others = one.places.slice(1);
  const command = explainCommand(one, report);
  return [
    ...head.map(
      (line, index): Line => [
        styled(style, index === 0 ? `  ${one.id} ${sign} ` : ' '.repeat(5 + one.id.length)),
        ...line,
      ],
    ),
    ...entry('whose', ruleLines(one, width)),
    ...(first === undefined
      ? []
      : [
          ...entry(
            'at',
            wrapped(`${placeText(first)}, ${timesText(first.occurrences)}; case: ${first.example.title}`, width).slice(
              0,
              most.statement,
            ),
          ),
          ...entry('sent', stepLines(first.example.steps, width)),
        ]),
    ...entry('also at', [
      ...others
        .slice(0, most.places)
        .map((place): Line => [fitted(`${placeText(place)}: A ${place.a}, B ${place.b}`, width)]),
      ...(others.length > most.places ? [[`${others.length - most.places} more places`]] : []),
    ]),
    ...entry('evidence', command === undefined ? [] : [[command]]),
  ];
}

/** Whose the difference is, and the clause. */
function ruleLines(one: DifferenceReportEntry, width: number): Line[] {
  const [id] = one.requirements;
  if (id === undefined) return [[labelText(one)]];
  const { about, statement } = requirementWords(id);
  const name = `${id}${about === '' ? '' : ` (${about})`}`;
  return wrapped(`${labelText(one)}: ${name}${statement === '' ? '' : `: ${statement}`}`, width).slice(
    0,
    most.statement,
  );
}

/** The requests to both, and both answers below each. */
function stepLines(steps: readonly StepOfBoth[], width: number): Line[] {
  const shown = steps.length <= most.steps ? steps : [...steps.slice(0, 1), ...steps.slice(-(most.steps - 1))];
  return shown.flatMap((step): Line[] => [
    ...requestLines(step, width),
    ...answerLine('A', step.a, width),
    ...answerLine('B', step.b, width),
  ]);
}

/** What was sent: on one line where what the two were sent differs in nothing that is shown. */
function requestLines(step: StepOfBoth, width: number): Line[] {
  const room = width - String(step.number).length - 7;
  const sent = requestsOf(step).map(({ to, request: { method, path, body } }) => ({
    to,
    text: fittedRequest({ method, url: path, ...(body === undefined ? {} : { body: { text: body } }) }, room),
  }));
  const isSame = sent.length === 2 && sent[0]?.text === sent[1]?.text;
  return sent.slice(0, isSame ? 1 : 2).map(({ to, text }, index): Line => {
    const head = index === 0 ? `${step.number} ` : '  ';
    return [styled('faint', `${head}${to === '' || isSame ? '' : `to ${to}: `}`), text];
  });
}

function answerLine(letter: 'A' | 'B', answer: AnswerOfSide | undefined, width: number): Line[] {
  const head = answerText(answer);
  if (head === undefined) return [];
  const room = width - head.length - 5;
  const flat = (answer?.body ?? '').replace(/\s*\n\s*/g, ' ');
  const body = flat.length <= room ? flat : (flatJson(flat, room) ?? flat);
  return [['  ', styled('strong', letter), ` ${fitted(head, width - 4)} `, ...(room < 8 ? [] : [fitted(body, room)])]];
}

/** The entries of the acknowledged differences that hold no more, and the lines to remove. */
function acknowledgedLines({ acknowledged }: DifferenceReport, columns: number | undefined): Line[] {
  if (acknowledged === undefined) return [];
  const { file, stale, unjudged } = acknowledged;
  if (stale.length + unjudged.length === 0) return [];
  return [
    ...heading(`ACKNOWLEDGED IN ${file}`, stale.length > 0 ? 'bad' : 'strong'),
    ...stale
      .slice(0, most.listed)
      .flatMap(({ entry: what, why, line, reason }): Line[] => [
        ...indented(2, `✗ ${what} ${why}`, columns),
        [styled('strong', `    → remove ${line} of ${file}`)],
        ...indented(6, `its reason was: ${reason}`, columns),
      ]),
    ...moreLine(stale.length - most.listed),
    ...unjudged
      .slice(0, most.lines)
      .flatMap(({ entry: what, why }) => indented(2, `not judged: ${what}: ${why}`, columns)),
    ...moreLine(unjudged.length - most.lines),
  ];
}

const verdictStyles = { alike: 'good', different: 'bad', incomplete: 'careful' } as const satisfies Record<
  DifferenceReport['verdict'],
  Style
>;

function verdictLines(report: DifferenceReport, columns: number | undefined): Line[] {
  return [
    [],
    [styled(verdictStyles[report.verdict], verdictWord(report).toUpperCase()), `  exit ${report.exitCode}`],
    ...verdictSentences(report).flatMap(text => indented(2, text, columns)),
  ];
}
