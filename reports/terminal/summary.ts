import type { RunStart } from '../../contracts/report/journal.ts';
import type { Outcome, Report, RunVerdict } from '../../contracts/report/report.ts';
import { counted, entry, type Line, type Style, styled } from './page.ts';

/** What is tested and how, on the first line of the page. */
export function titleLines({ tool, target, seed, profile, options }: RunStart): Line[] {
  const what = target.embedded ? `the embedded reference server (${target.baseUrl})` : target.baseUrl;
  const flags = [...(options.readOnly ? ['read-only'] : []), ...(options.strict ? ['strict'] : [])];
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
  unreachable: 'The target could not be reached',
  error: 'The run was ended by a fault of the suite',
  truncated: 'The journal was cut off before the end of the run',
} as const satisfies Record<Outcome, string | undefined>;

/** The verdict in words, what it rests on, what was left behind, and where the rest is to be read. */
export function summaryLines(report: Report, files: readonly string[] = []): Line[] {
  const { stats, seed, profile, exitCode } = report;
  const [word, style] = words[report.verdict];
  return [
    [],
    [styled(style, word), `  ${sentence(report)}`],
    ...entry('requirements', [[requirementsText(report)]], 2),
    ...entry(
      'run',
      [
        [
          `${counted(stats.requests, 'request')}, ${(stats.durationMs / 1000).toFixed(1)} s, seed ${seed}, profile ${profile}, exit code ${exitCode}`,
        ],
      ],
      2,
    ),
    ...entry('not sent', notExercisedLines(report), 2),
    ...entry('left behind', leftBehindLines(report), 2),
    ...entry('reports', files.length > 0 ? [[files.join(', ')]] : [], 2),
  ];
}

function sentence(report: Report): string {
  const of = (verdict: string) => report.endpoints.filter(endpoint => endpoint.verdict === verdict).length;
  const [good, bad, partial, none] = [of('conformant'), of('non-conformant'), of('incomplete'), of('not-applicable')];
  const total = report.endpoints.length;
  const parts: string[] = [];
  if (bad > 0)
    parts.push(`${bad} of ${counted(total, 'endpoint')} ${bad === 1 ? 'breaks' : 'break'} the specification`);
  if (partial > 0) parts.push(`${partial} could not be tested as far as the specification reaches`);
  if (good > 0)
    parts.push(
      good === total
        ? `all ${counted(total, 'endpoint')} tested conform`
        : `${good} ${good === 1 ? 'conforms' : 'conform'}`,
    );
  if (none > 0) parts.push(`${none} not to be run`);
  const ended = outcomes[report.outcome];
  const end = ended === undefined ? '' : ` ${ended}${report.because === undefined ? '' : `: ${report.because}`}.`;
  return `${parts.length > 0 ? `${parts.join(', ')}.` : 'Nothing was tested.'}${end}`;
}

function requirementsText({ stats }: Report): string {
  const { verified, failed, warned, untested } = stats.requirements;
  const total = verified + failed + warned + untested;
  const unverifiable = stats.requirements['not-verifiable'];
  const parts = [`${verified} of ${total} verified`, `${failed} failed`, `${untested} not tested`];
  if (warned > 0) parts.splice(2, 0, `${warned} warned`);
  if (unverifiable > 0) parts.push(`${unverifiable} more cannot be verified from outside`);
  return parts.join(', ');
}

function notExercisedLines({ endpoints }: Report): Line[] {
  const fields = endpoints.flatMap(one =>
    one.checks.flatMap(check => check.notExercised.map(({ field }) => `${one.id} ${field}`)),
  );
  const count = new Set(fields).size;
  return count > 0
    ? [[`${counted(count, 'field')}, for want of vocabulary or capability (notExercised in report.json)`]]
    : [];
}

function leftBehindLines({ leftBehind }: Report): Line[] {
  const kinds = new Map<string, number>();
  for (const { kind } of leftBehind) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (kinds.size === 0) return [];
  return [[`${[...kinds].map(([kind, count]) => `${kind} × ${count}`).join(', ')} (leftBehind in report.json)`]];
}
