import type {
  AnswerOfSide,
  DifferencePlace,
  DifferenceReport,
  DifferenceReportEntry,
  StepOfBoth,
} from '../../contracts/report/difference.ts';
import { type Mark, mark } from '../html/marks.ts';
import { prose, titleProse } from '../html/prose.ts';
import { differingPart } from '../text/difference.ts';
import { indentedJson } from '../text/indented-json.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
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

/** The most that the page holds: of differences of one kind, of their places, of lines of a body and of a list. */
const most = { entries: 300, whole: 60, places: 40, lines: 40, columns: 300, list: 200 } as const;

const verdictMarks = { alike: 'pass', different: 'fail', incomplete: 'untested' } as const satisfies Record<
  DifferenceReport['verdict'],
  Mark['kind']
>;

/** Returns all that the page of a comparison shows, in words; the templates add nothing but markup. */
export function differenceView(report: DifferenceReport) {
  const parts = partsOf(report);
  return {
    verdict: mark(verdictMarks[report.verdict], verdictWord(report)),
    sentences: verdictSentences(report),
    sides: (['a', 'b'] as const).map(side => ({
      letter: side.toUpperCase(),
      about: sideText(report[side]),
      outcome: report[side].outcome,
      because: report[side].because,
      journals: report[side].journals,
    })),
    contents: parts.map(({ label, title, entries }) => ({ href: `#${label}`, title, count: entries.length })),
    parts: parts.map(({ label, title, entries }) => ({
      id: label,
      title,
      more: Math.max(0, entries.length - most.entries),
      entries: entries.slice(0, most.entries).map((one, index) => entryView(one, report, index < most.whole)),
    })),
    stale: (report.acknowledged?.stale ?? []).map(({ entry, why, line, reason }) => ({
      entry,
      why,
      remedy: `remove ${line} of ${report.acknowledged?.file}`,
      reason,
    })),
    lists: otherLists(report).map(({ id, title, lines }) => ({
      id,
      title,
      lines: lines.slice(0, most.list).map(line => safeText(line, most.columns)),
      more: Math.max(0, lines.length - most.list),
    })),
    facts: [
      { name: 'Seed', value: String(report.seed) },
      { name: 'Profile', value: report.profile },
      { name: 'Fails on', value: report.options.failOn },
      { name: 'Exit code', value: String(report.exitCode) },
      ...(report.options.readOnly ? [{ name: 'Sent', value: 'GET alone (--read-only)' }] : []),
      ...(report.options.sameStart ? [{ name: 'Start', value: 'both began alike (--same-start)' }] : []),
      ...filterFacts(report),
    ],
  };
}

const filterFacts = ({ options: { only, skip } }: DifferenceReport) => [
  ...(only.length === 0 ? [] : [{ name: 'Only', value: only.join(', ') }]),
  ...(skip.length === 0 ? [] : [{ name: 'Without', value: skip.join(', ') }]),
];

function markOf(one: DifferenceReportEntry, report: DifferenceReport): Mark {
  if (isCounted(one, report)) return mark('fail', 'fails the comparison');
  if (one.acknowledged !== undefined) return mark('pass', 'acknowledged');
  return one.label === 'open' || one.label === 'unsaid'
    ? mark('open', 'does not count')
    : mark('warn', 'does not count');
}

function entryView(one: DifferenceReportEntry, report: DifferenceReport, isWhole: boolean) {
  const [first] = one.places;
  const shown = one.places.slice(0, most.places);
  const command = explainCommand(one, report);
  return {
    id: one.id,
    mark: markOf(one, report),
    title: titleProse(one.title),
    label: labelText(one),
    requirements: one.requirements.map(id => {
      const { about, statement } = requirementWords(id);
      return { id, about, statement: prose(statement) };
    }),
    endpoints: one.endpoints,
    acknowledged:
      one.acknowledged === undefined
        ? ''
        : [one.acknowledged.reason, one.acknowledged.issue].filter(Boolean).join(', '),
    places: shown.map(placeView),
    more: one.places.length - shown.length,
    example: isWhole && first !== undefined ? exampleView(first) : undefined,
    open: isCounted(one, report),
    command: command ?? '',
  };
}

function placeView(place: DifferencePlace) {
  const { a, b } = place;
  return {
    where: placeText(place),
    times: timesText(place.occurrences),
    a: markedIn(a, b),
    b: markedIn(b, a),
  };
}

/** A text split around the part in which it differs from another one; unmarked where they have little in common. */
function markedIn(text: string, other: string) {
  const [own, another] = [safeText(text, most.columns), safeText(other, most.columns)];
  const part = differingPart(another, own);
  const characters = Array.from(own);
  if (part === undefined) return { before: own, odd: '', after: '' };
  return {
    before: characters.slice(0, part.from).join(''),
    odd: characters.slice(part.from, part.to).join(''),
    after: characters.slice(part.to).join(''),
  };
}

function exampleView({ example: { title, shrinks, steps, unit, path } }: DifferencePlace) {
  return {
    title,
    about: `${unit}, case ${path}${shrinks === 0 ? '' : `, made smaller ${timesText(shrinks)}`}`,
    count: counted(steps.length, 'request'),
    steps: steps.map(stepView),
  };
}

function stepView(step: StepOfBoth) {
  return {
    number: step.number,
    requests: requestsOf(step).map(({ to, request: { method, path, body } }) => ({
      label: to === '' ? 'Request to both' : `Request to ${to}`,
      line: `${method} ${path}`,
      lines: linesOf(body),
    })),
    answers: (['a', 'b'] as const).map(side => answerView(side === 'a' ? 'A' : 'B', step[side])),
  };
}

function answerView(letter: 'A' | 'B', answer: AnswerOfSide | undefined) {
  return {
    label: `${letter} answered`,
    line: answerText(answer) ?? 'It was not sent this request.',
    lines: linesOf(answer?.body),
  };
}

const linesOf = (body: string | undefined): string[] =>
  body === undefined || body === '' ? [] : indentedJson(body, most.lines).map(line => safeText(line, most.columns));
