import { memoized } from '../../contracts/memoized.ts';
import { collectionNames } from '../entities.ts';
import { type Change, createContents, type From, summed } from './contents.ts';
import { freeze, type Snapshot } from './store.ts';
import { newer } from './store-error.ts';

/** Changes of worlds as records of a log, and back. A state is written once and goes by a number from then on. */

/** The format of a log that this program writes, and the newest that it reads. */
const format = 1;

/** From this size on, and from twice what it holds at least, a log is written anew. */
export const usualLimit = (size: number): number => Math.max(1_000_000, 2 * size);

/** A record. The first one is the format. */
type LogRecord =
  | { readonly format: number }
  | { readonly number: number; readonly whole: Snapshot }
  | { readonly number: number; readonly of: number; readonly entities: From['entities'] }
  | { readonly forget: string }
  | ({ readonly world: string; readonly state?: number } & Omit<Change, 'state'>);

/** What states were made of, as far as that is known. */
const sources = new WeakMap<Snapshot, From>();

/** Writes changes of worlds as records of one log. */
export interface Recording {
  readonly keep: (world: string, change: Change) => void;
  readonly forget: (world: string) => void;
}

/** Begins a log. */
export function recording(append: (record: LogRecord) => void): Recording {
  const numbers = new WeakMap<Snapshot, number>();
  let last = 0;
  const numberOf = (state: Snapshot): number => {
    const known = numbers.get(state);
    if (known !== undefined) return known;
    // A number stands for what is written, also when the caller changes what it has given.
    freeze(state);
    const from = sources.get(state);
    // Of a state that was made of one that was made of another, and so on, the log would have to keep them all.
    const short = from === undefined || sources.has(from.state) ? undefined : from;
    const rest = short === undefined ? { whole: state } : { of: numberOf(short.state), entities: short.entities };
    append({ number: last + 1, ...rest });
    last += 1;
    numbers.set(state, last);
    return last;
  };
  append({ format });
  return {
    keep: (world, change) => {
      if (!('state' in change)) return append({ world, ...change });
      const { from, state, ...rest } = { from: undefined, ...change };
      if (from !== undefined) sources.set(state, from);
      append({ world, ...rest, state: numberOf(state) });
    },
    forget: forget => append({ forget }),
  };
}

/** A state of another one. Collections that the other did not know are not known of it. */
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
 * The changes that make each world of a log anew. A `StoreError` where it is of a newer format; `where` names the store.
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

/** A state with the collections of a seed that it does not know, because it is of an older version. */
export const completed = (seed: Snapshot): ((state: Snapshot) => Snapshot) =>
  memoized(state => (collectionNames.every(name => state[name] !== undefined) ? state : freeze({ ...seed, ...state })));
