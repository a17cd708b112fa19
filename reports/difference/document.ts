import { compact } from '../../contracts/present.ts';
import type { DifferenceLabel, DifferenceReport, DifferenceReportEntry } from '../../contracts/report/difference.ts';
import { type Entry, type Part, pairsIn, type ReportDocument, type Row } from '../document/document.ts';
import { mark } from '../document/marks.ts';
import { notRestoredRows } from '../document/not-restored.ts';
import { counted, tally } from '../text/page.ts';
import { invocation, shellWord } from '../text/shell.ts';
import { capitalized, endpointsText } from '../text/verdict-text.ts';
import { differenceEntry, timesText } from './entry.ts';

// biome-ignore format: a table
const kinds = {
  alike:      'pass',
  different:  'fail',
  incomplete: 'untested',
} as const satisfies Record<DifferenceReport['verdict'], string>;

/** Returns compared servers as the document that every format lays out. */
export function differenceDocument(report: DifferenceReport): ReportDocument {
  const { verdict, options, seed, profile, exitCode, differences } = report;
  const { only, skip, failOn, readOnly, sameStart } = options;
  const isSame = differences.every(one => one.acknowledged);
  return {
    title: 'Two servers side by side',
    kicker: 'Two servers of the Console Management API side by side',
    source: 'the comparison of two runs',
    verdict: mark(kinds[verdict], verdict === 'alike' && !isSame ? 'alike but for what is allowed' : verdict),
    headline: 'A and B side by side',
    sentences: sentencesOf(report),
    figures: [{ name: 'Exit code', lines: [String(exitCode)] }],
    parts: [
      { id: 'sides', title: 'Servers', isHead: true, rows: (['a', 'b'] as const).map(side => sideRow(side, report)) },
      ...(['a', 'b'] as const).flatMap(side => restParts(side, report)),
      ...differenceParts(report),
      ...staleParts(report),
      ...otherParts(report),
    ],
    // biome-ignore format: a table
    facts: pairsIn({
      Seed:       String(seed),
      Profile:    profile,
      'Fails on': failOn,
      Sent:       readOnly ? 'GET alone (--read-only)' : undefined,
      Start:      sameStart ? 'both began alike (--same-start)' : undefined,
      Only:       only.join(', '),
      Without:    skip.join(', '),
    }),
    rest: 'difference.json',
    whole: 10,
  };
}

/** Returns the row of one side: what it is, and how its run went. */
function sideRow(side: 'a' | 'b', report: DifferenceReport): Row {
  const { name, outcome, because, journals, isRecording, requests, noiseRuns } = report[side];
  const runs = noiseRuns === 0 ? '' : `, after ${counted(noiseRuns, 'run')} of its own to learn its noise`;
  const sent = `${isRecording ? 'a recording of ' : ''}${counted(requests, 'request')}${runs}`;
  return {
    mark: mark(outcome === 'complete' ? 'pass' : 'untested', outcome),
    name: side.toUpperCase(),
    text: name,
    about: [`${outcome}, ${sent}${because === undefined ? '' : `: ${because}`}`, ...journals],
  };
}

/** Returns what could not be put back of one side, and the command that tries again. */
function restParts(side: 'a' | 'b', report: DifferenceReport): Part[] {
  const { notPutBack = [], journals, name } = report[side];
  const journal = journals[0];
  if (notPutBack.length === 0) return [];
  const text = journal && `${invocation} restore ${shellWord(journal)} --base-url ${shellWord(name)}`;
  return [
    {
      id: `not-restored-${side}`,
      title: `Not put back of ${side.toUpperCase()}`,
      rows: notRestoredRows(notPutBack),
      ...(text && { commands: [{ name: 'put it back', text }] }),
    },
  ];
}

// biome-ignore format: a table
const titles = {
  'b-breaks':   'What B breaks, and A keeps',
  'a-breaks':   'What A breaks, and B keeps',
  open:         'What the specification leaves open',
  unsaid:       'Of which the specification says nothing',
  acknowledged: 'Acknowledged',
} as const satisfies Record<DifferenceLabel | 'acknowledged', string>;

/** Returns the differences by kind, the acknowledged ones last. */
const differenceParts = (report: DifferenceReport): Part[] =>
  Object.entries(titles).flatMap(([id, title]) => {
    const own = report.differences.filter(one => id === (one.acknowledged ? 'acknowledged' : one.label));
    return own.length === 0 ? [] : [{ id, title, entries: own.map(one => differenceEntry(one, report)) }];
  });

