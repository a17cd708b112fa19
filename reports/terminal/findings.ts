import type { Report } from '../../contracts/report/report.ts';
import { checksOf, type LocatedFinding, locatedFindings } from '../journal/selections.ts';
import { caseText, gotText, type Message, messagesOf, type ReportedFinding } from '../text/finding-text.ts';
import { counted, entry, heading, type Line, proseWidth, styled, wrapped } from '../text/page.ts';
import { differenceText, valueText } from '../text/value.ts';

/** The most blocks of each check and of the page, and the most lines of a body. `report.json` has the rest. */
const most = { ofCheck: 3, ofPage: 12, bodyLines: 20, command: 3_000 } as const;

/** How the findings of each kind are headed. */
const kinds = { fail: ['FAILURES', 'bad'], warn: ['WARNINGS', 'careful'] } as const;

/**
 * Returns the failures, each as a block that can be understood and reproduced by itself, or the warnings, each as a
 * short block.
 */
export function findingLines(report: Report, kind: 'fail' | 'warn', columns: number | undefined): Line[] {
  const found = locatedFindings(report, kind);
  if (found.length === 0) return [];
  const [title, style] = kinds[kind];
  const shown = worthShowing(found);
  const unlisted = kind === 'fail' ? checksOf(report).reduce((sum, check) => sum + (check.moreFindings ?? 0), 0) : 0;
  const more = found.length - shown.length + unlisted;
  const width = proseWidth(columns);
  const blocks = shown.flatMap((one, index) => [
    [],
    ...findingBlock(report, one, kind === 'fail' ? index + 1 : null, width),
  ]);
  const rest: Line[] = more > 0 ? [[], [styled(style, `  ${more} more in report.json`)]] : [];
  return [...heading(title, style), ...blocks, ...rest];
}

/**
 * Selects the findings to show, in the order of the page: the first of each requirement before all others, then the
 * first of each check before its second, so that one cause does not crowd out the others.
 */
function worthShowing(found: readonly LocatedFinding[]): LocatedFinding[] {
  const seen = new Map<string, number>();
  const next = (key: string) => {
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before;
  };
  const ranked = found.map((one, index) => {
    const ofCheck = next(`check ${one.check.id}`);
    const ofRequirement = next(`requirement ${one.finding.requirement}`);
    return { one, index, ofCheck, rank: ofRequirement === 0 ? 0 : 1 + ofCheck };
  });
  return ranked
    .filter(({ ofCheck }) => ofCheck < most.ofCheck)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, most.ofPage)
    .sort((a, b) => a.index - b.index)
    .map(({ one }) => one);
}

/** A finding as a block: a failure whole, under its number; a warning, which has none, in short. */
function findingBlock(report: Report, located: LocatedFinding, number: number | null, width: number): Line[] {
  const { endpoint, check, finding } = located;
  const difference = finding.counterexample && differenceText(finding.counterexample);
  const prose = (text: string | undefined) => (text === undefined || text === '' ? [] : wrapped(text, width));
  const head: Line =
    number === null
      ? [styled('careful', `  ! ${check.id}`)]
      : [styled('bad', `  ${number} ✗ ${check.id}`), `  ${endpoint.title}: ${check.title}`];
  const details = [
    ...entry('differs', prose(difference)),
    ...entry('sent', prose(sentText(finding, difference))),
    ...exchangeLines(finding, width),
    ...entry('send it', commandLines(finding.curl)),
  ];
  return [
    head,
    ...entry('requirement', requirementLines(report, finding, width)),
    ...entry('expected', prose(finding.expected)),
    ...entry('got', prose(gotText(finding))),
    ...entry('case', prose(caseText(finding))),
    ...(number === null ? [] : details),
    ...entry('replay', commandLines(finding.reproduce)),
  ];
}

function requirementLines(report: Report, { requirement, level }: ReportedFinding, width: number): Line[] {
  const row = report.requirements.find(one => one.id === requirement);
  const name: Line = [styled('strong', requirement), row ? `, section ${row.section}, ${level}` : `, ${level}`];
  return row ? [name, ...wrapped(row.statement, width)] : [name];
}

/** The value that was sent, if neither the title of the case nor the difference from its control shows it whole. */
function sentText({ counterexample, exchange }: ReportedFinding, difference: string | undefined): string | undefined {
  if (counterexample?.sent === undefined || (counterexample.pointer === '' && exchange)) return undefined;
  const value = valueText(counterexample.sent);
  return counterexample.title.includes(value) || difference?.includes(value) ? undefined : value;
}

function exchangeLines({ exchange }: ReportedFinding, width: number): Line[] {
  if (exchange === undefined) return [];
  const { request, response } = messagesOf(exchange, { lines: most.bodyLines, columns: width, empty: '(empty)' });
  return [...entry('request', messageLines(request)), ...entry('response', messageLines(response))];
}

function messageLines({ line, headers, body, note }: Message): Line[] {
  const faint = (text: string): Line => [styled('faint', text)];
  return [[line], ...headers.map(faint), ...body.map(text => [text]), ...(note === undefined ? [] : [faint(note)])];
}

/** A command on one line, so that it can be copied; one that is too long for that is left to `report.json`. */
function commandLines(command: string | undefined): Line[] {
  if (command === undefined) return [];
  if (command.length > most.command)
    return [[styled('faint', `${counted(command.length, 'character')}: see report.json`)]];
  return command.split('\n').map(line => [line]);
}
