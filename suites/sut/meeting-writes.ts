import { writesApart } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { namePlaceholder } from '../protocol/created-names.ts';

/** Knows which writes to one entity are under way at the same time: each may come back with what the other wrote. */
export interface MeetingWrites {
  /**
   * A request is sent. The function that comes back tells, when its answer is there, the members of which others that
   * met it may have written another value; `isRefused`: it wrote nothing itself.
   */
  begin(request: ApiRequest): (isRefused: boolean) => readonly string[];
}

interface Write {
  readonly body: Readonly<Record<string, unknown>>;
  /** Those that were under way while it was, and were not refused meanwhile. */
  readonly met: Set<Write>;
}

const none: readonly string[] = [];

/** Nothing is under way yet. */
export function createMeetingWrites(): MeetingWrites {
  const underWay = new Map<string, Set<Write>>();
  return {
    begin({ endpoint, param, body }) {
      const row = endpointRow(endpoint);
      // What is created is nobody else's.
      if (writesApart(row) || param === undefined) return () => none;
      const entity = `${row.resource} ${param}`;
      const others = underWay.get(entity) ?? new Set<Write>();
      underWay.set(entity, others);
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
