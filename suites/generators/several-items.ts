import type { ObjectSchema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { isGroups, variedIndexes } from './context.ts';
import { exampleObject } from './examples.ts';
import type { BodyField } from './fields.ts';
import { groupDetails } from './groups.ts';
import { nodeOf } from './node.ts';
import { listOf, variedOf } from './varied.ts';

/** So many items the lists have in which something is broken. */
const items = 3;

/** True of a value in which a list has a second item. */
const hasSecond = (value: Json): boolean => {
  if (Array.isArray(value)) return value.length > 1 || value.some(hasSecond);
  return isObject(value) && Object.values(value).some(one => hasSecond(one ?? null));
};

/**
 * A field with several items in its lists, so that something can be broken in a later one: the list of the template, of
 * which what may be varied comes last, or an ordinary value. Lists whose items name something have as many as there are
 * names. Undefined where no list of it has a second item.
 */
export function severalItems(field: BodyField): Json | undefined {
  const { schema, context, current } = field;
  const node = nodeOf(schema);
  if (node.kind !== 'array') {
    const value = node.kind === 'object' && current === undefined ? variedOf(schema, context, 0) : undefined;
    return value !== undefined && hasSecond(value) ? value : undefined;
  }
  if (node.schema.items === undefined) return undefined;
  if (!Array.isArray(current) || current.length < 2) {
    const list = isGroups(schema) ? undefined : listOf(node.schema, context, 0, items);
    return list !== undefined && list.length > 1 ? list : undefined;
  }
  if (schema.annotation?.varies === undefined) return completedItems(field, current, [0, current.length - 1]);
  // What the template does not say of a thing of the service could not be put back.
  const varied = new Set(variedIndexes(schema, current));
  const isVaried = (_: Json, index: number): boolean => varied.has(index);
  return [...current.filter((one, index) => !isVaried(one, index)), ...current.filter(isVaried)];
}

/** A list of the template, with the members that some of its objects lack. */
export function completedItems(field: BodyField, list: readonly Json[], indexes: readonly number[]): Json[] {
  const node = nodeOf(field.schema);
  const item = node.kind === 'array' && node.schema.items !== undefined ? nodeOf(node.schema.items) : undefined;
  if (node.kind !== 'array' || item?.kind !== 'object') return [...list];
  const schema = isGroups(field.schema) ? groupDetails(node.schema) : item.schema;
  return list.map((one, index) =>
    isObject(one) && indexes.includes(index) ? (completedObject(schema, field, one) ?? one) : one,
  );
}

/** An object of the template with the members that it lacks; undefined where it lacks none. */
export function completedObject(schema: ObjectSchema, field: BodyField, current: JsonObject): JsonObject | undefined {
  const next = exampleObject(schema, field.context, current);
  return next !== undefined && Object.keys(next).length > Object.keys(current).length ? next : undefined;
}
