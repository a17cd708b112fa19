import type { Schema } from './dialect.ts';
import { isObject, type Json } from './json.ts';

/** Returns a value without the members that its schema does not document, at every depth: what a request may carry. */
export function documented(value: Json, schema: Schema | undefined): Json {
  if (Array.isArray(value)) return value.map(item => documented(item, schema?.items));
  const properties = schema?.properties;
  if (!properties || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(properties, name) ? [[name, documented(member as Json, properties[name])]] : [],
    ),
  );
}
