import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject, objectsIn } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { join, putMember } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { isReference } from './context.ts';
import { memberSchemas } from './node.ts';

/** Names for groups that no template names. */
const groupNames = ['Control', 'Test', ...[...'CDEFGH'].map(letter => `Variant ${letter}`)];

/**
 * Returns the members of a group that are free to vary, as a schema. Left out are its name and size, which are set, and
 * references, which follow the template.
 */
export const groupDetails = memoized((schema: Schema): ObjectSchema => {
  const free = memberSchemas(schema.items).filter(
    ([name, member]) => name !== 'name' && name !== 'size' && !isReference(member),
  );
  return { type: 'object', properties: Object.fromEntries(free) };
});

/** Returns groups whose members that must agree (`alike`) are those of the group at an index. */
export function agreeing(schema: Schema, groups: readonly Json[], index: number): Json[] {
  const source = groups[index];
  const alike = memberSchemas(groupDetails(schema)).filter(([, member]) => member.annotation?.alike === true);
  return groups.map(group => {
    if (!isObject(group) || !isObject(source)) return group;
    return alike.reduce((next, [name]) => putMember(next, join('', name), source[name]), group);
  });
}

/**
 * Returns shares of 100 percent in proportion to the weights: whole numbers of at least 1 that add up to exactly 100.
 * @param weights positive integers, at most 50 of them.
 */
export function sharesOf(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const spare = 100 - weights.length;
  const shares = weights.map(weight => 1 + Math.floor((spare * weight) / total));
  const given = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share, index) => (index === 0 ? share + 100 - given : share));
}

/** Returns groups of the given shares, named and identified like those of the template, as far as it has as many. */
export function groupsOf(shares: readonly number[], details: readonly JsonObject[], current: Json | undefined): Json[] {
  const known = objectsIn(current);
  const taken = new Set(known.map(group => group.name));
  const fresh = groupNames.filter(name => !taken.has(name));
  return shares.map((size, index) => {
    const name = known[index]?.name ?? fresh[index - Math.min(index, known.length)] ?? `Variant ${index + 1}`;
    const { id, foreignGroupID } = known[index] ?? {};
    return { ...details[index], ...present({ id, foreignGroupID }), name, size };
  });
}

/**
 * Returns ways to share 100 percent among the groups of the template, or two if it has none. Their number stays, because
 * an omitted group would be lost and an added one would have to be defined.
 */
export function sharedOut(
  current: Json | undefined,
): readonly (readonly [keyword: string, what: string, value: Json])[] {
  const known = objectsIn(current);
  const weights = Array.from({ length: known.length || 2 }, (_, index) => index + 1);
  const uneven = sharesOf(weights);
  // Numbers of 32 bits cannot hold these.
  const fractions = uneven.map((share, index) => share + (index === 0 ? 0.123 : index === 1 ? -0.123 : 0));
  const groups = (shares: readonly number[]) => groupsOf(shares, known, current);
  const even = groups(sharesOf(weights.map(() => 1)));
  if (weights.length === 1) return [['example', 'one group of all', even]];
  return [
    ['example', 'groups of even size', even],
    ['example', 'groups of uneven size', groups(uneven)],
    ['extreme', 'sizes with a fraction', groups(fractions)],
    ['extreme', 'groups in another order', even.toReversed()],
  ];
}
