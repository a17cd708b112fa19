import type { Endpoint } from '../../../contracts/endpoint.ts';
import { endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { type Course, coursesOf } from './courses.ts';
import { createCare, liveness } from './scenario.ts';
import { follow } from './sequence-followed.ts';
import { type Step, sequencesOf, stepInWords } from './sequence-steps.ts';
import { entitiesOf, type SequenceSubject, sequenceSubjects } from './sequence-subjects.ts';

const subjectFor = (row: Endpoint): SequenceSubject | undefined =>
  endpointIds.flatMap(id =>
    endpointRow(id).path === row.path && endpointRow(id).method === row.method ? [sequenceSubjects[id]] : [],
  )[0];

/** Where nothing is read, each sequence takes a creation. */
const isTooMuch = ({ kind }: SequenceSubject, { amounts }: CheckContext): boolean =>
  kind === undefined && amounts.creations === 1;
const tooMuch = { because: 'sent in a larger profile only, as each leaves something that the API cannot take away' };

/** What the sequences of a subject can show to be broken. */
function requirementsOf({
  kind,
  sent,
  frame,
  dry,
  write,
  others,
  written,
  beside = 0,
}: SequenceSubject): readonly RequirementId[] {
  return [
    ...new Set<RequirementId>([
      ...[sent, frame, dry].flatMap(one => one ?? []),
      ...(others.includes('disable-gate') ? (['state.disable-gate-false', 'state.disable-gate-frame'] as const) : []),
      ...(kind !== undefined && write !== null && (written + beside > 1 || kind.readAll !== undefined)
        ? (['state.neighbours'] as const)
        : []),
      'reject.no-trace',
      'auth.no-effect',
      ...liveness,
    ]),
  ];
}

/** Sections 3 to 5: what has no effect has none later either, and of writes in a row each is stored. */
export const courses: ActiveCheck<Course> = {
  kind: 'active',
  id: 'courses',
  // What each request does by itself other checks prove: where none of these can be sent, no endpoint is incomplete.
  level: 'SHOULD',
  title: 'Refused, dry and keyless requests have no effect later either, and of writes in a row each is stored',
  detects:
    'A body that is kept and stored with the next one, a session that stays open, a copy that is written back, a name that cannot be given again.',
  requirements: row => requirementsOf(subjectFor(row) as SequenceSubject),
  appliesTo: row => (subjectFor(row)?.write ?? null) !== null,
  plan(context) {
    const subject = subjectFor(context.row) as SequenceSubject;
    const care = createCare(context.settleMs);
    if (isTooMuch(subject, context)) return tooMuch;
    return {
      cases: coursesOf(subject, context),
      parallel: false,
      describe: ({ title, steps }) => ({ title, pointer: '', sent: steps.map(step => stepInWords(step, true)) }),
      run: ({ steps }, session) => follow(steps, subject)(context, session, care),
    };
  },
};

/** Sections 3 to 5: after any sequence of requests each entity is as the accepted ones have left it. */
export const sequences: ActiveCheck<readonly Step[]> = {
  kind: 'active',
  id: 'sequences',
  // What each entity is after single writes other checks prove: where no sequence can be sent, no endpoint is incomplete.
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
    if (isTooMuch(subject, context)) return tooMuch;
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
