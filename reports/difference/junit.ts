import { compact } from '../../contracts/present.ts';
import type { DifferenceReport, DifferenceReportEntry } from '../../contracts/report/difference.ts';
import { type SuiteCase, suitesXml } from '../formats/junit.ts';
import {
  answerText,
  explainCommand,
  isCounted,
  labelText,
  partsOf,
  placeText,
  requestsOf,
  requirementWords,
  verdictSentences,
} from './words.ts';

/** The most places of a difference, and characters of a body, that stand in the text of a case. */
const most = { places: 20, body: 1_000 } as const;

/**
 * Returns a comparison as JUnit XML: a suite for each kind of difference and a case for each difference, which fails
 * where the comparison fails for it, and is skipped where it is acknowledged or does not count. A last suite says whether
 * the comparison itself came to its end.
 */
export function differenceXml(report: DifferenceReport): string {
  const suites = [
    ...partsOf(report).map(({ title, entries }) => ({ name: title, cases: entries.map(one => caseOf(one, report)) })),
    ...staleSuite(report),
    { name: 'The comparison', cases: [wholeCase(report)] },
  ];
  return suitesXml('console-conformance diff', suites);
}

function caseOf(one: DifferenceReportEntry, report: DifferenceReport): SuiteCase {
  const name = `${one.id} ${one.title}`;
  const text = textOf(one, report);
  if (isCounted(one, report)) return { name, outcome: 'failure', message: labelText(one), text };
  const { acknowledged } = one;
  const message =
    acknowledged === undefined
      ? `--fail-on ${report.options.failOn} does not name it`
      : `acknowledged: ${acknowledged.reason}`;
  return { name, outcome: 'skipped', message, text };
}

function textOf(one: DifferenceReportEntry, report: DifferenceReport): string {
  const clauses = one.requirements.map(id => {
    const { about, statement } = requirementWords(id);
    return compact([id, about !== '' && `(${about}): ${statement}`]).join(' ');
  });
  const steps = one.places[0]?.example.steps.flatMap(step => [
    ...requestsOf(step).map(
      ({ to, request: { method, path, body } }) =>
        `${step.number}${to} ${method} ${path}${body === undefined ? '' : ` ${cut(body)}`}`,
    ),
    ...(['a', 'b'] as const).flatMap(side => {
      const head = answerText(step[side]);
      return head === undefined ? [] : [`  ${side.toUpperCase()} ${head} ${cut(step[side]?.body ?? '')}`.trimEnd()];
    }),
  ]);
  const places = one.places.slice(0, most.places).map(place => `at ${placeText(place)}: A ${place.a}, B ${place.b}`);
  const more = one.places.length - places.length;
  return compact([
    `${labelText(one)}${clauses.length === 0 ? '' : `: ${clauses.join('; ')}`}`,
    ...places,
    more > 0 && `and ${more} more places in difference.json`,
    ...(steps ?? []),
    explainCommand(one, report) ?? '',
  ])
    .join('\n')
    .trimEnd();
}

const cut = (text: string): string => (text.length <= most.body ? text : `${text.slice(0, most.body)}…`);

function staleSuite({ acknowledged }: DifferenceReport) {
  if (acknowledged === undefined || acknowledged.stale.length === 0) return [];
  const cases = acknowledged.stale.map(
    ({ entry, line, why, reason }): SuiteCase => ({
      name: entry,
      outcome: 'failure',
      message: `${entry} ${why}`,
      text: `remove ${line} of ${acknowledged.file}\nits reason was: ${reason}`,
    }),
  );
  return [{ name: 'Acknowledged differences that are no more', cases }];
}

/** Whether there is anything to rely on: without it a comparison that never began would look like one that passed. */
function wholeCase(report: DifferenceReport): SuiteCase {
  const name = `${report.a.name} and ${report.b.name}`;
  const sentences = verdictSentences(report);
  const isWhole = report.because === undefined;
  return isWhole
    ? { name, outcome: 'pass' }
    : { name, outcome: 'error', message: report.because ?? '', text: sentences.join('\n') };
}
