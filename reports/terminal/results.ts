import type { Verdict } from '../../contracts/report/journal.ts';
import type { EndpointReport, EndpointVerdict, Report } from '../../contracts/report/report.ts';
import { passedOf } from '../passed.ts';
import { counted, heading, indented, type Line, pageWidth, type Style, styled, wrapped } from '../text/page.ts';

/** Verdicts are told apart by shape and word, and by colour besides. */
export const marks = {
  conformant: ['✓', 'conformant', 'good'],
  'non-conformant': ['✗', 'non-conformant', 'bad'],
  incomplete: ['◐', 'incomplete', 'careful'],
  'not-applicable': ['–', 'not applicable', 'faint'],
} as const satisfies Record<EndpointVerdict, readonly [mark: string, word: string, style: Style]>;

/** What of an endpoint is worth a word beside its figures. */
const remarks: readonly (readonly [Verdict, string])[] = [
  ['fail', 'failed'],
  ['error', 'in error'],
  ['untested', 'untested'],
  ['warn', 'warned'],
];

/** A table with a line for each endpoint. */
export function endpointLines({ endpoints }: Report): Line[] {
  if (endpoints.length === 0) return [['No endpoint was tested: the run planned no check.']];
  const head = `  ${'verdict'.padEnd(18)}${'endpoint'.padEnd(24)}${'passed'.padStart(8)}${'requests'.padStart(10)}${'time'.padStart(10)}`;
  return [[styled('faint', head)], ...endpoints.map(endpointLine)];
}

function endpointLine({ id, verdict, checks, stats }: EndpointReport): Line {
  const [mark, word, style] = marks[verdict];
  const of = (verdict: Verdict) => checks.filter(check => check.verdict === verdict).length;
  const { passed, applicable } = passedOf(checks);
  const notes = remarks.flatMap(([verdict, word]) => (of(verdict) > 0 ? [`${of(verdict)} ${word}`] : []));
  return [
    styled(style, `  ${`${mark} ${word}`.padEnd(18)}`),
    id.padEnd(24),
    `${passed}/${applicable}`.padStart(8),
    stats.requests.toLocaleString('en').padStart(10),
    `${(stats.durationMs / 1000).toFixed(2)} s`.padStart(10),
    styled('faint', notes.length > 0 ? `  ${notes.join(', ')}` : ''),
  ];
}

/** Remarks on the whole run, which stand above its results: they say how to read them. */
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

/** Faults of the suite itself, each with its reason. */
export function errorLines({ endpoints }: Report): Line[] {
  const checks = endpoints.flatMap(endpoint => endpoint.checks).filter(check => check.verdict === 'error');
  if (checks.length === 0) return [];
  const lines = checks.slice(0, 12).map((check): Line => [`  ${check.id}: ${check.because ?? 'no reason given'}`]);
  return [
    ...heading('FAULTS OF THE SUITE, not of the target', 'bad'),
    ...lines,
    ...(checks.length > 12 ? [[`  ${checks.length - 12} more in report.json`]] : []),
  ];
}

/** What was not tested, by reason, each with what to do about it. */
export function untestedLines({ endpoints }: Report, columns: number | undefined): Line[] {
  const groups = new Map<string, { because: string; remedy: string | undefined; checks: string[] }>();
  for (const { checks } of endpoints)
    for (const { id, verdict, because = 'no reason given', remedy, blockedBy } of checks) {
      if (verdict !== 'untested') continue;
      const reason = blockedBy === undefined ? because : `${because} (see ${blockedBy})`;
      const key = JSON.stringify([reason, remedy]);
      const group = groups.get(key) ?? { because: reason, remedy, checks: [] };
      group.checks.push(id);
      groups.set(key, group);
    }
  if (groups.size === 0) return [];
  const shown = [...groups.values()].slice(0, 12);
  return [
    ...heading('NOT TESTED', 'careful'),
    ...shown.flatMap(({ because, remedy, checks }): Line[] => [
      ...indented(2, because, columns),
      ...indented(4, `${counted(checks.length, 'check')}: ${perEndpoint(checks)}`, columns),
      ...(remedy === undefined ? [] : [[styled('strong', `    → ${remedy}`)]]),
    ]),
    ...(groups.size > shown.length ? [[`  ${groups.size - shown.length} more reasons in report.json`]] : []),
  ];
}

/** `patch-gate (8), disable-gate (6)`, or the check itself where an endpoint has but one. */
function perEndpoint(ids: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const endpoint = id.slice(0, id.indexOf('/'));
    groups.set(endpoint, [...(groups.get(endpoint) ?? []), id]);
  }
  return [...groups].map(([endpoint, own]) => (own.length === 1 ? own[0] : `${endpoint} (${own.length})`)).join(', ');
}
