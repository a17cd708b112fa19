import { memoized } from '../../contracts/memoized.ts';
import { collectionNames } from '../entities.ts';
import { type Change, createContents, type From, summed } from './contents.ts';
import { freeze, type Snapshot } from './store.ts';
import { newer } from './store-error.ts';

/** Converts changes of worlds to records of a log and back. A state is written once, then referenced by number. */

/** The log format that this program writes, and the newest that it reads. */
const format = 1;

/** Returns the size from which a log is compacted: at least twice what it holds. */
export const usualLimit = (size: number): number => Math.max(1_000_000, 2 * size);

/** A record. The first one is the format. */
type LogRecord =
  | { readonly format: number }
  | { readonly number: number; readonly whole: Snapshot }
  | { readonly number: number; readonly of: number; readonly entities: From['entities'] }
  | { readonly forget: string }
  | ({ readonly world: string; readonly state?: number } & Omit<Change, 'state'>);

/** How states were made, if known. */
const sources = new WeakMap<Snapshot, From>();

/** Begins a log: returns what writes changes of worlds as its records. */
export function recording(append: (record: LogRecord) => void) {
  const numbers = new WeakMap<Snapshot, number>();
  let last = 0;
  const numberOf = (state: Snapshot): number => {
    const known = numbers.get(state);
    if (known !== undefined) return known;
    // Frozen, because the number stands for the state as written, even if the caller would change it later.
    freeze(state);
    const from = sources.get(state);
    // Only one step deep, otherwise the log would have to keep a chain of states.
    const short = from === undefined || sources.has(from.state) ? undefined : from;
    const rest = short === undefined ? { whole: state } : { of: numberOf(short.state), entities: short.entities };
    append({ number: last + 1, ...rest });
    last += 1;
    numbers.set(state, last);
    return last;
  };
  append({ format });
  return {
    keep: (world: string, change: Change) => {
      if (!('state' in change)) return append({ world, ...change });
      const { from, state, ...rest } = { from: undefined, ...change };
      if (from !== undefined) sources.set(state, from);
      append({ world, ...rest, state: numberOf(state) });
    },
    forget: (forget: string) => append({ forget }),
  };
}

/** What writes the records of a log. */
export type Recording = ReturnType<typeof recording>;

/** Returns a state made from another one. Collections that the base lacks stay absent. */
const stateOf = (from: From): Snapshot => {
  const contents = createContents(from.state);
  contents.apply({ do: 'write', entities: from.entities });
  const now = contents.state();
  const known = collectionNames.filter(name => from.state[name] !== undefined);
  const state = freeze(Object.fromEntries(known.map(name => [name, now[name]])) as Snapshot);
  sources.set(state, from);
  return state;
};

/**
 * Returns the changes that recreate each world of a log. Throws a `StoreError` if the format is newer; `where` names
 * the store.
 */
export function recorded(records: readonly unknown[], where: string): Map<string, readonly Change[]> {
  const worlds = new Map<string, Change[]>();
  const states = new Map<number, Snapshot>();
  const [head, ...rest] = records as readonly LogRecord[];
  const version = head !== undefined && 'format' in head ? head.format : 0;
  if (version > format) throw newer(where, version, format);
  if (version !== format) throw new Error('no format');
  const stateAt = (number: number): Snapshot => {
    const state = states.get(number);
    if (state === undefined) throw new Error(`no state ${number}`);
    return state;
  };
  for (const record of rest) {
    if ('whole' in record) states.set(record.number, freeze(record.whole));
    else if ('of' in record)
      states.set(record.number, stateOf({ state: stateAt(record.of), entities: record.entities }));
    else if ('forget' in record) worlds.delete(record.forget);
    else if ('world' in record) {
      const { world, state, ...change } = record;
      const changes = worlds.get(world) ?? [];
      changes.push((state === undefined ? change : { ...change, state: stateAt(state) }) as Change);
      worlds.set(world, changes);
    } else throw new Error('a record of no kind');
  }
  return new Map([...worlds].map(([name, changes]) => [name, summed(changes)]));
}

/** Adds missing collections from a seed to states of an older version. */
export const completed = (seed: Snapshot): ((state: Snapshot) => Snapshot) =>
  memoized(state => (collectionNames.every(name => state[name] !== undefined) ? state : freeze({ ...seed, ...state })));
