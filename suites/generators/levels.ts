import type { ArraySchema, NumberSchema, ObjectSchema, Schema, StringSchema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { Level } from '../../contracts/report/journal.ts';
import { codePoints } from './characters.ts';
import { belongs, type GenerationContext, isGroups, isReference } from './context.ts';
import { groupDetails } from './groups.ts';
import { exampleValues, nodeOf } from './node.ts';
import { exampleNumbers, limits } from './numbers.ts';
import { isFree, realisticTexts } from './texts.ts';

/** Characters that any text field of any service takes. */
const unremarkable = /^[A-Za-z0-9 ,.;:!?'()/%&+=@#_-]*$/;

/** Letters of any script of the basic plane. Counted in anything but bytes, their number is the stated length. */
const anyLetters = /^[\p{L} ,.]*$/u;

/**
 * Returns the level at which acceptance of a valid value is judged. A value that the specification states (bounds,
 * closed sets, documented null) MUST be accepted, and so must an unremarkable value if it states nothing. Extremes that
 * nothing forbids SHOULD be.
 * @param current the template's value in this place: a MUST.
 */
export const acceptanceLevel = (...given: Parameters<typeof isFirm>): Level => (isFirm(...given) ? 'MUST' : 'SHOULD');

function isFirm(schema: Schema, value: Json, context: GenerationContext, current?: Json): boolean {
  if (current !== undefined && same(value, current)) return true;
  if (isUncertain(schema, value)) return false;
  const named = exampleValues(schema);
  if (named.some(each => same(each, value))) return true;
  const node = nodeOf(schema);
  if (node.nullable && value === null) return true;
  switch (node.kind) {
    case 'any':
      return isReference(schema);
    case 'enum':
      return named.length === 0;
    case 'string':
      return typeof value === 'string' && textIsFirm(node.schema, value);
    case 'number':
      return typeof value === 'number' && numberIsFirm(node.schema, value);
    case 'union':
      return (
        node.schema.anyOf.some(branch => isFirm(branch, value, context, current)) &&
        kindFits(node.schema.anyOf, value, context)
      );
    case 'array':
      return Array.isArray(value) && arrayIsFirm(node.schema, value, context, current);
    case 'object':
      return isObject(value) && objectIsFirm(node.schema, value, context, current);
    default:
      return true;
  }
}

/** True if a target may refuse a value for a reason that no table states; never for a documented null. */
function isUncertain(schema: Schema, value: Json): boolean {
  const { uncertain, certainItems } = schema.annotation ?? {};
  if (value === null) return false;
  if (certainItems !== undefined && Array.isArray(value) && value.length > certainItems) return true;
  return uncertain === true || (uncertain?.some(each => same(each as Json, value)) ?? false);
}

/** True if a branch whose level is MUST is meant for values of this kind. */
function kindFits(branches: readonly Schema[], value: Json, context: GenerationContext): boolean {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return branches.some(branch => {
    const { kind } = nodeOf(branch);
    const isSet = kind === 'enum' || kind === 'const';
    const isOpen = kind === 'any' || kind === 'union';
    const fits = kind === type || isSet || (isOpen && value === null);
    return fits && isFirm(branch, value, context);
  });
}

function textIsFirm(schema: StringSchema, text: string): boolean {
  if (isReference(schema) || realisticTexts(schema).includes(text)) return true;
  if (text.trim() !== text || (text === '' && schema.minLength !== 0)) return false;
  // A service may want words to be one blank apart.
  if (schema.pattern !== undefined && text.includes('  ')) return false;
  if (schema.pattern !== undefined) return codePoints(text) <= (schema.maxLength ?? 200);
  const isAtBound = codePoints(text) === schema.maxLength && text.length === schema.maxLength;
  if (isFree(schema) && isAtBound && anyLetters.test(text)) return true;
  return isFree(schema) && unremarkable.test(text) && codePoints(text) <= (schema.maxLength ?? 200);
}

function numberIsFirm(schema: NumberSchema, value: number): boolean {
  const { low, high } = limits(schema);
  if (value === low || value === high || exampleNumbers(schema).includes(value)) return true;
  if (low !== undefined && high !== undefined) return true;
  return low !== undefined && value >= low && value <= low + 90;
}

function arrayIsFirm(
  schema: ArraySchema,
  value: readonly Json[],
  context: GenerationContext,
  current: Json | undefined,
): boolean {
  const { minItems, maxItems, items } = schema;
  if (value.length === 0) return minItems === 0;
  if (value.length > 5 && maxItems === undefined && value.length !== minItems) return false;
  if (items === undefined) return false;
  const groups = isGroups(schema);
  const itemSchema = groups ? groupDetails(schema) : items;
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const known = Array.isArray(current) ? current[index] : undefined;
    // A running experiment may refuse another share for its groups, and know them by their places.
    const isShared = isObject(item) && isObject(known) && item.size === known.size && item.name === known.name;
    if (groups && isObject(item) && (!Number.isInteger(item.size) || (known !== undefined && !isShared))) return false;
    if (!isFirm(itemSchema, item, context, known)) return false;
    const text = JSON.stringify(item);
    if (seen.has(text) && value.length !== minItems && value.length !== maxItems) return false;
    seen.add(text);
  }
  return true;
}

function objectIsFirm(
  schema: ObjectSchema,
  value: JsonObject,
  context: GenerationContext,
  current: Json | undefined,
): boolean {
  const properties = schema.properties;
  if (properties === undefined)
    return Object.entries(value).every(
      ([name, member]) => /^[a-z]+$/.test(name) && typeof member === 'string' && unremarkable.test(member),
    );
  const known = isObject(current) ? current : undefined;
  // That many optional fields at once are a combination.
  if (known === undefined && Object.keys(value).length > 8 + (schema.required?.length ?? 0)) return false;
  for (const [name, member] of Object.entries(properties)) {
    const here = value[name];
    if (here === undefined || !Object.hasOwn(value, name)) {
      const expected = known === undefined ? belongs(member, context) : Object.hasOwn(known, name);
      if (expected && !isReference(schema) && !schema.required?.includes(name)) return false;
    } else if (!isFirm(member, here, context, known?.[name])) return false;
  }
  return true;
}
