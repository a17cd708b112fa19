import type { Report } from '../../contracts/report/report.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import type { Cause } from './causes.ts';
import type { Gap } from './gaps.ts';
import { type Prose, prose } from './prose.ts';

/** Something to do, why, and where the page tells more of it. */
export interface Step {
  readonly what: Prose;
  readonly detail?: string;
  readonly href?: string;
}

type ToldStep = Omit<Step, 'what'> & { readonly what: string | Prose };

const most = 5;
const longest = 400;

/** What to do first, in this order: what makes the run worth little, what is broken, what could not be tested, what is left over. */
export function firstSteps(
  report: Report,
  failures: readonly Cause[],
  warnings: readonly Cause[],
  gaps: readonly Gap[],
): Step[] {
  const steps: ToldStep[] = [
    ...noticeSteps(report),
    ...outcomeSteps(report),
    ...faultSteps(report),
    ...failures.slice(0, 3).map(causeStep),
    ...gapSteps(report, gaps),
    ...warnings.slice(0, 1).map(causeStep),
  ].slice(0, most);
  if (steps.length === 0) steps.push(nothingToDo(report));
  // Only statements of the ledger hold code between back quotes; anything else is shown as it came.
  return steps.map(({ what, ...rest }) => ({
    ...rest,
    what: typeof what === 'string' ? [{ text: safeText(what, longest), as: 'plain' as const }] : what,
  }));
}

function nothingToDo({ stats }: Report): ToldStep {
  const { untested } = stats.requirements;
  if (stats.checks.pass > 0)
    return {
      what: 'Nothing to mend: every check that was run passed.',
      ...(untested > 0
        ? {
            detail: `${counted(untested, 'requirement')} had no chance to show: see which, and why`,
            href: '#requirements',
          }
        : {}),
    };
  return { what: 'Choose what to test: this run planned no check.', detail: 'See the filters --only and --skip.' };
}

function noticeSteps({ notices }: Report): ToldStep[] {
  return notices
    .filter(({ severity, remedy }) => severity === 'warning' && remedy !== undefined)
    .slice(0, 2)
    .map(({ text, remedy }) => ({ what: text, detail: remedy ?? '', href: '#notices' }));
}

const afterOutcome = {
  complete: undefined,
  interrupted: 'Run again to the end: this run was interrupted, so nothing that is missing here is proved.',
  unreachable: 'Make the target reachable, then run again: it gave no answer.',
  error: 'Report the fault of the suite that ended this run.',
  truncated: 'Run again: the journal was cut off, so nothing that is missing here is proved.',
} as const satisfies Record<Report['outcome'], string | undefined>;

function outcomeSteps({ outcome, because }: Report): ToldStep[] {
  const what = afterOutcome[outcome];
  return what === undefined ? [] : [{ what, ...(because === undefined ? {} : { detail: because }) }];
}

function faultSteps({ stats }: Report): ToldStep[] {
  const count = stats.checks.error;
  if (count === 0) return [];
  return [{ what: `Report ${counted(count, 'fault')} of the suite: the target is not to blame.`, href: '#faults' }];
}

function causeStep({ statement, section, endpoints, findings, more, blocked, anchor, kind }: Cause): ToldStep {
  const verb = kind === 'fail' ? 'Mend' : 'Look at';
  const parts = [
    `${counted(findings.length + more, kind === 'fail' ? 'failure' : 'warning')} at ${counted(endpoints.length, 'endpoint')}`,
    ...(blocked.length > 0 ? [`it keeps ${counted(blocked.length, 'check')} from being run`] : []),
    ...(section === '' ? [] : [`section ${section}`]),
  ];
  return { what: prose(`${verb}: ${statement}`), detail: parts.join('; '), href: `#${anchor}` };
}

/** What could not be tested for a reason of its own: not because of something that is broken, nor because the run ended before it. */
function gapSteps({ outcome }: Report, gaps: readonly Gap[]): ToldStep[] {
  if (outcome !== 'complete') return [];
  return gaps.filter(({ cause, alsoBroken }) => !cause && alsoBroken.length === 0).map(gapStep);
}

function gapStep({ because, remedy, checks, anchor }: Gap): ToldStep {
  const count = `${counted(checks.length, 'check')} not tested`;
  return remedy === undefined
    ? { what: `Find out why ${count.replace(' not', ' could not be')}: ${because}`, href: `#${anchor}` }
    : { what: `Have ${counted(checks.length, 'check')} more: ${remedy}`, detail: because, href: `#${anchor}` };
}
