import type { Report } from '../../contracts/report/report.ts';
import { blockedChecks, type Cause } from './causes.ts';

/** A cause, and where the page tells of it. */
export interface Pointer {
  readonly text: string;
  readonly href: string;
}

/** A reason why checks were not tested, shown once. */
export interface Gap {
  readonly anchor: string;
  readonly because: string;
  readonly remedy?: string;
  /** The root cause, told elsewhere on the page, that blocks them. */
  readonly cause?: Pointer;
  /** Where no cause is known: the checks that are in the way, and what is broken at each of the same endpoints. */
  readonly inTheWay: readonly string[];
  readonly alsoBroken: readonly Pointer[];
  readonly checks: readonly string[];
  readonly endpoints: readonly string[];
}

/** The reasons why checks are untested, the one that keeps back the most first. What a told cause blocks is one gap that points to it. */
export function gapsOf(report: Report, causes: readonly Cause[]): Gap[] {
  const roots = new Map([...blockedChecks(report)].flatMap(([root, ids]) => ids.map(id => [id, root] as const)));
  const causeOf = new Map(causes.flatMap(cause => cause.blocked.map(id => [id, cause] as const)));
  const groups = new Map<string, Group>();
  for (const { id: endpoint, checks } of report.endpoints)
    for (const { id, verdict, because = 'no reason given', remedy } of checks) {
      if (verdict !== 'untested') continue;
      const cause = causeOf.get(id);
      const key = JSON.stringify(cause ? [cause.anchor] : [because, remedy]);
      const group: Group = groups.get(key) ?? {
        because,
        remedy,
        cause,
        inTheWay: new Set(),
        checks: [],
        endpoints: new Set(),
      };
      const root = roots.get(id);
      if (root !== undefined) group.inTheWay.add(root);
      group.checks.push(id);
      group.endpoints.add(endpoint);
      groups.set(key, group);
    }
  const failures = causes.filter(({ kind }) => kind === 'fail');
  return [...groups.values()]
    .sort((a, b) => b.checks.length - a.checks.length)
    .map((group, index) => gapOf(group, index, failures));
}

interface Group {
  readonly because: string;
  readonly remedy: string | undefined;
  readonly cause: Cause | undefined;
  readonly inTheWay: Set<string>;
  readonly checks: string[];
  readonly endpoints: Set<string>;
}

function gapOf(
  { because, remedy, cause, inTheWay, checks, endpoints }: Group,
  index: number,
  failures: readonly Cause[],
): Gap {
  const broken = failures.filter(failure => failure.endpoints.some(endpoint => endpoints.has(endpoint)));
  const all = [...endpoints].every(endpoint => broken.some(failure => failure.endpoints.includes(endpoint)));
  return {
    anchor: `gap-${index + 1}`,
    because,
    ...(remedy === undefined ? {} : { remedy: remedyText(remedy) }),
    ...(cause ? { cause: pointer(cause) } : {}),
    inTheWay: cause ? [] : [...inTheWay],
    alsoBroken: !cause && remedy === undefined && all ? broken.slice(0, 3).map(pointer) : [],
    checks,
    endpoints: [...endpoints],
  };
}

/** What to do, in words: where it is a line of the target file, that it is to be added there. */
export function remedyText(remedy: string): string {
  return /^(fixtures|vocabulary|capabilities|naming)\b/.test(remedy) ? `add to the target file: ${remedy}` : remedy;
}

function pointer({ requirement, anchor }: Cause): Pointer {
  return { text: requirement, href: `#${anchor}` };
}
