import type { DifferenceReport, DifferenceReportEntry } from '../../contracts/report/difference.ts';
import { xmlText } from '../formats/junit.ts';
import { safeLines } from '../text/safe-text.ts';
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

/** A test case: of a difference, of an entry that holds no more, or of the comparison as a whole. */
interface Case {
  readonly name: string;
  readonly kind?: 'failure' | 'error' | 'skipped';
  readonly message?: string;
  readonly text?: string;
}

/**
 * Returns a comparison as JUnit XML: a suite for each kind of difference and a case for each difference, which fails
 * where the comparison fails for it, and is skipped where it is acknowledged or does not count. A last suite says whether
 * the comparison itself came to its end.
 */
export function differenceXml(report: DifferenceReport): string {
  const suites = [
    ...partsOf(report).map(({ title, entries }) => ({ title, cases: entries.map(one => caseOf(one, report)) })),
    ...staleSuite(report),
    { title: 'The comparison', cases: [wholeCase(report)] },
  ];
  const all = suites.flatMap(({ cases }) => cases);
  const { '@skipped': _, ...sums } = counts(all);
  return xmlText({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'console-conformance diff',
      ...sums,
      testsuite: suites.map(({ title, cases }) => ({
        '@name': title,
        ...counts(cases),
        testcase: cases.map(({ name, kind, message = '', text = '' }) => {
          const body = text === '' ? {} : { '#text': safeLines(text) };
          return {
            '@classname': title,
            '@name': safeLines(name),
            ...(kind === undefined ? {} : { [kind]: { '@message': safeLines(message), ...body } }),
          };
        }),
      })),
    },
  });
}

function caseOf(one: DifferenceReportEntry, report: DifferenceReport): Case {
  const name = `${one.id} ${one.title}`;
  const text = textOf(one, report);
  if (isCounted(one, report)) return { name, kind: 'failure', message: labelText(one), text };
  const { acknowledged } = one;
  const message =
    acknowledged === undefined
      ? `--fail-on ${report.options.failOn} does not name it`
      : `acknowledged: ${acknowledged.reason}`;
  return { name, kind: 'skipped', message, text };
}

function textOf(one: DifferenceReportEntry, report: DifferenceReport): string {
  const clauses = one.requirements.map(id => {
    const { about, statement } = requirementWords(id);
    return [id, ...(about === '' ? [] : [`(${about}): ${statement}`])].join(' ');
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
  return [
    `${labelText(one)}${clauses.length === 0 ? '' : `: ${clauses.join('; ')}`}`,
    ...places,
    ...(more > 0 ? [`and ${more} more places in difference.json`] : []),
    ...(steps ?? []),
    explainCommand(one, report) ?? '',
  ]
    .join('\n')
    .trimEnd();
}

const cut = (text: string): string => (text.length <= most.body ? text : `${text.slice(0, most.body)}…`);

function staleSuite({ acknowledged }: DifferenceReport) {
  if (acknowledged === undefined || acknowledged.stale.length === 0) return [];
  const cases = acknowledged.stale.map(
    ({ entry, line, why, reason }): Case => ({
      name: entry,
      kind: 'failure',
      message: `${entry} ${why}`,
      text: `remove ${line} of ${acknowledged.file}\nits reason was: ${reason}`,
    }),
  );
  return [{ title: 'Acknowledged differences that are no more', cases }];
}

/** Whether there is anything to rely on: without it a comparison that never began would look like one that passed. */
function wholeCase(report: DifferenceReport): Case {
  const name = `${report.a.name} and ${report.b.name}`;
  const sentences = verdictSentences(report);
  const isWhole = report.because === undefined;
  return isWhole ? { name } : { name, kind: 'error', message: report.because ?? '', text: sentences.join('\n') };
}

function counts(cases: readonly Case[]) {
  const of = (kind: Case['kind']) => cases.filter(one => one.kind === kind).length;
  return { '@tests': cases.length, '@failures': of('failure'), '@errors': of('error'), '@skipped': of('skipped') };
}
