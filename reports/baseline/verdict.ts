import { grouped } from '../../contracts/grouped.ts';
import { anyPosition } from '../../contracts/pointer.ts';
import { compact, present } from '../../contracts/present.ts';
import type { Baseline, KnownDefect } from '../../contracts/report/baseline.ts';
import type { BaselineReport, CheckReport, Report } from '../../contracts/report/report.ts';
import { exitCode, exitConditions, isJudged } from '../../contracts/report/verdict.ts';
import { isWhole } from '../journal/coverage.ts';
import { knownChecks, leftVerdicts } from '../journal/known.ts';
import {
  blockedChecks,
  checksOf,
  countedAs,
  type NamedFinding,
  namedFindings,
  overfullChecks,
} from '../journal/selections.ts';
import { counted, type Display, heading, indented, type Line, pageWidth, paint, styled } from '../text/page.ts';
import { deviationOf } from '../text/symptom.ts';
import { judgeEntries, whyNotSeen } from './entries.ts';

/** The file of a baseline, with the place of each entry in order: `line 5`, `lines 4 to 12`. */
export interface BaselineLines {
  readonly name: string;
  readonly places: readonly string[];
}

/** A run compared with its baseline, and the exit code that remains. */
export interface BaselineVerdict extends Omit<BaselineReport, 'file'> {
  readonly exitCode: number;
}

/**
 * Judges a run by its baseline. Known defects do not count; others do, even of the same check. An entry fails the run
 * if it has expired, or if the run tested its defect and did not see it. Otherwise entries would stay longer than
 * needed. Entries that the run did not test are not judged. Checks left untested because of a known failure count no
 * more than that failure.
 */
export function judgeBaseline(
  report: Report,
  baseline: Baseline,
  today: string,
  places: readonly string[] = [],
): BaselineVerdict {
  const shown = failingDefects(report);
  const warned = new Set(namedFindings(report).map(one => keyOf(defectOf(one))));
  const checks = new Map(checksOf(report).map(check => [check.id, check]));
  const listed = new Set(baseline.known.map(keyOf));
  const namesOf = (entry: KnownDefect) => shown.get(keyOf(entry))?.names;
  const checkOf = (entry: KnownDefect) => checks.get(`${entry.endpoint}/${entry.check}`);
  const judged = judgeEntries(
    baseline.known,
    {
      nameOf: defectText,
      isShown: entry => namesOf(entry) !== undefined,
      whySilent: entry =>
        warned.has(keyOf(entry)) ? 'this run only warns of it' : whySilent(entry, checkOf(entry), report),
      whyGone(entry) {
        const check = checkOf(entry);
        return check ? `is there no more (${check.id}: ${check.verdict})` : 'is of a check that this run does not have';
      },
    },
    places,
    today,
  );
  const { stale, unjudged } = judged;
  const known = judged.known.flatMap(entry => {
    const { reason, issue } = entry;
    return (namesOf(entry) ?? []).map(finding => ({ finding, reason, ...present({ issue }) }));
  });
  const fresh = [
    ...[...shown].flatMap(([key, { names }]) => (listed.has(key) ? [] : names)),
    ...overfullChecks(report),
  ];
  return { ...leftBy(report, known, stale.length > 0), known, fresh, stale, unjudged };
}

/** Returns the exit code of a run without its known failures, and the checks left untested because of them. */
export function leftBy(
  report: Report,
  known: BaselineReport['known'],
  isStale: boolean,
): Pick<BaselineVerdict, 'exitCode' | 'behind'> {
  const forgiven = knownChecks({ ...report, baseline: { known, behind: [] } });
  const behind = [...blockedChecks(report)].flatMap(([root, blocked]) => (forgiven.has(root) ? blocked : []));
  const left = leftVerdicts({ ...report, baseline: { known, behind } });
  const conditions = exitConditions({ ...report, verdict: left.run, checks: left.checks });
  if (isStale) conditions.push('stale-baseline');
  return { exitCode: exitCode(conditions), behind };
}

/** The checks that only judged traffic has. */
const checksOfTraffic = ['client-requests', 'observed-state', 'refused-requests'];

/**
 * Returns why a run has no check of a name, though the suite may have it: it left the check out, or it is traffic and
 * the check sends, or the reverse.
 */
function whyWithout({ check }: KnownDefect, { options }: Report): string | undefined {
  if (!isWhole(options)) return 'the run left its check out';
  return options.traffic || checksOfTraffic.includes(check) ? 'this run has no check of that name' : undefined;
}

