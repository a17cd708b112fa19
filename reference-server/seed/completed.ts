import { isObject, type Members } from '../../contracts/json.ts';
import { type SeedCollection, seedEntities } from '../../contracts/seed.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';
import type { CollectionName } from '../entities.ts';
import { completeEntity } from '../fixtures/defaults.ts';
import { rules } from './rules.ts';

/**
 * Completes an entity with the defaults of a seed, or returns its problems. Members unknown to seeds stay unchanged.
 */
export const completed = (
  collection: CollectionName,
  key: string,
  value: unknown,
): { readonly entity: unknown } | { readonly problems: readonly Problem[] } => {
  const name: SeedCollection = collection;
  const problems = validatorFor(seedEntities[name])(value).filter(({ keyword }) => keyword !== 'additionalProperties');
  if (problems.length > 0 || !isObject(value)) return { problems };
  const broken = (rules[name]?.(key, value as Members) ?? []).map(([pointer, message]) => ({
    pointer,
    keyword: 'rule',
    message,
  }));
  if (broken.length > 0) return { problems: broken };
  return { entity: completeEntity(name, key, value) };
};

/** Completes every incomplete entity of a state with the defaults of a seed. Invalid parts stay unchanged. */
export const completedState = (state: unknown): unknown => {
  if (!isObject(state)) return state;
  const whole = (name: string, pair: unknown): unknown => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') return pair;
    const made = completed(name as CollectionName, pair[0], pair[1]);
    return 'entity' in made ? [pair[0], made.entity] : pair;
  };
  return Object.fromEntries(
    Object.entries(state).map(([name, list]) => [
      name,
      Object.hasOwn(seedEntities, name) && Array.isArray(list) ? list.map(pair => whole(name, pair)) : list,
    ]),
  );
};
