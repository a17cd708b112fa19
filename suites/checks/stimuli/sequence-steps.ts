import fc from 'fast-check';
import { hasDryRun } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { same, steps as stepsOf } from '../../../contracts/pointer.ts';
import { acceptArbitrary, rejectArbitrary, rejectCases } from '../../generators/index.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { namePlaceholder } from '../../protocol/created-names.ts';
import { groupsOf } from '../../state/entity-kinds.ts';
import { canBePutBack } from '../scenarios/parts.ts';
import { contextFor, entitiesOf, type SequenceSubject } from './sequence-subjects.ts';

/**
 * The kind of a step. `refused`: breaks a constraint along with valid changes, or is cut off. `unauthenticated`: has no
 * key. `dry`: is a dry run. Those three change nothing.
 */
export type Deed = 'write' | 'rename' | 'switch' | 'enable' | 'read' | 'refused' | 'unauthenticated' | 'dry';

/** One step of a sequence: a request about an entity, or a reading of all of them. */
export interface Step {
  readonly does: Deed;
  readonly endpoint: EndpointId;
  readonly on: string;
  /** The body; a refused request and a dry run carry changes on top of it. */
  readonly body?: JsonObject;
  /** The fields in which the body differs from the template. */
  readonly fields?: readonly string[];
  /** The field with the fault. */
  readonly own?: string | undefined;
  /** The body ends too early. */
  readonly isCut?: true;
  /** Changes every separately changeable field, to values chosen when the step is sent. */
  readonly isWhole?: true | undefined;
}

/** True if the step changes nothing, whatever its body says. */
export const hasNoEffect = ({ does }: Step): boolean =>
  does === 'read' || does === 'refused' || does === 'unauthenticated' || does === 'dry';

/** Returns a step in words, with its entity if there are several. */
export function stepInWords(
  { does, endpoint, on, body = {}, fields: varied, own, isCut, isWhole }: Step,
  several: boolean,
): string {
  const fields = (varied ?? Object.keys(body)).join(', ') || 'nothing';
  if (isWhole) return `${endpointRow(endpoint).action} every field${several && on !== '' ? ` of ${on}` : ''}`;
  const whom = several && on !== '' ? ` of ${on}` : '';
  if (does === 'read') return 'read';
  if (does === 'refused') return isCut ? `a body that is cut off${whom}` : `refused for ${own ?? 'its body'}${whom}`;
  if (does === 'unauthenticated') return `${endpoint} without the key${whom}`;
  if (does === 'enable') return `enable ${JSON.stringify(body.group_names)}${whom}`;
  if (does === 'switch') return `${endpointRow(endpoint).body === null ? 'disable' : 'enable'}${whom}`;
  return `${does === 'dry' ? 'a dry run of ' : ''}${endpointRow(endpoint).action} ${fields}${whom}`;
}

interface Choice {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Step>;
}

/** Returns the steps of the writing operation for one entity. */
function writesOf(subject: SequenceSubject, context: CheckContext, endpoint: EndpointId, on: string): Choice[] {
  const own = contextFor(context, endpoint, context.minimal.param === undefined ? undefined : on);
  const schema = own?.row.body;
  if (own === undefined || schema === undefined || schema === null) return [];
  const template = own.row.action === 'patch' ? {} : (own.minimal.body ?? {});
  const drawn = acceptArbitrary(schema, template, own.target);
  // If the entity cannot be read, nothing can be restored and no draw would ever pass. Usually an early one does.
  const isWritable = [2, 60].some(numRuns =>
    fc.sample(drawn, { numRuns, seed: 1 }).some(one => canBePutBack(one, own)),
  );
  const bodies = drawn.filter(one => canBePutBack(one, own)).map(({ body }) => body);
  const step = (does: Deed) => (body: JsonObject) => ({ does, endpoint, on, body }) satisfies Step;
  const told = (one: Step): Step => {
    const varied = Object.entries(one.body ?? {}).filter(
      ([name, value]) => !same(value ?? null, template[name] ?? null),
    );
    return { ...one, fields: varied.map(([name]) => name) };
  };
  const minimal = own.minimal.body ?? {};
  const isBreakable = rejectCases(schema, minimal, own.target).cases.some(({ level }) => level === 'MUST');
  const broken = isBreakable
    ? rejectArbitrary(schema, minimal, own.target)
        .filter(({ level }) => level === 'MUST')
        .map(({ body, pointer }) => ({ ...step('refused')(body), own: stepsOf(pointer)[0] }))
    : undefined;
  const cut = fc.constant<Step>({ ...step('refused')(minimal), isCut: true });
  // Cases beyond the profile must not leave anything for good, nor may a profile with a small budget.
  const { extended, amounts } = context;
  const isSparing =
    subject.creates === true && (extended === true || subject.kind === undefined || amounts.creations === 1);
  return [
    ...(isSparing || !isWritable
      ? []
      : [{ weight: subject.creates === true ? 3 : 8, arbitrary: bodies.map(step('write')).map(told) }]),
    ...(broken === undefined ? [] : [{ weight: 2, arbitrary: broken }]),
    { weight: 1, arbitrary: cut },
    { weight: 2, arbitrary: fc.constant<Step>(step('unauthenticated')(minimal)) },
    ...(hasDryRun(own.row) && isWritable ? [{ weight: 3, arbitrary: bodies.map(step('dry')).map(told) }] : []),
    ...(hasDryRun(own.row) && broken !== undefined
      ? [{ weight: 1, arbitrary: broken.map(one => ({ ...one, body: { ...one.body, dryRun: true } })) }]
      : []),
  ];
}

