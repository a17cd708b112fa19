import type { RunStart } from '../../contracts/report/journal.ts';
import type { Outcome, Report, RunVerdict } from '../../contracts/report/report.ts';
import { counted, entry, type Line, pageWidth, type Style, styled, wrapped } from '../text/page.ts';
import { timeText } from '../text/time-text.ts';

/** What is tested and how, on the first line of the page. */
export function titleLines({ tool, target, seed, profile, options }: RunStart): Line[] {
  const what = target.embedded ? `the embedded reference server (${target.baseUrl})` : target.baseUrl;
  const flags = [
    ...(options.timeMs === undefined ? [] : [`time ${timeText(options.timeMs)}`]),
    ...(options.readOnly ? ['read-only'] : []),
    ...(options.strict ? ['strict'] : []),
  ];
  const how = [`seed ${seed}`, `profile ${profile}`, ...flags].join(', ');
  return [[styled('strong', `${tool.name} ${tool.version}`), `  ${what}  `, styled('faint', how)]];
}

const words = {
  conformant: ['✓ CONFORMANT', 'good'],
  'non-conformant': ['✗ NON-CONFORMANT', 'bad'],
  incomplete: ['◐ INCOMPLETE', 'careful'],
} as const satisfies Record<RunVerdict, readonly [string, Style]>;

const outcomes = {
  complete: undefined,
  interrupted: 'The run was interrupted',
  unreachable: 'The run could not go on',
  error: 'The run was ended by a fault of the suite',
  truncated: 'The journal was cut off before the end of the run',
} as const satisfies Record<Outcome, string | undefined>;

/** The verdict in words, what it rests on, what was left behind, and where the rest is to be read. */
export function summaryLines(report: Report, columns: number | undefined, files: readonly string[] = []): Line[] {
  const { stats, seed, profile, exitCode } = report;
  const checks = report.endpoints.reduce((sum, endpoint) => sum + endpoint.checks.length, 0);
  return [
    ...verdictLines(report, columns),
    ...entry('requirements', [[requirementsText(report)]], 2),
    ...entry(
      'run',
      [
        [
          `${counted(checks, 'check')}, ${counted(stats.requests, 'request')}, ${(stats.durationMs / 1000).toFixed(1)} s, seed ${seed}, profile ${profile}, exit ${exitCode}`,
        ],
      ],
      2,
    ),
    ...entry('beyond', extendedLines(report), 2),
    ...entry('not sent', notExercisedLines(report), 2),
    ...entry('left behind', leftBehindLines(report), 2),
    ...entry('reports', files.length > 0 ? [[files.join(', ')]] : [], 2),
  ];
}

/** The verdict in words, after an empty line. */
export function verdictLines(report: Report, columns: number | undefined): Line[] {
  const [word, style] = words[report.verdict];
  const lines = wrapped(sentence(report), pageWidth(columns) - word.length - 2);
  return [
    [],
    ...lines.map((line, index): Line => [index === 0 ? styled(style, word) : ' '.repeat(word.length), '  ', ...line]),
  ];
}

/** The verdict of a run in a sentence or two: how many endpoints conform, and whether the run came to its end. */
export function sentence(report: Report): string {
  const ended = outcomes[report.outcome];
  // Why a run was interrupted is said by the word.
  const because = report.outcome === 'interrupted' ? undefined : report.because;
  const end = ended === undefined ? '' : ` ${ended}${because === undefined ? '' : `: ${because}`}.`;
  return `${isBlank(report) ? 'Nothing was tested' : endpointsText(report)}.${end}`;
}

/** True if no check of the run came to a judgement. */
export function isBlank({ stats }: Report): boolean {
  const { pass, fail, warn } = stats.checks;
  return pass + fail + warn === 0;
}

/** `2 of 15 endpoints break the specification, 1 could not be fully tested, 12 conform`. */
function endpointsText({ endpoints }: Report): string {
  // biome-ignore format: a table
  const parts = ([
    ['non-conformant', 'breaks the specification',     'break the specification'],
    ['incomplete',     'could not be fully tested',    'could not be fully tested'],
    ['conformant',     'conforms',                     'conform'],
    ['not-applicable', 'was not to be run',            'were not to be run'],
  ] as const).flatMap(([verdict, one, several]) => {
    const count = endpoints.filter(endpoint => endpoint.verdict === verdict).length;
    return count > 0 ? [{ count, words: count === 1 ? one : several }] : [];
  });
  const total = counted(endpoints.length, 'endpoint');
  return parts.map(({ count, words }, index) => `${count}${index === 0 ? ` of ${total}` : ''} ${words}`).join(', ');
}

/** `600 of 612 verified, 4 failed, 8 not tested`. */
export function requirementsText({ stats }: Report): string {
  const { verified, failed, warned, untested } = stats.requirements;
  const total = verified + failed + warned + untested;
  const unverifiable = stats.requirements['not-verifiable'];
  const parts = [`${verified} of ${total} verified`, `${failed} failed`, `${untested} not tested`];
  if (warned > 0) parts.splice(2, 0, `${warned} warned`);
  if (unverifiable > 0) parts.push(`${unverifiable} unverifiable`);
  return parts.join(', ');
}

function extendedLines({ stats, options, profile }: Report): Line[] {
  if (options.timeMs === undefined || stats.extended === undefined) return [];
  return [
    [
      `${counted(stats.extended, 'random case')} more than profile ${profile} has, in a time of ${timeText(options.timeMs)}`,
    ],
  ];
}

function notExercisedLines({ endpoints }: Report): Line[] {
  const fields = endpoints.flatMap(one =>
    one.checks.flatMap(check => check.notExercised.map(({ field }) => `${one.id} ${field}`)),
  );
  const count = new Set(fields).size;
  return count > 0 ? [[`${counted(count, 'field')}, for want of vocabulary or capability (see notExercised)`]] : [];
}

function leftBehindLines({ leftBehind }: Report): Line[] {
  const kinds = new Map<string, number>();
  for (const { kind } of leftBehind) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (kinds.size === 0) return [];
  return [[`${[...kinds].map(([kind, count]) => `${kind} × ${count}`).join(', ')} (see leftBehind)`]];
}
