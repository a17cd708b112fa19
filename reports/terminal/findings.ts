import type { CheckReport, EndpointReport, Report } from '../../contracts/report/report.ts';
import { bodyLines } from '../text/indented-json.ts';
import { counted, entry, heading, type Line, proseWidth, styled, wrapped } from '../text/page.ts';
import { differenceText, valueText } from '../text/value.ts';

/** A finding as it is reported, with the commands that show it again. */
export type ReportedFinding = CheckReport['findings'][number];

/** A finding, the check that found it, and the endpoint. */
export interface Located {
  readonly endpoint: EndpointReport;
  readonly check: CheckReport;
  readonly finding: ReportedFinding;
}

/** So many blocks at most, of each check and of the page: what has one cause is no wall. The others are in `report.json`. */
const most = { ofCheck: 3, ofPage: 12 } as const;

/** Headers that show nothing of a case. */
const dullHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'user-agent',
  'accept',
  'date',
  'transfer-encoding',
]);

/** The failures, each as a block that can be understood and reproduced by itself. */
export function failureLines(report: Report, columns: number | undefined): Line[] {
  return section(report, 'fail', 'FAILURES', 'bad', (found, number) => failureBlock(report, found, number, columns));
}

/** The warnings, each as a short block. */
export function warningLines(report: Report, columns: number | undefined): Line[] {
  return section(report, 'warn', 'WARNINGS', 'careful', found => warningBlock(report, found, columns));
}

function section(
  report: Report,
  kind: 'fail' | 'warn',
  title: string,
  style: 'bad' | 'careful',
  block: (found: Located, number: number) => Line[],
): Line[] {
  const found = locate(report, kind);
  if (found.length === 0) return [];
  const shown = worthShowing(found);
  const checks = report.endpoints.flatMap(endpoint => endpoint.checks);
  const unlisted = kind === 'fail' ? checks.reduce((sum, check) => sum + (check.moreFindings ?? 0), 0) : 0;
  const more = found.length - shown.length + unlisted;
  const blocks = shown.flatMap((one, index) => [[], ...block(one, index + 1)]);
  const rest: Line[] = more > 0 ? [[], [styled(style, `  ${more} more in report.json`)]] : [];
  return [...heading(title, style), ...blocks, ...rest];
}

/**
 * The findings to show, in the order of the page: before all the first of each requirement, then of each check the first before the second, so that one
 * cause does not crowd out the others.
 */
function worthShowing(found: readonly Located[]): Located[] {
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

/** The findings that failed, or that only warned. A check that failed may hold findings that by themselves would only warn. */
export function locate({ endpoints, options }: Report, kind: 'fail' | 'warn'): Located[] {
  return endpoints.flatMap(endpoint =>
    endpoint.checks.flatMap(check =>
      check.findings
        .filter(({ level }) => (level === 'MUST' || options.strict ? 'fail' : 'warn') === kind)
        .map(finding => ({ endpoint, check, finding })),
    ),
  );
}

function failureBlock(report: Report, { endpoint, check, finding }: Located, number: number, columns?: number): Line[] {
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

function warningBlock(report: Report, { check, finding }: Located, columns?: number): Line[] {
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

/** What came, after the place it stood at: `status: 200`, `/data/isEnabled: 1 (a number)`. */
export function gotText({ pointer, actual }: ReportedFinding): string {
  return pointer === '' ? actual : `${pointer}: ${actual}`;
}

/** The case in words, and how often it was seen. */
export function caseText({ counterexample, occurrences, seen }: ReportedFinding): string {
  return [
    ...(counterexample ? [counterexample.title] : []),
    ...(occurrences > 1 ? [`${occurrences} cases of this check showed the same`] : []),
    ...(seen ? [`sent again, it was seen ${seen.times} of ${seen.of} times`] : []),
  ].join('; ');
}

/** The value itself, where neither the case's title nor the difference from its control shows it whole. */
function sentText({ counterexample, exchange }: ReportedFinding, difference: string | undefined): string | undefined {
  if (counterexample?.sent === undefined || (counterexample.pointer === '' && exchange)) return undefined;
  const value = valueText(counterexample.sent);
  return counterexample.title.includes(value) || difference?.includes(value) ? undefined : value;
}

function exchangeLines(exchange: NonNullable<ReportedFinding['exchange']>, width: number): Line[] {
  const { request, response, failure, durationMs } = exchange;
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

/** The headers that may tell something of a case, eight at most, as `name: value`. */
export function tellingHeaders(headers: readonly { readonly name: string; readonly value: string }[]): string[] {
  const shown = headers.filter(({ name }) => !dullHeaders.has(name.toLowerCase())).slice(0, 8);
  return shown.map(({ name, value }) => `${name}: ${value.slice(0, 200)}`);
}

function headerLines(headers: readonly { readonly name: string; readonly value: string }[]): Line[] {
  return tellingHeaders(headers).map(header => [styled('faint', header)]);
}

/** A command on a line of its own however long it is, so that it can be copied; one too long for that is left to `report.json`. */
function commandLines(command: string | undefined): Line[] {
  if (command === undefined) return [];
  if (command.length > 3_000) return [[styled('faint', `${counted(command.length, 'character')}: see report.json`)]];
  return command.split('\n').map(line => [line]);
}
