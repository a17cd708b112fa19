import { grouped } from '../../contracts/grouped.ts';
import type { Verdict } from '../../contracts/report/journal.ts';
import type { EndpointReport, EndpointVerdict, Report } from '../../contracts/report/report.ts';
import { checksOf, observationsByRequirement } from '../journal/selections.ts';
import { counted, heading, indented, type Line, pageWidth, type Style, styled, wrapped } from '../text/page.ts';
import { passedText } from '../text/verdict-text.ts';

/** The verdicts of endpoints and runs: told apart by sign and word, and by colour too. */
export const verdictMarks = {
  conformant: ['✓', 'conformant', 'good'],
  'non-conformant': ['✗', 'non-conformant', 'bad'],
  incomplete: ['◐', 'incomplete', 'careful'],
  'not-applicable': ['–', 'not applicable', 'faint'],
} as const satisfies Record<EndpointVerdict, readonly [sign: string, word: string, style: Style]>;

/** The most faults of the suite, and reasons for untested checks, that are shown. `report.json` has the rest. */
const most = 12;
const mostReasons = 8;

/** The verdicts of checks that are counted beside an endpoint. */
const countedVerdicts: readonly (readonly [Verdict, string])[] = [
  ['fail', 'failed'],
  ['error', 'in error'],
  ['untested', 'untested'],
  ['warn', 'warned'],
];

/** From so many columns on the table has the times too. */
const roomForTimes = 96;

/** Returns a table with a line for each endpoint, none wider than the page. */
export function endpointLines(report: Report, columns: number | undefined): Line[] {
  // Of the traffic of others only what it uses is of interest.
  const isShown = ({ verdict }: EndpointReport): boolean =>
    report.traffic === undefined || verdict !== 'not-applicable';
  const endpoints = report.endpoints.filter(isShown);
  if (report.traffic !== undefined && endpoints.length === 0) return [];
  if (endpoints.length === 0) return [['No endpoint was tested: the run planned no check.']];
  const width = pageWidth(columns);
  const time = width >= roomForTimes ? 'time'.padStart(9) : '';
  const head = `  ${'verdict'.padEnd(17)}${'endpoint'.padEnd(23)}${'passed'.padStart(7)}${'requests'.padStart(9)}${time}`;
  return [[styled('faint', head)], ...endpoints.map(one => endpointLine(one, width))];
}

function endpointLine({ id, verdict, checks, stats }: EndpointReport, width: number): Line {
  const [sign, word, style] = verdictMarks[verdict];
  const time = width >= roomForTimes ? `${(stats.durationMs / 1000).toFixed(2)} s`.padStart(9) : '';
  const figures = `${passedText(checks, '/').padStart(7)}${stats.requests.toLocaleString('en').padStart(9)}${time}`;
  const left = `  ${`${sign} ${word}`.padEnd(17)}`;
  const name = id.padEnd(23);
  return [
    styled(style, left),
    name,
    figures,
    styled('faint', countsText(checks, width - left.length - name.length - figures.length)),
  ];
}

/** What did not pass, the worst first, as far as there is room. */
function countsText(checks: EndpointReport['checks'], room: number): string {
  let text = '';
  for (const [verdict, word] of countedVerdicts) {
    const count = checks.filter(check => check.verdict === verdict).length;
    const longer = `${text}${text === '' ? '  ' : ', '}${count} ${word}`;
    if (count > 0 && longer.length <= room) text = longer;
  }
  return text;
}

/** Returns the notices about the whole run. Show them above its results: they say how to read them. */
export function noticeLines({ notices }: Report, columns: number | undefined): Line[] {
  if (notices.length === 0) return [];
  return [
    [],
    ...notices.flatMap(({ severity, text, remedy }): Line[] => [
      ...(severity === 'warning'
        ? wrapped(`! ${text}`, pageWidth(columns), 'careful')
        : wrapped(`i ${text}`, pageWidth(columns))),
      ...(remedy === undefined
        ? []
        : wrapped(`→ ${remedy}`, pageWidth(columns) - 2, 'faint').map((line): Line => ['  ', ...line])),
    ]),
    [],
  ];
}

/** Returns the faults of the suite itself, each with its reason. */
export function errorLines(report: Report): Line[] {
  const checks = checksOf(report).filter(({ verdict }) => verdict === 'error');
  if (checks.length === 0) return [];
  const lines = checks.slice(0, most).map((check): Line => [`  ${check.id}: ${check.because ?? 'no reason given'}`]);
  return [
    ...heading('FAULTS OF THE SUITE, not of the target', 'bad'),
    ...lines,
    ...(checks.length > most ? [[`  ${checks.length - most} more in report.json`]] : []),
  ];
}

/** Returns what was not tested, by reason, each with what to do about it. What waits for a cause is told in a line. */
export function untestedLines(report: Report, columns: number | undefined): Line[] {
  const waiting = (report.causes ?? []).filter(({ blocked }) => blocked.length > 0);
  const blocked = new Set(waiting.flatMap(cause => cause.blocked));
  const all = checksOf(report).filter(({ verdict }) => verdict === 'untested');
  if (all.length === 0) return [];
  const checks = all
    .filter(({ id }) => !blocked.has(id))
    .map(({ id, because = 'no reason given', remedy, blockedBy }) => ({
      id,
      because: blockedBy === undefined ? because : `${because} (see ${blockedBy})`,
      remedy,
    }));
  const groups = [...grouped(checks, ({ because, remedy }) => JSON.stringify([because, remedy])).values()];
  return [
    ...heading('NOT TESTED', 'careful'),
    ...waiting.flatMap(({ id, blocked: own }) =>
      indented(
        2,
        `${counted(own.length, 'check')} cannot be tested before ${id} is mended: ${perEndpoint(own)}`,
        columns,
      ),
    ),
    ...groups
      .slice(0, mostReasons)
      .flatMap((group): Line[] => [
        ...indented(2, `${group[0]?.because ?? ''}: ${perEndpoint(group.map(({ id }) => id))}`, columns),
        ...(group[0]?.remedy === undefined
          ? []
          : wrapped(`→ ${group[0].remedy}`, pageWidth(columns) - 4, 'strong').map((line): Line => ['    ', ...line])),
      ]),
    ...(groups.length > mostReasons ? [[`  ${groups.length - mostReasons} more reasons in report.json`]] : []),
  ];
}

/** `patch-gate (8), disable-gate (6)`, or the check itself if an endpoint has only one. */
function perEndpoint(ids: readonly string[]): string {
  const groups = grouped(ids, id => id.slice(0, id.indexOf('/')));
  return [...groups].map(([endpoint, own]) => (own.length === 1 ? own[0] : `${endpoint} (${own.length})`)).join(', ');
}

/**
 * Returns what the specification leaves open and what this target does there, by requirement. Nothing of it is judged.
 */
export function observationLines(report: Report, columns?: number): Line[] {
  if (report.observations.length === 0) return [];
  return [
    ...heading('OBSERVED (left open by the specification, not judged)'),
    ...observationsByRequirement(report).flatMap(({ requirement, row, seen }): Line[] => [
      ['  ', styled('faint', requirement)],
      ...indented(4, row?.statement ?? '', columns),
      ...seen.flatMap(({ text, where }) => indented(6, `${text}  (${where})`, columns)),
    ]),
  ];
}
