import { type Members, membersOf } from '../../contracts/json.ts';
import { join } from '../../contracts/pointer.ts';
import { metricRequest } from '../../contracts/resources/index.ts';
import type { SeedCollection } from '../../contracts/seed.ts';
import { groupErrors } from '../experiment/errors.ts';

/** Rules for seeds beyond their schema, so that answers have the identities that section 2 requires. */

/** Returns the violations of an entity: JSON Pointers into it, and messages. */
type Rule = (key: string, entity: Members) => readonly (readonly [pointer: string, message: string])[];

/** If items of a list have the given member, it must equal the entity's key. */
const itemsOf =
  (list: string, member: string): Rule =>
  (key, entity) => {
    const items = Array.isArray(entity[list]) ? entity[list] : [];
    return items.flatMap((item, index) => {
      const said = membersOf(item)[member];
      return said === undefined || said === key
        ? []
        : [[`/${list}/${index}/${member}`, `must be ${JSON.stringify(key)}`] as const];
    });
  };

const types: readonly unknown[] = [
  ...metricRequest.properties.type.enum,
  ...metricRequest.properties.type.annotation.shownOnly,
];

/**
 * The id of a metric consists of its name and its type, which must be one that requests may send or answers show
 * (section 2.7).
 */
const idOfBoth: Rule = (key, { id, name, type }) => {
  const end = key.lastIndexOf('::');
  if (end <= 0 || end + 2 === key.length) return [['/id', 'must be <name>::<type>']];
  const own = { name: key.slice(0, end), type: key.slice(end + 2) };
  const said = { name, type };
  const wrong = (['name', 'type'] as const).flatMap(member =>
    id === undefined || said[member] === undefined || said[member] === own[member]
      ? []
      : [[`/${member}`, `must be ${JSON.stringify(own[member])}, as the id says`] as const],
  );
  if (wrong.length > 0 || types.includes(own.type)) return wrong;
  return [[type === undefined ? '/id' : '/type', `must be of a type that there is: ${types.join(', ')}`]];
};

const countOfAll: Rule = (_key, { count, versions }) =>
  typeof count === 'number' && Array.isArray(versions) && count < versions.length
    ? [['/count', `must be at least ${versions.length}: so many versions are given`]]
    : [];

/** Groups must be valid as in an update (section 2.5). */
const groupsAddUp: Rule = (_key, { groups }) =>
  Array.isArray(groups)
    ? groupErrors(groups).map(({ property, errorMessage }) => [
        property.split('.').reduce<string>(join, ''),
        errorMessage,
      ])
    : [];

/** The rules by collection. */
export const rules: { readonly [C in SeedCollection]?: Rule } = {
  configs: itemsOf('versions', 'id'),
  events: itemsOf('records', 'name'),
  experiments: groupsAddUp,
  metrics: idOfBoth,
  prompts: countOfAll,
};
