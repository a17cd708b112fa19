import { type RejectCase, rejectArbitrary, rejectCases } from '../../generators/index.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { describeRejectCase, losesTheSet, refusal, refusalRequirements } from './refusal.ts';

/** Sections 2 and 8: random requests that violate one constraint are refused; a finding is shrunk. */
export const violations: ActiveCheck<RejectCase> = {
  kind: 'active',
  id: 'violations',
  level: 'MUST',
  title: 'Random requests that break one stated constraint are refused, and not with a 5xx',
  detects:
    'A constraint that is checked on the usual values only: by a prefix, after rounding, on the first item of a list.',
  requirements: refusalRequirements,
  appliesTo: row => row.body !== null,
  draws: 'fuzz',
  plan(context) {
    const { row, minimal, target } = context;
    if (row.body === null) return { because: 'the operation has no body' };
    if (rejectCases(row.body, minimal.body ?? {}, target).cases.length === 0)
      return { because: 'no field that it could break may be sent, for none could be put back' };
    const arbitrary = rejectArbitrary(row.body, minimal.body ?? {}, target).filter(one => !losesTheSet(one, context));
    return { arbitrary, parallel: true, describe: describeRejectCase, run: refusal(context, false) };
  },
};
