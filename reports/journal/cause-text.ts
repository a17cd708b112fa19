import type { Step } from '../../contracts/report/evidence.ts';
import type { Report } from '../../contracts/report/report.ts';
import { cameText, exchangeInShort, exchangeLines } from '../text/exchange-text.ts';
import { caseText, gotText, type ReportedFinding } from '../text/finding-text.ts';
import { fitted, fittedRequest } from '../text/fitted.ts';
import { markedLines } from '../text/marked-text.ts';
import { counted, entry, type Line, proseWidth, type Style, styled, wrapped } from '../text/page.ts';
import { differenceText, valueText } from '../text/value.ts';
import { endpointsText } from '../text/verdict-text.ts';
import type { Cause } from './causes.ts';

/** The most lines of a cause in short, and of its parts. */
const most = { lines: 15, title: 3, statement: 2, prose: 2, steps: 3, race: 6, shown: 28, command: 3_000 } as const;

const styles = { fail: ['✗', 'bad'], warn: ['!', 'careful'] } as const satisfies Record<
  Cause['kind'],
  readonly [string, Style]
>;

/** Cuts lines at a number of them; the last that is kept says that there was more, within the width. */
function firstOf(lines: readonly Line[], count: number, width: number): Line[] {
  const last = lines[count - 1];
  if (lines.length <= count || last === undefined) return [...lines];
  let room = width - 2;
  const kept = last.map(piece => {
    const text = typeof piece === 'string' ? piece : piece.text;
    const shown = text.slice(0, Math.max(0, room));
    room -= text.length;
    return typeof piece === 'string' ? shown : { ...piece, text: shown };
  });
  return [...lines.slice(0, count - 1), [...kept, ' …']];
}

function headLines({ id, kind, title }: Cause, width: number): Line[] {
  const [sign, style] = styles[kind];
  const indent = ' '.repeat(3 + id.length);
  const lines = firstOf(wrapped(title, width - id.length + 8, style), most.title, width - id.length + 8);
  return lines.map((line, index) => [index === 0 ? styled(style, `  ${id} ${sign} `) : `  ${indent}`, ...line]);
}

const unscoredText = ({ requirementSet }: Report, notScored: string | undefined): string =>
  notScored === undefined
    ? ''
    : `, not scored: ${notScored}${notScored === 'added' ? ` since ${requirementSet?.name}` : ''}`;

function ruleLines(report: Report, { findings: [{ finding }] }: Cause, width: number, lines: number): Line[] {
  const row = report.requirements.find(one => one.id === finding.requirement);
  const name = `${finding.requirement} (${row === undefined ? '' : `section ${row.section}, `}${finding.level}${unscoredText(report, finding.notScored)})`;
  const [first, ...rest] = firstOf(
    wrapped(row === undefined ? name : `${name}: ${row.statement}`, width),
    lines,
    width,
  );
  const text = typeof first?.[0] === 'string' ? first[0] : '';
  // The name of the requirement is what a reader looks up.
  return [
    text.startsWith(name)
      ? [styled('strong', name), text.slice(name.length), ...(first ?? []).slice(1)]
      : (first ?? []),
    ...rest,
  ];
}

/** Where a cause shows: its endpoints, its checks, how often. */
function placeText({ endpoints, findings }: Cause): string {
  const checks = [...new Set(findings.map(({ check }) => check.check))];
  const where = endpoints.length === 1 ? '' : endpoints.length > 4 ? `${endpoints.length} endpoints: ` : '';
  const names = endpoints.length > 4 ? `${endpoints.slice(0, 2).join(', ')}, …` : endpointsText(endpoints);
  const found = checks.length > 3 ? counted(checks.length, 'check') : checks.join(', ');
  return `${where}${names}, found by ${found}`;
}

/** What was expected and what came, the part marked in which they differ. */
function differenceLines(finding: ReportedFinding, width: number, lines: number): Line[] {
  const { expected, actual } = finding;
  const wanted = { text: expected, own: expected, other: actual, style: 'good' } as const;
  const came = { text: gotText(finding), own: actual, other: expected, style: 'bad' } as const;
  return [
    ...entry('expected', firstOf(markedLines(wanted, width, false), lines, width)),
    ...entry('got', firstOf(markedLines(came, width, true), lines, width)),
  ];
}

/** One step of a sequence on a line: what was sent, and what its answer had at the accused place. */
function stepLine({ number, exchange, shown }: Step, width: number, isLast: boolean): Line {
  const came = ` → ${cameText(exchange)}`;
  const value = shown === undefined ? '' : fitted(shown, most.shown);
  const room = Math.max(20, width - came.length - (value === '' ? 0 : value.length + 2) - String(number).length - 1);
  const accused = isLast ? styled('bad', value) : value;
  const sent = fittedRequest(exchange.request, room);
  return [styled('faint', `${number} `), sent, came, ...(value === '' ? [] : [', ', accused])];
}

