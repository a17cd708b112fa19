import type { Verdict } from '../../contracts/report/journal.ts';
import type { EndpointReport, EndpointVerdict, Report } from '../../contracts/report/report.ts';
import { checksOf, observationsByRequirement } from '../journal/selections.ts';
import { grouped } from '../text/grouped.ts';
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

/** The verdicts of checks that are counted beside an endpoint. */
const countedVerdicts: readonly (readonly [Verdict, string])[] = [
  ['fail', 'failed'],
  ['error', 'in error'],
  ['untested', 'untested'],
  ['warn', 'warned'],
];

/** Returns a table with a line for each endpoint. */
export function endpointLines({ endpoints }: Report): Line[] {
  if (endpoints.length === 0) return [['No endpoint was tested: the run planned no check.']];
  const head = `  ${'verdict'.padEnd(18)}${'endpoint'.padEnd(24)}${'passed'.padStart(8)}${'requests'.padStart(10)}${'time'.padStart(10)}`;
  return [[styled('faint', head)], ...endpoints.map(endpointLine)];
}

function endpointLine({ id, verdict, checks, stats }: EndpointReport): Line {
  const [sign, word, style] = verdictMarks[verdict];
  const counts = countedVerdicts.flatMap(([verdict, word]) => {
    const count = checks.filter(check => check.verdict === verdict).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return [
    styled(style, `  ${`${sign} ${word}`.padEnd(18)}`),
    id.padEnd(24),
    passedText(checks, '/').padStart(8),
    stats.requests.toLocaleString('en').padStart(10),
    `${(stats.durationMs / 1000).toFixed(2)} s`.padStart(10),
    styled('faint', counts.length > 0 ? `  ${counts.join(', ')}` : ''),
  ];
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
      ...(remedy === undefined ? [] : [[styled('faint', `  → ${remedy}`)]]),
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

/** Returns what was not tested, by reason, each with what to do about it. */
export function untestedLines(report: Report, columns: number | undefined): Line[] {
  const checks = checksOf(report)
    .filter(({ verdict }) => verdict === 'untested')
    .map(({ id, because = 'no reason given', remedy, blockedBy }) => ({
      id,
      because: blockedBy === undefined ? because : `${because} (see ${blockedBy})`,
      remedy,
    }));
  if (checks.length === 0) return [];
  const groups = [...grouped(checks, ({ because, remedy }) => JSON.stringify([because, remedy])).values()];
  return [
    ...heading('NOT TESTED', 'careful'),
    ...groups
      .slice(0, most)
      .flatMap((group): Line[] => [
        ...indented(2, group[0]?.because ?? '', columns),
        ...indented(4, `${counted(group.length, 'check')}: ${perEndpoint(group.map(({ id }) => id))}`, columns),
        ...(group[0]?.remedy === undefined ? [] : [[styled('strong', `    → ${group[0].remedy}`)]]),
      ]),
    ...(groups.length > most ? [[`  ${groups.length - most} more reasons in report.json`]] : []),
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
