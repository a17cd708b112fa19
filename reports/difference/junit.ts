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
  const { acknowledged, because, a, b } = report;
  const stale = (acknowledged?.stale ?? []).map(
    ({ entry, line, why, reason }): SuiteCase => ({
      name: entry,
      outcome: 'failure',
      message: `${entry} ${why}`,
      text: `remove ${line} of ${acknowledged?.file}\nits reason was: ${reason}`,
    }),
  );
  const name = `${a.name} and ${b.name}`;
  // Without it a comparison that never began would look like one that passed.
  const whole: SuiteCase =
    because === undefined
      ? { name, outcome: 'pass' }
      : { name, outcome: 'error', message: because, text: verdictSentences(report).join('\n') };
  return suitesXml('console-conformance diff', [
    ...partsOf(report).map(({ title, entries }) => ({ name: title, cases: entries.map(one => caseOf(one, report)) })),
    ...(stale.length === 0 ? [] : [{ name: 'Acknowledged differences that are no more', cases: stale }]),
    { name: 'The comparison', cases: [whole] },
  ]);
}

function caseOf(one: DifferenceReportEntry, report: DifferenceReport): SuiteCase {
  const name = `${one.id} ${one.title}`;
  const text = textOf(one, report);
  if (isCounted(one, report)) return { name, outcome: 'failure', message: labelText(one), text };
  const { acknowledged } = one;
  const message = acknowledged
    ? `acknowledged: ${acknowledged.reason}`
    : `--fail-on ${report.options.failOn} does not name it`;
  return { name, outcome: 'skipped', message, text };
}

function textOf(one: DifferenceReportEntry, report: DifferenceReport): string {
  const { requirements, places } = one;
  const clauses = requirements.map(id => {
    const { about, statement } = requirementWords(id);
    return about === '' ? id : `${id} (${about}): ${statement}`;
  });
  const steps = (places[0]?.example.steps ?? []).flatMap(step => [
    ...requestsOf(step).map(({ to, request: { method, path, body } }) =>
      [`${step.number}${to} ${method} ${path}`, ...(body === undefined ? [] : [cut(body)])].join(' '),
    ),
    ...(['a', 'b'] as const).map(side => {
      const head = answerText(step[side]);
      return head && `  ${side.toUpperCase()} ${head} ${cut(step[side]?.body ?? '')}`.trimEnd();
    }),
  ]);
  const more = places.length - most.places;
  return compact([
    [labelText(one), ...(clauses.length === 0 ? [] : [clauses.join('; ')])].join(': '),
    ...places.slice(0, most.places).map(place => `at ${placeText(place)}: A ${place.a}, B ${place.b}`),
    more > 0 && `and ${more} more places in difference.json`,
    ...steps,
    explainCommand(one, report),
  ])
    .join('\n')
    .trimEnd();
}

const cut = (text: string): string => (text.length <= most.body ? text : `${text.slice(0, most.body)}…`);
