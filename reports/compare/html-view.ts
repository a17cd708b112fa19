import type { Report } from '../../contracts/report/report.ts';
import { legend, type Mark, mark, wholeMark } from '../html/marks.ts';
import { type Prose, prose } from '../html/prose.ts';
import { passedOf } from '../passed.ts';
import { counted } from '../text/page.ts';
import type { CheckChange, Comparison, ObservationChange } from './compare.ts';
import { beginningOf, type ChangeGroup, changeGroups } from './html-changes.ts';
import { letterOf, placesOf } from './terminal.ts';

/** All that the page of a comparison shows, in words; the templates add nothing but markup. */
export interface ComparisonView {
  readonly verdict: Mark;
  /** What got worse, what got better, and what else differs: a sentence each. */
  readonly sentences: readonly string[];
  readonly cautions: readonly string[];
  readonly runs: readonly RunView[];
  readonly legend: readonly Mark[];
  readonly rows: readonly RowView[];
  readonly worse: readonly ChangeGroup[];
  readonly better: readonly ChangeGroup[];
  readonly observations: readonly ObservedView[];
}

/** A run under its letter. */
export interface RunView {
  readonly letter: string;
  readonly name: string;
  readonly mark: Mark;
  readonly about: string;
}

/** An endpoint with its mark in each run, and how much of it changed. */
export interface RowView {
  readonly endpoint: string;
  readonly cells: readonly { readonly letter: string; readonly mark: Mark; readonly passed: string }[];
  readonly changed: readonly { readonly text: string; readonly href: string }[];
}

/** What the specification leaves open in one requirement, where the runs show something else. */
export interface ObservedView {
  readonly requirement: string;
  readonly statement: Prose;
  readonly subjects: readonly {
    readonly subject: string;
    readonly where: string;
    readonly values: readonly { readonly letter: string; readonly value: string }[];
  }[];
}

/** The view of a comparison. */
export function comparisonView(comparison: Comparison): ComparisonView {
  const worse = changeGroups(comparison, 'worse');
  const better = changeGroups(comparison, 'better');
  return {
    verdict: verdictOf(comparison),
    sentences: sentencesOf(comparison),
    cautions: comparison.cautions,
    runs: comparison.runs.map(({ name, report }, index) => ({
      letter: letterOf(index),
      name,
      mark: wholeMark(report.verdict),
      about: `${report.target.baseUrl}, ${report.startedAt}, seed ${report.seed}, ${report.profile}`,
    })),
    legend: [...legend.filter(({ kind }) => kind !== 'open'), mark('open', 'not run')],
    rows: rowsOf(comparison, [...worse, ...better]),
    worse,
    better,
    observations: observedOf(comparison),
  };
}

function verdictOf({ worse, better }: Comparison): Mark {
  if (worse.length > 0) return mark('fail', better.length > 0 ? 'worse, and better' : 'worse');
  return better.length > 0 ? mark('pass', 'better') : mark('open', 'no check differs');
}

function sentencesOf({ runs, worse, better, observations }: Comparison): string[] {
  const last = letterOf(runs.length - 1);
  const said = (changes: readonly CheckChange[], trend: string) => {
    if (changes.length === 0) return `Nothing is ${trend} in run ${last} than before.`;
    const endpoints = [...new Set(changes.map(({ id }) => id.split('/')[0] ?? id))];
    return `${counted(changes.length, 'check')} of run ${last} ${changes.length === 1 ? 'is' : 'are'} ${trend} than before, at ${placesOf(endpoints)}.`;
  };
  const differs = `${counted(observations.length, 'observation')} ${observations.length === 1 ? 'differs' : 'differ'}; the specification leaves open what is right.`;
  return [
    said(worse, 'worse'),
    said(better, 'better'),
    observations.length === 0 ? 'No observation differs.' : differs,
  ];
}

function rowsOf({ runs, endpoints }: Comparison, groups: readonly ChangeGroup[]): RowView[] {
  return endpoints.map(({ id, verdicts }) => ({
    endpoint: id,
    cells: verdicts.map((verdict, index) => ({
      letter: letterOf(index),
      mark: verdict === null ? mark('open', 'not run') : wholeMark(verdict),
      passed: passedText(runs[index]?.report, id),
    })),
    changed: (['worse', 'better'] as const).flatMap(trend => {
      const own = groups
        .filter(one => one.trend === trend)
        .map(({ anchor, checks }) => ({
          anchor,
          count: checks.filter(check => check.id.startsWith(`${id}/`)).length,
        }));
      const count = own.reduce((sum, one) => sum + one.count, 0);
      const first = own.find(one => one.count > 0);
      return first === undefined ? [] : [{ text: `${count} ${trend}`, href: `#${first.anchor}` }];
    }),
  }));
}

function passedText(report: Report | undefined, id: string): string {
  const checks = report?.endpoints.find(one => one.id === id)?.checks;
  if (checks === undefined) return '';
  const { passed, applicable } = passedOf(checks);
  return `${passed} of ${applicable}`;
}

function observedOf({ runs, observations }: Comparison): ObservedView[] {
  const groups = new Map<string, ObservationChange[]>();
  for (const one of observations) groups.set(one.requirement, [...(groups.get(one.requirement) ?? []), one]);
  const rows = new Map(runs.flatMap(({ report }) => report.requirements.map(row => [row.id, row.statement])));
  return [...groups].map(([requirement, changes]) => ({
    requirement,
    statement: prose(rows.get(requirement) ?? requirement),
    subjects: changes.map(({ subject, endpoints, values }) => ({
      subject,
      where: placesOf(endpoints),
      values: values.map((own, index) => ({
        letter: letterOf(index),
        value: own.length === 0 ? 'not seen' : beginningOf(own.join(' | ')),
      })),
    })),
  }));
}
