import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, putMember, same, steps } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { isValid } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { dotted, type Enumeration, type Mutation, type RejectCase } from './cases.ts';
import { effective, premise } from './conditions.ts';
import { capabilityMissing, schemaAt } from './context.ts';
import { enumeratedOnce } from './enumerated-once.ts';
import { completed, exampleOf } from './examples.ts';
import { type BodyField, bodyFields } from './fields.ts';
import { leftOut, mutationsOf, within } from './mutants.ts';
import { nearMisses } from './near-misses.ts';
import { memberSchema, nodeOf } from './node.ts';
import { changesTo } from './packs.ts';
import { completedItems, completedObject, severalItems } from './several-items.ts';

/** A valid body, and the mutations of it that may be sent. */
export interface Control {
  readonly body: JsonObject;
  readonly mutations: readonly Mutation[];
}

/** Returns the case that a mutation makes of its control. */
export const rejectCaseFrom = (control: JsonObject, { what, ...broken }: Mutation): RejectCase => ({
  ...broken,
  title: `${dotted(broken.pointer)}: ${what}`,
  body: putMember(control, broken.pointer, broken.sent),
  control,
  ...present({ controlValue: at(control, broken.pointer) }),
});

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
    const changes = changesTo(template, body);
    const fits = Object.entries(changes).every(([name, value], _, { length }) => {
      const agrees = template[name] === undefined || (length === 1 && typeof value === 'object');
      return agrees && same(whole[name], template[name]);
    });
    if (fits) whole = { ...whole, ...changes };
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
  // What is sent alone stands in no control.
  const isAdded = schema.properties?.[root]?.annotation?.alone === true;
  if (!(isAdded || has(root)) || !Object.keys(one.control).every(has)) return undefined;
  const body = putMember(control, one.pointer, one.sent);
  const { controlValue: _, ...rest } = one;
  const made = { ...rest, body, control, ...present({ controlValue: at(control, one.pointer) }) };
  return isValid(schema, body) ? undefined : made;
}

/** Returns every control, with the mutations that may be sent, and the fields that they leave out. */
export const controlsOf = enumeratedOnce((schema, template, capabilities) => {
  const { usable, guarded, notExercised } = bodyFields(schema, template, capabilities);
  const controls: Control[] = [
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
  // A target that refuses the field at every value refuses no broken one for what is broken.
  if (field.schema.annotation?.alone) return fewer.map(one => ({ ...one, body: field.base }));
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
  const controls = current === undefined ? [] : controlAt(schema, field, current);
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
  const mutations = within(field.pointer, mutationsOf(narrowed, at(body, field.pointer) ?? null, 0)).filter(
    one => one.level === 'MUST' || isHarmless(one, schemaAt(schema, body, one.pointer)),
  );
  return [{ body, mutations }];
}

/** True if a lenient service cannot read a wrong type as a guarded value. */
const isHarmless = ({ sent }: Mutation, { annotation }: Schema = {}): boolean =>
  annotation?.semantics !== 'guarded' && (annotation?.guardedValues === undefined || sent === 0 || sent === null);

/** Returns the template's value with the members that its (first) object lacks; undefined if it lacks none. */
function completedField(field: BodyField, current: Json): Json | undefined {
  const node = nodeOf(field.schema);
  if (node.kind === 'object' && isObject(current)) return completedObject(node.schema, field, current);
  const list = Array.isArray(current) ? completedItems(field, current, [0]) : [];
  return list[0] === at(current, '/0') ? undefined : list;
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
    const { properties } = condition.then;
    if (properties === undefined || capabilityMissing(schema.properties?.[member] ?? {}, capabilities)) return [];
    const start: JsonObject = { ...template, [member]: value };
    const holding = effective(schema, start);
    let wider = start;
    // Examples of the members that the condition narrows, so that they can be mutated.
    for (const name of Object.keys(properties)) {
      const narrowed = Object.hasOwn(wider, name) ? undefined : memberSchema(holding, name);
      const example = narrowed && exampleOf(narrowed, { capabilities, root: wider });
      if (example !== undefined) wider = { ...wider, [name]: example };
    }
    const body = completed(schema, wider, { capabilities, root: start });
    if (body === undefined) return [];
    return [{ body, mutations: mutationsOf(schema, body, 0).filter(one => one.keyword === 'allOf') }];
  });
}
