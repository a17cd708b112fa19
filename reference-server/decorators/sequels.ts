import type { JsonObject, Members } from '../../contracts/json.ts';
import type { HandlerRequest } from '../api/request.ts';
import { isSuccess, refusal } from '../api/response.ts';
import type { CollectionName, Collections } from '../entities.ts';
import { both, type Decorator, does, namesOf, type Operator, perServer } from './layers.ts';
import type { Mutable } from './members.ts';
import { around, onValidRequest, sentBy, validOf } from './operations.ts';
import { stores, type Writing } from './stores.ts';

/** Decorators of effects that depend on earlier requests. */

/** The status of an answer, and the body of its request. */
export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Selects requests by their answers. `does` says which, in words. */
export type WhenAnswered = ((answered: Answered) => boolean) & { readonly does?: string };

const answered = (does: string, when: (answered: Answered) => boolean): WhenAnswered => Object.assign(when, { does });

/** Select requests without the right key, requests refused as invalid, and dry runs. */
export const keyless = answered('a request without the key', ({ status }) => status === 401);
export const refused = answered('a refused request', ({ status }) => status === 400);
export const dry = answered('a dry run', ({ status, body }) => status === 200 && body.dryRun === true);

/** True if the request changes something when it is carried out. */
const writes = (request: HandlerRequest): boolean =>
  sentBy(request).dryRun !== true && (request.body === undefined || Object.keys(sentBy(request)).length > 0);

/**
 * Refuses a creation under the name of an earlier request that created nothing; `when` selects it by its answer. Lets
 * dry runs through unless `dryToo`; `key` tells which names are equal. With `aroundWork` as the level only valid
 * requests with the key count.
 */
export const reserves = (
  member: string,
  when: WhenAnswered,
  message: string,
  { level = around, dryToo = false, key = (name: unknown): unknown => name } = {},
): Operator =>
  does(
    `The \`${member}\` of ${when.does} is taken.`,
    perServer(() => {
      const taken = new Set<unknown>();
      return level(async (work, request) => {
        const body = sentBy(request);
        const name = key(body[member]);
        if ((dryToo || body.dryRun !== true) && taken.has(name)) return refusal(409, message);
        const answer = await work();
        if (when({ status: answer.status, body })) taken.add(name);
        return answer;
      });
    }),
  );

/** Keeps members of requests without effect, and adds them to the next effective request to the same entity. */
export const keptForNext = (when: WhenAnswered, ...fields: readonly string[]): Operator =>
  does(
    `${namesOf(fields)} of ${when.does} ${fields.length > 1 ? 'are' : 'is'} stored with the next one.`,
    perServer(() => {
      const kept = new Map<string, Mutable>();
      return both(
        around(async (work, request) => {
          const answer = await work();
          const isKept = when({ status: answer.status, body: sentBy(request) });
          if (isKept) kept.set(request.param, validOf(request, answer, fields));
          return answer;
        }),
        onValidRequest(request => {
          if (!writes(request)) return request;
          const more = kept.get(request.param) ?? {};
          kept.delete(request.param);
          return { ...request, body: { ...more, ...sentBy(request) } };
        }),
      );
    }),
  );

/**
 * Applies a request without effect to its entity after all: always, or without `always` only right after an effective
 * request to that entity.
 */
export const worksAfterAll = <C extends CollectionName>(
  collection: C,
  when: (answered: Answered) => boolean,
  change: (valid: Mutable, entity: Collections[C]) => Partial<Collections[C]>,
  { always = true, fields = [] as readonly string[] } = {},
): Decorator =>
  perServer(() => {
    const written = new Set<string>();
    return around(async (work, request, store) => {
      const answer = await work();
      const entity = await store.get(collection, request.param);
      const isDue = when({ status: answer.status, body: sentBy(request) }) && (always || written.has(request.param));
      if (isDue && entity !== undefined)
        await store.put(collection, request.param, {
          ...entity,
          ...change(validOf(request, answer, fields), entity),
        });
      if (isSuccess(answer) && writes(request)) written.add(request.param);
      else if (!isDue) written.delete(request.param);
      return answer;
    });
  });

/** Stores these members of a request without effect: always, or without `always` only right after an effective one. */
export const storesAfterAll = (
  collection: 'gates' | 'qualifyingEvents' | 'experiments',
  when: WhenAnswered,
  fields: readonly string[],
  always = true,
): Operator =>
  does(
    `${namesOf(fields)} of ${when.does}${always ? '' : ' right after an accepted one'} ${fields.length > 1 ? 'are' : 'is'} stored.`,
    worksAfterAll(collection, when, valid => valid, { always, fields }),
  );

/** Changes what is stored by which entity was written before: this one or another. */
export const inTurn = (change: (writing: Writing, last: string | undefined) => Mutable | Promise<Mutable>): Decorator =>
  perServer(() => {
    let last: string | undefined;
    return stores(async writing => {
      const stored = await change(writing, last);
      last = writing.id;
      return stored;
    });
  });

/** Changes the previously written entity when another one is written. */
export const spoilsLast = (change: (last: Mutable, value: Mutable) => Mutable): Decorator =>
  inTurn(async ({ transaction, collection, id, value }, last) => {
    const other = last === undefined || last === id ? undefined : await transaction.get(collection, last);
    if (other !== undefined && last !== undefined)
      await transaction.put(collection, last, { ...other, ...change({ ...other } as Mutable, value) } as never);
    return value;
  });

/** Returns the member of a body as an object if it is a text, otherwise an empty object. */
export const textOf = (body: Members, name: string): JsonObject =>
  typeof body[name] === 'string' ? { [name]: body[name] as string } : {};
