import { type Json, membersOf } from '../../contracts/json.ts';
import { compareEcho } from '../judge/echo.ts';
import type { Attempt, Sighting } from './attempt.ts';

/** A field that was written, and what of it is still to be seen. */
interface Unread {
  readonly attempt: Attempt;
  readonly field: string;
  /** The operations whose answers were compared with it. */
  readonly readBy: Set<string>;
}

/** What a later answer of another operation shows of a field that was written. */
export interface ReadBack {
  readonly attempt: Attempt;
  readonly field: string;
  readonly isShown: boolean;
}

/** Waits for other operations to show what was written. */
export interface Unreads {
  /** Remembers fields of an accepted write; what was written there before is forgotten. */
  wait(attempt: Attempt, fields: readonly string[]): void;
  /** What an answer shows of them. */
  read(one: Sighting): readonly ReadBack[];
}

/** So many entities are waited for, the last ones, and so many operations are compared with a field. */
const most = { entities: 1_000, readers: 4 } as const;

/** Waits for nothing yet. */
export function createUnreads(): Unreads {
  const known = new Map<string, Map<string, Unread>>();
  return {
    wait(attempt, fields) {
      const key = attempt.shown[0]?.key;
      if (key === undefined || fields.length === 0) return;
      const own = known.get(key) ?? new Map<string, Unread>();
      known.set(key, own);
      for (const field of fields) own.set(`${attempt.endpoint} ${field}`, { attempt, field, readBy: new Set() });
      const [oldest] = known.keys();
      if (known.size > most.entities && oldest !== undefined) known.delete(oldest);
    },
    read({ key, endpoint, entity }) {
      const own = known.get(key);
      if (own === undefined) return [];
      const found: ReadBack[] = [];
      for (const [name, { attempt, field, readBy }] of own) {
        if (attempt.endpoint === endpoint || readBy.has(endpoint)) continue;
        readBy.add(endpoint);
        if (readBy.size >= most.readers) own.delete(name);
        const got = membersOf(entity)[field] as Json | undefined;
        const schema = attempt.row.body?.properties?.[field];
        const isShown = got !== undefined && compareEcho(attempt.body[field] as Json, got, schema, '').length === 0;
        found.push({ attempt, field, isShown });
      }
      return found;
    },
  };
}
