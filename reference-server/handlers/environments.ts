import type { BodyOf } from '../../contracts/endpoints.ts';
import { namesOf, unknownNames } from '../api/names.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { type FieldError, refuseAny } from '../api/response.ts';
import { success } from '../api/success.ts';
import type { Environment } from '../entities.ts';

type Sent = NonNullable<BodyOf<'update-environments'>['environments']>[number];

/** An environment as it is shown: the review group is part of requests only (section 2.2). */
const shown = ({ requiredReviewGroupID: _, ...environment }: Environment) => environment;

/** A project has no more environments than this. */
const limit = 100;

/** The id of the environment that is meant: by its id, else by its name; undefined for a new one. */
const meant = (now: readonly Environment[], { id, name }: Sent): string | undefined =>
  id === undefined
    ? now.find(environment => environment.name === name)?.id
    : now.find(environment => environment.id === id)?.id;

/** An environment after an update that sends this of it; without one before, a new one. */
export const updatedEnvironment = (
  before: Environment | undefined,
  sent: Sent,
  id: string,
  name: string,
): Environment => ({
  isProduction: false,
  requiresReview: false,
  requiresReleasePipeline: false,
  ...before,
  ...Object.fromEntries(
    (['isProduction', 'requiresReview', 'requiresReleasePipeline', 'requiredReviewGroupID'] as const)
      .filter(member => sent[member] !== undefined)
      .map(member => [member, sent[member]]),
  ),
  id,
  name,
});

/** The operations on environments. */
export const environmentHandlers = {
  /**
   * Section 4.1: each environment that is sent changes the one with its id, else the one with its name, else is new.
   * What is not sent stays; nothing is ever removed. The response shows the full resulting set.
   */
  'update-environments': (request, store, settings) =>
    store.transaction(async transaction => {
      const { environments: sent = [] } = bodyOf<'update-environments'>(request);
      const now = await transaction.list('environments');
      const before = new Map(now.map(environment => [environment.id, environment]));
      const names = namesOf(transaction, settings);
      const errors: FieldError[] = [];
      const after = new Map<string, Environment>();
      for (const [index, item] of sent.entries()) {
        const at = `environments.${index}`;
        errors.push(
          ...(await unknownNames(names, `${at}.requiredReviewGroupID`, 'reviewGroup', item.requiredReviewGroupID)),
        );
        const known = meant(now, item);
        const name = item.name ?? (known === undefined ? undefined : before.get(known)?.name);
        const id = known ?? item.id ?? name;
        if (id === undefined || name === undefined) {
          errors.push({ property: `${at}.name`, errorMessage: 'is required of a new environment' });
        } else {
          if (after.has(id)) errors.push({ property: at, errorMessage: 'is the same environment as one before it' });
          after.set(id, updatedEnvironment(before.get(id), item, id, name));
        }
      }
      const resulting = new Map([...before, ...after]);
      if (resulting.size > limit)
        errors.push({ property: 'environments', errorMessage: `must leave at most ${limit} environments` });
      refuseAny(errors);
      for (const [id, environment] of after) await transaction.put('environments', id, environment);
      return success(request, { environments: [...resulting.values()].map(shown) });
    }),
} satisfies Record<string, Handler>;
