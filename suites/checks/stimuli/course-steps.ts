import { hasDryRun } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { steps as stepsOf } from '../../../contracts/pointer.ts';
import { rejectCases } from '../../generators/index.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { namePlaceholder } from '../../protocol/created-names.ts';
import { groupsOf } from '../../state/entity-kinds.ts';
import { canBePutBack } from '../scenarios/parts.ts';
import type { Step } from './sequence-steps.ts';
import { contextFor, entitiesOf, type SequenceSubject } from './sequence-subjects.ts';

/** A sequence of steps, with a title. */
export interface Course {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** Returns the steps of the writing operation for one entity. */
function stepsFor(endpoint: EndpointId, on: string, context: CheckContext) {
  const own = contextFor(context, endpoint, context.minimal.param === undefined ? undefined : on);
  const schema = own?.row.body;
  if (own === undefined || schema === undefined || schema === null) return undefined;
  const body = own.minimal.body ?? {};
  const broken = rejectCases(schema, body, own.target).cases.filter(({ level }) => level === 'MUST');
  // Another fault with another seed.
  const one = broken[(context.seed * 7) % Math.max(1, broken.length)];
  const base = { endpoint, on } as const;
  const cut: Step = { ...base, does: 'refused', body, isCut: true };
  const refused: Step =
    one === undefined ? cut : { ...base, does: 'refused', body: one.body, own: stepsOf(one.pointer)[0] };
  return {
    whole: { ...base, does: 'write', body, isWhole: true } satisfies Step,
    small: { ...base, does: 'write', body } satisfies Step,
    refused,
    cut,
    keyless: { ...base, does: 'unauthenticated', body } satisfies Step,
    dry: { ...base, does: 'dry', body } satisfies Step,
    refusedDry: { ...refused, body: { ...refused.body, dryRun: true } } satisfies Step,
  };
}

/** Changes the name and the state of a gate, and back. */
function gateCourses(endpoint: EndpointId, on: string, context: CheckContext, whole: Step): Course[] {
  const name = context.discovered.gates?.get(on)?.name;
  const own = contextFor(context, endpoint, on);
  const isNamed = typeof name === 'string' && own !== undefined && canBePutBack({ body: { name } }, own);
  const patch = (does: 'rename' | 'switch', body: Step['body']): Step => ({
    does,
    endpoint,
    on,
    ...(body && { body }),
  });
  const disable: Step = { does: 'switch', endpoint: 'disable-gate', on };
  const enable = patch('switch', { isEnabled: true });
  return [
    ...(isNamed
      ? [
          {
            title: 'another name, a change of every field, and its own name again',
            steps: [patch('rename', { name: namePlaceholder }), whole, patch('rename', { name })],
          },
        ]
      : []),
    { title: 'a change of every field, disabled, enabled', steps: [enable, whole, enable, disable, enable] },
    {
      title: 'disabled without the key, after a change of every field',
      steps: [enable, whole, enable, { ...disable, does: 'unauthenticated' }],
    },
  ];
}

/** Enables groups one after another without an update in between, also without the key. */
function groupCourses(on: string, context: CheckContext, whole: Step): Course[] {
  const groups = groupsOf(context, on);
  const enable = (names: readonly string[]): Step => ({
    does: 'enable',
    endpoint: 'enable-groups',
    on,
    body: { group_names: [...names] },
  });
  const keyless: Step = { ...enable(groups), does: 'unauthenticated' };
  const [, second = ''] = groups;
  if (groups.length < 2) return [];
  return [
    {
      title: 'an update, groups without the key, the second group, all groups',
      steps: [whole, keyless, enable([second]), enable(groups)],
    },
  ];
}

/**
 * Returns the sequences for a subject. Requests without effect stand between writes, since a later write might carry
 * them out after all. Entities are written in turn; names and states are changed and restored.
 */
export function coursesOf(subject: SequenceSubject, context: CheckContext): readonly Course[] {
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
    ...(second === undefined
      ? []
      : [{ title: 'two written in turn', steps: [whole, second.whole, small, second.small, whole, whole] }]),
    ...(write === 'patch-gate' ? gateCourses(write, on, context, whole) : []),
    ...(write === 'update-experiment' ? groupCourses(on, context, whole) : []),
  ];
}
