import type {
  CheckReport,
  EndpointReport,
  EndpointVerdict,
  Report,
  RunVerdict,
} from '../../contracts/report/report.ts';
import { causesByCheck } from '../journal/causes.ts';
import { knownChecks } from '../journal/known.ts';
import { atEnd } from '../journal/reporter.ts';
import { checksOf, thingsIn } from '../journal/selections.ts';
import { findingText } from '../text/finding-text.ts';
import { grouped } from '../text/grouped.ts';
import { counted } from '../text/page.ts';
import { safeLines, safeText } from '../text/safe-text.ts';
import { symptomOf } from '../text/symptom.ts';
import {
  baselineSentence,
  coverageText,
  outcomeTexts,
  partText,
  passedText,
  remedyTexts,
  requirementsText,
  shortCoverageText,
} from '../text/verdict-text.ts';

/** The most that is shown of each; GitHub takes 65,536 characters for a comment. */
const most = { checks: 12, finding: 3_000, reasons: 12, notices: 10, remedies: 5, text: 300, page: 60_000 } as const;

/** The verdict of an endpoint in a table. */
export const endpointWords = {
  conformant: '✅ conformant',
  'non-conformant': '❌ non-conformant',
  incomplete: '🟡 incomplete',
  'not-applicable': '➖ not applicable',
} as const satisfies Record<EndpointVerdict, string>;

/** Returns the verdict of a run for the head of a page: `✅ Conformant`. */
export function runWord(verdict: RunVerdict): string {
  return endpointWords[verdict].replace(/ ./, letter => letter.toUpperCase());
}

/**
 * Writes `report.md`, for a job summary or a comment on a pull request: the verdict, a table of the endpoints, and each
 * failing check with its first finding, folded up. Text that may come from a target stands inside `<code>` or `<pre>`,
 * where neither Markdown nor HTML, mention nor link works.
 */
export const markdown = atEnd(report => markdownPage(report));

