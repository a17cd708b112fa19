import type { BodyOf, EndpointId } from '../../contracts/endpoints.ts';
import type { Naming } from '../../contracts/target.ts';
import { type Names, namesOf } from '../api/names.ts';
import { entityNamed } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { success } from '../api/success.ts';
import type { CollectionName, Collections } from '../entities.ts';

/** What an operation knows of its request. */
interface Asked<Id extends EndpointId> {
  readonly sent: BodyOf<Id>;
  readonly names: Names;
  readonly naming: Naming;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What becomes of an entity: as it is kept, the same where nothing changes, and as it is shown where that is not it. */
interface Outcome<Entity> {
  readonly kept: Entity;
  readonly shown?: object;
}

/** An operation that changes the entity that its path names, in one transaction. */
export const onEntity =
  <Id extends EndpointId, C extends CollectionName>(
    collection: C,
    work: (entity: Collections[C], asked: Asked<Id>) => Outcome<Collections[C]> | Promise<Outcome<Collections[C]>>,
  ): Handler =>
  (request, store, settings) =>
    store.transaction(async transaction => {
      const entity = await entityNamed(transaction, collection, request);
      const names = namesOf(transaction, settings);
      const { naming, now } = settings;
      const { kept, shown = kept } = await work(entity, { sent: bodyOf<Id>(request), names, naming, now: now() });
      if (kept !== entity) await transaction.put(collection, request.param, kept);
      return success(request, shown);
    });