/** Returns the steps for a gate other than patches: switching it, renaming it, and restoring its name. */
function gateSteps(context: CheckContext, endpoint: EndpointId, on: string): Choice[] {
  const own = contextFor(context, endpoint, on);
  if (own === undefined) return [];
  const name = context.discovered.gates?.get(on)?.name;
  const isNamed = typeof name === 'string' && canBePutBack({ body: { name } }, own);
  const names: readonly Json[] = isNamed ? [namePlaceholder, name, name] : [];
  const switches = fc.constantFrom<Step>(
    { does: 'switch', endpoint: 'disable-gate', on },
    { does: 'switch', endpoint, on, body: { isEnabled: true } },
  );
  return [
    { weight: 3, arbitrary: switches },
    ...(names.length === 0
      ? []
      : [
          {
            weight: 2,
            arbitrary: fc.constantFrom(
              ...names.map((to): Step => ({ does: 'rename', endpoint, on, body: { name: to } })),
            ),
          },
        ]),
  ];
}

/** Returns the steps that enable groups of an experiment: each alone, and all of them. */
function enabling(context: CheckContext, on: string): Choice[] {
  const groups = groupsOf(context, on);
  if (groups.length === 0) return [];
  const choices = [...groups.map(one => [one]), [...groups].reverse()];
  const steps = choices.map(
    (names): Step => ({ does: 'enable', endpoint: 'enable-groups', on, body: { group_names: names } }),
  );
  return [{ weight: 4, arbitrary: fc.constantFrom(...steps) }];
}

/**
 * Returns all steps for entities whose operations work only once: requests without the key, and truncated ones. The
 * endpoint's own operation goes to its own entity alone, because the target file allows it for no other.
 */
function allRefused(subject: SequenceSubject, context: CheckContext, written: readonly string[]): readonly Step[] {
  const [own] = written;
  return written.flatMap(on =>
    subject.others
      .filter(endpoint => on === own || endpoint !== context.endpoint)
      .flatMap((endpoint): readonly Step[] => {
        const body = contextFor(context, endpoint, on)?.minimal.body;
        const step = { endpoint, on, ...(body === undefined ? {} : { body }) };
        const keyless: Step = { does: 'unauthenticated', ...step };
        return body === undefined ? [keyless] : [keyless, { does: 'refused', ...step, isCut: true }];
      }),
  );
}

/** Returns requests without the key to the operations other than the writing one. */
function besideSteps({ others }: SequenceSubject, context: CheckContext, on: string): Choice[] {
  return others.flatMap(endpoint => {
    const own = contextFor(context, endpoint, on);
    if (own === undefined) return [];
    const body = own.minimal.body;
    const keyless: Step = { does: 'unauthenticated', endpoint, on, ...(body === undefined ? {} : { body }) };
    return [{ weight: 1, arbitrary: fc.constant(keyless) }];
  });
}

/** Maximum number of steps drawn, before the unused kinds are removed. */
const longest = 14;

/** Maximum number of steps in a sequence that create something permanent. */
const mostCreated = 2;

/**
 * Returns sequences of steps about a subject's entities. Each leaves out some kinds of step, because one kind may hide
 * the fault of another.
 */
export function sequencesOf(
  subject: SequenceSubject,
  context: CheckContext,
): fc.Arbitrary<readonly Step[]> | undefined {
  const { endpoint } = context;
  const { written } = entitiesOf(subject, context);
  const reading: Step = { does: 'read', endpoint, on: written[0] ?? '' };
  if (subject.write === null) return fc.constant(allRefused(subject, context, written));
  const ofEach = written.map((on, index) => {
    const choices = [
      ...(subject.write === null ? [] : writesOf(subject, context, subject.write, on)),
      ...(endpoint === 'patch-gate' ? gateSteps(context, endpoint, on) : []),
      ...(subject.others.includes('enable-groups') ? enabling(context, on) : []),
      ...besideSteps(subject, context, on),
    ];
    // Choose the endpoint's own entity more often.
    return choices.map(({ weight, arbitrary }) => ({ arbitrary, weight: index === 0 ? 2 * weight : weight }));
  });
  const choices = ofEach.flat();
  if (choices.length === 0) return undefined;
  const isRead = subject.kind !== undefined;
  const step = fc.oneof(...choices, ...(isRead ? [{ weight: 4, arbitrary: fc.constant(reading) }] : []));
  const deeds: readonly Deed[] = ['write', 'rename', 'switch', 'enable', 'read', 'refused', 'unauthenticated', 'dry'];
  return fc
    .record({
      unused: fc.subarray([...deeds], { maxLength: 5 }),
      steps: fc.array(step, { minLength: 1, maxLength: longest, size: 'max' }),
    })
    .map(({ unused, steps }) => {
      const used = steps.filter(({ does }) => !unused.includes(does));
      const some = used.some(({ does }) => does !== 'read') ? used : steps;
      const taken = some.filter(({ does }, at) => {
        const before = some.slice(0, at).filter(one => one.does === 'write').length;
        return does !== 'write' || subject.creates !== true || before < mostCreated;
      });
      const { write } = subject;
      // If nothing can be read, the answer to a final write shows the effect of the earlier steps.
      const own = isRead || write === null ? undefined : contextFor(context, write, context.minimal.param);
      const body = own?.minimal.body;
      return body === undefined || write === null
        ? taken
        : [...taken, { does: 'write', endpoint: write, on: reading.on, body }];
    });
}
