import { grouped } from '../../contracts/grouped.ts';
import type { NotExercised, RunStart } from '../../contracts/report/journal.ts';
import { noRemedy } from '../../contracts/report/remedies.ts';
import type { Report } from '../../contracts/report/report.ts';
import { checksOf, thingsIn } from '../journal/selections.ts';
import { fitted } from '../text/fitted.ts';
import { baseUrlOf, invocation } from '../text/invocation.ts';
import { counted, entry, type Line, pageWidth, proseWidth, styled, wrapped } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { timeText } from '../text/time-text.ts';
import { exchangesText, fieldsText, operationsText, reasonTexts, stateTexts } from '../text/traffic-text.ts';
import {
  cellsText,
  coverageText,
  partText,
  remedyTexts,
  requirementsText,
  setText,
  shortCoverageText,
  verdictSentence,
} from '../text/verdict-text.ts';
import { verdictMarks } from './results.ts';

/** Returns the head of the page: what is tested and how. */
export function titleLines({ tool, target, seed, profile, options }: RunStart, columns: number | undefined): Line[] {
  const what = target.embedded ? `the embedded reference server (${target.baseUrl})` : target.baseUrl;
  const flags = [
    ...(options.timeMs === undefined ? [] : [`time ${timeText(options.timeMs)}`]),
    ...(options.readOnly ? ['read-only'] : []),
    ...(options.strict ? ['strict'] : []),
  ];
  const how = (
    options.traffic === undefined ? [`seed ${seed}`, profile, ...flags] : [trafficText(options.traffic)]
  ).join(', ');
  const name = `${tool.name} ${tool.version}`;
  const title: Line = [styled('strong', name), `  ${what}`];
  return name.length + what.length + how.length + 4 <= pageWidth(columns)
    ? [[...title, '  ', styled('faint', how)]]
    : [title, ['  ', styled('faint', how)]];
}

/** What traffic is judged, and how. */
const trafficText = ({ sources, soleWriter }: NonNullable<RunStart['options']['traffic']>): string =>
  [
    `traffic${sources.length === 0 ? '' : ` of ${sources.join(', ')}`}`,
    ...(soleWriter ? ['nobody else writes'] : []),
  ].join(', ');

/** What of some traffic was judged, what was not and why, and what it used. */
function trafficLines({ traffic, endpoints }: Report, columns: number | undefined): Line[] {
  if (traffic === undefined) return [];
  const width = pageWidth(columns) - 15;
  const texts = [
    ...reasonTexts(traffic.notJudged).map(text => `not judged: ${text}`),
    ...reasonTexts(traffic.outside).map(text => `outside: ${text}`),
  ];
  return [
    ...entry(
      'traffic',
      [exchangesText(traffic), ...texts].flatMap(text => wrapped(text, width)),
      2,
    ),
    ...entry(
      'state',
      stateTexts(traffic).flatMap(text => wrapped(`not judged: ${text}`, width)),
      2,
    ),
    ...entry(
      'used',
      wrapped(
        operationsText(
          traffic,
          endpoints.map(({ id }) => id),
        ),
        width,
      ),
      2,
    ),
    ...entry('fields', wrapped(fieldsText(traffic), width), 2),
  ];
}

/** Returns the verdict in words, the figures of the run, what was left behind, and the files that hold the rest. */
export function summaryLines(report: Report, columns: number | undefined, files: readonly string[] = []): Line[] {
  const { stats, seed, profile, exitCode } = report;
  const sums = [counted(checksOf(report).length, 'check'), counted(stats.requests, 'request')].join(', ');
  const what = report.traffic === undefined ? `, seed ${seed}, profile ${profile}${setText(report)}` : '';
  const run = `${sums}, ${(stats.durationMs / 1000).toFixed(1)} s${what}, exit ${exitCode}`;
  return [
    ...verdictLines(report, columns),
    ...trafficLines(report, columns),
    ...entry('coverage', coverageLines(report, columns), 2),
    ...entry('requirements', wrapped(requirementsText(report), pageWidth(columns) - 15), 2),
    ...entry('run', wrapped(run, pageWidth(columns) - 15), 2),
    ...entry('extended', extendedLines(report), 2),
    ...entry('not sent', notExercisedLines(report, columns), 2),
    ...entry('learned', learnedLines(report, columns), 2),
    ...entry('left behind', leftBehindLines(report, columns), 2),
    ...entry('not restored', notRestoredLines(report, columns), 2),
    ...entry('reports', files.length > 0 ? wrapped(files.join(', '), pageWidth(columns) - 15) : [], 2),
  ];
}

/** Returns the verdict in words, after an empty line. */
export function verdictLines(report: Report, columns: number | undefined): Line[] {
  const [sign, name, style] = verdictMarks[report.verdict];
  const coverage = coverageText(report);
  const word = `${sign} ${name.toUpperCase()}${partText(report)}${coverage === undefined ? '' : ` · ${coverage}`}`;
  const lines = wrapped(verdictSentence(report), pageWidth(columns) - word.length - 2);
  return [
    [],
    ...lines.map((line, index): Line => [index === 0 ? styled(style, word) : ' '.repeat(word.length), '  ', ...line]),
  ];
}

