import type { ActiveCheck } from '../../protocol/check.ts';
import { leavesTooMuch } from '../active/dry-run.ts';
import { createCare } from '../scenarios/scenario.ts';
import { type Course, coursesOf } from './course-steps.ts';
import { follow } from './sequence-requests.ts';
import { stepInWords } from './sequence-steps.ts';
import { isTooMuch, requirementsOf, type SequenceSubject, subjectFor } from './sequence-subjects.ts';

/** Sections 3 to 5: a request without effect has none later either, and each of several writes in a row is stored. */
export const courses: ActiveCheck<Course> = {
  kind: 'active',
  id: 'courses',
  // SHOULD: other checks prove what each request does, so an endpoint is complete even if no course can be sent.
  level: 'SHOULD',
  title: 'Refused, dry and keyless requests have no effect later either, and of writes in a row each is stored',
  detects:
    'A body that is kept and stored with the next one, a session that stays open, a copy that is written back, a name that cannot be given again.',
  requirements: row => requirementsOf(subjectFor(row) as SequenceSubject),
  appliesTo: row => (subjectFor(row)?.write ?? null) !== null,
  plan(context) {
    const subject = subjectFor(context.row) as SequenceSubject;
    const care = createCare(context.settleMs);
    // Keep a small creation budget for what must be shown.
    const isSpare = context.row.effect === 'additive' && context.amounts.creations === 1;
    if (isSpare || isTooMuch(subject, context)) return leavesTooMuch;
    return {
      cases: coursesOf(subject, context),
      parallel: false,
      describe: ({ title, steps }) => ({ title, pointer: '', sent: steps.map(step => stepInWords(step, true)) }),
      run: ({ steps }, session) => follow(steps, subject)(context, session, care),
    };
  },
};
