import type { Conditional, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';

/** Returns the member and the constant by which a condition applies. */
export function premise(condition: Conditional): { readonly member: string; readonly value: Json } {
  const member = condition.if.required[0];
  return { member, value: condition.if.properties[member]?.const ?? null };
}

/** True if the condition applies to an object. */
export function applies(condition: Conditional, value: JsonObject): boolean {
  const { member, value: constant } = premise(condition);
  return Object.hasOwn(value, member) && value[member] === constant;
}

/**
 * Returns the object schema as it holds for one value. The members that the applying conditions narrow replace the wide
 * ones, and their `required` members are required.
 */
export function effective(schema: ObjectSchema, value: JsonObject): ObjectSchema {
  const holding = (schema.allOf ?? []).filter(condition => applies(condition, value));
  if (holding.length === 0) return schema;
  const properties: Record<string, Schema> = { ...schema.properties };
  const required = new Set(schema.required);
  for (const { then } of holding) {
    Object.assign(properties, then.properties);
    for (const member of then.required ?? []) required.add(member);
  }
  return { ...schema, properties, required: [...required] };
}
