import type { Schema } from '../../contracts/dialect.ts';
import { asText, isObject, type Json } from '../../contracts/json.ts';

/**
 * The differences that comparing an echo could have shown.
 * - `value`: another value.
 * - `unicode`: another text beyond ASCII.
 * - `free-form`: another object of free form.
 * - `order`: another list order, which counts.
 * - `soft`: another list order, which is only good practice to keep.
 */
export type Compared = 'value' | 'unicode' | 'free-form' | 'order' | 'soft';

/** Returns the documented members of an object schema, or of the first branch of a union that has some. */
export const propertiesOf = (schema: Schema | undefined): Readonly<Record<string, Schema>> | undefined =>
  schema?.anyOf === undefined ? schema?.properties : schema.anyOf.map(propertiesOf).find(found => found !== undefined);

const beyondAscii = /[^\0-\x7f]/;

const haveOrder = (list: readonly Json[]): boolean => new Set(list.map(item => JSON.stringify(item))).size > 1;

function addOfLists(sent: readonly Json[], got: readonly unknown[], schema: Schema | undefined, into: Set<Compared>) {
  const how = schema?.annotation?.compare;
  into.add('value');
  if (how === 'tags') {
    if (sent.length > 1 || sent.some(tag => asText(tag) !== asText(tag).toLowerCase())) into.add('soft');
    return;
  }
  if (haveOrder(sent)) into.add(how === 'unordered' ? 'soft' : 'order');
  for (const [index, item] of sent.entries()) addCompared(item, got[index], schema?.items, into);
}

function addCompared(sent: Json, got: unknown, schema: Schema | undefined, into: Set<Compared>): void {
  const how = schema?.annotation?.compare;
  if (how === 'never' || got === undefined) return;
  if (how === 'faithful' || how === 'members' || sent === null || got === null) into.add('value');
  else if (Array.isArray(sent)) {
    if (Array.isArray(got)) addOfLists(sent, got, schema, into);
  } else if (isObject(sent)) {
    if (!isObject(got)) return;
    const properties = propertiesOf(schema);
    if (properties === undefined) into.add('free-form');
    else
      for (const name of Object.keys(sent))
        if (Object.hasOwn(properties, name) && Object.hasOwn(got, name))
          addCompared(sent[name] as Json, got[name], properties[name], into);
  } else if (typeof sent === typeof got) {
    into.add('value');
    if (typeof sent === 'string' && beyondAscii.test(sent)) into.add('unicode');
  }
}

/**
 * Returns what comparing a sent value with the returned one (undefined: absent) could have shown, by `compareEcho`.
 * Returns nothing if there is no value, one of another type, or one that is never compared.
 */
export function comparedIn(sent: Json, got: unknown, schema: Schema | undefined): ReadonlySet<Compared> {
  const found = new Set<Compared>();
  addCompared(sent, got, schema, found);
  return found;
}