/** The most remedies that are shown: where a coverage was asked for and is not reached, and elsewhere. */
const mostRemedies = { short: 8, otherwise: 3 } as const;

/** What keeps the coverage from being more, the most first. */
function coverageLines(report: Report, columns: number | undefined): Line[] {
  const short = shortCoverageText(report);
  const cells = cellsText(report);
  const width = pageWidth(columns) - 15;
  const remedies = remedyTexts(report, short === undefined ? mostRemedies.otherwise : mostRemedies.short);
  return [
    ...(short === undefined ? [] : wrapped(short, width, 'careful')),
    ...(cells === undefined ? [] : wrapped(cells, width)),
    ...remedies.flatMap(text => wrapped(`→ ${text}`, width)),
  ];
}

function extendedLines({ stats, options, profile }: Report): Line[] {
  if (options.timeMs === undefined || stats.extended === undefined) return [];
  const cases = counted(stats.extended, 'random case');
  return [[`${cases} more than profile ${profile} has, in a time of ${timeText(options.timeMs)}`]];
}

/** True of a field for which the target file could have a word or a capability: others are locked, or kept as they are. */
const isWanting = ({ remedy, capability }: NotExercised): boolean =>
  capability !== undefined || (remedy !== undefined && !remedy.startsWith(noRemedy));

function notExercisedLines({ endpoints }: Report, columns: number | undefined): Line[] {
  const left = endpoints.flatMap(one => one.checks.flatMap(check => check.notExercised.map(field => ({ one, field }))));
  const named = (some: typeof left) => new Set(some.map(({ one, field }) => `${one.id} ${field.field}`)).size;
  const count = named(left);
  const wanting = named(left.filter(({ field }) => isWanting(field)));
  if (count === 0) return [];
  const share = wanting === count ? '' : wanting === 0 ? 'none of them ' : `${wanting} of them `;
  const text = `${counted(count, 'field')}, ${share}for want of vocabulary or capability (see notExercised)`;
  return wrapped(text, pageWidth(columns) - 15);
}

/** Lines of why one thing could not be put back; the report has it whole. */
const mostOfReason = 3;

/** So many requests that would put something back are shown. */
const mostRequests = 5;

/** What the run changed and could not put back, each with the request that would. */
function notRestoredLines(report: Report, columns: number | undefined): Line[] {
  const own = report.leftBehind.filter(({ send }) => send !== undefined);
  if (own.length === 0) return [];
  const shown = own
    .slice(0, mostRequests)
    .flatMap(({ kind, id, what, send = '' }): Line[] => [
      ...wrapped(`${[kind, id].filter(Boolean).join(' ')}: ${what}`, proseWidth(columns)).slice(0, mostOfReason),
      [styled('faint', 'to send: '), requestText(send, proseWidth(columns) - 9)],
    ]);
  const more = own.length > mostRequests ? [[`${own.length - mostRequests} more (see leftBehind)`]] : [];
  return [...shown, ...more, [styled('careful', `or try again: ${invocation} restore JOURNAL${baseUrlOf(report)}`)]];
}

/** Such a request on one line: whole to be copied, or where the report has it whole. */
function requestText(send: string, room: number): string {
  const [line = ''] = send.split(/ (?=[{[])/);
  return send.length <= room ? send : `${fitted(line, room - 28)} (body: see leftBehind)`;
}

function leftBehindLines({ leftBehind }: Report, columns: number | undefined): Line[] {
  const kinds = [...grouped(leftBehind, ({ kind }) => kind)].map(([kind, own]) => {
    const sure = thingsIn(own);
    const perhaps = own.reduce((sum, one) => sum + (one.perhaps ?? 0), 0);
    return `${kind} × ${sure}${perhaps > 0 ? ` (perhaps ${perhaps} more)` : ''}`;
  });
  return kinds.length === 0 ? [] : wrapped(`${kinds.join(', ')} (see leftBehind)`, pageWidth(columns) - 15);
}

/** The names that were learned and that the target refuses. What was learned and holds is no news: see `learned`. */
function learnedLines({ learned = [] }: Report, columns: number | undefined): Line[] {
  const refused = learned.filter(({ refusedBy }) => refusedBy !== undefined);
  if (refused.length === 0) return [];
  const shown = refused.slice(0, 3).map(({ kind, value }) => `${kind} ${safeText(JSON.stringify(value), 60)}`);
  const more = refused.length > shown.length ? ', …' : '';
  const text = `${counted(learned.length, 'name')}, ${refused.length} refused: ${shown.join(', ')}${more} (see learned)`;
  return wrapped(text, pageWidth(columns) - 15);
}
