import type { ActiveCheck } from '../../protocol/check.ts';
import { leavesTooMuch } from '../active/dry-run.ts';
import { createCare } from '../scenarios/scenario.ts';
import { follow } from './sequence-requests.ts';
import { type Step, sequencesOf, stepInWords } from './sequence-steps.ts';
import {
  entitiesOf,
  isTooMuch,
  requirementsOf,
  type SequenceSubject,
  sequenceSubjects,
  subjectFor,
} from './sequence-subjects.ts';

/** Sections 3 to 5: after any sequence of requests each entity is in the state that the accepted ones left. */
export const sequences: ActiveCheck<readonly Step[]> = {
  kind: 'active',
  id: 'sequences',
  // SHOULD: other checks prove single writes, so an endpoint is complete even if no sequence can be sent.
  level: 'SHOULD',
  title: 'After any sequence of requests every entity is as the accepted ones have left it',
  detects:
    'A field that cannot be changed back, a write that is lost when another follows, a refused, dry or keyless request that takes effect after others.',
  requirements: row => requirementsOf(subjectFor(row) as SequenceSubject),
  appliesTo: row => subjectFor(row) !== undefined,
  draws: 'scenario',
  plan(context) {
    const subject = sequenceSubjects[context.endpoint] as SequenceSubject;
    const care = createCare(context.settleMs);
    if (isTooMuch(subject, context)) return leavesTooMuch;
    const arbitrary = sequencesOf(subject, context);
    if (arbitrary === undefined) return { because: 'nothing may be sent about it' };
    const several = entitiesOf(subject, context).written.length > 1;
    return {
      arbitrary,
      most: context.extended === true ? context.amounts.fuzz : Math.ceil(subject.share * context.amounts.fuzz),
      parallel: false,
      describe: steps => ({
        title: steps.map(step => stepInWords(step, several)).join(', then '),
        pointer: '',
        sent: steps.map(({ body, ...step }) => body ?? stepInWords(step, several)),
      }),
      async run(steps, session) {
        const result = await follow(steps, subject)(context, session, care);
        return context.oneShot ? { ...result, onlyIfAccepted: true } : result;
      },
    };
  },
};
