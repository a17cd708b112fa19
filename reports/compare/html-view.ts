import { legend, type Mark, mark, wholeMark } from '../html/marks.ts';
import { prose } from '../html/prose.ts';
import { grouped } from '../text/grouped.ts';
import { counted } from '../text/page.ts';
import { endpointsText, passedText } from '../text/verdict-text.ts';
import type { CheckChange, RunComparison } from './compare.ts';
import { beginningOf, type ChangeGroup, changeGroups } from './html-changes.ts';
import { letterOf, runText } from './words.ts';

/** Returns all that the page of a comparison shows, in words; the templates add nothing but markup. */
export function comparisonView(comparison: RunComparison) {
  const worse = changeGroups(comparison, 'worse');
  const better = changeGroups(comparison, 'better');
  return {
    verdict: verdictOf(comparison),
    sentences: sentencesOf(comparison),
    cautions: comparison.cautions,
    runs: comparison.runs.map((run, index) => ({
      letter: letterOf(index),
      name: run.name,
      mark: wholeMark(run.report.verdict),
      about: runText(run),
    })),
    legend: [...legend.filter(({ kind }) => kind !== 'open'), mark('open', 'not run')],
    rows: rowsOf(comparison, [...worse, ...better]),
    worse,
    better,
    observations: observedOf(comparison),
  };
}

function verdictOf({ worse, better }: RunComparison): Mark {
  if (worse.length > 0) return mark('fail', better.length > 0 ? 'worse, and better' : 'worse');
  return better.length > 0 ? mark('pass', 'better') : mark('open', 'no check differs');
}

/** What got worse, what got better, and what else differs: a sentence each. */
function sentencesOf({ runs, worse, better, observations }: RunComparison): string[] {
  const last = letterOf(runs.length - 1);
  const said = (changes: readonly CheckChange[], trend: string) => {
    if (changes.length === 0) return `Nothing is ${trend} in run ${last} than before.`;
    const endpoints = new Set(changes.map(({ id }) => id.split('/')[0] ?? id));
    return `${counted(changes.length, 'check')} of run ${last} ${changes.length === 1 ? 'is' : 'are'} ${trend} than before, at ${endpointsText(endpoints)}.`;
  };
  const differs = `${counted(observations.length, 'observation')} ${observations.length === 1 ? 'differs' : 'differ'}; the specification leaves open what is right.`;
  return [
    said(worse, 'worse'),
    said(better, 'better'),
    observations.length === 0 ? 'No observation differs.' : differs,
  ];
}

/** A row for each endpoint: its mark in each run, and how many of its checks changed. */
function rowsOf({ runs, endpoints }: RunComparison, groups: readonly ChangeGroup[]) {
  return endpoints.map(({ id, verdicts }) => ({
    endpoint: id,
    cells: verdicts.map((verdict, index) => {
      const checks = runs[index]?.report.endpoints.find(one => one.id === id)?.checks;
      return {
        letter: letterOf(index),
        mark: verdict === null ? mark('open', 'not run') : wholeMark(verdict),
        passed: checks === undefined ? '' : passedText(checks),
      };
    }),
    changed: (['worse', 'better'] as const).flatMap(trend => {
      const own = groups
        .filter(one => one.trend === trend)
        .flatMap(({ anchor, checks }) => checks.filter(check => check.id.startsWith(`${id}/`)).map(() => anchor));
      return own.length === 0 ? [] : [{ text: `${own.length} ${trend}`, href: `#${own[0]}` }];
    }),
  }));
}

/** The observations in which the runs differ, by requirement. */
function observedOf({ runs, observations }: RunComparison) {
  const statements = new Map(runs.flatMap(({ report }) => report.requirements.map(row => [row.id, row.statement])));
  return [...grouped(observations, ({ requirement }) => requirement)].map(([requirement, changes]) => ({
    requirement,
    statement: prose(statements.get(requirement) ?? requirement),
    subjects: changes.map(({ subject, endpoints, values }) => ({
      subject,
      where: endpointsText(endpoints),
      values: values.map((own, index) => ({
        name: letterOf(index),
        value: own.length === 0 ? 'not seen' : beginningOf(own.join(' | ')),
      })),
    })),
  }));
}
