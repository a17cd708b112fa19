import { alike, distinct, grouped } from '../../contracts/grouped.ts';
import { compact } from '../../contracts/present.ts';
import type { Report } from '../../contracts/report/report.ts';
import type { Entry, Row } from '../document/document.ts';
import { mark } from '../document/marks.ts';
import { blockedChecks, checksOf, endpointIn } from '../journal/selections.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { neverCame, neverCameTodo, remedyTexts, shortCoverageText } from '../text/verdict-text.ts';
import { blocks } from './causes.ts';

/** `patch-gate (8), disable-gate (6)`, or the check itself if an endpoint has only one. */
function perEndpoint(ids: readonly string[]): string {
  const groups = grouped(ids, endpointIn);
  return [...groups].map(([endpoint, own]) => (own.length === 1 ? own[0] : `${endpoint} (${own.length})`)).join(', ');
}

/** A reason why checks were not tested, and those checks. */
export interface UntestedReason extends Entry {
  readonly checks: readonly string[];
  /** A failure keeps them from being tested, or each of their endpoints has a failure. */
  readonly isBehind: boolean;
}

/**
 * Returns the reasons why checks are untested, those of the most checks first. All checks blocked by one cause share a
 * reason.
 */
export function untestedReasons(report: Report, causes: readonly Entry[]): UntestedReason[] {
  const roots = new Map([...blockedChecks(report)].flatMap(([root, ids]) => ids.map(id => [id, root] as const)));
  const causeOf = new Map(causes.flatMap(cause => keptBy(cause).map(({ text }) => [text, cause] as const)));
  const untested = checksOf(report)
    .filter(({ verdict }) => verdict === 'untested')
    .map(({ id, because = 'no reason given', remedy }) => ({ id, because, remedy, cause: causeOf.get(id) }));
  const failures = causes.filter(({ mark: { kind } }) => kind === 'fail');
  return alike(untested, ({ cause, because, remedy }) => cause?.anchor ?? [because, remedy])
    .sort((a, b) => b.length - a.length)
    .map((group, index) => {
      const [{ because, remedy, cause }] = group;
      const checks = group.map(({ id }) => id);
      const endpoints = distinct(checks.map(endpointIn));
      const blockedBy = cause ? [] : distinct(checks.flatMap(id => roots.get(id) ?? []));
      const broken = cause || remedy !== undefined ? [] : brokenAtEach(endpoints, failures).slice(0, 3);
      return {
        anchor: `untested-${index + 1}`,
        mark: mark('untested'),
        counts: false,
        title: cause
          ? `${counted(checks.length, 'check')} cannot be tested before ${nameOf(cause)} is mended`
          : because,
        href: cause && `#${cause.anchor}`,
        remedy: remedy && remedyText(remedy),
        place: `${perEndpoint(checks)}${blockedBy.length === 0 ? '' : ` (see ${blockedBy.join(', ')})`}`,
        clauses: [],
        endpoints,
        items: [],
        tags: [
          {
            title: 'Mend first what is broken there',
            items: broken.map(one => ({ text: nameOf(one), href: `#${one.anchor}` })),
          },
          { title: 'Checks', items: checks.map(text => ({ text })) },
        ],
        checks,
        isBehind: cause !== undefined || broken.length > 0,
      };
    });
}

const nameOf = ({ id, clauses }: Entry): string => `${id} (${clauses[0]?.id})`;

/** Returns the failures at some endpoints, if each of these has one. */
function brokenAtEach(endpoints: readonly string[], failures: readonly Entry[]): readonly Entry[] {
  const broken = failures.filter(failure => failure.endpoints.some(endpoint => endpoints.includes(endpoint)));
  const all = endpoints.every(endpoint => broken.some(failure => failure.endpoints.includes(endpoint)));
  return all ? broken : [];
}

/** Returns a remedy in words: a line of the target file is to be added there. */
export const remedyText = (remedy: string): string =>
  /^(fixtures|vocabulary|capabilities|naming|limits)\b/.test(remedy) ? `add to the target file: ${remedy}` : remedy;

/** Returns the checks that a cause leaves untested. */
const keptBy = ({ tags = [] }: Entry) => tags.find(list => list.title === blocks)?.items ?? [];

const most = { steps: 5, failures: 3, notices: 2, text: 400 } as const;

