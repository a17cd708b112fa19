import { present } from '../../contracts/present.ts';
import type { DifferenceReport, DifferenceReportEntry, StepOfBoth } from '../../contracts/report/difference.ts';
import type { Entry, ExampleStep, ReportDocument } from '../document/document.ts';
import { type Mark, mark } from '../html/marks.ts';
import {
  answerText,
  explainCommand,
  isCounted,
  labelText,
  otherLists,
  partsOf,
  placeText,
  requestsOf,
  requirementWords,
  sideText,
  timesText,
  verdictSentences,
  verdictWord,
} from './words.ts';

const verdictMarks = { alike: 'pass', different: 'fail', incomplete: 'untested' } as const satisfies Record<
  DifferenceReport['verdict'],
  Mark['kind']
>;

/** Returns two servers side by side as what every format lays out. */
export function differenceDocument(report: DifferenceReport): ReportDocument {
  const { verdict, options, seed, profile, exitCode } = report;
  const { only, skip } = options;
  return {
    title: 'Two servers side by side',
    kicker: 'Two servers of the Console Management API side by side',
    sides: 'Servers',
    source: 'the comparison of two runs',
    verdict: mark(verdictMarks[verdict], verdictWord(report)),
    headline: 'A and B side by side',
    sentences: verdictSentences(report),
    subjects: (['a', 'b'] as const).map(side => {
      const { name, outcome, because, journals } = report[side];
      return {
        letter: side.toUpperCase(),
        mark: mark(outcome === 'complete' ? 'pass' : 'untested', outcome),
        name,
        about: `${sideText(report[side])}${because === undefined ? '' : `: ${because}`}`,
        files: journals,
      };
    }),
    cautions: [],
    parts: [
      ...partsOf(report).map(({ label, title, entries }) => ({
        id: label,
        title,
        entries: entries.map(one => entryOf(one, report)),
      })),
      ...stalePart(report),
      ...otherLists(report).map(list => ({ ...list, entries: [] })),
    ],
    facts: [
      { name: 'Seed', value: String(seed) },
      { name: 'Profile', value: profile },
      { name: 'Fails on', value: options.failOn },
      { name: 'Exit code', value: String(exitCode) },
      ...(options.readOnly ? [{ name: 'Sent', value: 'GET alone (--read-only)' }] : []),
      ...(options.sameStart ? [{ name: 'Start', value: 'both began alike (--same-start)' }] : []),
      ...(only.length === 0 ? [] : [{ name: 'Only', value: only.join(', ') }]),
      ...(skip.length === 0 ? [] : [{ name: 'Without', value: skip.join(', ') }]),
    ],
    rest: 'difference.json',
    whole: 10,
  };
}

function markOf(one: DifferenceReportEntry, report: DifferenceReport): Mark {
  if (isCounted(one, report)) return mark('fail', 'fails the comparison');
  const isBreach = one.label === 'a-breaks' || one.label === 'b-breaks';
  return mark(isBreach ? 'warn' : 'open', one.acknowledged === undefined ? 'does not count' : 'acknowledged');
}

function entryOf(one: DifferenceReportEntry, report: DifferenceReport): Entry {
  const { id, title, places, endpoints, requirements, acknowledged } = one;
  const command = explainCommand(one, report);
  const example = places[0]?.example;
  return {
    anchor: id,
    id,
    mark: markOf(one, report),
    counts: isCounted(one, report),
    title,
    label: labelText(one),
    ...(acknowledged === undefined
      ? {}
      : { known: [acknowledged.reason, acknowledged.issue].filter(Boolean).join(', ') }),
    clauses: requirements.map(requirementWords),
    tags: endpoints,
    items: places.map(place => ({
      where: placeText(place),
      note: timesText(place.occurrences),
      pairs: [
        { name: 'A', value: place.a },
        { name: 'B', value: place.b },
      ],
    })),
    ...(example === undefined
      ? {}
      : {
          example: {
            title: example.title,
            about: `${example.unit}, case ${example.path}${example.shrinks === 0 ? '' : `, made smaller ${timesText(example.shrinks)}`}`,
            steps: example.steps.map(stepOf),
          },
        }),
    ...present({ command }),
  };
}

const stepOf = (step: StepOfBoth): ExampleStep => ({
  number: step.number,
  requests: requestsOf(step).map(({ to, request }) => ({ to, ...request })),
  answers: (['a', 'b'] as const).map(side => {
    const head = answerText(step[side]);
    return { letter: side.toUpperCase(), ...present({ head }), body: step[side]?.body ?? '' };
  }),
});

/** The entries of the acknowledged differences that hold no more, with the lines to remove. */
function stalePart({ acknowledged }: DifferenceReport) {
  if (acknowledged === undefined || acknowledged.stale.length === 0) return [];
  const { file, stale } = acknowledged;
  const entries = stale.map(
    ({ entry, why, line, reason }, index): Entry => ({
      anchor: `stale-${index + 1}`,
      mark: mark('fail', 'is no more'),
      counts: true,
      title: `${entry} ${why}`,
      label: `its reason was: ${reason}`,
      remedy: `remove ${line} of ${file}`,
      clauses: [],
      tags: [],
      items: [],
    }),
  );
  return [{ id: 'stale', title: 'Acknowledged, and no more', entries }];
}
