import { hasDryRun } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { steps } from '../../../contracts/pointer.ts';
import { compact } from '../../../contracts/present.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { namePlaceholder } from '../../protocol/created-names.ts';
import { groupsOf } from '../../state/entity-kinds.ts';
import { mustRefuse } from '../active/body.ts';
import { leavesTooMuch } from '../active/dry-run.ts';
import { type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { follow } from './sequence-requests.ts';
import { enabling, nameOfGate, type Step, stepInWords, stepsAt } from './sequence-steps.ts';
import { entitiesOf, isTooMuch, requirementsOf, type SequenceSubject, subjectFor } from './sequence-subjects.ts';

/** A sequence of steps, with a title. */
interface Course {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** Returns the steps of the writing operation for one entity. */
function stepsFor(endpoint: EndpointId, on: string, context: CheckContext) {
  const fixed = stepsAt(context, endpoint, on);
  if (fixed === undefined) return undefined;
  const { own, base, cut, keyless } = fixed;
  const broken = mustRefuse(own);
  // Another fault with another seed.
  const one = broken[(Math.abs(context.seed) * 7) % Math.max(1, broken.length)];
  const refused: Step =
    one === undefined ? cut : { ...base, does: 'refused', body: one.body, own: steps(one.pointer)[0] };
  const small: Step = { ...base, does: 'write' };
  return {
    whole: { ...small, isWhole: true } satisfies Step,
    small,
    refused,
    cut,
    keyless,
    dry: { ...base, does: 'dry' } satisfies Step,
    refusedDry: { ...refused, body: { ...refused.body, dryRun: true } } satisfies Step,
  };
}

/**
 * Returns a name in the other letter case, which a comparison that ignores case takes for the same; another name if it
 * has no letters.
 */
function otherCase(name: string): string {
  const turned = name.replaceAll(/[a-z]/gi, letter => {
    const small = letter.toLowerCase();
    return letter === small ? letter.toUpperCase() : small;
  });
  return turned === name ? namePlaceholder : turned;
}

/** Changes the name and the state of a gate, and back. */
function gateCourses(endpoint: EndpointId, on: string, context: CheckContext, whole: Step): Course[] {
  const name = nameOfGate(context, endpoint, on);
  const named = (to: string): Step => ({ does: 'rename', endpoint, on, body: { name: to } });
  const disable: Step = { does: 'switch', endpoint: 'disable-gate', on };
  const enable: Step = { does: 'switch', endpoint, on, body: { isEnabled: true } };
  return compact<Course>([
    name !== undefined && {
      title: 'another name, a change of every field, and its own name again',
      steps: [named(otherCase(name)), whole, named(name)],
    },
    { title: 'a change of every field, disabled, enabled', steps: [enable, whole, enable, disable, enable] },
    {
      title: 'disabled without the key, after a change of every field',
      steps: [enable, whole, enable, { ...disable, does: 'unauthenticated' }],
    },
  ]);
}

/** Enables groups one after another without an update in between, also without the key. */
function groupCourses(on: string, context: CheckContext, whole: Step): Course[] {
  const groups = groupsOf(context, on);
  const [, second] = groups;
  if (second === undefined) return [];
  const all = enabling(on, groups);
  const keyless: Step = { ...all, does: 'unauthenticated' };
  return [
    {
      title: 'an update, groups without the key, the second group, all groups',
      steps: [whole, keyless, enabling(on, [second]), all],
    },
  ];
}

/**
 * Returns the sequences for a subject. Requests without effect stand between writes, since a later write might carry
 * them out after all. Entities are written in turn; names and states are changed and restored.
 */
function coursesOf(subject: SequenceSubject, context: CheckContext): readonly Course[] {
  const { write, creates, kind } = subject;
  if (write === null) return [];
  const { written } = entitiesOf(subject, context);
  const [on = '', other] = written;
  const one = stepsFor(write, on, context);
  if (one === undefined) return [];
  const { whole, small, refused, cut, keyless, dry, refusedDry } = one;
  const hasDry = hasDryRun(endpointRow(write));
  if (creates === true) {
    const title = 'refused, without the key, a dry run, each before a creation';
    const first = kind === undefined ? [] : [whole];
    return [{ title, steps: [...first, refused, keyless, ...(hasDry ? [refusedDry, dry] : []), small] }];
  }
  const read: Step = { does: 'read', endpoint: write, on };
  // A write that replaces everything hides what came before it, so read in between.
  const between = subject.replaces === true ? [read, small] : [small];
  const second = other === undefined ? undefined : stepsFor(write, other, context);
  return [
    {
      title: 'refused, without the key and cut off, each between two writes',
      steps: [
        whole,
        refused,
        ...between,
        keyless,
        ...between,
        ...(hasDry ? [dry, ...between, refusedDry, ...between] : []),
        cut,
        ...between,
      ],
    },
    ...(second
      ? [{ title: 'two written in turn', steps: [whole, second.whole, small, second.small, whole, whole] }]
      : []),
    ...(write === 'patch-gate' ? gateCourses(write, on, context, whole) : []),
    ...(write === 'update-experiment' ? groupCourses(on, context, whole) : []),
  ];
}

/** Sections 3 to 5: a request without effect has none later either, and each of several writes in a row is stored. */
export const courses: ActiveCheck<NamedScenario> = {
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
    // Keep a small creation budget for what must be shown.
    const isSpare = context.row.effect === 'additive' && context.amounts.creations === 1;
    if (isSpare || isTooMuch(subject, context)) return leavesTooMuch;
    return planOf(
      context,
      ...coursesOf(subject, context).map(({ title, steps }) => ({
        title,
        sent: steps.map(step => stepInWords(step, true)),
        run: follow(steps, subject),
      })),
    );
  },
};
