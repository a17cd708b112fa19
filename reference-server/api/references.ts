import { directory, type NameKind } from '../directory.ts';
import type { CollectionName } from '../entities.ts';
import type { Reader } from '../store/store.ts';
import type { Problem } from './answer.ts';

/** Collects what a request refers to that does not exist. Null and undefined refer to nothing. */

const words: Readonly<Record<NameKind, string>> = {
  idType: 'unit id type',
  team: 'team',
  app: 'target app',
  pipeline: 'release pipeline',
  reviewGroup: 'review group',
  model: 'model',
  provider: 'provider',
  user: 'user',
  email: 'user with this email address',
  assignmentSource: 'assignment source',
  identitySource: 'identity resolution source',
};

/** Adds a problem where a name is not in the directory. Values that are not texts are left to the contract. */
export const checkName = (problems: Problem[], property: string, kind: NameKind, name: unknown): void => {
  if (typeof name === 'string' && !directory[kind].has(name))
    problems.push({ property, errorMessage: `names no known ${words[kind]}` });
};

/** The same for every name of a list. */
export const checkNames = (problems: Problem[], property: string, kind: NameKind, names: unknown): void => {
  if (!Array.isArray(names)) return;
  for (const [index, name] of names.entries()) checkName(problems, `${property}.${index}`, kind, name);
};

/** Adds a problem where the store has no such entity. */
export const checkEntity = async (
  problems: Problem[],
  store: Reader,
  property: string,
  collection: CollectionName,
  kind: string,
  id: unknown,
): Promise<void> => {
  if (typeof id === 'string' && (await store.get(collection, id)) === undefined)
    problems.push({ property, errorMessage: `names no known ${kind}` });
};

/** Adds a problem where a `{name, type}` names no metric. A reference that lacks either names nothing that could be looked up. */
export const checkMetric = async (
  problems: Problem[],
  store: Reader,
  property: string,
  reference: unknown,
): Promise<void> => {
  const { name, type } = (reference ?? {}) as { name?: unknown; type?: unknown };
  if (typeof name !== 'string' || typeof type !== 'string') return;
  await checkEntity(problems, store, property, 'metrics', 'metric', `${name}::${type}`);
};

/** The same for every reference of a list. */
export const checkMetrics = async (
  problems: Problem[],
  store: Reader,
  property: string,
  references: unknown,
): Promise<void> => {
  if (!Array.isArray(references)) return;
  for (const [index, reference] of references.entries())
    await checkMetric(problems, store, `${property}.${index}`, reference);
};