/** Returns the stale entries among the acknowledged differences, with the lines to remove. */
function staleParts({ acknowledged }: DifferenceReport): Part[] {
  if (!acknowledged || acknowledged.stale.length === 0) return [];
  const entries = acknowledged.stale.map(
    ({ entry, why, line, reason }, index): Entry => ({
      anchor: `stale-${index + 1}`,
      mark: mark('fail', 'is no more'),
      counts: true,
      title: `${entry} ${why}`,
      brief: entry,
      label: `its reason was: ${reason}`,
      remedy: `remove ${line} of ${acknowledged.file}`,
      clauses: [],
      endpoints: [],
      items: [],
    }),
  );
  return [{ id: 'stale', title: 'Acknowledged, and no more', entries }];
}

/** Returns the other results of a comparison, a list each. */
function otherParts({ notCompared, noise, start, shared, acknowledged }: DifferenceReport): Part[] {
  // biome-ignore format: a table
  const lists = [
    { id: 'not-compared', title: 'Could not be compared',                          lines: notCompared.map(({ because, count, endpoints }) => `${counted(count, 'request')}: ${because}${endpoints.length === 0 ? '' : ` (${endpointsText(endpoints)})`}`) },
    { id: 'start',        title: 'Was there before, and differs',                  lines: start.map(({ endpoint, pointer, count }) => `${endpoint} ${pointer}: ${counted(count, 'value')}`) },
    { id: 'shared',       title: 'Broken by both, which is no difference',         lines: shared.map(({ requirement, endpoints }) => `${requirement} (${endpointsText(endpoints)})`) },
    { id: 'noise',        title: 'Noise: what differs from itself, or may differ', lines: noise.map(({ endpoint, pointer, because, count }) => `${endpoint} ${pointer}: ${because}, ${timesText(count)}`) },
    { id: 'unjudged',     title: 'Acknowledged, and not judged',                   lines: (acknowledged?.unjudged ?? []).map(({ entry, why }) => `${entry}: ${why}`) },
  ];
  return lists.filter(({ lines }) => lines.length > 0);
}

/** Returns how many differences there are of each kind: `1 broken by B, 2 left open`. */
function countsText(entries: readonly DifferenceReportEntry[]): string {
  const of = (label: DifferenceLabel) => entries.filter(one => one.label === label).length;
  return tally({
    'broken by B': of('b-breaks'),
    'broken by A': of('a-breaks'),
    'left open': of('open'),
    'of which nothing is said': of('unsaid'),
  });
}

const limits = {
  must: 'only what breaks a MUST fails it (--fail-on must)',
  open: 'what breaks a clause or is left open fails it (--fail-on open)',
  any: 'any of them fails it (--fail-on any)',
} as const satisfies Record<DifferenceReport['options']['failOn'], string>;

/**
 * Returns the result of a comparison, a sentence each: how it ended, what differs, what was compared, what is stale.
 */
function sentencesOf({ a, differences, because, counts, acknowledged, options }: DifferenceReport): string[] {
  const fresh = differences.filter(one => !one.acknowledged);
  const known = differences.length - fresh.length;
  const stale = acknowledged?.stale.length ?? 0;
  const areKnown = (noun: string): string => `${counted(known, noun)} ${known === 1 ? 'is' : 'are'} acknowledged.`;
  return compact([
    because !== undefined && `${capitalized(because)}.`,
    differences.length === 0
      ? 'The two do not differ in anything that was compared.'
      : fresh.length === 0
        ? `All ${areKnown('difference')}`
        : `The two differ in ${counted(fresh.length, 'way')}: ${countsText(fresh)}; ${limits[options.failOn]}.${known === 0 ? '' : ` ${areKnown('other')}`}`,
    `${counted(counts.compared, 'request')} set side by side, ${counts.alike.toLocaleString('en')} of them answered alike.`,
    a.isRecording &&
      differences.length > 0 &&
      'Sequences are shown as they were sent: a recording cannot be asked for a smaller one.',
    stale !== 0 && `${counted(stale, 'entry')} of ${acknowledged?.file} ${stale === 1 ? 'holds' : 'hold'} no more.`,
  ]);
}
