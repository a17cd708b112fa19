import type { EndpointId } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import type { Report } from '../../contracts/report/report.ts';
import { blockedChecks } from '../journal/blocked.ts';
import { counted } from '../text/page.ts';
import type { Cause } from './causes.ts';
import { mark } from './marks.ts';

/** A reason why checks were not tested. */
export type UntestedReason = ReturnType<typeof untestedReasons>[number];

/** Returns the reasons why checks are untested, first those of most checks. What one cause blocks has one reason. */
export function untestedReasons(report: Report, causes: readonly Cause[]) {
  const roots = new Map([...blockedChecks(report)].flatMap(([root, ids]) => ids.map(id => [id, root] as const)));
  const causeOf = new Map(causes.flatMap(cause => cause.blocked.map(id => [id, cause] as const)));
  const untested = report.endpoints.flatMap(({ id: endpoint, checks }) =>
    checks
      .filter(({ verdict }) => verdict === 'untested')
      .map(({ id, because = 'no reason given', remedy }) => ({
        id,
        endpoint,
        because,
        remedy,
        cause: causeOf.get(id),
      })),
  );
  const groups = grouped(untested, ({ cause, because, remedy }) => JSON.stringify(cause?.anchor ?? [because, remedy]));
  const failures = causes.filter(({ kind }) => kind === 'fail');
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((group, index) => {
      const { because = '', remedy, cause } = group[0] ?? {};
      const checks = group.map(({ id }) => id);
      const endpoints = [...new Set(group.map(({ endpoint }) => endpoint))];
      return {
        anchor: `untested-${index + 1}`,
        mark: mark('untested'),
        because,
        ...(remedy === undefined ? {} : { remedy: remedyText(remedy) }),
        /** The root cause that blocks them, if the page shows one. */
        ...(cause ? { cause: linkTo(cause) } : {}),
        /** Without a cause: the checks that they wait for, and what is broken at each of their endpoints. */
        blockedBy: cause ? [] : [...new Set(checks.flatMap(id => roots.get(id) ?? []))],
        alsoBroken: cause || remedy !== undefined ? [] : brokenAtEach(endpoints, failures).slice(0, 3).map(linkTo),
        checks,
        count: counted(checks.length, 'check'),
        endpoints,
      };
    });
}

/** The failures at some endpoints, if each of these has one. */
function brokenAtEach(endpoints: readonly EndpointId[], failures: readonly Cause[]): readonly Cause[] {
  const broken = failures.filter(failure => failure.endpoints.some(endpoint => endpoints.includes(endpoint)));
  const all = endpoints.every(endpoint => broken.some(failure => failure.endpoints.includes(endpoint)));
  return all ? broken : [];
}

/** Returns what to do, in words: a line of the target file is to be added there. */
export function remedyText(remedy: string): string {
  return /^(fixtures|vocabulary|capabilities|naming|limits)\b/.test(remedy)
    ? `add to the target file: ${remedy}`
    : remedy;
}

function linkTo({ id, requirement, anchor }: Cause) {
  return { text: `${id} (${requirement})`, href: `#${anchor}` };
}
