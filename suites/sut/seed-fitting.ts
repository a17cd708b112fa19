import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Members } from '../../contracts/json.ts';
import { type SeedCollection, seedEntities } from '../../contracts/seed.ts';
import { isValid } from '../../contracts/validation.ts';

/** Fits what a target shows into a seed: documented members of documented types, without any secret. */

/** Counts what did not fit, by the way to it: `gates.status`. */
export type LeftOut = Map<string, number>;

const count = (leftOut: LeftOut, what: string): void => void leftOut.set(what, (leftOut.get(what) ?? 0) + 1);

/** The members of an object that a schema documents and allows; lists of objects are fitted item by item. */
function membersThatFit({ properties = {} }: ObjectSchema, value: Members, at: string, leftOut: LeftOut): Members {
  const kept: [string, unknown][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) continue;
    const whole = fitted(schema, member, `${at}.${name}`, leftOut);
    if (isValid(schema, whole)) kept.push([name, whole]);
    // A null says that there is nothing, as absence does.
    else if (member !== null) count(leftOut, `${at}.${name}`);
  }
  return Object.fromEntries(kept);
}

/** Whether a schema is that of an object of which a seed knows every member. */
const isClosed = (schema: Schema): schema is ObjectSchema =>
  'properties' in schema && schema.additionalProperties === false;

function fitted(schema: Schema, value: unknown, at: string, leftOut: LeftOut): unknown {
  if (Array.isArray(value) && 'items' in schema && schema.items !== undefined && isClosed(schema.items)) {
    const { items } = schema;
    return value.filter(isObject).map(item => membersThatFit(items as ObjectSchema, item, at, leftOut));
  }
  return value;
}

/** What of an entity a seed may have. Counts in `leftOut` what it may not have. */
export const fittedEntity = (collection: SeedCollection, entity: Members, leftOut: LeftOut): Members =>
  membersThatFit(seedEntities[collection], entity, collection, leftOut);
