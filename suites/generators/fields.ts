import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { at, join, putMember, steps } from '../../contracts/pointer.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';
import { noRemedy } from '../../contracts/report/remedies.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { effective, premise } from './conditions.ts';
import {
  capabilityMissing,
  companionOf,
  type GenerationContext,
  isReference,
  type Obstacle,
  obstacle,
  schemaAt,
  standsBeside,
} from './context.ts';
import { completed, exampleOf } from './examples.ts';
import { acceptanceLevel } from './levels.ts';
import { nodeOf, takesNull } from './node.ts';

/** A field of a body that cases may vary, with the body in which it is varied. */
export interface BodyField {
  readonly pointer: string;
  readonly schema: Schema;
  /** The template, with the fields that this one must stand beside. */
  readonly base: JsonObject;
  /** The template's value of the field. */
  readonly current: Json | undefined;
  readonly context: GenerationContext;
  /** True if a field beside it replaced a value of the template (a metric type …): then acceptance is a SHOULD. */
  readonly displaces: boolean;
  /** Returns the body with the field at a value; undefined if the value requires a field that cannot be sent. */
  place(value: Json): JsonObject | undefined;
}

/** The fields of a body, by what may be done with them. */
interface BodyFields {
  readonly usable: readonly BodyField[];
  /** Guarded fields: never varied in requests that are to be accepted. */
  readonly guarded: readonly BodyField[];
  readonly notExercised: readonly NotExercised[];
}

/** Sorts the fields of a body into usable ones, guarded ones, and those that cannot be sent to the target. */
export function bodyFields(schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities): BodyFields {
  const usable: BodyField[] = [];
  const guarded: BodyField[] = [];
  const notExercised: NotExercised[] = [];
  const leaveOut = (pointer: string, { because, remedy, capability }: Obstacle) =>
    notExercised.push({
      field: steps(pointer).join('.'),
      because,
      remedy: remedy ?? `${noRemedy} can change that`,
      ...(capability === undefined ? {} : { capability }),
    });
  for (const { pointer, node } of candidates(effective(schema, template), template, '')) {
    const withheld = capabilities.withheld?.(steps(pointer)[0] ?? '');
    if (withheld !== undefined) {
      if (steps(pointer).length === 1 && node.annotation?.semantics !== 'guarded')
        leaveOut(pointer, featureMissing(node, capabilities) ?? { because: withheld });
      continue;
    }
    const field = fieldAt(schema, template, capabilities, pointer, node);
    if ('because' in field) {
      leaveOut(pointer, field);
      continue;
    }
    const found = obstacle(node, field.context);
    if (found?.guarded) {
      if (node.annotation?.semantics === 'guarded') guarded.push(field);
    } else {
      if (found !== undefined) leaveOut(pointer, found);
      const nullable = takesNull(node) && isReference(node) && !capabilityMissing(node, capabilities);
      const set = field.current !== undefined && !capabilityMissing(node, capabilities);
      if (found === undefined || nullable || set) usable.push(field);
      if (found === undefined && field.current === undefined)
        for (const part of partObstacles(node, field.context)) leaveOut(join(pointer, part.name), part);
    }
  }
  return { usable, guarded, notExercised };
}

/**
 * Returns the obstacle of a field that needs an undeclared feature. It comes before the reason to withhold the field.
 */
function featureMissing(node: Schema, capabilities: TargetCapabilities): Obstacle | undefined {
  const found = obstacle(node, { capabilities });
  return found?.capability === undefined ? undefined : found;
}

/** Returns the obstacles of single members of an object field that can itself be sent. */
function partObstacles(schema: Schema, context: GenerationContext): (Obstacle & { readonly name: string })[] {
  const node = nodeOf(schema);
  if (node.kind !== 'object' || isReference(schema)) return [];
  return Object.entries(node.schema.properties ?? {}).flatMap(([name, member]) => {
    const found = obstacle(member, context);
    return found === undefined || found.guarded ? [] : [{ ...found, name }];
  });
}

/** Yields the fields of the root, and those within objects that depend on a field which the template lacks. */
function* candidates(
  schema: ObjectSchema,
  root: JsonObject,
  above: string,
): Generator<{ readonly pointer: string; readonly node: Schema }> {
  for (const [name, node] of Object.entries(schema.properties ?? {})) {
    const pointer = join(above, name);
    if (above === '' || !standsBeside(node.annotation, root)) yield { pointer, node };
    const read = nodeOf(node);
    if (read.kind === 'object' && read.schema.properties !== undefined) yield* candidates(read.schema, root, pointer);
  }
}

