import { compact, present } from '../../contracts/present.ts';
import type { DifferenceReport, DifferenceReportEntry, StepOfBoth } from '../../contracts/report/difference.ts';
import type { Entry, ReportDocument, Step } from '../document/document.ts';
import { type Mark, mark } from '../document/marks.ts';
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
    source: 'the comparison of two runs',
    verdict: mark(verdictMarks[verdict], verdictWord(report)),
    headline: 'A and B side by side',
    sentences: verdictSentences(report),
    figures: [{ name: 'Exit code', lines: [String(exitCode)] }],
    parts: [
      {
        id: 'sides',
        title: 'Servers',
        isHead: true,
        rows: (['a', 'b'] as const).map(side => {
          const { name, outcome, because, journals } = report[side];
          const about = `${outcome}, ${sideText(report[side])}${because === undefined ? '' : `: ${because}`}`;
          const isWhole = outcome === 'complete';
          return {
            mark: mark(isWhole ? 'pass' : 'untested', outcome),
            name: side.toUpperCase(),
            text: name,
            about: [about, ...journals],
          };
        }),
      },
      ...partsOf(report).map(({ label, title, entries }) => ({
        id: label,
        title,
        entries: entries.map(one => entryOf(one, report)),
      })),
      ...stalePart(report),
      ...otherLists(report),
    ],
    facts: compact([
      { name: 'Seed', value: String(seed) },
      { name: 'Profile', value: profile },
      { name: 'Fails on', value: options.failOn },
      options.readOnly && { name: 'Sent', value: 'GET alone (--read-only)' },
      options.sameStart && { name: 'Start', value: 'both began alike (--same-start)' },
      only.length > 0 && { name: 'Only', value: only.join(', ') },
      skip.length > 0 && { name: 'Without', value: skip.join(', ') },
    ]),
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
    clauses: requirements.map(requirementWords),
    endpoints,
    items: places.map(place => ({
      where: placeText(place),
      note: timesText(place.occurrences),
      pairs: [
        { name: 'A', value: place.a },
        { name: 'B', value: place.b },
      ],
      ...(place === places[0] && example !== undefined
        ? {
            example: `${example.title}: ${example.unit}, case ${example.path}${example.shrinks === 0 ? '' : `, made smaller ${timesText(example.shrinks)}`}`,
            steps: example.steps.map(stepOf),
          }
        : { steps: [] }),
    })),
    ...present({
      command,
      known: acknowledged && [acknowledged.reason, acknowledged.issue].filter(Boolean).join(', '),
    }),
  };
}

const stepOf = (step: StepOfBoth): Step => ({
  number: step.number,
  requests: requestsOf(step).map(({ to, request: { method, path, body } }) => ({
    label: to === '' ? 'Request to both' : `Request to ${to}`,
    letter: to,
    ...messageOf(`${method} ${path}`, body),
  })),
  answers: (['a', 'b'] as const).map(side => {
    const letter = side.toUpperCase();
    const head = answerText(step[side]) ?? 'It was not sent this request.';
    return { label: `${letter} answered`, letter, ...messageOf(head, step[side]?.body) };
  }),
  isOpen: true,
});

const messageOf = (line: string, text: string | undefined) => ({
  line,
  brief: line,
  headers: [],
  ...(text === undefined || text === ''
    ? {}
    : { body: { text, bytes: Buffer.byteLength(text), truncated: text.endsWith('…') } }),
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
      endpoints: [],
      items: [],
    }),
  );
  return [{ id: 'stale', title: 'Acknowledged, and no more', entries }];
}
