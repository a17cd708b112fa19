import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { type GenerationContext, isGroups, isReference, variedIndexes, wordsFor } from './context.ts';
import { exampleObject } from './examples.ts';
import type { BodyField } from './fields.ts';
import { groupDetails } from './groups.ts';
import { nodeOf } from './node.ts';
import { listOf, namingMembers, variedOf } from './varied.ts';

/** Number of items of the lists in which something is broken. */
const items = 3;

/** True if a list in the value has a second item. */
const hasSecond = (value: Json): boolean =>
  (Array.isArray(value) && value.length > 1) ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasSecond));

/**
 * Returns a value of a field with several items in its lists, so that a later one can be broken. It is the template's
 * list, with the items that may be varied last, or an ordinary value. Lists whose items name something have as many as
 * there are names. Undefined if no list of it has a second item.
 */
export function severalItems(field: BodyField): Json | undefined {
  const { schema, context, current } = field;
  const node = nodeOf(schema);
  if (node.kind !== 'array') {
    const value = node.kind === 'object' && current === undefined ? variedOf(schema, context, 0) : undefined;
    return value !== undefined && hasSecond(value) ? value : undefined;
  }
  if (node.schema.items === undefined) return undefined;
  if (!Array.isArray(current) || current.length === 0) {
    const list = listOf(node.schema, context, 0, items);
    return list !== undefined && list.length > 1 ? list : undefined;
  }
  if (schema.annotation?.varies === undefined) {
    const list = isGroups(schema) ? current : withFurther(node.schema, context, current);
    return list.length > 1 ? completedItems(field, list, [0, list.length - 1]) : undefined;
  }
  // Add no member: what the template does not say of an existing thing could not be put back.
  const varied = new Set(variedIndexes(schema, current));
  const isVaried = (_: Json, index: number): boolean => varied.has(index);
  return [...current.filter((one, index) => !isVaried(one, index)), ...current.filter(isVaried)];
}

/**
 * Returns a list of the template, extended to three items (or `most`) if there are as many names. Each further item
 * names another thing by its first reference. If its items have none, a longer ordinary list takes its place.
 */
export function withFurther(
  schema: Schema,
  context: GenerationContext,
  current: readonly Json[],
  most = items,
): Json[] {
  const [naming, ...others] = namingMembers(schema.items);
  const room = most - current.length;
  if (room <= 0) return [...current];
  if (naming === undefined) {
    const list = listOf(schema, context, 0, most) ?? [];
    return list.length > current.length ? list : [...current];
  }
  const last = current.at(-1);
  const own = schema.items !== undefined && isReference(schema.items) ? wordsFor(schema.items, context) : [];
  if (own.length > 0)
    return [
      ...current,
      ...own
        .filter(isObject)
        .filter(word => !current.some(one => isObject(one) && same({ ...one, ...word }, one)))
        .slice(0, room)
        .map(word => ({ ...(isObject(last) ? last : {}), ...word })),
    ];
  const [name, named] = naming;
  const isFurther = (word: Json): boolean => !current.some(one => isObject(one) && same(one[name], word));
  const words = wordsFor(named, context).filter(isFurther).slice(0, room);
  const further = words.map((word, index): Json => {
    const next: JsonObject = isObject(last) ? { ...last } : {};
    for (const [other, member] of others) {
      const all = wordsFor(member, context);
      Object.assign(next, present({ [other]: all[(current.length + index) % all.length] }));
    }
    return { ...next, [name]: word };
  });
  return [...current, ...further];
}

/** Returns a list of the template, with the members that the objects at `indexes` lack. */
export function completedItems(field: BodyField, list: readonly Json[], indexes: readonly number[]): Json[] {
  const item = nodeOf(field.schema.items ?? {});
  if (item.kind !== 'object') return [...list];
  const schema = isGroups(field.schema) ? groupDetails(field.schema) : item.schema;
  return list.map((one, index) =>
    isObject(one) && indexes.includes(index) ? (completedObject(schema, field, one) ?? one) : one,
  );
}

/** Returns an object of the template with the members that it lacks; undefined if it lacks none. */
export function completedObject(schema: ObjectSchema, field: BodyField, current: JsonObject): JsonObject | undefined {
  const next = exampleObject(schema, field.context, current);
  return next !== undefined && Object.keys(next).length > Object.keys(current).length ? next : undefined;
}