/** Returns the page, of some 60,000 characters at most: blocks that do not fit are left to `report.json`. */
export function markdownPage(report: Report): string {
  const coverage = coverageText(report);
  const blocks = [
    `## ${runWord(report.verdict)}${partText(report)}${coverage === undefined ? '' : ` · ${coverage}`}: ${headline(report)}`,
    report.endpoints.length === 0 ? 'No check was planned.' : endpointTable(report.endpoints),
    figures(report),
    ...baselineBlocks(report),
    ...coverageBlocks(report),
    ...notRestoredBlocks(report),
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

/**
 * Returns a text for the midst of Markdown: on one line, with nothing in it that Markdown or HTML would read as markup.
 */
export function inlineText(text: string): string {
  return `<code>${safeText(text, most.text).replace(/[^\p{L}\p{N} /-]/gu, numeric)}</code>`;
}

/** Returns lines of text as they are, in a block of their own. */
export function block(text: string): string {
  return `<pre>${safeLines(text, most.finding)
    .replace(/[&<>"']/g, numeric)
    .slice(0, most.finding * 2)}</pre>`;
}

function numeric(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

function headline({ endpoints, outcome, because }: Report): string {
  const of = (verdict: EndpointVerdict) => endpoints.filter(one => one.verdict === verdict).length;
  const tested = endpoints.length - of('not-applicable');
  const counts = `${of('conformant')} of ${counted(tested, 'endpoint')} conform`;
  const ended = outcomeTexts[outcome];
  if (ended === undefined) return counts;
  return `${counts}; ${ended}${because === undefined ? '' : ` ${inlineText(because)}`}`;
}

/** A text and what to do about it. */
function withRemedy(text: string, remedy: string | undefined): string {
  return `${inlineText(text)}${remedy === undefined ? '' : ` → ${inlineText(remedy)}`}`;
}

/** What the baseline knows, an item for each failing check, and the entries of it that hold no more. */
function baselineBlocks(report: Report): string[] {
  const { baseline } = report;
  if (baseline === undefined) return [];
  const sentence = baselineSentence(report) ?? 'Nothing of it fails, and no entry is stale.';
  const known = [...knownChecks(report)].map(([id, reason]) => `${inlineText(id)} known: ${inlineText(reason)}`);
  const stale = baseline.stale.map(
    ({ entry, why, place }) => `❌ ${inlineText(entry)} ${inlineText(why)} → remove ${place}`,
  );
  const items = [...stale, ...known];
  const more = items.length > most.reasons ? [`- ${items.length - most.reasons} more in \`report.json\``] : [];
  const head = `### Baseline\n\n${inlineText(sentence)}`;
  return items.length === 0
    ? [head]
    : [head, [...items.slice(0, most.reasons).map(one => `- ${one}`), ...more].join('\n')];
}

/** What the run lacks of the coverage that was asked for, and what would give more. */
function coverageBlocks(report: Report): string[] {
  const short = shortCoverageText(report);
  const remedies = remedyTexts(report, most.remedies).map(text => `- → ${inlineText(text)}`);
  const head = short === undefined ? 'More could be verified:' : `🟡 ${inlineText(short)}`;
  return short === undefined && remedies.length === 0 ? [] : [[head, '', ...remedies].join('\n').trimEnd()];
}

function noticeBlocks({ notices }: Report): string[] {
  const lines = notices
    .slice(0, most.notices)
    .map(({ severity, text, remedy }) => `- ${severity === 'warning' ? '⚠️' : 'ℹ️'} ${withRemedy(text, remedy)}`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function endpointTable(endpoints: readonly EndpointReport[]): string {
  const rows = endpoints.map(({ id, verdict, checks, stats }) => {
    const of = (one: CheckReport['verdict']) => String(checks.filter(check => check.verdict === one).length || '');
    const cells = [
      endpointWords[verdict],
      inlineText(id),
      passedText(checks, '/'),
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

/** The first failing checks, and faults of the suite, folded up; the others are only counted. */
function failureBlocks(report: Report): string[] {
  const known = knownChecks(report);
  const failing = checksOf(report).filter(
    ({ id, verdict }) => (verdict === 'fail' && !known.has(id)) || verdict === 'error',
  );
  if (failing.length === 0) return [];
  const more = failing.length - most.checks;
  const ids = causesByCheck(report);
  return [
    `### ${counted(failing.length, 'failing check')}`,
    ...failing.slice(0, most.checks).map(check => failureBlock(check, ids.get(check.id) ?? [])),
    ...(more > 0 ? [`${counted(more, 'more failing check')} in \`report.json\`.`] : []),
  ];
}

function failureBlock(check: CheckReport, ids: readonly string[]): string {
  const [first] = check.findings;
  const head = first === undefined ? (check.because ?? check.title) : [...ids, symptomOf(first)].join(' ');
  const more = check.findings.length - 1 + (check.moreFindings ?? 0);
  const text = first === undefined ? (check.because ?? check.verdict) : shortened(findingText(first));
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

/** The beginning of a long finding, and its last line: the command that replays it. */
function shortened(text: string): string {
  if (text.length <= most.finding) return text;
  const replay = text.slice(text.lastIndexOf('\n') + 1);
  return `${text.slice(0, most.finding - replay.length)}\n… (the rest is in report.json)\n${replay}`;
}

/** What the run changed and could not put back, each with the request that would. */
function notRestoredBlocks({ leftBehind }: Report): string[] {
  const own = leftBehind.filter(({ send }) => send !== undefined).slice(0, most.reasons);
  const items = own.map(({ kind, id, what, send = '' }) => `- ${inlineText(`${kind} ${id}: ${what}`)}\n${block(send)}`);
  return items.length === 0 ? [] : ['### Not put back', items.join('\n')];
}

function reasonBlocks(report: Report): string[] {
  const untested = checksOf(report).filter(({ verdict }) => verdict === 'untested');
  const reasons = grouped(untested, ({ because = 'no reason given', remedy }) => withRemedy(because, remedy));
  if (reasons.size === 0) return [];
  const shown = [...reasons]
    .slice(0, most.reasons)
    .map(([reason, checks]) => `- ${counted(checks.length, 'check')}: ${reason}`);
  const more = reasons.size - shown.length;
  return ['### Not tested', [...shown, ...(more > 0 ? [`- ${more} more reasons in \`report.json\``] : [])].join('\n')];
}

function figures({ tool, target, stats, seed, profile, exitCode, leftBehind }: Report): string {
  const things = thingsIn(leftBehind);
  const left = things > 0 ? `, ${counted(things, 'thing')} left behind` : '';
  const sums = `requirements: ${requirementsText({ stats })}; ${counted(stats.requests, 'request')}${left}`;
  return `${tool.name} ${tool.version}, ${inlineText(target.baseUrl)}; ${sums}; seed ${seed}, profile ${profile}, exit code ${exitCode}`;
}
