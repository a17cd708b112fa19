import type { ObjectSchema } from '../../contracts/dialect.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';
import type { Enumeration, Json, JsonObject, RejectCase, World } from './cases.ts';
import { effective, premise } from './conditions.ts';
import { type Field, fieldsOf } from './fields.ts';
import { groupDetails } from './groups.ts';
import { type Break, breaksOf } from './mutants.ts';
import { nearMisses } from './near-misses.ts';
import { nodeOf } from './node.ts';
import { completed, ordinaryObject, ordinaryOf } from './ordinary.ts';
import { at, isObject, join, putMember, steps } from './pointer.ts';
import { capabilityMissing, isGroups, schemaAt } from './view.ts';

/** A valid body that violations are made of, and the schema-wise breaks of it that may be sent. */
export interface Twin {
  readonly body: JsonObject;
  readonly breaks: readonly Break[];
}

/** The case that a break makes of its twin. */
export function rejectCaseOf(twin: JsonObject, one: Break): RejectCase {
  const twinValue = at(twin, one.pointer);
  return {
    title: `${steps(one.pointer).join('.')}: ${one.what}`,
    pointer: one.pointer,
    keyword: one.keyword,
    level: one.level,
    body: putMember(twin, one.pointer, one.sent),
    twin,
    ...(one.sent === undefined ? {} : { sent: one.sent }),
    ...(twinValue === undefined ? {} : { twinValue }),
  };
}

/**
 * The requests that break exactly one stated rule, in a fixed order, each beside the valid twin it differs from in one place. One
 * twin serves all violations of a field: the template with that field at an ordinary value.
 */
export function rejectCases(schema: ObjectSchema, template: JsonObject, world: World): Enumeration<RejectCase> {
  const { twins, notExercised } = twinsOf(schema, template, world);
  const sent = new Set<string>();
  const cases = twins.flatMap(({ body, breaks }) =>
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

/** Every twin and the breaks that may be sent beside it. */
export function twinsOf(
  schema: ObjectSchema,
  template: JsonObject,
  world: World,
): { readonly twins: readonly Twin[]; readonly notExercised: readonly NotExercised[] } {
  const { usable, guarded, notExercised } = fieldsOf(schema, template, world);
  const required = (effective(schema, template).required ?? [])
    .filter(name => Object.hasOwn(template, name))
    .map((name): Break => {
      const keyword = schema.required?.includes(name) ? 'required' : 'allOf';
      return { pointer: join('', name), keyword, level: 'MUST', what: 'left out' };
    });
  const twins = [
    { body: template, breaks: required },
    ...usable.flatMap(field => fieldTwins(schema, field)),
    ...guarded.map(field => guardedTwin(field, template)),
    ...conditionTwins(schema, template, world),
  ];
  return { twins: twins.filter(({ breaks }) => breaks.length > 0), notExercised };
}

/** The twins of one field: with what the template has there, and with the members it lacks there at ordinary values. */
function fieldTwins(schema: ObjectSchema, field: Field): Twin[] {
  const { current } = field;
  const wider = current === undefined ? ordinaryOf(field.schema, field.view) : enriched(field, current);
  const twins = current === undefined ? [] : [twinAt(schema, field, current)].flat();
  if (wider === undefined) return twins;
  const known = new Set(twins.flatMap(({ breaks }) => breaks.map(one => one.pointer)));
  return [
    ...twins,
    ...twinAt(schema, field, wider).map(({ body, breaks }) => ({
      body,
      breaks: breaks.filter(one => !known.has(one.pointer)),
    })),
  ];
}

function twinAt(schema: ObjectSchema, field: Field, value: Json): Twin[] {
  const body = field.place(value);
  if (body === undefined) return [];
  const narrowed = schemaAt(schema, body, field.pointer) ?? field.schema;
  // A break of what a condition waits for is made by the field that it narrows; here the schema without conditions counts.
  const breaks = breaksOf(narrowed, at(body, field.pointer) ?? null, 0)
    .map(one => ({ ...one, pointer: field.pointer + one.pointer }))
    .filter(one => one.level === 'MUST' || schemaAt(schema, body, one.pointer)?.meaning?.semantics !== 'guarded');
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
  const next = ordinaryObject(schema, field.view, current);
  return next !== undefined && Object.keys(next).length > Object.keys(current).length ? next : undefined;
}

/**
 * Violations of a guarded field. Where the template sends it, near misses of its closed set beside the template. Where it does
 * not, the twin leaves it out; nothing is sent that a lenient service could take for a flag raised.
 */
function guardedTwin(field: Field, template: JsonObject): Twin {
  const node = nodeOf(field.schema);
  const { pointer, current } = field;
  const misses: Break[] = nearMisses(field.schema, current ?? null)
    .filter(miss => node.kind === 'enum' && miss.keyword === 'enum')
    .map(miss => ({ pointer, level: 'MUST', ...miss }));
  const zero: Break = { pointer, keyword: 'type', level: 'SHOULD', what: '0 for a boolean', sent: 0 };
  return { body: template, breaks: node.kind === 'boolean' ? [zero] : misses };
}

/** For each condition a twin in which it holds, with the violations that only it makes. */
function conditionTwins(schema: ObjectSchema, template: JsonObject, world: World): Twin[] {
  return (schema.allOf ?? []).flatMap(condition => {
    const { member, value } = premise(condition);
    const node = schema.properties?.[member];
    if (node !== undefined && capabilityMissing(node, world)) return [];
    const start = { ...template, [member]: value };
    const body = completed(schema, ordinaryThen(schema, start, world, Object.keys(condition.then.properties ?? {})), {
      world,
      root: start,
    });
    if (body === undefined) return [];
    return [{ body, breaks: breaksOf(schema, body, 0).filter(one => one.keyword === 'allOf') }];
  });
}

/** The body with the members that a condition narrows present, so that they can be broken. */
function ordinaryThen(schema: ObjectSchema, body: JsonObject, world: World, names: readonly string[]): JsonObject {
  const narrowed = effective(schema, body).properties ?? {};
  let next = body;
  for (const name of names) {
    const member = narrowed[name];
    if (member === undefined || Object.hasOwn(next, name)) continue;
    const value = ordinaryOf(member, { world, root: next });
    if (value !== undefined) next = { ...next, [name]: value };
  }
  return next;
}
