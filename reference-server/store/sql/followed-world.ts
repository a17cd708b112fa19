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

/** A change as a record says it, without a whole state: that is the seed of the row, or follows from the records before. */
type Body =
  | Exclude<Change, { readonly state: Snapshot }>
  | { readonly do: 'begin'; readonly named?: string }
  | Omit<Extract<Change, { readonly do: 'save' }>, 'state' | 'from'>;

/** What this process knows of a world: the records of one generation of its log, up to a length. */
interface Known {
  readonly generation: number;
  length: number;
  readonly contents: Contents;
}

/** What a try came to: its result and what to do once it is kept, or that the world has moved on meanwhile. */
type Outcome<T> = { readonly result: T; readonly keep: () => void } | 'moved';

/** The change that a record says, after those before it. */
const changeOf = (body: Body, whole: Snapshot | undefined, { named, state: stateNow }: Contents): Change => {
  if (body.do === 'save') return { ...body, state: whole ?? freeze(stateNow()) };
  if (body.do !== 'begin') return body;
  const { named: name = '' } = body as { readonly named?: string };
  const state = whole ?? named.get(name)?.state;
  if (state === undefined) throw new Error(`no state ${name}`);
  return { do: 'begin', state };
};

/**
 * A world that instances share. Each follows its log, as it is that of a folder: a reading asks for the records since the
 * one before, by an index, and for nothing else, and makes their changes in memory. Readings that are wanted at the same
 * time share one question.
 * A record is kept on the condition that the log is as long as the one that its change rests on; where it is not, the work
 * is done again while the world is locked, so that it cannot lose twice. Work of this process is done one after another.
 * A world that is not there is made of `initial`.
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
  /** Counts what was known before, so that the revision of the notes never comes again. */
  let revisions = 0;
  let isLong = false;

  /** Keeps a change behind others, where the log is as long as they say. A state that has a name among `named` is named. */
  const keep = async (
    query: Query,
    { generation, length }: Pick<Known, 'generation' | 'length'>,
    change: Change,
    named: Contents['named'],
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
      await query(makeWorld, [name, await seeds.keep(query, initial)]);
      return ask(query);
    }
    const generation = Number(head.generation);
    const wholes = new Map<Row, Snapshot>();
    for (const row of rows)
      if (typeof row.seed === 'string') wholes.set(row, await seeds.read(query, row.seed, initial));
    // Answers to questions of several connections may come in another order than they were asked.
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
    // Readings of others go on meanwhile, and may bring it further.
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

  /** Does work while nobody else changes the world. It is made before, for what a transaction made may come to nothing. */
  const locked = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    retried(async () => {
      await now();
      return database.transaction(async query => {
        if ((await query(lockWorld, [name])).length === 0) throw new Superseded('the world was forgotten meanwhile');
        return work(query);
      });
    });

  /** Writes the log anew, with the fewest changes that come to the same. */
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
    // What is acknowledged does not depend on it.
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