function stepLines({ steps = [] }: ReportedFinding, width: number, whole: boolean): Line[] {
  // What was known before, what caused it, and what shows it.
  const shown = whole ? steps : steps.slice(-most.steps);
  return shown.map(step => stepLine(step, width, step === steps.at(-1)));
}

/** How requests that were sent at once went, a line each; the last tells what was there afterwards. */
function raceLines({ timeline = [] }: ReportedFinding, width: number, lines: number): Line[] {
  const last = timeline.length - 1;
  const shown = timeline.length <= lines ? timeline : [...timeline.slice(0, lines - 2), ...timeline.slice(-1)];
  const told = shown.map((line): Line => {
    const text = fitted(line.replace(/^together: /, ''), width);
    return line === timeline[last] ? [styled('bad', text)] : [text];
  });
  if (shown.length < timeline.length) told.splice(-1, 0, [`… ${timeline.length - shown.length} more`]);
  return told;
}

/**
 * Returns a cause in at most fifteen lines: what happened, the rule, what was sent and what came. Among many causes the
 * rule has one line.
 */
export function causeInShort(report: Report, cause: Cause, columns: number | undefined, isOneOfMany = false): Line[] {
  const width = proseWidth(columns);
  const { finding } = cause.findings[0];
  const { sent, answered } = exchangeInShort(finding, width);
  const race = raceLines(finding, width, most.race);
  const steps = race.length > 0 ? [] : stepLines(finding, width, false);
  const rest = [
    ...entry('requirement', ruleLines(report, cause, width, isOneOfMany ? 1 : most.statement)),
    ...entry('at', firstOf(wrapped(placeText(cause), width), 1, width)),
    ...differenceLines(finding, width, most.prose),
    ...entry('steps', steps),
    ...entry('at once', race),
    ...(steps.length + race.length > 0 ? [] : [...entry('sent', sent), ...entry('answered', answered)]),
  ];
  return [...headLines(cause, width), ...rest].slice(0, most.lines);
}

/** Returns a cause whole: its first finding with all of the evidence, then the others in a line each. */
export function causeWhole(report: Report, cause: Cause, columns: number | undefined): Line[] {
  const width = proseWidth(columns);
  const [{ check, endpoint, finding }, ...others] = cause.findings;
  const difference = finding.counterexample && differenceText(finding.counterexample);
  const prose = (text: string | undefined): Line[] => (text === undefined || text === '' ? [] : wrapped(text, width));
  return [
    ...headLines(cause, width),
    ...entry('requirement', ruleLines(report, cause, width, 8)),
    ...entry('check', prose(`${check.id}: ${endpoint.title}: ${check.title}`)),
    ...differenceLines(finding, width, Number.POSITIVE_INFINITY),
    ...entry('warning', prose(finding.doubt)),
    ...entry('case', prose(caseText(finding))),
    ...entry('differs', prose(difference)),
    ...entry('sent', prose(sentValue(finding, difference))),
    ...entry('steps', stepLines(finding, width, true)),
    ...entry('at once', raceLines(finding, width, Number.POSITIVE_INFINITY)),
    ...exchangeLines(finding, width),
    ...entry('send it', commandLines(finding.curl)),
    ...entry('replay', commandLines(finding.reproduce)),
    ...entry(
      'also',
      others.slice(0, 30).flatMap(one => firstOf(wrapped(`${one.name}: ${gotText(one.finding)}`, width), 1, width)),
    ),
    ...entry(
      'blocked',
      cause.blocked.length === 0
        ? []
        : prose(
            `${counted(cause.blocked.length, 'check')} could not be tested: ${cause.blocked.slice(0, 6).join(', ')}${cause.blocked.length > 6 ? ', …' : ''}`,
          ),
    ),
  ];
}

/** The value that was sent, if neither the title of the case nor the difference from its control shows it whole. */
function sentValue({ counterexample, exchange }: ReportedFinding, difference: string | undefined): string | undefined {
  if (counterexample?.sent === undefined || (counterexample.pointer === '' && exchange)) return undefined;
  const value = valueText(counterexample.sent);
  return counterexample.title.includes(value) || difference?.includes(value) ? undefined : value;
}

/** A command on one line, so that it can be copied; one that is too long for that is left to `report.json`. */
function commandLines(command: string | undefined): Line[] {
  if (command === undefined) return [];
  if (command.length > most.command)
    return [[styled('faint', `${counted(command.length, 'character')}: see report.json`)]];
  return command.split('\n').map(line => [line]);
}
