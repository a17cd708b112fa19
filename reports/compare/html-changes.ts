import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { type Mark, mark } from '../html/marks.ts';
import { type Prose, prose } from '../html/prose.ts';
import { safeText } from '../text/safe-text.ts';
import type { CheckChange, Comparison } from './compare.ts';
import { letterOf } from './terminal.ts';

/** Changed checks of one root cause: the requirements that they came to break, or no longer break, or the reason why nobody knows any more. */
export interface ChangeGroup {
  readonly anchor: string;
  readonly trend: Trend;
  readonly mark: Mark;
  readonly title: Prose;
  readonly requirements: readonly RequirementLine[];
  readonly checks: readonly ChangedCheck[];
}

/** Which way a check went. */
export type Trend = 'worse' | 'better';

/** A requirement as the page names it. */
export interface RequirementLine {
  readonly id: string;
  /** Section of the specification and level; empty where no run knows the requirement. */
  readonly about: string;
}

/** A check with its mark in each run, and one finding of the run that breaks it. */
export interface ChangedCheck {
  readonly id: string;
  readonly course: readonly { readonly letter: string; readonly mark: Mark }[];
  /** Why the last run does not know. */
  readonly because?: string;
  readonly finding?: { readonly run: string; readonly expected: string; readonly got: string };
}

/** What a comparison shows of a text that a target sent: 300 characters at most; the reports of the runs have more. */
export const beginningOf = (text: string): string => safeText(text, 300);

/** The changes of one kind by root cause: what names a requirement first, for the others often follow from it; then what shows at most checks. */
export function changeGroups({ runs, worse, better }: Comparison, trend: Trend): ChangeGroup[] {
  const reports = runs.map(({ report }) => report);
  const checks = reports.map(report => new Map(report.endpoints.flatMap(one => one.checks.map(it => [it.id, it]))));
  const groups = new Map<string, Group>();
  for (const one of trend === 'worse' ? worse : better) {
    const change = { ...one, requirements: requirementsOf(one, trend, checks) };
    const title = titleOf(change, reports, checks);
    const key = JSON.stringify([title, change.requirements]);
    const group = groups.get(key) ?? { title, changes: [] };
    group.changes.push(change);
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || b.changes.length - a.changes.length)
    .map(({ title, changes }, index) => ({
      anchor: `${trend}-${index + 1}`,
      trend,
      mark: trend === 'worse' ? mark('fail', 'worse') : mark('pass', 'better'),
      title: prose(title),
      requirements: (changes[0]?.requirements ?? []).map(id => requirementLine(id, reports)),
      checks: changes.map(change => changedCheck(change, trend, checks)),
    }));
}

interface Group {
  readonly title: string;
  readonly changes: CheckChange[];
}

const isNamed = ({ changes }: Group): boolean => changes.some(({ requirements }) => requirements.length > 0);

type Checks = readonly ReadonlyMap<string, CheckReport>[];

/** Those of the change; where it has none, those that a run only warned of. */
function requirementsOf({ id, requirements }: CheckChange, trend: Trend, checks: Checks): readonly string[] {
  if (requirements.length > 0) return requirements;
  const found = (trend === 'worse' ? checks.slice(-1) : checks.slice(0, -1)).flatMap(
    one => one.get(id)?.findings ?? [],
  );
  return [...new Set(found.map(({ requirement }) => requirement))].sort();
}

/** The statements of the requirements; without any, what the last run says of the check. */
function titleOf({ id, requirements }: CheckChange, reports: readonly Report[], checks: Checks): string {
  if (requirements.length > 0) return requirements.map(one => rowOf(one, reports)?.statement ?? one).join(' ');
  const last = checks.at(-1)?.get(id);
  if (last === undefined) return 'Not run in the last run.';
  return becauseOf(last) ?? (last.verdict === 'pass' ? 'Not known before; passed now.' : mark(last.verdict).word);
}

/** Why nobody knows whether a check would pass; undefined where it is known. */
function becauseOf({ verdict, because = 'no reason given' }: CheckReport): string | undefined {
  if (verdict === 'pass' || verdict === 'fail' || verdict === 'warn') return undefined;
  return beginningOf(`${mark(verdict).word}: ${because}`);
}

function rowOf(id: string, reports: readonly Report[]) {
  return reports.findLast(one => one.requirements.some(row => row.id === id))?.requirements.find(row => row.id === id);
}

function requirementLine(id: string, reports: readonly Report[]): RequirementLine {
  const row = rowOf(id, reports);
  return { id, about: row === undefined ? '' : `section ${row.section}, ${row.level}` };
}

/** The finding of a change for the worse is that of the last run; of one for the better, that of the last run which had it. */
function changedCheck({ id, verdicts, requirements }: CheckChange, trend: Trend, checks: Checks): ChangedCheck {
  const places = checks.map((_, index) => index).reverse();
  const found = (trend === 'worse' ? places.slice(0, 1) : places)
    .flatMap(index => (checks[index]?.get(id)?.findings ?? []).map(finding => ({ index, finding })))
    .find(({ finding }) => requirements.length === 0 || requirements.includes(finding.requirement));
  const last = checks.at(-1)?.get(id);
  const because = requirements.length > 0 && last !== undefined ? becauseOf(last) : undefined;
  return {
    id,
    ...(because === undefined ? {} : { because }),
    course: verdicts.map((verdict, index) => ({
      letter: letterOf(index),
      mark: verdict === null ? mark('open', 'not run') : mark(verdict),
    })),
    ...(found === undefined
      ? {}
      : {
          finding: {
            run: letterOf(found.index),
            expected: beginningOf(found.finding.expected),
            got: beginningOf(found.finding.actual),
          },
        }),
  };
}
