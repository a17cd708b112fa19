import { grouped } from '../../contracts/grouped.ts';
import { table } from '../../contracts/markdown.ts';
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
  setText,
  shortCoverageText,
} from '../text/verdict-text.ts';

/** The most that is shown of each; GitHub takes 65,536 characters for a comment. */
const most = { checks: 12, finding: 3_000, reasons: 12, notices: 10, remedies: 5, text: 300, page: 60_000 } as const;

/** Where the rest stands of what is cut. */
const rest = '`report.json`';

/** The verdict of an endpoint in a table. */
const endpointWords = {
  conformant: '✅ conformant',
  'non-conformant': '❌ non-conformant',
  incomplete: '🟡 incomplete',
  'not-applicable': '➖ not applicable',
} as const satisfies Record<EndpointVerdict, string>;

/** Returns the verdict of a run for the head of a page: `✅ Conformant`. */
function runWord(verdict: RunVerdict): string {
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
  return pageText(blocks, rest);
}

/** Returns blocks as a page of some 60,000 characters at most; those that do not fit are left to another file. */
export function pageText(blocks: readonly string[], elsewhere: string): string {
  let length = 0;
  const shown = blocks.filter(one => {
    length += one.length;
    return length <= most.page;
  });
  return `${[...shown, ...(shown.length < blocks.length ? [`The rest is in ${elsewhere}.`] : [])].join('\n\n')}\n`;
}

/** Returns the first of some items as a list, and how many there are besides. */
export const listText = (items: readonly string[], count = items.length, elsewhere = '', what = 'more'): string =>
  [...items.slice(0, count), ...(items.length > count ? [`${items.length - count} ${what} in ${elsewhere}`] : [])]
    .map(item => `- ${item}`)
    .join('\n');

/** Returns blocks folded up below a summary. */
export const folded = (summary: string, blocks: readonly string[]): string =>
  [`<details><summary>${summary}</summary>`, ...blocks, '</details>'].join('\n\n');

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
  const head = `### Baseline\n\n${inlineText(sentence)}`;
  return items.length === 0 ? [head] : [head, listText(items, most.reasons, rest)];
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
    .map(({ severity, text, remedy }) => `${severity === 'warning' ? '⚠️' : 'ℹ️'} ${withRemedy(text, remedy)}`);
  return lines.length === 0 ? [] : [listText(lines)];
}

function endpointTable(endpoints: readonly EndpointReport[]): string {
  const rows = endpoints.map(({ id, verdict, checks, stats }) => {
    const of = (one: CheckReport['verdict']) => String(checks.filter(check => check.verdict === one).length || '');
    return [
      endpointWords[verdict],
      inlineText(id),
      passedText(checks, '/'),
      of('fail'),
      of('warn'),
      of('untested'),
      of('error'),
      String(stats.requests),
    ];
  });
  return table(['verdict', 'endpoint', 'passed', 'failed', 'warned', 'untested', 'error', 'requests'], rows);
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
  return folded(`<b>${inlineText(check.id)}</b>${fault} ${inlineText(head)}`, [
    block(text),
    ...(more > 0 ? [`${counted(more, 'more finding')} of this check in ${rest}.`] : []),
  ]);
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
  const items = [...reasons].map(([reason, checks]) => `${counted(checks.length, 'check')}: ${reason}`);
  return ['### Not tested', listText(items, most.reasons, rest, 'more reasons')];
}

function figures(report: Report): string {
  const { tool, target, stats, seed, profile, exitCode, leftBehind } = report;
  const things = thingsIn(leftBehind);
  const left = things > 0 ? `, ${counted(things, 'thing')} left behind` : '';
  const sums = `requirements: ${requirementsText({ stats })}; ${counted(stats.requests, 'request')}${left}`;
  return `${tool.name} ${tool.version}, ${inlineText(target.baseUrl)}; ${sums}; seed ${seed}, profile ${profile}${setText(report)}, exit code ${exitCode}`;
}
