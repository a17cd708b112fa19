import { inTurn, sharedTurn } from '../in-turn.ts';
import { type Change, createWorld, type Made } from '../memory-backend.ts';
import { freeze, type Snapshot } from '../store.ts';
import { type Database, isConflict, type Query, type Row, retried } from './database.ts';
import type { Seeds } from './seeds.ts';
import {
  appendRecord,
  dropRecords,
  dropUnusedSeeds,
  emptyWorld,
  lockWorld,
  makeWorld,
  noteSize,
  recordsSince,
} from './statements.ts';

/** A change as a record says it, of which the row names the state where it is whole. */
type Body =
  | Exclude<Change, { readonly state: Snapshot }>
  | { readonly do: 'begin'; readonly named?: string }
  | Omit<Extract<Change, { readonly do: 'save' }>, 'state' | 'from'>;

/** What this process knows of a world: all records of one generation of its log up to a length. */
interface Known {
  readonly generation: number;
  length: number;
  readonly made: Made;
}

/** What work on a world comes to, and the change that it asks for. */
export interface Asked<T> {
  readonly result: T;
  readonly change?: Change | undefined;
}

/** What a try came to: its result and what to do once it is kept, or that the world has moved on meanwhile. */
type Outcome<T> = { readonly result: T; readonly keep: () => void } | 'moved';

/** The log of a world that instances share. */
export interface WorldLog {
  /** The world, up to date at the time of the call or later. It is followed, not copied. */
  readonly now: () => Promise<Made['world']>;
  /**
   * Works on the world and keeps the change that is asked for: again, where another instance was quicker. Work of this
   * process is done one after another.
   */
  readonly append: <T>(work: (made: Made) => Promise<Asked<T>>) => Promise<T>;
  /** Runs what must not meet a change of this process. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Makes the world where there is none. */
  readonly make: (query: Query) => Promise<void>;
  /** The mark of the notes, up to date as the world is. */
  readonly notes: () => Promise<number>;
  /** Takes over the mark after a change of the notes. */
  readonly noted: (mark: number) => void;
}

/**
 * Follows a world by its log, as a folder keeps it: each reading asks for the records since the one before, by an index,
 * and for nothing else, and makes their changes in memory. Readings that are wanted at the same time share one question.
 * A record is kept on the condition that the log is as long as the one that its change rests on; where it is not, the work
 * is done again while the world is locked, so that it cannot lose twice. A world that is not there is made of `initial`.
 */
export function createWorldLog(
  database: Database,
  seeds: Seeds,
  name: string,
  initial: Snapshot,
  limitOf: (size: number) => number,
): WorldLog {
  let known: Known | undefined;
  let notes = 0;
  let isLong = false;

  const make = async (query: Query): Promise<void> => {
    await query(makeWorld, [name, await seeds.keep(query, initial)]);
  };

  const changeOf = (body: Body, whole: Snapshot | undefined, { named, world }: Made): Change => {
    if (body.do === 'save') return { ...body, state: whole ?? freeze(world.store.now()) };
    if (body.do !== 'begin') return body;
    const { named: from = '' } = body as { readonly named?: string };
    const state = whole ?? named.get(from)?.state;
    if (state === undefined) throw new Error(`no state ${from}`);
    return { do: 'begin', state };
  };

  /** Keeps a change behind others, where the log is as long as they say. Only named states that replays know are named. */
  const keep = async (
    query: Query,
    { generation, length }: Pick<Known, 'generation' | 'length'>,
    change: Change,
    named: Made['named'],
  ): Promise<boolean> => {
    const { state, from, ...body } = { state: undefined, from: undefined, ...change };
    const [known] = body.do === 'begin' ? ([...named].find(([, one]) => one.state === state) ?? []) : [];
    // What is saved of the world itself is what the records before it make of it.
    const isWhole = state !== undefined && from === undefined && known === undefined;
    const hash = isWhole ? await seeds.keep(query, state) : null;
    const text = JSON.stringify({ ...body, named: known });
    return (await query(appendRecord, [name, generation, length, hash, text])).length > 0;
  };

  const ask = async (query: Query): Promise<Known> => {
    const rows = await query(recordsSince, [name, known?.generation ?? 0, known?.length ?? 0]);
    const [head] = rows;
    if (head === undefined) {
      await make(query);
      return ask(query);
    }
    const generation = Number(head.generation);
    const wholes = new Map<Row, Snapshot>();
    for (const row of rows)
      if (typeof row.seed === 'string') wholes.set(row, await seeds.read(query, row.seed, initial));
    // Answers to questions of several connections may come in another order than they were asked.
    if (known === undefined || known.generation < generation)
      known = { generation, length: 0, made: createWorld(name, initial, () => undefined) };
    if (known.generation === generation)
      for (const row of rows)
        if (Number(row.position) === known.length + 1) {
          known.made.apply(changeOf(JSON.parse(String(row.body)) as Body, wholes.get(row), known.made));
          known.length += 1;
        }
    notes = Math.max(notes, Number(head.notes));
    isLong = Number(head.size) > limitOf(Number(head.renewed));
    return known;
  };

  const attempt = async <T>(query: Query, work: (made: Made) => Promise<Asked<T>>): Promise<Outcome<T>> => {
    const at = await ask(query);
    const { length, made } = at;
    // Readings of others go on meanwhile, and may bring it further.
    const hasMoved = (): boolean => at !== known || at.length !== length;
    let asked: Asked<T>;
    try {
      asked = await work(made);
    } catch (error) {
      if (hasMoved()) return 'moved';
      throw error;
    }
    if (hasMoved()) return 'moved';
    const { result, change } = asked;
    if (change === undefined) return { result, keep: () => undefined };
    if (!(await keep(query, { ...at, length }, change, made.named))) return 'moved';
    return {
      result,
      keep: () => {
        if (hasMoved()) return;
        made.apply(change);
        at.length += 1;
      },
    };
  };

  const locked = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    retried(() =>
      database.transaction(async query => {
        while ((await query(lockWorld, [name])).length === 0) await make(query);
        return work(query);
      }),
    );

  /** Writes the log anew, with the fewest changes that come to the same. */
  const renew = (): Promise<void> =>
    locked(async query => {
      const { made, generation: before } = await ask(query);
      const [row] = await query(emptyWorld, [name]);
      const generation = Number(row?.generation);
      for (const [length, change] of made.world.changes().entries())
        await keep(query, { generation, length }, change, new Map());
      await query(noteSize, [name]);
      await query(dropRecords, [before]);
      await query(dropUnusedSeeds);
    });

  const turns = inTurn();
  const now = sharedTurn(() => retried(() => ask(database.query)));
  return {
    now: async () => (await now()).made.world,
    append: work =>
      turns(async () => {
        let outcome = await attempt(database.query, work).catch((error: unknown) => {
          if (!isConflict(error)) throw error;
          return 'moved' as const;
        });
        while (outcome === 'moved') outcome = await locked(query => attempt(query, work));
        outcome.keep();
        // What is acknowledged does not depend on it.
        if (isLong) await renew().catch(() => undefined);
        return outcome.result;
      }),
    inTurn: turns,
    make,
    notes: async () => {
      await now();
      return notes;
    },
    noted: mark => {
      notes = Math.max(notes, mark);
    },
  };
}
