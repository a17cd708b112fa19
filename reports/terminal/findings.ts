import type { BodyEvidence, Exchange } from '../../contracts/report/evidence.ts';
import type { Report } from '../../contracts/report/report.ts';
import { checksOf, type LocatedFinding, locatedFindings } from '../journal/selections.ts';
import {
  caseText,
  gotText,
  type HeaderFields,
  informativeHeaders,
  type ReportedFinding,
} from '../text/finding-text.ts';
import { indentedJson } from '../text/indented-json.ts';
import { counted, entry, heading, type Line, proseWidth, styled, wrapped } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { differenceText, valueText } from '../text/value.ts';

/** The most blocks of each check and of the page, and the most lines of a body. `report.json` has the rest. */
const most = { ofCheck: 3, ofPage: 12, bodyLines: 20, command: 3_000 } as const;

/** Returns the failures, each as a block that can be understood and reproduced by itself. */
export function failureLines(report: Report, columns: number | undefined): Line[] {
  return section(report, 'fail', 'FAILURES', 'bad', (found, number) => failureBlock(report, found, number, columns));
}

/** Returns the warnings, each as a short block. */
export function warningLines(report: Report, columns: number | undefined): Line[] {
  return section(report, 'warn', 'WARNINGS', 'careful', found => warningBlock(report, found, columns));
}

function section(
  report: Report,
  kind: 'fail' | 'warn',
  title: string,
  style: 'bad' | 'careful',
  block: (found: LocatedFinding, number: number) => Line[],
): Line[] {
  const found = locatedFindings(report, kind);
  if (found.length === 0) return [];
  const shown = worthShowing(found);
  const unlisted = kind === 'fail' ? checksOf(report).reduce((sum, check) => sum + (check.moreFindings ?? 0), 0) : 0;
  const more = found.length - shown.length + unlisted;
  const blocks = shown.flatMap((one, index) => [[], ...block(one, index + 1)]);
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

function failureBlock(
  report: Report,
  { endpoint, check, finding }: LocatedFinding,
  number: number,
  columns: number | undefined,
): Line[] {
  const width = proseWidth(columns);
  const { counterexample, exchange } = finding;
  const difference = counterexample && differenceText(counterexample);
  const prose = (text: string | undefined) => (text === undefined || text === '' ? [] : wrapped(text, width));
  return [
    [styled('bad', `  ${number} ✗ ${check.id}`), `  ${endpoint.title}: ${check.title}`],
    ...entry('requirement', requirementLines(report, finding, width)),
    ...entry('expected', prose(finding.expected)),
    ...entry('got', prose(gotText(finding))),
    ...entry('case', prose(caseText(finding))),
    ...entry('differs', prose(difference)),
    ...entry('sent', prose(sentText(finding, difference))),
    ...(exchange ? exchangeLines(exchange, width) : []),
    ...entry('send it', commandLines(finding.curl)),
    ...entry('replay', commandLines(finding.reproduce)),
  ];
}

function warningBlock(report: Report, { check, finding }: LocatedFinding, columns: number | undefined): Line[] {
  const width = proseWidth(columns);
  return [
    [styled('careful', `  ! ${check.id}`)],
    ...entry('requirement', requirementLines(report, finding, width)),
    ...entry('expected', wrapped(finding.expected, width)),
    ...entry('got', wrapped(gotText(finding), width)),
    ...entry('case', wrapped(caseText(finding), width)),
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

function exchangeLines({ request, response, failure, durationMs }: Exchange, width: number): Line[] {
  const took = `after ${Math.round(durationMs)} ms`;
  return [
    ...entry('request', [
      [`${request.method} ${request.url}`],
      ...headerLines(request.headers),
      ...(request.body ? bodyLines(request.body, width) : []),
    ]),
    ...entry(
      'response',
      response
        ? [[`${response.status} ${took}`], ...headerLines(response.headers), ...bodyLines(response.body, width)]
        : [[`no answer ${took}: ${failure ?? 'unknown'}`]],
    ),
  ];
}

function headerLines(headers: HeaderFields): Line[] {
  return informativeHeaders(headers).map(header => [styled('faint', header)]);
}

/** Returns a body as lines, JSON indented, cut in height and width, with a note if lines are missing. */
export function bodyLines({ text, bytes, truncated }: BodyEvidence, width: number): Line[] {
  if (bytes === 0) return [[styled('faint', '(empty)')]];
  const lines = indentedJson(text, most.bodyLines + 1);
  const shown: Line[] = lines.slice(0, most.bodyLines).map(line => [safeText(line, width)]);
  if (truncated || lines.length > most.bodyLines) shown.push([styled('faint', `… (${bytes} bytes in all)`)]);
  return shown;
}

/** A command on one line, so that it can be copied; one that is too long for that is left to `report.json`. */
function commandLines(command: string | undefined): Line[] {
  if (command === undefined) return [];
  if (command.length > most.command)
    return [[styled('faint', `${counted(command.length, 'character')}: see report.json`)]];
  return command.split('\n').map(line => [line]);
}