/** Returns why a run without a defect does not prove that it is gone; undefined if it does. */
function whySilent(entry: KnownDefect, check: CheckReport | undefined, report: Report): string | undefined {
  if (!check) return whyWithout(entry, report);
  if (!isJudged(check.verdict))
    return `its check was not run (${check.verdict}${check.because ? `: ${check.because}` : ''})`;
  if (report.options.path !== undefined) return 'the run replayed one case';
  if ((check.moreFindings ?? 0) > 0) return 'its check has more failures than a report holds';
  return whyNotSeen(entry, report);
}

/** Maximum number of entries of each kind that are shown. */
const most = 40;

/** Returns the verdict of a baseline for a terminal: new failures, lines to remove with reasons, and totals. */
export function baselineVerdictText(
  { file, known, fresh, stale, unjudged, behind }: BaselineReport,
  exitCode: number,
  { colour, columns }: Display,
): string {
  const counts = compact([
    counted(known.length, 'known failure'),
    counted(fresh.length, 'new one'),
    counted(stale.length, 'stale entry'),
    unjudged.length > 0 && `${counted(unjudged.length, 'entry')} not judged by this run`,
    behind.length > 0 && `${counted(behind.length, 'check')} untested behind known failures`,
  ]);
  const holds = fresh.length + stale.length === 0;
  const hidden = Math.max(0, fresh.length - most) + Math.max(0, stale.length - most);
  const lines = compact([
    ...heading(`BASELINE ${file}`, holds ? 'good' : 'bad'),
    ...fresh.slice(0, most).map((name): Line => [styled('bad', `  ✗ ${name} ${newBecause(name)}`)]),
    ...stale.slice(0, most).flatMap(one => staleLines(one, file, pageWidth(columns))),
    hidden > 0 && [`  … and ${hidden} more`],
    [`  ${counts.join(', ')}; exit ${exitCode}`],
  ]);
  return paint(lines, colour);
}

/** Returns why a finding counts as new, or a check of which the report does not hold every failure. */
const newBecause = (name: string): string =>
  name.includes('#') ? 'is a new failure' : 'has more failures than a report holds, and may have new ones: mend some';

function staleLines(
  { entry, why, place, reason }: BaselineReport['stale'][number],
  file: string,
  page: number,
): Line[] {
  return [
    ...indented(2, `✗ ${entry} ${why}`, page, 'bad'),
    [styled('strong', `    → remove ${place} of ${file}`)],
    ...indented(6, `its reason was: ${reason}`, page),
  ];
}

/** The members that distinguish one defect from another. */
export type Defect = Pick<KnownDefect, 'endpoint' | 'check' | 'requirement' | 'pointer' | 'deviation'>;

/** A defect that a run shows, with its findings: the index of each among those of its check, from 0. */
export interface ShownDefect {
  readonly defect: Defect;
  /** `endpoint/check#n`, the names of findings in causes. */
  readonly names: readonly string[];
  /** True if some finding was not seen each time its request was sent. */
  readonly sometimes: boolean;
}

/** Deviations whose defect is located in the request, not at a place in the answer. */
const aboutRequests: readonly KnownDefect['deviation'][] = ['accepted', 'refused', 'failed', 'unanswered'];

/** Returns the defect that a finding shows. */
function defectOf({ endpoint, check, finding }: NamedFinding): Defect {
  const deviation = deviationOf(finding);
  const pointer = aboutRequests.includes(deviation) ? (finding.counterexample?.pointer ?? '') : finding.pointer;
  return {
    endpoint: endpoint.id,
    check: check.check,
    requirement: finding.requirement,
    pointer: anyPosition(pointer),
    deviation,
  };
}

/** Returns a text that two entries share if they are about one defect. */
export const keyOf = ({ endpoint, check, requirement, pointer, deviation }: Defect): string =>
  JSON.stringify([endpoint, check, requirement, pointer, deviation]);

/** Returns a defect in one line: `patch-gate/rejects accepted /name (gate.name.pattern)`. */
export function defectText({ endpoint, check, requirement, pointer, deviation }: Defect): string {
  return `${endpoint}/${check} ${deviation}${pointer === '' ? '' : ` ${pointer}`} (${requirement})`;
}

/** Returns the defects that count as failures in a run, by `keyOf`, in the order of the report. */
export function failingDefects(report: Report): ReadonlyMap<string, ShownDefect> {
  const failures = namedFindings(report).filter(
    ({ check, finding }) => check.verdict === 'fail' && countedAs(finding, report.options.strict) === 'fail',
  );
  const byDefect = grouped(failures, one => keyOf(defectOf(one)));
  return new Map(
    [...byDefect].map(([key, own]) => [
      key,
      {
        defect: defectOf(own[0] as NamedFinding),
        names: own.map(({ name }) => name),
        sometimes: own.some(({ finding: { seen } }) => seen && seen.times < seen.of),
      },
    ]),
  );
}
