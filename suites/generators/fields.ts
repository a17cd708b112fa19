import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { at, join, putMember, steps } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';
import { noRemedy } from '../../contracts/report/remedies.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { dotted, topField } from './cases.ts';
import { effective, premise } from './conditions.ts';
import { consistentBody } from './consistent-body.ts';
import {
  capabilityMissing,
  companionOf,
  type GenerationContext,
  isNullReference,
  isReference,
  needsOf,
  type Obstacle,
  obstacle,
  schemaAt,
  standsBeside,
  valueFrom,
} from './context.ts';
import { completed, exampleOf } from './examples.ts';
import { acceptanceLevel } from './levels.ts';
import { memberSchemas } from './node.ts';

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
  const fieldAt = fieldFinder(schema, template, capabilities);
  const leaveOut = (pointer: string, found: Obstacle | undefined) => {
    if (found === undefined || found.guarded) return;
    const { because, remedy = `${noRemedy} can change that`, capability } = found;
    notExercised.push({ field: dotted(pointer), because, remedy, ...present({ capability }) });
  };
  for (const { pointer, node } of candidates(effective(schema, template), template, '')) {
    const isGuarded = node.annotation?.semantics === 'guarded';
    const withheld = capabilities.withheld?.(topField({ pointer }));
    if (withheld !== undefined) {
      // A feature that is missing comes before the reason to withhold the field.
      const found = obstacle(node, { capabilities });
      if (steps(pointer).length === 1 && !isGuarded)
        leaveOut(pointer, found?.capability === undefined ? { because: withheld } : found);
      continue;
    }
    const field = fieldAt(pointer, node);
    if ('because' in field) {
      leaveOut(pointer, field);
      continue;
    }
    const { context, current } = field;
    const found = obstacle(node, context);
    leaveOut(pointer, found);
    if (found?.guarded) {
      if (isGuarded) guarded.push(field);
      continue;
    }
    const isSet = current !== undefined && !capabilityMissing(node, capabilities);
    if (found === undefined || isSet || isNullReference(node, capabilities)) usable.push(field);
    // Single members of an object that can itself be sent.
    if (found === undefined && current === undefined && !isReference(node))
      for (const [name, member] of memberSchemas(node)) leaveOut(join(pointer, name), obstacle(member, context));
  }
  return { usable, guarded, notExercised };
}

/** Yields the fields of the root, and those within objects that depend on a field which the template lacks. */
function* candidates(
  schema: Schema,
  root: JsonObject,
  above: string,
): Generator<{ readonly pointer: string; readonly node: Schema }> {
  for (const [name, node] of memberSchemas(schema)) {
    const pointer = join(above, name);
    if (above === '' || !standsBeside(node.annotation, root)) yield { pointer, node };
    yield* candidates(node, root, pointer);
  }
}

/** Returns what finds a field with the fields that it depends on in place, or the obstacle of one of those. */
function fieldFinder(schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities) {
  /** Adds the fields that a field depends on, directly or through others. */
  function accompany(
    start: JsonObject,
    pointer: string,
    { annotation }: Schema,
    met = new Set([pointer]),
  ): Accompanied {
    let body = start;
    let displaces = false;
    for (const entry of annotation?.beside ?? []) {
      const companion = companionOf(entry);
      if (met.has(companion.pointer)) continue;
      met.add(companion.pointer);
      const other = schemaAt(schema, body, companion.pointer);
      if (other === undefined) return { because: `it must stand beside ${entry}, which is no field` };
      const withheld = capabilities.withheld?.(topField(companion));
      if (withheld !== undefined) return { because: `it must stand beside ${entry}: ${withheld}` };
      const deeper = accompany(body, companion.pointer, other, met);
      if ('because' in deeper) return deeper;
      body = deeper.body;
      displaces ||= deeper.displaces;
      const here = at(body, companion.pointer);
      if (here !== undefined && here !== null && (companion.text ?? String(here)) === String(here)) continue;
      const context = { capabilities, root: body };
      const value = companion.text === undefined ? exampleOf(other, context) : valueFrom(other, companion.text);
      if (value === undefined || capabilityMissing(other, capabilities)) {
        // Even beside a guarded field, this one is no guarded field itself.
        const { guarded: _, ...found }: Obstacle = obstacle(other, context) ?? {
          because: 'no value of that can be sent',
        };
        return { ...found, because: `it must stand beside ${entry}, and ${found.because}` };
      }
      // Nothing exists that it could name: the field goes without it, and may be refused for that.
      if (value === null) {
        displaces = true;
        continue;
      }
      // A value may itself be refused if it replaces one of the template, or is only a SHOULD (a table source …).
      displaces ||= here !== undefined || acceptanceLevel(other, value, context) === 'SHOULD';
      body = putMember(body, companion.pointer, value);
    }
    const whole = body === start ? body : completed(schema, consistentBody(schema, body), { capabilities, root: body });
    return whole === undefined
      ? { because: `the fields that ${dotted(pointer)} must stand beside cannot all be sent` }
      : { body: whole, displaces };
  }

  return (pointer: string, node: Schema): BodyField | Obstacle => {
    const accompanied = accompany(template, pointer, node);
    if ('because' in accompanied) return accompanied;
    const { body: base, displaces } = accompanied;
    const conditional = (schema.allOf ?? []).some(
      condition => pointer === join('', premise(condition).member) || condition.then.properties !== undefined,
    );
    const place = (value: Json): JsonObject | undefined => {
      let body = consistentBody(schema, putMember(base, pointer, value));
      const needs = needsOf(node, value);
      if (needs !== undefined) {
        const annotation = { beside: needs };
        const needed = accompany(body, pointer, { annotation });
        if ('because' in needed || !standsBeside(annotation, needed.body)) return undefined;
        body = needed.body;
      }
      return conditional ? completed(schema, body, { capabilities, root: body }) : body;
    };
    const context = { capabilities, root: base };
    return { pointer, schema: node, base, current: at(template, pointer), context, displaces, place };
  };
}

type Accompanied = { readonly body: JsonObject; readonly displaces: boolean } | Obstacle;
