import type { KnownDefect } from '../../contracts/report/baseline.ts';
import type { Report } from '../../contracts/report/report.ts';
import { anyPosition, countedAs, type LocatedFinding } from '../journal/selections.ts';
import { deviationOf } from '../text/symptom.ts';

/** What tells one defect from another. */
export type Defect = Pick<KnownDefect, 'endpoint' | 'check' | 'requirement' | 'pointer' | 'deviation'>;

/** A defect that a run shows, with the findings that show it: the place of each among those of its check, from 0. */
export interface ShownDefect {
  readonly defect: Defect;
  /** `endpoint/check#n`, as causes name findings. */
  readonly names: readonly string[];
  /** True where some finding was not seen each time its request was sent. */
  readonly sometimes: boolean;
}

/** The ways in which the request is what the defect is about, and not a place in the answer. */
const aboutRequests: readonly KnownDefect['deviation'][] = ['accepted', 'refused', 'failed', 'unanswered'];

/** Returns the defect that a finding shows. */
function defectOf({ endpoint, check, finding }: LocatedFinding): Defect {
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
export function failingDefects({ endpoints, options }: Report): ReadonlyMap<string, ShownDefect> {
  const shown = new Map<string, ShownDefect>();
  for (const endpoint of endpoints)
    for (const check of endpoint.checks)
      for (const [index, finding] of check.findings.entries()) {
        if (check.verdict !== 'fail' || countedAs(finding, options.strict) !== 'fail') continue;
        const defect = defectOf({ endpoint, check, finding });
        const key = keyOf(defect);
        const { names = [], sometimes = false } = shown.get(key) ?? {};
        const { times, of } = finding.seen ?? { times: 1, of: 1 };
        shown.set(key, {
          defect,
          names: [...names, `${check.id}#${index + 1}`],
          sometimes: sometimes || times < of,
        });
      }
  return shown;
}
