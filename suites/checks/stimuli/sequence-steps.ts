import fc from 'fast-check';
import { hasDryRun } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { same, steps as stepsOf } from '../../../contracts/pointer.ts';
import { compact, present } from '../../../contracts/present.ts';
import { acceptArbitrary, rejectArbitrary } from '../../generators/index.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { namePlaceholder } from '../../protocol/created-names.ts';
import { groupsOf } from '../../state/entity-kinds.ts';
import { mustRefuse, schemaOf, templateOf } from '../active/body.ts';
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
  const { action, body: schema } = endpointRow(endpoint);
  const fields = (varied ?? Object.keys(body)).join(', ') || 'nothing';
  const whom = several && on !== '' ? ` of ${on}` : '';
  if (isWhole) return `${action} every field${whom}`;
  if (does === 'read') return 'read';
  if (does === 'refused') return isCut ? `a body that is cut off${whom}` : `refused for ${own ?? 'its body'}${whom}`;
  if (does === 'unauthenticated') return `${endpoint} without the key${whom}`;
  if (does === 'enable') return `enable ${JSON.stringify(body.group_names)}${whom}`;
  if (does === 'switch') return `${schema === null ? 'disable' : 'enable'}${whom}`;
  return `${does === 'dry' ? 'a dry run of ' : ''}${action} ${fields}${whom}`;
}

/** Returns the step without the key at an operation for one entity; undefined if the target file lacks something. */
function keylessAt(context: CheckContext, endpoint: EndpointId, on: string): Step | undefined {
  const own = contextFor(context, endpoint, on);
  return own && { does: 'unauthenticated', endpoint, on, ...present({ body: own.minimal.body }) };
}

/**
 * Returns the context of an operation with a body for one entity, and the steps without effect that need no case;
 * undefined if the target file lacks something.
 */
export function stepsAt(context: CheckContext, endpoint: EndpointId, on: string) {
  const own = contextFor(context, endpoint, context.minimal.param === undefined ? undefined : on);
  if (own === undefined || own.row.body === null) return undefined;
  const base = { endpoint, on, body: templateOf(own) } as const;
  const cut: Step = { ...base, does: 'refused', isCut: true };
  const keyless: Step = { ...base, does: 'unauthenticated' };
  return { own, base, cut, keyless };
}

/** Returns a step that enables groups. */
export const enabling = (on: string, names: readonly string[]): Step => ({
  does: 'enable',
  endpoint: 'enable-groups',
  on,
  body: { group_names: [...names] },
});

/** Returns the present name of a gate that may be given another one; undefined of any other. */
export function nameOfGate(context: CheckContext, endpoint: EndpointId, on: string): string | undefined {
  const name = context.discovered.gates?.get(on)?.name;
  const own = contextFor(context, endpoint, on);
  return typeof name === 'string' && own !== undefined && canBePutBack({ body: { name } }, own) ? name : undefined;
}

interface Choice {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Step>;
}

const constant = (weight: number, ...steps: readonly Step[]): Choice => ({
  weight,
  arbitrary: fc.constantFrom(...steps),
});

/** Returns the steps of the writing operation for one entity. */
function writesOf(subject: SequenceSubject, context: CheckContext, endpoint: EndpointId, on: string): Choice[] {
  const fixed = stepsAt(context, endpoint, on);
  if (fixed === undefined) return [];
  const { own, base, cut, keyless } = fixed;
  const schema = schemaOf(own);
  const template = own.row.action === 'patch' ? {} : base.body;
  const drawn = acceptArbitrary(schema, template, own.target);
  // If the entity cannot be read, nothing can be restored and no draw would ever pass. Usually an early one does.
  const isWritable = [2, 60].some(numRuns =>
    fc.sample(drawn, { numRuns, seed: 1 }).some(one => canBePutBack(one, own)),
  );
  const changing = (does: Deed): fc.Arbitrary<Step> =>
    drawn
      .filter(one => canBePutBack(one, own))
      .map(({ body }) => {
        const varied = Object.entries(body).filter(([name, value]) => !same(value ?? null, template[name] ?? null));
        return { ...base, does, body, fields: varied.map(([name]) => name) };
      });
  const isBreakable = mustRefuse(own).length > 0;
  const breaking = (more: JsonObject): fc.Arbitrary<Step> =>
    rejectArbitrary(schema, base.body, own.target)
      .filter(({ level }) => level === 'MUST')
      .map(({ body, pointer }) => ({
        ...base,
        does: 'refused',
        body: { ...body, ...more },
        own: stepsOf(pointer)[0],
      }));
  // Cases beyond the profile must not leave anything for good, nor may a profile with a small budget.
  const { extended, amounts } = context;
  const { creates = false, kind } = subject;
  const isSparing = creates && (extended === true || kind === undefined || amounts.creations === 1);
  const hasDry = hasDryRun(own.row);
  return compact<Choice>([
    !isSparing && isWritable && { weight: creates ? 3 : 8, arbitrary: changing('write') },
    isBreakable && { weight: 2, arbitrary: breaking({}) },
    constant(1, cut),
    constant(2, keyless),
    hasDry && isWritable && { weight: 3, arbitrary: changing('dry') },
    hasDry && isBreakable && { weight: 1, arbitrary: breaking({ dryRun: true }) },
  ]);
}

