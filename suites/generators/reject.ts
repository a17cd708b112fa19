import type { ObjectSchema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, join, putMember, steps } from '../../contracts/pointer.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import type { Enumeration, RejectCase } from './cases.ts';
import { effective, premise } from './conditions.ts';
import { capabilityMissing, isGroups, schemaAt } from './context.ts';
import { completed, exampleObject, exampleOf } from './examples.ts';
import { type Field, fieldsOf } from './fields.ts';
import { groupDetails } from './groups.ts';
import { type Break, breaksOf } from './mutants.ts';
import { nearMisses } from './near-misses.ts';
import { nodeOf } from './node.ts';

/** A valid body that violations are made of, and the schema-wise breaks of it that may be sent. */
export interface Control {
  readonly body: JsonObject;
  readonly breaks: readonly Break[];
}

/** The case that a break makes of its control. */
export function rejectCaseOf(control: JsonObject, one: Break): RejectCase {
  const controlValue = at(control, one.pointer);
  return {
    title: `${steps(one.pointer).join('.')}: ${one.what}`,
    pointer: one.pointer,
    keyword: one.keyword,
    level: one.level,
    body: putMember(control, one.pointer, one.sent),
    control,
    ...(one.sent === undefined ? {} : { sent: one.sent }),
    ...(controlValue === undefined ? {} : { controlValue }),
  };
}

/**
 * The requests that break exactly one stated rule, in a fixed order, each beside the valid control it differs from in one place. One
 * control serves all violations of a field: the template with that field at an ordinary value.
 */
export function rejectCases(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): Enumeration<RejectCase> {
  const { controls, notExercised } = controlsOf(schema, template, capabilities);
  const sent = new Set<string>();
  const cases = controls.flatMap(({ body, breaks }) =>
    breaks.flatMap(one => {
      const made = rejectCaseOf(body, one);
      const text = JSON.stringify(made.body);
      if (sent.has(text)) return [];
      sent.add(text);
      return [made];
    }),
  );
  return { cases, notExercised };
}

/** Every control and the breaks that may be sent beside it. */
export function controlsOf(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): { readonly controls: readonly Control[]; readonly notExercised: readonly NotExercised[] } {
  const { usable, guarded, notExercised } = fieldsOf(schema, template, capabilities);
  const required = (effective(schema, template).required ?? [])
    .filter(name => Object.hasOwn(template, name))
    .map((name): Break => {
      const keyword = schema.required?.includes(name) ? 'required' : 'allOf';
      return { pointer: join('', name), keyword, level: 'MUST', what: 'left out' };
    });
  const controls = [
    { body: template, breaks: required },
    ...usable.flatMap(field => fieldControls(schema, field)),
    ...guarded.map(field => guardedControl(field, template)),
    ...conditionControls(schema, template, capabilities),
  ];
  return { controls: controls.filter(({ breaks }) => breaks.length > 0), notExercised };
}

/** The controls of one field: with what the template has there, and with the members it lacks there at ordinary values. */
function fieldControls(schema: ObjectSchema, field: Field): Control[] {
  const { current } = field;
  const wider = current === undefined ? exampleOf(field.schema, field.context) : enriched(field, current);
  const controls = current === undefined ? [] : [controlAt(schema, field, current)].flat();
  if (wider === undefined) return controls;
  const known = new Set(controls.flatMap(({ breaks }) => breaks.map(one => one.pointer)));
  return [
    ...controls,
    ...controlAt(schema, field, wider).map(({ body, breaks }) => ({
      body,
      breaks: breaks.filter(one => !known.has(one.pointer)),
    })),
  ];
}

function controlAt(schema: ObjectSchema, field: Field, value: Json): Control[] {
  const body = field.place(value);
  if (body === undefined) return [];
  const narrowed = schemaAt(schema, body, field.pointer) ?? field.schema;
  // A break of what a condition waits for is made by the field that it narrows; here the schema without conditions counts.
  const breaks = breaksOf(narrowed, at(body, field.pointer) ?? null, 0)
    .map(one => ({ ...one, pointer: field.pointer + one.pointer }))
    .filter(one => one.level === 'MUST' || schemaAt(schema, body, one.pointer)?.annotation?.semantics !== 'guarded');
  return [{ body, breaks }];
}

/** What the template has, with the members its (first) object lacks; undefined when it lacks none. */
function enriched(field: Field, current: Json): Json | undefined {
  const node = nodeOf(field.schema);
  if (node.kind === 'object' && isObject(current)) return grown(node.schema, field, current);
  if (node.kind !== 'array' || !Array.isArray(current) || node.schema.items === undefined) return undefined;
  const item = nodeOf(node.schema.items);
  const first = current[0];
  if (item.kind !== 'object' || !isObject(first)) return undefined;
  const next = grown(isGroups(field.schema) ? groupDetails(node.schema) : item.schema, field, first);
  return next === undefined ? undefined : current.with(0, next);
}

function grown(schema: ObjectSchema, field: Field, current: JsonObject): JsonObject | undefined {
  const next = exampleObject(schema, field.context, current);
  return next !== undefined && Object.keys(next).length > Object.keys(current).length ? next : undefined;
}

/**
 * Violations of a guarded field. Where the template sends it, near misses of its closed set beside the template. Where it does
 * not, the control leaves it out; nothing is sent that a lenient service could take for a flag raised.
 */
function guardedControl(field: Field, template: JsonObject): Control {
  const node = nodeOf(field.schema);
  const { pointer, current } = field;
  const misses: Break[] = nearMisses(field.schema, current ?? null)
    .filter(miss => node.kind === 'enum' && miss.keyword === 'enum')
    .map(miss => ({ pointer, level: 'MUST', ...miss }));
  const zero: Break = { pointer, keyword: 'type', level: 'SHOULD', what: '0 for a boolean', sent: 0 };
  return { body: template, breaks: node.kind === 'boolean' ? [zero] : misses };
}

/** For each condition a control in which it holds, with the violations that only it makes. */
function conditionControls(schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities): Control[] {
  return (schema.allOf ?? []).flatMap(condition => {
    const { member, value } = premise(condition);
    const node = schema.properties?.[member];
    if (node !== undefined && capabilityMissing(node, capabilities)) return [];
    const start = { ...template, [member]: value };
    const body = completed(
      schema,
      exampleThen(schema, start, capabilities, Object.keys(condition.then.properties ?? {})),
      {
        capabilities,
        root: start,
      },
    );
    if (body === undefined) return [];
    return [{ body, breaks: breaksOf(schema, body, 0).filter(one => one.keyword === 'allOf') }];
  });
}

/** The body with the members that a condition narrows present, so that they can be broken. */
function exampleThen(
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
