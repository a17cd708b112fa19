import type { Report } from '../../contracts/report/report.ts';
import { causeInShort, causeWhole } from '../journal/cause-text.ts';
import { type Cause, causesWithFindings } from '../journal/causes.ts';
import { causeReason } from '../journal/known.ts';
import type { Output } from '../journal/reporter.ts';
import { checksOf } from '../journal/selections.ts';
import { baseUrlOf, invocation } from '../text/invocation.ts';
import { heading, type Line, pageWidth, styled } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { cameOf } from '../text/symptom.ts';
import { endpointsText } from '../text/verdict-text.ts';

/** How many causes are shown whole unless another number is asked for, and how many the list has. */
const most = { whole: 10, roomy: 5, listed: 18 } as const;

/** Returns the causes of failures, each as a block that can be understood by itself. */
export function failureLines(report: Report, { columns, verbose, maxFailures = most.whole }: Output): Line[] {
  // What the baseline knows is in the list of causes.
  const causes = causesWithFindings(report).filter(
    cause => cause.kind === 'fail' && causeReason(cause, report) === undefined,
  );
  if (causes.length === 0) return [];
  const shown = causes.slice(0, maxFailures);
  const isCrowded = shown.length > most.roomy;
  const textOf = (cause: Cause) =>
    verbose === true ? causeWhole(report, cause, columns) : causeInShort(report, cause, columns, isCrowded);
  const more = causes.length - shown.length;
  const blocks = (some: readonly Cause[]) => some.flatMap(cause => [[], ...textOf(cause)]);
  const ofClient = shown.filter(({ side }) => side === 'client');
  const ofServer = shown.filter(({ side }) => side !== 'client');
  const isTraffic = report.traffic !== undefined;
  return [
    ...(isTraffic && ofServer.length === 0 ? [] : heading(isTraffic ? 'WHAT THE SERVER BREAKS' : 'FAILURES', 'bad')),
    ...blocks(ofServer),
    ...(ofClient.length === 0 ? [] : heading('WHAT THE CLIENT BREAKS', 'bad')),
    ...blocks(ofClient),
    ...(more > 0 ? [[], [styled('bad', `  ${more} more: see --max-failures all`)]] : []),
  ];
}

/** Returns the list of all causes, failures before warnings, and the commands that show one of them. */
export function causeListLines(report: Report, { columns, files = [] }: Output): Line[] {
  const causes = causesWithFindings(report);
  const [first] = causes;
  if (first === undefined) return [];
  const unlisted = checksOf(report).reduce((sum, check) => sum + (check.moreFindings ?? 0), 0);
  const shown = causes.slice(0, most.listed);
  const more = causes.length - shown.length;
  const width = Math.max(...shown.map(({ id }) => id.length));
  return [
    ...heading('CAUSES', first.kind === 'fail' ? 'bad' : 'careful'),
    ...shown.map(cause => causeLine(cause, width, pageWidth(columns), causeReason(cause, report))),
    ...(more > 0 ? [[`  ${more} more in report.json`]] : []),
    ...(unlisted > 0 ? [[styled('faint', `  and ${unlisted} findings of the same checks that no report lists`)]] : []),
    [styled('faint', '  see one whole:  '), `${invocation} explain ${first.id}${reportOf(files)}`],
    ...(report.traffic === undefined
      ? [
          [
            styled('faint', '  send it again:  '),
            `${invocation} replay ${first.id}${reportOf(files)}${baseUrlOf(report)}`,
          ],
        ]
      : []),
  ];
}

/** The report as an argument, where it is not the one that the commands take by themselves. */
function reportOf(files: readonly string[]): string {
  const named = (name: string) => files.find(one => one.split('/').at(-1) === name);
  const file = named('report.json') ?? named('journal.ndjson');
  return file === undefined || file === 'conform-report/report.json' ? '' : ` ${file}`;
}

function causeLine(
  { id, kind, title, endpoints, side, findings: [first] }: Cause,
  width: number,
  columns: number,
  known?: string,
): Line {
  const where = endpointsText(endpoints.length > 2 ? endpoints.slice(0, 1) : endpoints);
  const more = endpoints.length > 2 ? ` + ${endpoints.length - 1}` : '';
  const place = `${side === undefined ? '' : `  ${side}`}  ${where}${more}`;
  const room = columns - width - 4 - place.length;
  const before = known === undefined ? '' : `known (${safeText(known, 40)}): `;
  const whole = before + safeText(title);
  // What was expected is told further up: what happened counts.
  const text = whole.length > room && first !== undefined ? before + safeText(cameOf(first.finding)) : whole;
  const cut = text.length > room ? `${text.slice(0, Math.max(10, room - 1))}…` : text;
  return [
    styled(kind === 'fail' && known === undefined ? 'bad' : 'careful', `  ${id.padEnd(width)}`),
    `  ${cut.padEnd(room)}`,
    styled('faint', place),
  ];
}
