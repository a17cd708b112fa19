import { writesApart } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import { count, entryOf } from '../protocol/entries.ts';

/** Knows which checks have requests under way, so that what several cases wait for can be asked for once. */
export type UnderWay = ReturnType<typeof createUnderWay>;

/** Nothing is under way yet. */
export function createUnderWay() {
  const counts = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  /** Whoever got the last answer may go on to send: all that is ready is let happen first. */
  async function resume(check: string): Promise<void> {
    await new Promise<void>(resolve => setImmediate(resolve));
    if ((counts.get(check) ?? 0) > 0) return;
    const resolved = waiting.get(check) ?? [];
    waiting.delete(check);
    for (const resolve of resolved) resolve();
  }

  return {
    /** A request of a check is sent. */
    begin: (check: string): void => void count(counts, check),
    /** The answer to a request of a check is there, or none will come. */
    end(check: string): void {
      if (count(counts, check, -1) > 0) return;
      counts.delete(check);
      if (waiting.has(check)) void resume(check);
    },
    /** Resolves when no request of the check is under way, and none follows at once. */
    quiet: (check: string): Promise<void> =>
      new Promise(resolve => {
        entryOf(waiting, check, () => []).push(resolve);
        if ((counts.get(check) ?? 0) === 0) void resume(check);
      }),
  };
}

/** Knows which writes to one entity are under way at the same time: each may come back with what the other wrote. */
export type MeetingWrites = ReturnType<typeof createMeetingWrites>;

interface Write {
  readonly body: Readonly<Record<string, unknown>>;
  /** Those that were under way while it was, and were not refused meanwhile. */
  readonly met: Set<Write>;
}

const none: readonly string[] = [];

/** Nothing is under way yet. */
export function createMeetingWrites() {
  const underWay = new Map<string, Set<Write>>();
  return {
    /**
     * A request is sent. The function that comes back tells, when its answer is there, the members of which others that
     * met it may have written another value; `isRefused`: it wrote nothing itself.
     */
    begin({ endpoint, param, body }: ApiRequest): (isRefused: boolean) => readonly string[] {
      const row = endpointRow(endpoint);
      // What is created is nobody else's.
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

/** A name that is made anew each time that it is sent is another one each time. */
const isSame = (one: unknown, other: unknown): boolean => same(one as never, other as never) && !isNamedAnew(one);
