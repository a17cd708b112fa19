import { writesApart } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import { count, entryOf } from '../protocol/entries.ts';

/** Tracks which checks have requests in flight, so that several waiting cases can share one request. */
export type UnderWay = ReturnType<typeof createUnderWay>;

/** Returns a tracker without requests in flight. */
export function createUnderWay() {
  const counts = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  /** Yields once so that continuations of the previous answer run before waiters resume. */
  async function resume(check: string): Promise<void> {
    await new Promise<void>(resolve => setImmediate(resolve));
    if ((counts.get(check) ?? 0) > 0) return;
    const resolved = waiting.get(check) ?? [];
    waiting.delete(check);
    for (const resolve of resolved) resolve();
  }

  return {
    /** Records that a request of a check is sent. */
    begin: (check: string): void => void count(counts, check),
    /** Records that a request of a check has ended, with or without an answer. */
    end(check: string): void {
      if (count(counts, check, -1) > 0) return;
      counts.delete(check);
      if (waiting.has(check)) void resume(check);
    },
    /** Resolves when the check has no request in flight, and none follows at once. */
    quiet: (check: string): Promise<void> =>
      new Promise(resolve => {
        entryOf(waiting, check, () => []).push(resolve);
        if ((counts.get(check) ?? 0) === 0) void resume(check);
      }),
  };
}

/** Tracks simultaneous writes to one entity: each answer may show what the other wrote. */
export type MeetingWrites = ReturnType<typeof createMeetingWrites>;

interface Write {
  readonly body: Readonly<Record<string, unknown>>;
  /** The writes that were under way at the same time, except those that the target has refused. */
  readonly met: Set<Write>;
}

const none: readonly string[] = [];

/** Returns a tracker without writes in flight. */
export function createMeetingWrites() {
  const underWay = new Map<string, Set<Write>>();
  return {
    /**
     * Records a write. Call the returned function when its answer arrives: it returns the members that overlapping
     * writes may have set to another value. `isRefused`: the target refused this write, so that it had no effect.
     */
    begin({ endpoint, param, body }: ApiRequest): (isRefused: boolean) => readonly string[] {
      const row = endpointRow(endpoint);
      // Creations write to no shared entity.
      if (writesApart(row) || param === undefined) return () => none;
      const entity = `${row.resource} ${param}`;
      const others = entryOf(underWay, entity, () => new Set());
      const own: Write = { body: membersOf(body), met: new Set(others) };
      for (const other of others) other.met.add(own);
      others.add(own);
      return isRefused => {
        others.delete(own);
        if (others.size === 0) underWay.delete(entity);
        if (isRefused) for (const other of own.met) other.met.delete(own);
        if (own.met.size === 0) return none;
        return Object.keys(own.body).filter(member =>
          [...own.met].some(
            other => Object.hasOwn(other.body, member) && !isSame(own.body[member], other.body[member]),
          ),
        );
      };
    },
  };
}

const isNamedAnew = (value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'object') && JSON.stringify(value).includes(namePlaceholder);

/** A generated name differs each time that it is sent. */
const isSame = (one: unknown, other: unknown): boolean => same(one, other) && !isNamedAnew(one);
