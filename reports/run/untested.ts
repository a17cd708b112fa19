import { grouped } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import type { Report } from '../../contracts/report/report.ts';
import type { Entry } from '../document/document.ts';
import { mark } from '../document/marks.ts';
import { blockedChecks } from '../journal/selections.ts';
import { counted } from '../text/page.ts';

/** `patch-gate (8), disable-gate (6)`, or the check itself if an endpoint has only one. */
function perEndpoint(ids: readonly string[]): string {
  const groups = grouped(ids, id => id.slice(0, id.indexOf('/')));
  return [...groups].map(([endpoint, own]) => (own.length === 1 ? own[0] : `${endpoint} (${own.length})`)).join(', ');
}

/** A reason why checks were not tested, and those checks. */
export interface UntestedReason extends Entry {
  readonly checks: readonly string[];
  /** Something is broken that keeps them from being tested, or stands at each of their endpoints. */
  readonly isBehind: boolean;
}

/** Returns the reasons why checks are untested, first those of most checks. What one cause blocks has one reason. */
export function untestedReasons(report: Report, causes: readonly Entry[]): UntestedReason[] {
  const roots = new Map([...blockedChecks(report)].flatMap(([root, ids]) => ids.map(id => [id, root] as const)));
  const causeOf = new Map(
    (report.causes ?? []).flatMap(({ id, blocked }) =>
      blocked.map(check => [check, causes.find(one => one.id === id)] as const),
    ),
  );
  const untested = report.endpoints.flatMap(({ checks }) =>
    checks
      .filter(({ verdict }) => verdict === 'untested')
      .map(({ id, because = 'no reason given', remedy }) => ({ id, because, remedy, cause: causeOf.get(id) })),
  );
  const failures = causes.filter(({ mark: { kind } }) => kind === 'fail');
  const groups = grouped(untested, ({ cause, because, remedy }) => JSON.stringify(cause?.anchor ?? [because, remedy]));
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((group, index) => {
      const { because = '', remedy, cause } = group[0] ?? {};
      const checks = group.map(({ id }) => id);
      const endpoints = [...new Set(checks.map(id => id.slice(0, id.indexOf('/'))))];
      const blockedBy = cause ? [] : [...new Set(checks.flatMap(id => roots.get(id) ?? []))];
      const broken = cause || remedy !== undefined ? [] : brokenAtEach(endpoints, failures).slice(0, 3);
      return {
        anchor: `untested-${index + 1}`,
        mark: mark('untested'),
        counts: false,
        title:
          cause === undefined
            ? because
            : `${counted(checks.length, 'check')} cannot be tested before ${nameOf(cause)} is mended`,
        ...present({
          href: cause && `#${cause.anchor}`,
          remedy: remedy === undefined ? undefined : remedyText(remedy),
        }),
        place: `${perEndpoint(checks)}${blockedBy.length === 0 ? '' : ` (see ${blockedBy.join(', ')})`}`,
        clauses: [],
        endpoints,
        items: [],
        tags: [
          ...(broken.length === 0
            ? []
            : [
                {
                  title: 'Mend first what is broken there',
                  items: broken.map(one => ({ text: nameOf(one), href: `#${one.anchor}` })),
                },
              ]),
          { title: 'Checks', items: checks.map(text => ({ text })) },
        ],
        checks,
        isBehind: cause !== undefined || broken.length > 0,
      };
    });
}

const nameOf = ({ id, clauses }: Entry): string => `${id} (${clauses[0]?.id})`;

/** The failures at some endpoints, if each of these has one. */
function brokenAtEach(endpoints: readonly string[], failures: readonly Entry[]): readonly Entry[] {
  const broken = failures.filter(failure => failure.endpoints.some(endpoint => endpoints.includes(endpoint)));
  const all = endpoints.every(endpoint => broken.some(failure => failure.endpoints.includes(endpoint)));
  return all ? broken : [];
}

/** Returns what to do, in words: a line of the target file is to be added there. */
export const remedyText = (remedy: string): string =>
  /^(fixtures|vocabulary|capabilities|naming|limits)\b/.test(remedy) ? `add to the target file: ${remedy}` : remedy;
