import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { legend, type Mark, mark, wholeMark } from '../html/marks.ts';
import { prose } from '../html/prose.ts';
import { grouped } from '../text/grouped.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { endpointsText, passedText } from '../text/verdict-text.ts';
import {
  type CheckChange,
  type ChecksById,
  checksById,
  coverageOfRun,
  letterOf,
  type RunComparison,
  runText,
  type Trend,
} from './compare.ts';
import { lostCount, lostText } from './coverage.ts';

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
      about: `${coverageOfRun(run)}, ${runText(run)}`,
    })),
    legend: [...legend.filter(({ kind }) => kind !== 'open'), mark('open', 'not run')],
    ...foldedRows(rowsOf(comparison, [...worse, ...better])),
    worse,
    lost: comparison.lost.map(one => ({
      why: beginningOf(lostText(one)),
      count: counted(one.requirements.length, 'requirement'),
      requirements: one.requirements,
    })),
    better,
    observations: observedOf(comparison),
  };
}

function verdictOf({ worse, better, lost }: RunComparison): Mark {
  if (worse.length === 0 && lost.length > 0)
    return mark('fail', better.length > 0 ? 'less verified, and better' : 'less verified');
  if (worse.length > 0) return mark('fail', better.length > 0 ? 'worse, and better' : 'worse');
  return better.length > 0 ? mark('pass', 'better') : mark('open', 'no check differs');
}

/** What got worse, what got better, and what else differs: a sentence each. */
function sentencesOf({ runs, worse, better, lost, observations }: RunComparison): string[] {
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
    ...(lost.length === 0
      ? []
      : [`Run ${last} no more verifies ${counted(lostCount(lost), 'requirement')} that a run before it did.`]),
    observations.length === 0 ? 'No observation differs.' : differs,
  ];
}

/** The rows in which something differs, and those in which nothing does: the page folds these. */
function foldedRows(all: ReturnType<typeof rowsOf>) {
  const isSame = ({ cells, changed }: (typeof all)[number]) =>
    changed.length === 0 && cells.every(({ mark: { word } }) => word === cells[0]?.mark.word);
  const unchanged = all.filter(isSame);
  return {
    rows: all.filter(row => !isSame(row)),
    unchanged,
    unchangedTitle: `${counted(unchanged.length, 'endpoint')} unchanged`,
  };
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

/** Which way a check changed. */
type Direction = Exclude<Trend, 'same'>;

/** Changed checks of one root cause: the same requirements, or the same reason why they were not tested. */
type ChangeGroup = ReturnType<typeof changeGroups>[number];

/** The beginning of a text from a target: 300 characters at most; the reports of the runs have more. */
const beginningOf = (text: string): string => safeText(text, 300);

/** The changes in one direction by root cause: first those of requirements, then those of most checks. */
function changeGroups({ runs, worse, better }: RunComparison, trend: Direction) {
  const reports = runs.map(({ report }) => report);
  const checks = checksById(runs);
  const changes = (trend === 'worse' ? worse : better).map(one => {
    const change = { ...one, requirements: requirementsOf(one, trend, checks) };
    return { ...change, title: titleOf(change, reports, checks) };
  });
  const isNamed = (group: readonly CheckChange[]): boolean => group.some(({ requirements }) => requirements.length > 0);
  return [...grouped(changes, ({ title, requirements }) => JSON.stringify([title, requirements])).values()]
    .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || b.length - a.length)
    .map((group, index) => ({
      anchor: `${trend}-${index + 1}`,
      trend,
      mark: trend === 'worse' ? mark('fail', 'worse') : mark('pass', 'better'),
      title: prose(group[0]?.title ?? ''),
      requirements: (group[0]?.requirements ?? []).map(id => requirementLine(id, reports)),
      checks: group.map(change => changedCheck(change, trend, checks)),
    }));
}

/** The requirements of the change; if it has none, those of warnings. */
function requirementsOf(
  { id, requirements }: CheckChange,
  trend: Direction,
  checks: readonly ChecksById[],
): readonly string[] {
  if (requirements.length > 0) return requirements;
  const found = (trend === 'worse' ? checks.slice(-1) : checks.slice(0, -1)).flatMap(
    one => one.get(id)?.findings ?? [],
  );
  return [...new Set(found.map(({ requirement }) => requirement))].sort();
}

/** The statements of the requirements; if there are none, what the last run says of the check. */
function titleOf({ id, requirements }: CheckChange, reports: readonly Report[], checks: readonly ChecksById[]): string {
  if (requirements.length > 0) return requirements.map(one => rowOf(one, reports)?.statement ?? one).join(' ');
  const last = checks.at(-1)?.get(id);
  if (last === undefined) return 'Not run in the last run.';
  return becauseOf(last) ?? (last.verdict === 'pass' ? 'Not known before; passed now.' : mark(last.verdict).word);
}

/** Why it is not known whether a check would pass; undefined if it is known. */
function becauseOf({ verdict, because = 'no reason given' }: CheckReport): string | undefined {
  if (verdict === 'pass' || verdict === 'fail' || verdict === 'warn') return undefined;
  return beginningOf(`${mark(verdict).word}: ${because}`);
}

/** The row of a requirement in the last report that has it. */
function rowOf(id: string, reports: readonly Report[]) {
  return reports.flatMap(({ requirements }) => requirements.find(row => row.id === id) ?? []).at(-1);
}

/** A requirement with its section and level; without these if no run knows it. */
function requirementLine(id: string, reports: readonly Report[]) {
  const row = rowOf(id, reports);
  return { id, about: row === undefined ? '' : `section ${row.section}, ${row.level}` };
}

/**
 * A check with its mark in each run and a finding: of the last run if it got worse, else of the last run that has one.
 */
function changedCheck({ id, verdicts, requirements }: CheckChange, trend: Direction, checks: readonly ChecksById[]) {
  const isCited = (requirement: string) => requirements.length === 0 || requirements.includes(requirement);
  const found = checks
    .map((one, index) => ({ index, finding: one.get(id)?.findings.find(({ requirement }) => isCited(requirement)) }))
    .findLast(({ index, finding }) => finding !== undefined && (trend === 'better' || index === checks.length - 1));
  const last = checks.at(-1)?.get(id);
  const because = requirements.length > 0 && last !== undefined ? becauseOf(last) : undefined;
  return {
    id,
    ...(because === undefined ? {} : { because }),
    course: verdicts.map((verdict, index) => ({
      letter: letterOf(index),
      mark: verdict === null ? mark('open', 'not run') : mark(verdict),
    })),
    pairs:
      found?.finding === undefined
        ? []
        : [
            { name: 'Expected', value: beginningOf(found.finding.expected) },
            { name: `Run ${letterOf(found.index)} got`, value: beginningOf(found.finding.actual), kind: 'got' },
          ],
  };
}
