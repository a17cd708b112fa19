import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Behaviour } from '../../behaviours/schema.ts';
import type { catalogueOf } from '../../control/behaviour-routes.ts';
import type { ClockReading } from '../../worlds/clock.ts';
import { type ControlApi, ControlRefusal } from './control-api.ts';
import type { Entry } from './request-list.ts';

/** What there is at this server. */
export type Catalogue = ReturnType<typeof catalogueOf>;

/** A fault or a dialect that can be switched on. */
export type CatalogueRow = Pick<Catalogue['faults'][number], 'id' | 'title' | 'endpoints' | 'narrows'> &
  Partial<Pick<Catalogue['dialects'][number], 'fixedAtStart'>>;

/** A world, as the list of them shows it. */
export interface WorldRow {
  readonly name: string;
  readonly requests: number;
  /** Absent where it is kept in the store, and not served yet. */
  readonly usedAt?: number;
}

/** What every view is given. */
export interface Session {
  readonly api: ControlApi;
  readonly world: string;
  readonly worlds: readonly WorldRow[];
  readonly choose: (world: string) => void;
  readonly catalogue: Catalogue;
  readonly entries: readonly Entry[];
  /** Forgets what the page keeps of the requests. */
  readonly forget: () => void;
  readonly behaviours: readonly Behaviour[];
  readonly clock: ClockReading | undefined;
  /** Counts what may have changed the state: what it shows is read again. */
  readonly revision: number;
  /** Reads again what all views show. */
  readonly refresh: () => void;
  /** The API key of a world, in the memory of the page alone. */
  readonly keyOf: (world: string) => string;
  readonly keepKey: (world: string, key: string) => void;
  /** Tells those who do not see it what became of what they did. */
  readonly say: (text: string) => void;
}

/** The context that holds the session. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** What every view is given. Throws outside of the page. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('There is no session outside of the page.');
  return session;
};

/** What was thrown, as a refusal. */
export const asRefusal = (error: unknown): ControlRefusal =>
  error instanceof ControlRefusal
    ? error
    : new ControlRefusal(0, error instanceof Error ? error.message : String(error));

/** What is read from the server; the former value stays while it is read again. */
interface Loaded<T> {
  readonly value: T | undefined;
  readonly refusal: ControlRefusal | undefined;
}

/** Reads from the server, and again when one of `inputs` changes. What a later reading overtook is dropped. */
export const useLoaded = <T>(load: () => Promise<T>, inputs: readonly unknown[]): Loaded<T> => {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, refusal: undefined });
  useEffect(() => {
    let overtaken = false;
    load().then(
      value => overtaken || setLoaded({ value, refusal: undefined }),
      error => overtaken || setLoaded({ value: undefined, refusal: asRefusal(error) }),
    );
    return () => {
      overtaken = true;
    };
  }, inputs);
  return loaded;
};

/** Reads a path of the server, and again when `revision` is another one. */
export const useRead = <T>(api: ControlApi, path: string, revision?: number): Loaded<T> =>
  useLoaded(() => api.get<T>(path), [api, path, revision]);

/** Something that a person does: whether it is under way, and why it was refused. */
export const useAction = () => {
  const { api, refresh, say } = useSession();
  const [refusal, setRefusal] = useState<ControlRefusal>();
  const [busy, setBusy] = useState(false);
  const under = useRef(false);
  /**
   * Does it, unless it is under way; what all views show is read again after it. `done` is said to those who do not see
   * what became of it.
   */
  const run = useCallback(
    async (work: () => Promise<unknown>, done?: string): Promise<void> => {
      if (under.current) return;
      under.current = true;
      setBusy(true);
      setRefusal(undefined);
      try {
        await work();
        if (done !== undefined) say(done);
      } catch (error) {
        setRefusal(asRefusal(error));
      } finally {
        under.current = false;
        setBusy(false);
        refresh();
      }
    },
    [refresh, say],
  );
  /** The same for what is sent to one control path. */
  const send = (done: string, ...sent: Parameters<ControlApi['send']>): Promise<void> =>
    run(() => api.send(...sent), done);
  return { busy, refusal, run, send, forget: () => setRefusal(undefined) };
};