/** Returns the steps for a gate other than patches: switching it, renaming it, and restoring its name. */
function gateSteps(context: CheckContext, endpoint: EndpointId, on: string): Choice[] {
  if (contextFor(context, endpoint, on) === undefined) return [];
  const name = nameOfGate(context, endpoint, on);
  const named = (to: string): Step => ({ does: 'rename', endpoint, on, body: { name: to } });
  const disable: Step = { does: 'switch', endpoint: 'disable-gate', on };
  return compact([
    constant(3, disable, { does: 'switch', endpoint, on, body: { isEnabled: true } }),
    name !== undefined && constant(2, named(namePlaceholder), named(name), named(name)),
  ]);
}

/** Returns the steps that enable groups of an experiment: each alone, and all of them. */
function groupSteps(context: CheckContext, on: string): Choice[] {
  const groups = groupsOf(context, on);
  const choices = [...groups.map(one => [one]), groups.toReversed()];
  return groups.length === 0 ? [] : [constant(4, ...choices.map(names => enabling(on, names)))];
}

/**
 * Returns all steps for entities whose operations work only once: requests without the key, and truncated ones. The
 * endpoint's own operation goes to its own entity alone, because the target file allows it for no other.
 */
function allRefused(subject: SequenceSubject, context: CheckContext, written: readonly string[]): readonly Step[] {
  const [own] = written;
  return written.flatMap(on =>
    (subject.others ?? [])
      .filter(endpoint => on === own || endpoint !== context.endpoint)
      .flatMap((endpoint): readonly Step[] => {
        const { body } = contextFor(context, endpoint, on)?.minimal ?? {};
        const step = { endpoint, on, ...present({ body }) };
        const keyless: Step = { does: 'unauthenticated', ...step };
        return body === undefined ? [keyless] : [keyless, { does: 'refused', ...step, isCut: true }];
      }),
  );
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
  const { write, others = [], creates } = subject;
  if (write === null) return fc.constant(allRefused(subject, context, written));
  const isRead = subject.kind !== undefined;
  const choices = written.flatMap((on, index) => {
    const all = [
      ...writesOf(subject, context, write, on),
      ...(endpoint === 'patch-gate' ? gateSteps(context, endpoint, on) : []),
      ...(others.includes('enable-groups') ? groupSteps(context, on) : []),
      // Without the key, at the operations other than the writing one.
      ...compact(others.map(other => keylessAt(context, other, on))).map(one => constant(1, one)),
    ];
    // Choose the endpoint's own entity more often.
    return all.map(({ weight, arbitrary }) => ({ arbitrary, weight: index === 0 ? 2 * weight : weight }));
  });
  if (choices.length === 0) return undefined;
  const step = fc.oneof(...choices, ...(isRead ? [constant(4, reading)] : []));
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
        return does !== 'write' || creates !== true || before < mostCreated;
      });
      // If nothing can be read, the answer to a final write shows the effect of the earlier steps.
      const body = isRead ? undefined : contextFor(context, write, context.minimal.param)?.minimal.body;
      return body === undefined ? taken : [...taken, { does: 'write', endpoint: write, on: reading.on, body }];
    });
}
