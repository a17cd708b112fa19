import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, putMember, same, steps } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';
import { isValid } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import type { Enumeration, Mutation, RejectCase } from './cases.ts';
import { effective, premise } from './conditions.ts';
import { capabilityMissing, schemaAt } from './context.ts';
import { enumeratedOnce } from './enumerated-once.ts';
import { completed, exampleOf } from './examples.ts';
import { type BodyField, bodyFields } from './fields.ts';
import { leftOut, mutationsOf } from './mutants.ts';
import { nearMisses } from './near-misses.ts';
import { nodeOf } from './node.ts';
import { completedItems, completedObject, severalItems } from './several-items.ts';

/** A valid body, and the mutations of it that may be sent. */
export interface Control {
  readonly body: JsonObject;
  readonly mutations: readonly Mutation[];
}

/** Returns the case that a mutation makes of its control. */
export function rejectCaseFrom(control: JsonObject, one: Mutation): RejectCase {
  const controlValue = at(control, one.pointer);
  return {
    title: `${steps(one.pointer).join('.')}: ${one.what}`,
    pointer: one.pointer,
    keyword: one.keyword,
    level: one.level,
    ...(one.alike === undefined ? {} : { alike: one.alike }),
    ...(one.share === undefined ? {} : { share: one.share }),
    ...(one.alone === undefined ? {} : { alone: one.alone }),
    body: putMember(control, one.pointer, one.sent),
    control,
    ...(one.sent === undefined ? {} : { sent: one.sent }),
    ...(controlValue === undefined ? {} : { controlValue }),
  };
}

/**
 * Enumerates the requests that break exactly one stated rule, in a fixed order, each with the valid control from which
 * it differs in one place. One control serves all mutations of a field: the template with an example of that field.
 */
export const rejectCases = enumeratedOnce((schema, template, capabilities): Enumeration<RejectCase> => {
  const { controls, notExercised } = controlsOf(schema, template, capabilities);
  const sent = new Set<string>();
  const cases = controls.flatMap(({ body, mutations }) =>
    mutations.flatMap(one => {
      const made = rejectCaseFrom(body, one);
      const text = JSON.stringify(made.body);
      if (sent.has(text)) return [];
      sent.add(text);
      return [made];
    }),
  );
  return { cases, notExercised };
});

/**
 * Returns one control for as many broken requests as possible: the template with every field that may stand beside the
 * others. If each control would create something, one serves them all.
 * @param hasFewItems true if its lists have no more items than they must have.
 */
export function wholeControl(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
  hasFewItems = false,
): JsonObject {
  let whole = template;
  for (const control of controlsOf(schema, template, capabilities).controls) {
    const body = (hasFewItems ? control.mutations[0]?.alone?.control : undefined) ?? control.body;
    const changed = Object.entries(body).filter(([name, value]) => !same(value, template[name]));
    const agrees = changed.every(
      ([name, value]) => template[name] === undefined || (changed.length === 1 && typeof value === 'object'),
    );
    const isFree = changed.every(([name]) => same(whole[name], template[name]));
    if (agrees && isFree) whole = { ...whole, ...Object.fromEntries(changed) };
  }
  return whole;
}

/**
 * Returns a case with another control, from which it differs in the same respect. Undefined if that control lacks
 * something that the case stands beside, or the request would then be valid.
 */
export function lifted(one: RejectCase, control: JsonObject, schema: ObjectSchema): RejectCase | undefined {
  const [root = '', ...within] = steps(one.pointer);
  // The lists beside the case only have to be there.
  const mayDiffer = (name: string): boolean =>
    name === root ? within.length === 0 : Array.isArray(control[name]) && Array.isArray(one.control[name]);
  const has = (name: string): boolean =>
    control[name] !== undefined && (mayDiffer(name) || same(control[name], one.control[name]));
  if (!has(root) || !Object.keys(one.control).every(has)) return undefined;
  const body = putMember(control, one.pointer, one.sent);
  return isValid(schema, body) ? undefined : { ...one, body, control };
}

/** Controls, and the fields that they leave out. */
interface Controls {
  readonly controls: readonly Control[];
  readonly notExercised: readonly NotExercised[];
}

/** Returns every control, with the mutations that may be sent. */
export const controlsOf = enumeratedOnce((schema, template, capabilities): Controls => {
  const { usable, guarded, notExercised } = bodyFields(schema, template, capabilities);
  const controls = [
    { body: template, mutations: leftOut(schema, template) },
    ...usable.flatMap(field => fieldControls(schema, field)),
    ...guarded.map(field => guardedControl(field, template)),
    ...conditionControls(schema, template, capabilities),
  ];
  return { controls: controls.filter(({ mutations }) => mutations.length > 0), notExercised };
});

/**
 * Returns the controls of one field: with several items in its lists, and with fewer for the mutations that those do
 * not serve, or if they are refused.
 */
