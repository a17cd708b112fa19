import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { join, same, steps } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import type { Change } from '../protocol/base.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { acceptCases } from './accept.ts';
import { topField } from './cases.ts';
import { effective, premise } from './conditions.ts';
import { capabilityMissing, companionOf, type GenerationContext, isReference, wordsFor } from './context.ts';
import { type Edge, edgesOf } from './edges.ts';
import { exampleOf } from './examples.ts';
import { memberSchemas, nodeOf, takesNull } from './node.ts';
import { changesTo } from './packs.ts';

/** A change that leaves a minimal request valid: a target that refused the request may accept the result. */
export interface NearChange extends Change {
  /** The name of the field, dotted from the root of the body, without the indexes of items. */
  readonly field: string;
  /** An alternative value; absent if there is none. */
  readonly another?: Json;
  /** True for a field of the body itself on which nothing else depends: no other field and no feature of the target. */
  readonly isFree: boolean;
}

/** The changes that leave a minimal request valid: added fields, omitted fields, other values. */
export interface NearChanges {
  readonly more: readonly NearChange[];
  readonly less: readonly NearChange[];
  readonly other: readonly NearChange[];
  /** Fields that could be added but cannot be sent: they are withheld, or need a name or a feature that is not known. */
  readonly unnamed: readonly string[];
}

const fieldOf = (pointer: string): string =>
  steps(pointer)
    .filter(step => !/^(\*|\d+)$/.test(step))
    .join('.');

/** Returns the values of a guarded field that do nothing: null, off, empty; a dry run may switch it on. */
function harmless(schema: Schema): readonly Json[] {
  if (takesNull(schema)) return [null];
  const { kind } = nodeOf(schema);
  const nothing: Partial<Record<typeof kind, readonly Json[]>> = { boolean: [false, true], array: [[]], object: [{}] };
  return nothing[kind] ?? [];
}

/** Ranks stated values before those that nothing forbids, and any value before null. */
const doubtOf = ({ level, value }: Edge): number => Number(level !== 'MUST') + 2 * Number(value === null);

/** Returns the values at which a field is sent, the most ordinary first. */
function valuesOf(schema: Schema, context: GenerationContext): readonly Json[] {
  if (schema.annotation?.semantics === 'guarded') return harmless(schema);
  const plain = exampleOf(schema, context);
  const edges = edgesOf(schema, context).toSorted((one, other) => doubtOf(one) - doubtOf(other));
  const all = [...(plain === undefined ? [] : [plain]), ...edges.map(({ value }) => value)];
  if (takesNull(schema)) all.push(null);
  return all.filter((value, index) => all.findIndex(other => same(other, value)) === index);
}

/** True if the value of another field, or a condition of the schema, may ask for a field. */
const isAskedFor = (name: string, schema: ObjectSchema): boolean =>
  (schema.allOf ?? []).some(
    one =>
      premise(one).member === name ||
      Object.hasOwn(one.then.properties ?? {}, name) ||
      one.then.required?.includes(name) === true,
  ) ||
  memberSchemas(schema).some(([, { annotation }]) =>
    Object.values(annotation?.valueNeeds ?? {})
      .flat()
      .some(need => topField(companionOf(need)) === name),
  );

/** Returns the members that an object may have and lacks, each as it may be added. */
function added(
  schema: ObjectSchema,
  members: JsonObject,
  above: string,
  capabilities: TargetCapabilities,
  root: JsonObject,
): NearChange[] {
  return memberSchemas(schema).flatMap(([name, member]): NearChange[] => {
    if (Object.hasOwn(members, name) || capabilityMissing(member, capabilities)) return [];
    if (above === '' && capabilities.withheld?.(name) !== undefined) return [];
    const [becomes, another] = valuesOf(member, { capabilities, root });
    if (becomes === undefined) return [];
    const { beside, capability } = member.annotation ?? {};
    const isFree = above === '' && beside === undefined && capability === undefined && !isAskedFor(name, schema);
    const pointer = join(above, name);
    // The items of a list get a name each if there are enough: a service may refuse the same name twice.
    const names = above.includes('*') && isReference(member) ? wordsFor(member, { capabilities, root }) : [];
    const each = names.length > 1 ? { each: names } : present({ another });
    return [{ pointer, field: fieldOf(pointer), becomes, isFree, ...each }];
  });
}

/**
 * Yields the objects within a value, each with its schema and its place; with `isEach`, those of a list once, under
 * `*`.
 */
function* objectsWithin(schema: Schema, value: Json | undefined, place: string, isEach: boolean): Objects {
  const node = nodeOf(schema);
  if (node.kind === 'object' && isObject(value) && node.schema.properties !== undefined) {
    yield { schema: effective(node.schema, value), members: value, place };
    for (const [name, member] of memberSchemas(schema))
      yield* objectsWithin(member, value[name], join(place, name), isEach);
  }
  if (schema.items !== undefined && Array.isArray(value))
    for (const [index, item] of value.slice(0, isEach ? 1 : undefined).entries())
      yield* objectsWithin(schema.items, item, join(place, isEach ? '*' : index), isEach);
}

type Objects = Generator<{ readonly schema: ObjectSchema; readonly members: JsonObject; readonly place: string }>;

/** Returns another value for a reference: the first may be misspelt in the target file. */
const otherWord = (schema: Schema | undefined, was: Json, context: GenerationContext): Json | undefined =>
  schema === undefined || !isReference(schema) ? undefined : wordsFor(schema, context).find(word => !same(word, was));

/** Returns the changes that leave a minimal request valid, those of its own fields before those of their parts. */
export function nearChanges(schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities): NearChanges {
  const kinds = [...objectsWithin(schema, template, '', true)];
  const more = kinds.flatMap(one => added(one.schema, one.members, one.place, capabilities, template));
  const unnamed = kinds
    .flatMap(({ schema: here, members, place }) =>
      memberSchemas(here).flatMap(([name]) => (Object.hasOwn(members, name) ? [] : [join(place, name)])),
    )
    .filter(pointer => !more.some(one => one.pointer === pointer))
    .map(fieldOf);
  const less = [...objectsWithin(schema, template, '', false)].flatMap(({ schema: here, members, place }) =>
    Object.entries(members)
      // Keep one member: an empty object says nothing.
      .filter(([name], _, all) => here.required?.includes(name) !== true && all.length > 1)
      .map(([name, was]): NearChange => {
        const pointer = join(place, name);
        return { pointer, field: fieldOf(pointer), was, isFree: false };
      }),
  );
  const { cases } = acceptCases(schema, template, capabilities);
  const other = Object.entries(template).flatMap(([name, was]): NearChange[] => {
    if (schema.properties?.[name]?.annotation?.creates === true) return [];
    const changesOnlyThis = (body: JsonObject): boolean => Object.keys(changesTo(template, body)).join() === name;
    const found = cases.find(one => one.level === 'MUST' && topField(one) === name && changesOnlyThis(one.body));
    const becomes = found?.body[name] ?? otherWord(schema.properties?.[name], was, { capabilities, root: template });
    return becomes === undefined ? [] : [{ pointer: join('', name), field: name, was, becomes, isFree: false }];
  });
  return { more, less, other, unnamed };
}
