import type { Report } from '../../contracts/report/report.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { remedyTexts, shortCoverageText } from '../text/verdict-text.ts';
import type { Cause } from './causes.ts';
import { type Prose, titleProse } from './prose.ts';
import type { UntestedReason } from './untested.ts';

/**
 * Something to do, why, and the place of the page that tells more of it. A text is still to be made safe; prose is text
 * of ours.
 */
interface DraftStep {
  readonly what: string | Prose;
  readonly detail?: string;
  readonly href?: string;
}

const most = 5;
const mostFailures = 3;
const longest = 400;

/** Returns at most five steps: what makes the run worth little, what is broken, not tested, or warned of. */
export function firstSteps(
  report: Report,
  failures: readonly Cause[],
  warnings: readonly Cause[],
  untested: readonly UntestedReason[],
) {
  const steps: DraftStep[] = [
    ...noticeSteps(report),
    ...outcomeSteps(report),
    ...faultSteps(report),
    ...staleSteps(report),
    ...failureSteps(failures.filter(({ known }) => known === undefined)),
    ...coverageSteps(report),
    ...untestedSteps(report, untested),
    ...warnings.slice(0, 1).map(causeStep),
  ].slice(0, most);
  if (steps.length === 0) steps.push(nothingToDo(report));
  // Only titles hold code between back quotes; anything else is shown as it came.
  return steps.map(({ what, ...rest }) => ({
    ...rest,
    what: typeof what === 'string' ? [{ text: safeText(what, longest), as: 'plain' as const }] : what,
  }));
}

function nothingToDo(report: Report): DraftStep {
  const { stats } = report;
  const { untested } = stats.requirements;
  if (stats.checks.pass > 0)
    return {
      what:
        stats.checks.fail > 0
          ? 'Nothing new to mend: every failure is known.'
          : 'Nothing to mend: every check that was run passed.',
      ...(untested > 0
        ? {
            detail: [
              `${counted(untested, 'requirement')} had no chance to show: see which, and why`,
              ...remedyTexts(report, 3),
            ].join('; '),
            href: '#requirements',
          }
        : {}),
    };
  return { what: 'Choose what to test: this run planned no check.', detail: 'See the filters --only and --skip.' };
}

/** Returns the notices that are something to do first; the page does not repeat them. */
export function urgentNotices({ notices }: Report): Report['notices'] {
  return notices.filter(({ severity, remedy }) => severity === 'warning' && remedy !== undefined).slice(0, 2);
}

function noticeSteps(report: Report): DraftStep[] {
  return urgentNotices(report).map(({ text, remedy }) => ({ what: text, detail: remedy ?? '' }));
}

const afterOutcome = {
  complete: undefined,
  interrupted: 'Run again to the end: this run was interrupted, so nothing that is missing here is proved.',
  unreachable: 'Make the target reachable, then run again: it gave no answer.',
  error: 'Report the fault of the suite that ended this run.',
  truncated: 'Run again: the journal was cut off, so nothing that is missing here is proved.',
} as const satisfies Record<Report['outcome'], string | undefined>;

function outcomeSteps({ outcome, because }: Report): DraftStep[] {
  const what = afterOutcome[outcome];
  return what === undefined ? [] : [{ what, ...(because === undefined ? {} : { detail: because }) }];
}

function faultSteps({ stats }: Report): DraftStep[] {
  const count = stats.checks.error;
  if (count === 0) return [];
  return [{ what: `Report ${counted(count, 'fault')} of the suite: the target is not to blame.`, href: '#faults' }];
}

/** The first entry of the baseline that holds no more. */
function staleSteps({ baseline }: Report): DraftStep[] {
  return (baseline?.stale ?? [])
    .slice(0, 1)
    .map(({ entry, why, place }) => ({ what: `Remove ${place} of ${baseline?.file}: ${entry} ${why}.` }));
}

/** What is missing of the coverage that was asked for, and what gives the most of it. */
function coverageSteps(report: Report): DraftStep[] {
  const what = shortCoverageText(report);
  return what === undefined
    ? []
    : [{ what: `Verify more: ${what}.`, detail: remedyTexts(report, 3).join('; '), href: '#requirements' }];
}

/** The failures to mend first, and how many come after them. */
function failureSteps(failures: readonly Cause[]): DraftStep[] {
  const [next, ...rest] = failures.slice(mostFailures);
  const others = next && {
    what: `Then mend ${next.id}${rest.length === 0 ? '' : ` to ${rest.at(-1)?.id}`}.`,
    href: `#${next.anchor}`,
  };
  return [...failures.slice(0, mostFailures).map(causeStep), ...(others ? [others] : [])];
}

function causeStep({ id, title, section, endpoints, findings, more, blocked, anchor, kind }: Cause): DraftStep {
  const verb = kind === 'fail' ? 'Mend' : 'Look at';
  const parts = [
    `${counted(findings.length + more, kind === 'fail' ? 'failure' : 'warning')} at ${counted(endpoints.length, 'endpoint')}`,
    ...(blocked.length > 0 ? [`it keeps ${counted(blocked.length, 'check')} from being run`] : []),
    ...(section === '' ? [] : [`section ${section}`]),
  ];
  return { what: titleProse(`${verb} ${id}: ${title}`), detail: parts.join('; '), href: `#${anchor}` };
}

/** What could not be tested, neither because something is broken nor because the run ended before it. */
function untestedSteps({ outcome }: Report, untested: readonly UntestedReason[]): DraftStep[] {
  if (outcome !== 'complete') return [];
  return untested.filter(({ cause, alsoBroken }) => !cause && alsoBroken.length === 0).map(untestedStep);
}

function untestedStep({ because, remedy, checks, anchor }: UntestedReason): DraftStep {
  const count = `${counted(checks.length, 'check')} not tested`;
  return remedy === undefined
    ? { what: `Find out why ${count.replace(' not', ' could not be')}: ${because}`, href: `#${anchor}` }
    : { what: `Have ${counted(checks.length, 'check')} more: ${remedy}`, detail: because, href: `#${anchor}` };
}