/** Returns the field with the fields that it depends on in place, or the obstacle of one of those. */
function fieldAt(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
  pointer: string,
  node: Schema,
): BodyField | Obstacle {
  const accompanied = accompany(schema, template, capabilities, pointer, node, new Set([pointer]));
  if ('because' in accompanied) return accompanied;
  const { body: base, displaces } = accompanied;
  const context = { capabilities, root: base };
  const aligned = (node.annotation?.beside ?? []).map(companionOf).flatMap(companion => {
    const other = schemaAt(schema, base, companion.pointer);
    const mutual = other?.annotation?.beside?.some(entry => companionOf(entry).pointer === pointer) ?? false;
    return mutual && Array.isArray(at(base, companion.pointer)) ? [companion.pointer] : [];
  });
  const conditional = (schema.allOf ?? []).some(
    condition => pointer === join('', premise(condition).member) || condition.then.properties !== undefined,
  );
  const place = (value: Json): JsonObject | undefined => {
    let body = putMember(base, pointer, value);
    // Lists that depend on each other (column names and their types) correspond item by item, so their lengths agree.
    if (Array.isArray(value))
      for (const other of aligned) {
        const list = at(base, other) as Json[];
        body = putMember(
          body,
          other,
          Array.from(value, (_, index) => list[index % list.length] ?? null),
        );
      }
    return conditional ? completed(schema, body, { capabilities, root: body }) : body;
  };
  return { pointer, schema: node, base, current: at(template, pointer), context, displaces, place };
}

type Accompanied = { readonly body: JsonObject; readonly displaces: boolean };

/** Adds the fields that a field depends on, directly or through others. */
function accompany(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
  pointer: string,
  node: Schema,
  met: Set<string>,
): Accompanied | Obstacle {
  let body = template;
  let displaces = false;
  for (const entry of node.annotation?.beside ?? []) {
    const companion = companionOf(entry);
    if (met.has(companion.pointer)) continue;
    met.add(companion.pointer);
    const other = schemaAt(schema, body, companion.pointer);
    if (other === undefined) return { because: `it must stand beside ${entry}, which is no field` };
    const withheld = capabilities.withheld?.(steps(companion.pointer)[0] ?? '');
    if (withheld !== undefined) return { because: `it must stand beside ${entry}: ${withheld}` };
    const deeper = accompany(schema, body, capabilities, companion.pointer, other, met);
    if ('because' in deeper) return deeper;
    body = deeper.body;
    displaces ||= deeper.displaces;
    const present = at(body, companion.pointer);
    if (
      present !== undefined &&
      present !== null &&
      (companion.text === undefined || String(present) === companion.text)
    )
      continue;
    const value =
      companion.text === undefined ? exampleOf(other, { capabilities, root: body }) : valueFrom(other, companion.text);
    if (value === undefined || capabilityMissing(other, capabilities)) {
      const found = obstacle(other, { capabilities, root: body });
      return {
        because: `it must stand beside ${entry}, and ${found?.because ?? 'no value of that can be sent'}`,
        ...(found?.remedy === undefined ? {} : { remedy: found.remedy }),
        ...(found?.capability === undefined ? {} : { capability: found.capability }),
      };
    }
    // Nothing exists that it could name: the field goes without it, and may be refused for that.
    if (value === null) {
      displaces = true;
      continue;
    }
    // A value may itself be refused if it replaces one of the template, or is only a SHOULD (a table source …).
    displaces ||= present !== undefined || acceptanceLevel(other, value, { capabilities, root: body }) === 'SHOULD';
    body = putMember(body, companion.pointer, value);
  }
  const whole = body === template ? body : completed(schema, body, { capabilities, root: body });
  return whole === undefined
    ? { because: `the fields that ${steps(pointer).join('.')} must stand beside cannot all be sent` }
    : { body: whole, displaces };
}

/** Returns the value that `name=text` states, in the type of the field's schema. */
function valueFrom(schema: Schema, text: string): Json | undefined {
  const node = nodeOf(schema);
  if (node.kind === 'enum') return node.schema.enum.find(value => String(value) === text);
  if (node.kind === 'boolean') return text === 'true';
  if (node.kind === 'number' || node.kind === 'integer') return Number(text);
  return text;
}
