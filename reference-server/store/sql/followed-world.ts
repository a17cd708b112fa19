import type { World } from '../backend.ts';
import { type Asked, type Change, type Contents, createContents } from '../contents.ts';
import { inTurn, sharedTurn } from '../in-turn.ts';
import { freeze, type Snapshot } from '../store.ts';
import { worldOver } from '../world.ts';
import { type Database, isConflict, type Query, type Row, retried, Superseded } from './database.ts';
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

/** A change as stored in a record, without its state: that is the row's seed, or follows from earlier records. */
type Body =
  | Exclude<Change, { readonly state: Snapshot }>
  | { readonly do: 'begin'; readonly named?: string }
  | Omit<Extract<Change, { readonly do: 'save' }>, 'state' | 'from'>;

/** The local copy of a world: the records of one generation of its log, up to a length. */
interface Known {
  readonly generation: number;
  length: number;
  readonly contents: Contents;
}

/** The outcome of an attempt: its result and how to apply it, or `moved` if the world has changed meanwhile. */
type Outcome<T> = { readonly result: T; readonly keep: () => void } | 'moved';

/** Returns the change in a record, given the contents before it. */
const changeOf = (body: Body, whole: Snapshot | undefined, { named, state: stateNow }: Contents): Change => {
  if (body.do === 'save') return { ...body, state: whole ?? freeze(stateNow()) };
  if (body.do !== 'begin') return body;
  const { named: name = '' } = body as { readonly named?: string };
  const state = whole ?? named.get(name)?.state;
  if (state === undefined) throw new Error(`no state ${name}`);
  return { do: 'begin', state };
};

/**
 * A world that instances share. Each instance follows the world's log: it reads the records since its last reading and
 * applies them in memory. Concurrent readings share one query.
 * A record is only stored if the log still has the length that its change rests on. Otherwise the work is repeated
 * while the world is locked, so that it cannot lose again. Work within this process is sequential. A missing world is
 * created from `initial`.
 */
export function followedWorld(
  database: Database,
  seeds: Seeds,
  worldName: string,
  initial: Snapshot,
  limitOf: (size: number) => number,
): World {
  const name = JSON.stringify(worldName);
  let known: Known | undefined;
  /** Sum of all earlier revisions, so that the revision of the notes never repeats. */
  let revisions = 0;
  let isLong = false;

  /** Appends a change if the log still has this length. A state in `named` is stored by its name. */
  const keep = async (
    query: Query,
    { generation, length }: Pick<Known, 'generation' | 'length'>,
    change: Change,
    named: Contents['named'],
  ): Promise<boolean> => {
    const { state, from, ...body } = { state: undefined, from: undefined, ...change };
    const [known] = body.do === 'begin' ? ([...named].find(([, one]) => one.state === state) ?? []) : [];
    // A saved copy of the world itself follows from the records before it.
    const isWhole = state !== undefined && from === undefined && known === undefined;
    const hash = isWhole ? await seeds.keep(query, state) : null;
    const text = JSON.stringify({ ...body, named: known });
    return (await query(appendRecord, [name, generation, length, hash, text])).length > 0;
  };

  const ask = async (query: Query): Promise<Known> => {
    const rows = await query(recordsSince, [name, known?.generation ?? 0, known?.length ?? 0]);
    const [head] = rows;
    if (head === undefined) {
      await query(makeWorld, [name, await seeds.keep(query, initial)]);
      return ask(query);
    }
    const generation = Number(head.generation);
    const wholes = new Map<Row, Snapshot>();
    for (const row of rows)
      if (typeof row.seed === 'string') wholes.set(row, await seeds.read(query, row.seed, initial));
    // Results from several connections may arrive out of order.
    if (known === undefined || known.generation < generation) {
      revisions += (known?.contents.revision() ?? 0) + 1;
      known = { generation, length: 0, contents: createContents(initial) };
    }
    const { contents } = known;
    if (known.generation === generation)
      for (const row of rows)
        if (Number(row.position) === known.length + 1) {
          contents.apply(changeOf(JSON.parse(String(row.body)) as Body, wholes.get(row), contents));
          known.length += 1;
        }
    isLong = Number(head.size) > limitOf(Number(head.renewed));
    return known;
  };
  const now = sharedTurn(() => retried(() => ask(database.query)));
  const contentsNow = async (): Promise<Contents> => (await now()).contents;

  const attempt = async <T>(
    query: Query,
    work: (contents: Contents) => Asked<T> | Promise<Asked<T>>,
  ): Promise<Outcome<T>> => {
    const at = await ask(query);
    const { length, contents } = at;
    // Concurrent readings go on, and may advance the contents.
    const hasMoved = (): boolean => at !== known || at.length !== length;
    let asked: Asked<T>;
    try {
      asked = await work(contents);
    } catch (error) {
      if (hasMoved()) return 'moved';
      throw error;
    }
    if (hasMoved()) return 'moved';
    const { result, change } = asked;
    if (change === undefined) return { result, keep: () => undefined };
    if (!(await keep(query, { ...at, length }, change, contents.named))) return 'moved';
    return {
      result,
      keep: () => {
        if (hasMoved()) return;
        contents.apply(change);
        at.length += 1;
      },
    };
  };

  /**
   * Runs work while the world is locked. Ensures first that the world exists, because creating it in the transaction
   * could be rolled back.
   */
  const locked = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    retried(async () => {
      await now();
      return database.transaction(async query => {
        if ((await query(lockWorld, [name])).length === 0) throw new Superseded('the world was forgotten meanwhile');
        return work(query);
      });
    });

  /** Compacts the log to the fewest changes with the same result. */
  const renew = (): Promise<void> =>
    locked(async query => {
      const { contents, generation: before } = await ask(query);
      if (!isLong) return;
      const [row] = await query(emptyWorld, [name]);
      const generation = Number(row?.generation);
      for (const [length, change] of contents.changes().entries())
        await keep(query, { generation, length }, change, new Map());
      await query(noteSize, [name]);
      await query(dropRecords, [before]);
      await query(dropUnusedSeeds);
    });

  const appending = async <T>(work: Parameters<typeof attempt<T>>[1]): Promise<T> => {
    let outcome = await attempt(database.query, work).catch((error: unknown) => {
      if (!isConflict(error)) throw error;
      return 'moved' as const;
    });
    while (outcome === 'moved') outcome = await locked(query => attempt(query, work));
    outcome.keep();
    // Compaction may fail: no acknowledged change depends on it.
    if (isLong) await renew().catch(() => undefined);
    return outcome.result;
  };

  const [turns, noteTurns] = [inTurn(), inTurn()];
  return worldOver(worldName, {
    now: contentsNow,
    append: work => turns(() => appending(work)),
    note: work => noteTurns(() => appending(work)),
    revision: async () => (await contentsNow()).revision() + revisions,
  });
}
