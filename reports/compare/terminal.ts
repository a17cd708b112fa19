import type { EndpointVerdict } from '../../contracts/report/report.ts';
import { verdictMarks } from '../terminal/results.ts';
import { grouped } from '../text/grouped.ts';
import {
  counted,
  type Display,
  heading,
  indented,
  type Line,
  paint,
  type Span,
  type Style,
  styled,
} from '../text/page.ts';
import { endpointsText } from '../text/verdict-text.ts';
import {
  type CheckChange,
  courseText,
  coverageOfRun,
  letterOf,
  type ObservationChange,
  type RunComparison,
  runText,
  sumText,
} from './compare.ts';
import { type LostCoverage, lostText } from './coverage.ts';

/** The most changes of each kind that are shown; the others are counted. */
const most = 40;

/** The most lines of requirements below one reason. */
const mostOfReason = 4;

/** Returns a comparison for a terminal: the runs, the matrix endpoint × run, and what differs. */
export function comparisonText(comparison: RunComparison, { colour, columns }: Display): string {
  const { runs, endpoints, better, worse, lost, observations, cautions } = comparison;
  const changed = new Set([...better, ...worse].map(({ id }) => id.slice(0, id.indexOf('/'))));
  const isUnchanged = ({ id, verdicts }: (typeof endpoints)[number]) =>
    !changed.has(id) && verdicts.every(verdict => verdict === verdicts[0]);
  const changedRows = endpoints.filter(one => !isUnchanged(one));
  const widest = Math.max(...runs.map(({ name }) => name.length));
  const lines: Line[] = [
    ...runs.map(
      (run, index): Line => [
        styled('strong', letterOf(index).padEnd(4)),
        verdictColumn(run.report.verdict),
        run.name.padEnd(widest),
        `  ${coverageOfRun(run)}, ${runText(run)}`,
      ],
    ),
    ...cautions.flatMap(caution => indented(0, `! ${caution}`, columns)),
    [],
    [styled('faint', `${''.padEnd(26)}${runs.map((_, index) => letterOf(index).padEnd(18)).join('')}`)],
    ...changedRows.map(({ id, verdicts }): Line => [`  ${id.padEnd(24)}`, ...verdicts.map(verdictColumn)]),
    ...unchangedLines(endpoints.filter(isUnchanged), columns),
    ...changeLines('WORSE', 'bad', worse, columns),
    ...lostLines(lost, columns),
    ...changeLines('BETTER', 'good', better, columns),
    ...observedLines(observations, columns),
    [],
    [sumText(comparison)],
  ];
  return paint(lines, colour);
}

/** The endpoints in which nothing differs, by verdict: `12 endpoints unchanged: 11 conformant, 1 incomplete`. */
function unchangedLines(endpoints: RunComparison['endpoints'], columns: number | undefined): Line[] {
  if (endpoints.length === 0) return [];
  const groups = grouped(endpoints, ({ verdicts: [verdict = null] }) => verdict ?? 'not run');
  const verdicts = [...groups].map(
    ([verdict, own]) => `${own.length} ${verdict.replace('-applicable', ' applicable')}`,
  );
  return indented(2, `${counted(endpoints.length, 'endpoint')} unchanged: ${verdicts.join(', ')}`, columns);
}

function verdictColumn(verdict: EndpointVerdict | null): string | Span {
  if (verdict === null) return '  not run'.padEnd(18);
  const [sign, word, style] = verdictMarks[verdict];
  return styled(style, `${sign} ${word}`.padEnd(18));
}

function changeLines(
  title: string,
  style: Style,
  changes: readonly CheckChange[],
  columns: number | undefined,
): Line[] {
  return firstOf(heading(title, style), changes, change => [
    [`  ${change.id}  `, styled(style, courseText(change))],
    ...(change.requirements.length === 0 ? [] : indented(4, change.requirements.join(', '), columns)),
  ]);
}

/** What is verified no more, by reason, the requirements below it. */
function lostLines(lost: readonly LostCoverage[], columns: number | undefined): Line[] {
  return firstOf(heading('VERIFIED BEFORE, AND NO MORE', 'bad'), lost, one => [
    ...indented(2, lostText(one), columns),
    ...indented(4, one.requirements.join(', '), columns).slice(0, mostOfReason),
  ]);
}

function observedLines(changes: readonly ObservationChange[], columns: number | undefined): Line[] {
  const head = heading('OBSERVED DIFFERENTLY (left open by the specification, not judged)');
  return firstOf(head, changes, ({ requirement, endpoints, subject, values }) => [
    [`  ${requirement}: ${subject}`, styled('faint', endpoints.length === 0 ? '' : `  (${endpointsText(endpoints)})`)],
    ...values.flatMap((own, index) =>
      indented(4, `${letterOf(index)}  ${own.length === 0 ? 'not seen' : own.join(' | ')}`, columns),
    ),
  ]);
}

/** The lines of the first changes under a head, and the number of the others; nothing if there are none. */
function firstOf<T>(head: readonly Line[], changes: readonly T[], linesOf: (change: T) => Line[]): Line[] {
  if (changes.length === 0) return [];
  const more: Line[] = changes.length > most ? [[`  and ${changes.length - most} more`]] : [];
  return [...head, ...changes.slice(0, most).flatMap(linesOf), ...more];
}