function fieldControls(schema: ObjectSchema, field: BodyField): Control[] {
  const fewer = plainControls(schema, field);
  const value = severalItems(field);
  const [several] = value === undefined ? [] : controlAt(schema, field, value);
  if (several === undefined || !isValid(schema, several.body)) return fewer;
  const alone = new Map(
    fewer.flatMap(({ body, mutations }) => mutations.map(one => [ruleOf(one), rejectCaseFrom(body, one)])),
  );
  const served = new Set(several.mutations.map(ruleOf));
  return [
    {
      ...several,
      mutations: several.mutations.map(one => ({ ...one, ...present({ alone: alone.get(ruleOf(one)) }) })),
    },
    ...fewer.map(one => ({ ...one, mutations: one.mutations.filter(mutation => !served.has(ruleOf(mutation))) })),
  ];
}

/** Identifies what a mutation breaks, in whatever item of a list. */
const ruleOf = ({ pointer, what }: Mutation): string => `${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${what}`;

/** Returns the controls of one field: with the template's value, and with examples of the members that it lacks. */
function plainControls(schema: ObjectSchema, field: BodyField): Control[] {
  const { current } = field;
  const wider = current === undefined ? exampleOf(field.schema, field.context) : completedField(field, current);
  const controls = current === undefined ? [] : [controlAt(schema, field, current)].flat();
  if (wider === undefined) return controls;
  const known = new Set(controls.flatMap(({ mutations }) => mutations.map(one => one.pointer)));
  return [
    ...controls,
    ...controlAt(schema, field, wider).map(({ body, mutations }) => ({
      body,
      mutations: mutations.filter(one => !known.has(one.pointer)),
    })),
  ];
}

function controlAt(schema: ObjectSchema, field: BodyField, value: Json): Control[] {
  const body = field.place(value);
  if (body === undefined) return [];
  const narrowed = schemaAt(schema, body, field.pointer) ?? field.schema;
  // `conditionControls` makes the mutations that only a condition forbids; here the schema without conditions counts.
  const mutations = mutationsOf(narrowed, at(body, field.pointer) ?? null, 0)
    .map(one => ({ ...one, pointer: field.pointer + one.pointer }))
    .filter(one => one.level === 'MUST' || isHarmless(one, schemaAt(schema, body, one.pointer)));
  return [{ body, mutations }];
}

/** True if a lenient service cannot read a wrong type as a guarded value. */
const isHarmless = ({ sent }: Mutation, { annotation }: Schema = {}): boolean =>
  annotation?.semantics !== 'guarded' && (annotation?.guardedValues === undefined || sent === 0 || sent === null);

/** Returns the template's value with the members that its (first) object lacks; undefined if it lacks none. */
function completedField(field: BodyField, current: Json): Json | undefined {
  const node = nodeOf(field.schema);
  if (node.kind === 'object' && isObject(current)) return completedObject(node.schema, field, current);
  if (node.kind !== 'array' || !Array.isArray(current) || node.schema.items === undefined) return undefined;
  const item = nodeOf(node.schema.items);
  const first = current[0];
  if (item.kind !== 'object' || !isObject(first)) return undefined;
  const [next] = completedItems(field, current, [0]);
  return next === first ? undefined : current.with(0, next as Json);
}

/**
 * Returns the control of a guarded field: the template. Near misses are sent for a closed set. For a boolean only the
 * number zero is sent, which a lenient service cannot read as true.
 */
function guardedControl(field: BodyField, template: JsonObject): Control {
  const node = nodeOf(field.schema);
  const { pointer, current } = field;
  const misses: Mutation[] = nearMisses(field.schema, current ?? null)
    .filter(miss => node.kind === 'enum' && miss.keyword === 'enum')
    .map(miss => ({ pointer, level: 'MUST', ...miss }));
  const zero: Mutation = { pointer, keyword: 'type', level: 'SHOULD', what: '0 for a boolean', sent: 0 };
  return { body: template, mutations: node.kind === 'boolean' ? [zero] : misses };
}

/**
 * Returns for each condition that narrows members a control in which it holds, with the mutations that it alone
 * forbids. Rules of the operation try what a field needs beside it.
 */
function conditionControls(schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities): Control[] {
  return (schema.allOf ?? []).flatMap(condition => {
    const { member, value } = premise(condition);
    if (condition.then.properties === undefined) return [];
    const node = schema.properties?.[member];
    if (node !== undefined && capabilityMissing(node, capabilities)) return [];
    const start = { ...template, [member]: value };
    const narrowed = withExamples(schema, start, capabilities, Object.keys(condition.then.properties ?? {}));
    const body = completed(schema, narrowed, { capabilities, root: start });
    if (body === undefined) return [];
    return [{ body, mutations: mutationsOf(schema, body, 0).filter(one => one.keyword === 'allOf') }];
  });
}

/** Returns the body with examples of the members that a condition narrows, so that they can be mutated. */
function withExamples(
  schema: ObjectSchema,
  body: JsonObject,
  capabilities: TargetCapabilities,
  names: readonly string[],
): JsonObject {
  const narrowed = effective(schema, body).properties ?? {};
  let next = body;
  for (const name of names) {
    const member = narrowed[name];
    if (member === undefined || Object.hasOwn(next, name)) continue;
    const value = exampleOf(member, { capabilities, root: next });
    if (value !== undefined) next = { ...next, [name]: value };
  }
  return next;
}
