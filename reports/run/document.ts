import type { Report } from '../../contracts/report/report.ts';
import type { Entry, Format, Part, ReportDocument, Row } from '../document/document.ts';
import { mark, wholeMark } from '../document/marks.ts';
import { notRestoredRows } from '../document/not-restored.ts';
import { knownChecks } from '../journal/known.ts';
import { checksOf, endpointIn, notRestored } from '../journal/selections.ts';
import { coverageText, partText, shortCoverageText, verdictSentence } from '../text/verdict-text.ts';
import { causeEntries } from './causes.ts';
import { coverageParts } from './coverage.ts';
import { factsOf, figuresOf, headlineOf } from './figures.ts';
import {
  endpointPart,
  learnedGroups,
  leftBehindGroups,
  matrixPart,
  notExercisedGroups,
  observationEntries,
  requirementGroups,
  trafficParts,
} from './tables.ts';
import { firstSteps, type UntestedReason, untestedReasons, urgentNotices } from './untested.ts';

/** Returns the report of a run, or of judged traffic, as the document that every format lays out. */
export function runDocument(report: Report): ReportDocument {
  const { endpoints, target } = report;
  const causes = causeEntries(report);
  const untested = untestedReasons(report, causes);
  const whole = wholeMark(report.verdict);
  const isShort = whole.kind === 'pass' && shortCoverageText(report) !== undefined;
  return {
    title: `Conformance report: ${report.verdict}`,
    kicker: `Conformance to the Console Management API specification: ${target.embedded ? `the embedded reference server (${target.baseUrl})` : target.baseUrl}`,
    source: 'the journal of the run',
    verdict: isShort
      ? mark('untested', 'conformant, but too little was covered')
      : { ...whole, word: `${whole.word}${partText(report)}` },
    beside: coverageText(report),
    headline: headlineOf(report),
    sentences: [verdictSentence(report)],
    figures: figuresOf(report),
    parts: [
      ...headParts(report, causes, untested),
      ...brokenParts(report, causes),
      { id: 'untested', title: 'Not tested', entries: untested },
      ...coverageParts(report),
      {
        id: 'requirements',
        title: 'Requirements by section of the specification',
        formats: ['page'],
        groups: requirementGroups(report),
      },
      {
        id: 'observations',
        title: 'Observed: what the specification leaves open',
        note: 'What this server does there; nothing of it is judged.',
        formats: ['page', 'verbose'],
        entries: observationEntries(report),
      },
      { id: 'causes', title: 'Causes', formats: ['terminal'], isIndex: true, entries: causes },
      ...targetParts(report),
    ],
    facts: factsOf(report),
    rest: 'report.json',
    whole: 10,
    filter: endpoints.map(({ id }) => id),
  };
}

/** Returns the first steps, and the verdicts of endpoints and checks. */
const headParts = (report: Report, causes: readonly Entry[], untested: readonly UntestedReason[]): Part[] => [
  {
    id: 'first',
    title: 'What to do first',
    formats: ['page'],
    isHead: true,
    isNumbered: true,
    rows: firstSteps(report, causes, untested),
  },
  { ...noticePart(report.notices), formats: ['terminal', 'comment'] },
  { ...noticePart(report.notices.filter(one => !urgentNotices(report).includes(one))), formats: ['page'] },
  ...trafficParts(report),
  endpointPart(report),
  matrixPart(report, causes, untested),
  ...baselineParts(report),
];

/**
 * Returns the failures: all on a page, elsewhere those that the baseline does not know; then warnings and errors of the
 * suite.
 */
function brokenParts(report: Report, causes: readonly Entry[]): Part[] {
  const of = (kind: 'fail' | 'warn') => causes.filter(one => one.mark.kind === kind);
  const sides = report.traffic ? (['server', 'client'] as const) : [undefined];
  /** Returns the failures in one part, or for judged traffic those of each side. */
  const partsOf = (own: readonly Entry[], ...formats: readonly Format[]): Part[] =>
    sides.map(side => ({
      id: side ? `${side}-breaks` : 'failures',
      title: side ? `What the ${side} breaks` : 'Failures',
      formats,
      entries: own.filter(({ label = 'server' }) => !side || label === side),
    }));
  const failures = of('fail');
  return [
    ...partsOf(failures, 'page'),
    ...partsOf(
      failures.filter(({ counts }) => counts),
      'terminal',
      'comment',
    ),
    { id: 'warnings', title: 'Warnings', formats: ['page'], entries: of('warn') },
    { id: 'faults', title: 'Faults of the suite, not of the target', rows: faultRows(report) },
  ];
}

/** Returns the state of the target after the run, the names learned from it, and the fields not sent. */
const targetParts = (report: Report): Part[] => [
  { id: 'not-restored', title: 'Not put back', rows: notRestoredRows(notRestored(report.leftBehind)) },
  {
    id: 'left-behind',
    title: 'What the run left behind',
    formats: ['page'],
    empty: 'Nothing that the API could not take away again.',
    groups: leftBehindGroups(report),
  },
  {
    id: 'learned',
    title: "Names that the target's answers taught",
    note: 'Sent beside those of the target file; one that is refused is no defect.',
    formats: ['page'],
    groups: learnedGroups(report),
  },
  {
    id: 'not-exercised',
    title: 'Fields that were not sent',
    note: 'Each list says why; the checks went without them.',
    formats: ['page'],
    groups: notExercisedGroups(report),
  },
];

const noticePart = (notices: Report['notices']): Part => ({
  id: 'notices',
  title: 'Notices about the whole run',
  isHead: true,
  rows: notices.map(({ severity, text, remedy }) => ({
    mark: severity === 'warning' ? mark('warn', 'warning') : mark('open', 'notice'),
    text,
    remedy,
  })),
});

const faultRows = (report: Report): Row[] =>
  checksOf(report).flatMap(({ id, verdict, because = 'no reason given' }) =>
    verdict === 'error' ? [{ mark: mark('error'), name: id, text: because, endpoints: [endpointIn(id)] }] : [],
  );

/** Returns the known failures and the stale entries of the baseline. A terminal shows it separately. */
function baselineParts(report: Report): Part[] {
  const { baseline } = report;
  if (!baseline) return [];
  const rows = [
    ...baseline.stale.map(({ entry, why, place }) => ({
      mark: mark('fail', 'stale'),
      name: entry,
      text: why,
      remedy: `remove ${place} of ${baseline.file}`,
    })),
    ...[...knownChecks(report)].map(([name, reason]) => ({
      mark: mark('warn', 'known'),
      name,
      text: `known: ${reason}`,
    })),
  ];
  return [
    {
      id: 'baseline',
      title: 'Baseline',
      formats: ['page', 'comment'],
      note: baseline.file,
      empty: 'Nothing of it fails, and no entry is stale.',
      rows,
    },
  ];
}
