import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject, objectsIn } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { companionOf, valueFrom } from './context.ts';
import { memberSchemas } from './node.ts';

/**
 * Brings the parts of a body into agreement after one of them changed: what a service could refuse them for together is
 * not what a case is about.
 */
export const consistentBody = (schema: ObjectSchema, body: JsonObject): JsonObject =>
  withSiblings(schema, withMatchingLists(schema, body));

/** Returns the value of a field of the body, or with `list.member` those of that member in each item of a list. */
function namedBy(body: JsonObject, path: string): readonly Json[] {
  const [field = '', member] = path.split('.');
  const found = member === undefined ? [body[field]] : objectsIn(body[field]).map(item => item[member]);
  return found.filter(value => value !== undefined && value !== null);
}

/**
 * Adds to each list that `covers` other fields what they name. A list that stands beside it (the types of columns)
 * corresponds to it item by item, so it gets the same length.
 */
function withMatchingLists(schema: ObjectSchema, body: JsonObject): JsonObject {
  let whole = body;
  for (const [name, { annotation }] of memberSchemas(schema)) {
    const given = body[name];
    if (annotation?.covers === undefined || !Array.isArray(given)) continue;
    const wanted = [...annotation.covers.flatMap(path => namedBy(body, path)), ...given];
    const list = wanted.filter((value, index) => wanted.findIndex(other => same(other, value)) === index);
    whole = { ...whole, [name]: list };
    for (const other of annotation.beside?.map(entry => companionOf(entry).pointer.slice(1)) ?? []) {
      const items = whole[other];
      if (Array.isArray(items) && items.length > 0)
        whole = { ...whole, [other]: list.map((_, index) => items[index % items.length] ?? null) };
    }
  }
  return whole;
}

/** Adds the sibling on which a member of an object depends, or takes the member away where that says otherwise. */
function withSiblings(schema: Schema, value: JsonObject): JsonObject {
  let whole = value;
  for (const [name, member] of memberSchemas(schema)) {
    const here = whole[name];
    if (here === undefined) continue;
    if (isObject(here)) whole = replaced(whole, name, withSiblings(member, here));
    const { sibling } = member.annotation ?? {};
    if (sibling === undefined) continue;
    const [other = '', text = ''] = sibling.split('=');
    const wanted = valueFrom(schema.properties?.[other] ?? {}, text);
    if (whole[other] === undefined && wanted !== undefined) whole = { ...whole, [other]: wanted };
    else if (!same(whole[other], wanted)) {
      const { [name]: _, ...rest } = whole;
      whole = rest;
    }
  }
  return whole;
}

/** Returns the object with a member at another value; itself if nothing changes. */
const replaced = (object: JsonObject, name: string, value: JsonObject): JsonObject =>
  object[name] === value ? object : { ...object, [name]: value };
