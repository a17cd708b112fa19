import type {
  CheckReport,
  EndpointReport,
  EndpointVerdict,
  Report,
  RunVerdict,
} from '../../contracts/report/report.ts';
import type { Reporter } from '../journal/reporter.ts';
import { passedOf } from '../passed.ts';
import { findingText } from '../text/finding-text.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';

/** What is shown at most; GitHub takes 65,536 characters for a comment. */
const most = { checks: 12, finding: 3_000, reasons: 12, notices: 10, text: 300, page: 60_000 } as const;

/** The verdict of a run at the head of a page. */
export const runWords = {
  conformant: '✅ Conformant',
  'non-conformant': '❌ Non-conformant',
  incomplete: '🟡 Incomplete',
} as const satisfies Record<RunVerdict, string>;

/** The verdict of an endpoint in a table. */
export const endpointWords = {
  conformant: '✅ conformant',
  'non-conformant': '❌ non-conformant',
  incomplete: '🟡 incomplete',
  'not-applicable': '➖ not applicable',
} as const satisfies Record<EndpointVerdict, string>;

/**
 * `report.md`: for a job summary or a comment on a pull request. The verdict, a table of the endpoints, and folded up each failing check with its first
 * finding. Whatever a target may have sent stands as text inside `<code>` or `<pre>`, where neither Markdown nor HTML, mention nor link works.
 */
export const markdown: Reporter = out => ({
  event() {},
  end(report) {
    out.write(markdownPage(report));
  },
});

/** The page itself, at most some 60,000 characters long: what comes too late for that is left to `report.json`. */
export function markdownPage(report: Report): string {
  const blocks = [
    `## ${runWords[report.verdict]}: ${sentence(report)}`,
    report.endpoints.length === 0 ? 'No check was planned.' : endpointTable(report.endpoints),
    figures(report),
    ...noticeBlocks(report),
    ...failureBlocks(report),
    ...reasonBlocks(report),
  ];
  let length = 0;
  const shown = blocks.filter(one => {
    length += one.length;
    return length <= most.page;
  });
  return `${[...shown, ...(shown.length < blocks.length ? ['The rest is in `report.json`.'] : [])].join('\n\n')}\n`;
}

/** Text as it is, in the midst of Markdown: nothing in it is a sign of Markdown or HTML, and it stays on one line. */
export function inlineText(text: string): string {
  return `<code>${safeText(text, most.text).replace(/[^\p{L}\p{N} /-]/gu, numeric)}</code>`;
}

/** Lines of text as they are, in a block of their own. */
function block(text: string): string {
  const lines = text.split('\n').map(line => entities(safeText(line, most.finding)));
  return `<pre>${lines.join('\n').slice(0, most.finding * 2)}</pre>`;
}

function entities(text: string): string {
  return text.replace(/[&<>"']/g, numeric);
}

function numeric(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

function sentence({ endpoints, outcome, because }: Report): string {
  const of = (verdict: EndpointVerdict) => endpoints.filter(one => one.verdict === verdict).length;
  const tested = endpoints.length - of('not-applicable');
  const counts = `${of('conformant')} of ${counted(tested, 'endpoint')} conform`;
  if (outcome === 'complete') return counts;
  const ends = {
    truncated: 'the journal was cut off',
    interrupted: 'the run was interrupted',
    unreachable: 'the run could not go on',
    error: 'the run was ended by a fault of the suite',
  };
  return `${counts}; ${ends[outcome]}${because === undefined ? '' : ` ${inlineText(because)}`}`;
}

function noticeBlocks({ notices }: Report): string[] {
  const lines = notices.slice(0, most.notices).map(({ severity, text, remedy }) => {
    const mark = severity === 'warning' ? '⚠️' : 'ℹ️';
    return `- ${mark} ${inlineText(text)}${remedy === undefined ? '' : ` → ${inlineText(remedy)}`}`;
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function endpointTable(endpoints: readonly EndpointReport[]): string {
  const rows = endpoints.map(({ id, verdict, checks, stats }) => {
    const of = (one: CheckReport['verdict']) => String(checks.filter(check => check.verdict === one).length || '');
    const { passed, applicable } = passedOf(checks);
    const cells = [
      endpointWords[verdict],
      inlineText(id),
      `${passed}/${applicable}`,
      of('fail'),
      of('warn'),
      of('untested'),
      of('error'),
      String(stats.requests),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| verdict | endpoint | passed | failed | warned | untested | error | requests |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}

/** Each failing check, and each fault of the suite, folded up; a further one is only counted. */
function failureBlocks({ endpoints }: Report): string[] {
  const failing = endpoints.flatMap(({ checks }) =>
    checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error'),
  );
  if (failing.length === 0) return [];
  const more = failing.length - most.checks;
  return [
    `### ${counted(failing.length, 'failing check')}`,
    ...failing.slice(0, most.checks).map(failureBlock),
    ...(more > 0 ? [`${counted(more, 'more failing check')} in \`report.json\`.`] : []),
  ];
}

function failureBlock(check: CheckReport): string {
  const [first] = check.findings;
  const head = first === undefined ? (check.because ?? check.title) : `${first.requirement}: ${check.title}`;
  const more = check.findings.length - 1 + (check.moreFindings ?? 0);
  const text = first === undefined ? (check.because ?? check.verdict) : cutText(findingText(first));
  const fault = check.verdict === 'error' ? ' (a fault of the suite, not of the target)' : '';
  return [
    `<details><summary><b>${inlineText(check.id)}</b>${fault} ${inlineText(head)}</summary>`,
    '',
    block(text),
    ...(more > 0 ? ['', `${counted(more, 'more finding')} of this check in \`report.json\`.`] : []),
    '',
    '</details>',
  ].join('\n');
}

/** The beginning of a long finding, and its last lines: they are the commands that show it again. */
function cutText(text: string): string {
  if (text.length <= most.finding) return text;
  const replay = text.slice(text.lastIndexOf('\n') + 1);
  return `${text.slice(0, most.finding - replay.length)}\n… (the rest is in report.json)\n${replay}`;
}

function reasonBlocks({ endpoints }: Report): string[] {
  const reasons = new Map<string, number>();
  for (const { checks } of endpoints)
    for (const { verdict, because = 'no reason given', remedy } of checks)
      if (verdict === 'untested') {
        const reason = `${inlineText(because)}${remedy === undefined ? '' : ` → ${inlineText(remedy)}`}`;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
  if (reasons.size === 0) return [];
  const shown = [...reasons].slice(0, most.reasons).map(([reason, count]) => `- ${counted(count, 'check')}: ${reason}`);
  const more = reasons.size - shown.length;
  return ['### Not tested', [...shown, ...(more > 0 ? [`- ${more} more reasons in \`report.json\``] : [])].join('\n')];
}

function figures({ tool, target, stats, seed, profile, exitCode, leftBehind }: Report): string {
  const left = leftBehind.length > 0 ? `, ${counted(leftBehind.length, 'thing')} left behind` : '';
  const { verified, failed, untested } = stats.requirements;
  const sums = `requirements: ${verified} verified, ${failed} failed, ${untested} not tested; ${counted(stats.requests, 'request')}${left}`;
  return `${tool.name} ${tool.version}, ${inlineText(target.baseUrl)}; ${sums}; seed ${seed}, profile ${profile}, exit code ${exitCode}`;
}
