import { type Json, membersOf } from '../../contracts/json.ts';
import { compareEcho } from '../judge/echo.ts';
import { remember } from '../protocol/entries.ts';
import type { Attempt, Sighting } from './attempt.ts';

/** A written field that other operations have still to show. */
interface Unread {
  readonly attempt: Attempt;
  readonly field: string;
  /** The operations whose answers were compared with it. */
  readonly readBy: Set<string>;
}

/** Maximum number of entities waited for, the latest ones, and of operations compared with one field. */
const most = { entities: 1_000, readers: 4 } as const;

/** Waits for other operations to show what was written. */
export function createUnreads() {
  const known = new Map<string, Map<string, Unread>>();
  return {
    /** Remembers the fields of an accepted write, in place of earlier writes. */
    wait(attempt: Attempt, fields: readonly string[]): void {
      const key = attempt.shown[0]?.key;
      if (key === undefined || fields.length === 0) return;
      const own = known.get(key) ?? new Map<string, Unread>();
      for (const field of fields) own.set(`${attempt.endpoint} ${field}`, { attempt, field, readBy: new Set() });
      remember(known, key, own, most.entities);
    },
    /** Returns the written fields that an answer of another operation covers, and whether it shows them as written. */
    read({ key, endpoint, entity }: Sighting): { attempt: Attempt; field: string; isShown: boolean }[] {
      return [...(known.get(key) ?? [])].flatMap(([name, { attempt, field, readBy }]) => {
        if (attempt.endpoint === endpoint || readBy.has(endpoint)) return [];
        readBy.add(endpoint);
        if (readBy.size >= most.readers) known.get(key)?.delete(name);
        const got = membersOf(entity)[field] as Json | undefined;
        const schema = attempt.row.body?.properties?.[field];
        const isShown = got !== undefined && compareEcho(attempt.body[field] as Json, got, schema, '').length === 0;
        return { attempt, field, isShown };
      });
    },
  };
}
