import type { Verdict } from '../../contracts/report/journal.ts';
import type { CheckReport, EndpointVerdict, Report } from '../../contracts/report/report.ts';
import type { Cell, Entry, Part, Table } from '../document/document.ts';
import { legend, mark, wholeMark } from '../document/marks.ts';
import { checksOf } from '../journal/selections.ts';
import { tally } from '../text/page.ts';
import { passedText, statusesText } from '../text/verdict-text.ts';
import type { UntestedReason } from './untested.ts';

/** Returns the verdicts of the checks of an endpoint other than a pass, the worst first. */
function countsText(checks: readonly CheckReport[]): string {
  const of = (verdict: Verdict) => checks.filter(check => check.verdict === verdict).length;
  return tally({ failed: of('fail'), 'in error': of('error'), untested: of('untested'), warned: of('warn') });
}

/** Returns the endpoints in figures; for judged traffic only those that it uses. */
export function endpointPart({ endpoints, traffic }: Report): Part {
  const isUsed = (verdict: EndpointVerdict) => traffic === undefined || verdict !== 'not-applicable';
  return {
    id: 'endpoints',
    title: 'Endpoints',
    formats: ['terminal', 'comment'],
    isHead: true,
    ...(traffic ? {} : { empty: 'No endpoint was tested: the run planned no check.' }),
    table: {
      columns: [
        { name: 'Verdict' },
        { name: 'Endpoint' },
        { name: 'Passed', kind: 'number' },
        { name: 'Requests', kind: 'number' },
        { name: 'Time', kind: 'minor' },
        { name: '', kind: 'text' },
      ],
      rows: endpoints
        .filter(({ verdict }) => isUsed(verdict))
        .map(({ id, verdict, checks, stats }) => ({
          cells: [
            { mark: wholeMark(verdict) },
            { text: id },
            { text: passedText(checks, '/') },
            { text: stats.requests.toLocaleString('en') },
            { text: `${(stats.durationMs / 1000).toFixed(2)} s` },
            { text: countsText(checks) },
          ],
        })),
    },
  };
}

/** Returns the matrix of endpoints and checks. A cell links to the place of the page with its details. */
export function matrixPart(report: Report, causes: readonly Entry[], untested: readonly UntestedReason[]): Part {
  const titles = new Map(checksOf(report).map(({ check, title }) => [check, title]));
  const places = [
    ...causes.flatMap(({ items }) =>
      items.map(({ where, anchor = '' }) => [where.replace(/#\d+$/, ''), anchor] as const),
    ),
    ...untested.flatMap(({ anchor, checks }) => checks.map(check => [check, anchor] as const)),
  ];
  // If a check has several places, the first counts.
  const links = new Map(places.toReversed());
  const cellOf = (check: CheckReport | undefined): Cell => {
    if (!check) return { title: 'does not apply' };
    const own = mark(check.verdict);
    const anchor = check.verdict === 'error' ? 'faults' : links.get(check.id);
    return { mark: own, title: `${check.id}: ${own.word}`, href: anchor && `#${anchor}` };
  };
  const columns: Table['columns'] = [
    { name: 'Endpoint' },
    { name: 'Passed', kind: 'minor' },
    ...[...titles].map(([name, title]) => ({ name, title, kind: 'turned' as const })),
  ];
  return {
    id: 'matrix',
    title: 'Endpoints and checks',
    formats: ['page'],
    isHead: true,
    empty: 'No endpoint was tested: the run planned no check.',
    table: {
      legend,
      cue: 'Scroll sideways for all checks →',
      about:
        'A sign that is a link leads to what was found, or to the reason why nothing could be. An empty place: the check does not apply to the endpoint.',
      columns,
      rows: report.endpoints.map(({ id, verdict, checks }) => ({
        cells: [
          { mark: wholeMark(verdict), text: id },
          { text: passedText(checks) },
          ...[...titles.keys()].map(name => cellOf(checks.find(one => one.check === name))),
        ],
      })),
    },
  };
}

/** Returns both sides of judged traffic, and its use of each operation. */
export function trafficParts({ traffic }: Report): Part[] {
  if (!traffic) return [];
  return [
    {
      id: 'traffic',
      title: 'Both sides of the traffic',
      formats: ['page', 'comment'],
      isHead: true,
      rows: (['server', 'client'] as const).map(side => {
        const own = wholeMark(traffic.sides[side]);
        return { mark: own, name: `The ${side}`, text: own.word };
      }),
      table: {
        columns: [
          { name: 'Operation' },
          { name: 'Requests', kind: 'number' },
          { name: 'Answers', kind: 'text' },
          { name: 'Fields never sent', kind: 'text' },
        ],
        rows: traffic.operations.map(one => ({
          cells: [
            { text: one.endpoint },
            { text: one.requests.toLocaleString('en') },
            { text: statusesText(one) },
            { text: one.neverSent.join(', ') },
          ],
        })),
      },
    },
  ];
}