const afterOutcome = {
  complete: undefined,
  interrupted: 'Run again to the end: this run was interrupted, so nothing that is missing here is proved.',
  unreachable: 'Make the target reachable, then run again: it gave no answer.',
  error: 'Report the fault of the suite that ended this run.',
  truncated: 'Run again: the journal was cut off, so nothing that is missing here is proved.',
} as const satisfies Record<Report['outcome'], string | undefined>;

/** Returns the notices that call for action first; the page does not repeat them. */
export function urgentNotices({ notices }: Report): Report['notices'] {
  return notices
    .filter(({ severity, remedy }) => severity === 'warning' && remedy !== undefined)
    .slice(0, most.notices);
}

/** Returns at most five steps: reasons why the run is worth little, failures, untested checks, warnings. */
export function firstSteps(report: Report, causes: readonly Entry[], untested: readonly UntestedReason[]): Row[] {
  const { outcome, because, stats, baseline } = report;
  const ended = afterOutcome[outcome];
  const short = shortCoverageText(report);
  const failures = causes.filter(({ mark: { kind }, counts }) => kind === 'fail' && counts);
  const [next, ...others] = failures.slice(most.failures);
  const steps = compact([
    ...urgentNotices(report).map(({ text, remedy }) => step(text, remedy)),
    ended && step(ended, because),
    stats.checks.error !== 0 &&
      step(
        `Report ${counted(stats.checks.error, 'fault')} of the suite: the target is not to blame.`,
        undefined,
        '#faults',
      ),
    ...(baseline?.stale ?? [])
      .slice(0, 1)
      .map(({ entry, why, place }) => step(`Remove ${place} of ${baseline?.file}: ${entry} ${why}.`)),
    ...neverCame(report)
      .slice(0, 1)
      .map(entry => step(`Find out why an expected breach never came, or ${neverCameTodo(report)}: ${entry}`)),
    ...failures.slice(0, most.failures).map(cause => causeStep('Mend', cause)),
    next &&
      step(
        `Then mend ${next.id}${others.length === 0 ? '' : ` to ${others.at(-1)?.id}`}.`,
        undefined,
        `#${next.anchor}`,
      ),
    short !== undefined && step(`Verify more: ${short}.`, remedyTexts(report, 3).join('; '), '#requirements'),
    ...(outcome === 'complete' ? untested.filter(({ isBehind }) => !isBehind).map(untestedStep) : []),
    ...causes
      .filter(({ mark: { kind } }) => kind === 'warn')
      .slice(0, 1)
      .map(cause => causeStep('Look at', cause)),
  ]);
  return steps.length === 0 ? [nothingToDo(report)] : steps.slice(0, most.steps);
}

/** Returns a step to take, its reason, and the place of the page with details. */
const step = (what: string, why?: string, href?: string): Row => ({
  mark: mark('open'),
  text: safeText(what, most.text),
  about: why ? [why] : [],
  href,
});

function nothingToDo(report: Report): Row {
  const { checks, requirements } = report.stats;
  if (checks.pass === 0)
    return step('Choose what to test: this run planned no check.', 'See the filters --only and --skip.');
  const what =
    checks.fail > 0
      ? 'Nothing new to mend: every failure is known.'
      : 'Nothing to mend: every check that was run passed.';
  if (requirements.untested === 0) return step(what);
  const had = `${counted(requirements.untested, 'requirement')} had no chance to show: see which, and why`;
  return step(what, [had, ...remedyTexts(report, 3)].join('; '), '#requirements');
}

function causeStep(verb: string, cause: Entry): Row {
  const { id, title, place = '', clauses, anchor } = cause;
  const { length } = keptBy(cause);
  const kept = length > 0 && `it keeps ${counted(length, 'check')} from being run`;
  const why = [place, kept, ...clauses.map(({ about }) => about)].filter(Boolean).join('; ');
  return step(`${verb} ${id}: ${title}`, why, `#${anchor}`);
}

function untestedStep({ title, remedy, checks, anchor }: UntestedReason): Row {
  const count = counted(checks.length, 'check');
  return remedy === undefined
    ? step(`Find out why ${count} could not be tested: ${title}`, undefined, `#${anchor}`)
    : step(`Have ${count} more: ${remedy}`, title, `#${anchor}`);
}
