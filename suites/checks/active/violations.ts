import { type RejectCase, rejectArbitrary } from '../../generators/index.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { brokenCases, schemaOf, templateOf } from './body.ts';
import { describeRejectCase, losesTheSet, refusal, refusalRequirements } from './refusal.ts';

/** Sections 2 and 8: random requests that violate one constraint are refused; a finding is shrunk. */
export const violations: ActiveCheck<RejectCase> = {
  kind: 'active',
  id: 'violations',
  role: 'afterwards',
  level: 'MUST',
  title: 'Random requests that break one stated constraint are refused, and not with a 5xx',
  detects:
    'A constraint that is checked on the usual values only: by a prefix, after rounding, on the first item of a list.',
  requirements: refusalRequirements,
  appliesTo: row => row.body !== null,
  draws: 'fuzz',
  plan(context) {
    if (brokenCases(context).cases.length === 0)
      return { because: 'no field that it could break may be sent, for none could be put back' };
    const drawn = rejectArbitrary(schemaOf(context), templateOf(context), context.target);
    const arbitrary = drawn.filter(one => !losesTheSet(one, context));
    return { arbitrary, parallel: true, describe: describeRejectCase, run: refusal(context, false) };
  },
};
