import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Behaviour } from '../../behaviours/schema.ts';
import type { catalogueOf } from '../../control/behaviour-routes.ts';
import type { ClockReading } from '../../worlds/clock.ts';
import { type ControlApi, ControlRefusal } from './control-api.ts';
import type { Entry } from './request-list.ts';

/** The operations, collections and behaviours that this server offers. */
export type Catalogue = ReturnType<typeof catalogueOf>;

/** A fault or dialect that can be switched on. */
export type CatalogueRow = Pick<Catalogue['faults'][number], 'id' | 'title' | 'endpoints' | 'narrows'> &
  Partial<Pick<Catalogue['dialects'][number], 'fixedAtStart'>>;

/** A world in the list of worlds. */
export interface WorldRow {
  readonly name: string;
  readonly requests: number;
  /** Absent if the world is in the store but not served yet. */
  readonly usedAt?: number;
}

/** The state and actions that all views share. */
export interface Session {
  readonly api: ControlApi;
  readonly world: string;
  readonly worlds: readonly WorldRow[];
  readonly choose: (world: string) => void;
  readonly catalogue: Catalogue;
  readonly entries: readonly Entry[];
  /** Drops the requests that the page keeps. */
  readonly forget: () => void;
  readonly behaviours: readonly Behaviour[];
  readonly clock: ClockReading | undefined;
  /** Increases whenever the state may have changed, so that views read it again. */
  readonly revision: number;
  /** Reloads the data of all views. */
  readonly refresh: () => void;
  /** The API key of a world, kept only in the memory of the page. */
  readonly keyOf: (world: string) => string;
  readonly keepKey: (world: string, key: string) => void;
  /** Announces the result of an action to screen readers. */
  readonly say: (text: string) => void;
}

/** The context that provides the session. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the session. Throws outside the page. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('There is no session outside of the page.');
  return session;
};

/** Converts a thrown value to a refusal. */
export const asRefusal = (error: unknown): ControlRefusal =>
  error instanceof ControlRefusal
    ? error
    : new ControlRefusal(0, error instanceof Error ? error.message : String(error));

/** Data from the server; the previous value stays during a reload. */
interface Loaded<T> {
  readonly value: T | undefined;
  readonly refusal: ControlRefusal | undefined;
}

/** Loads data from the server, and reloads it when one of `inputs` changes. Outdated responses are dropped. */
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

/** Reads a path of the server, and again when `revision` changes. */
export const useRead = <T>(api: ControlApi, path: string, revision?: number): Loaded<T> =>
  useLoaded(() => api.get<T>(path), [api, path, revision]);

/** An action of the user: whether it is running, and why it was refused. */
export const useAction = () => {
  const { api, refresh, say } = useSession();
  const [refusal, setRefusal] = useState<ControlRefusal>();
  const [busy, setBusy] = useState(false);
  const under = useRef(false);
  /**
   * Runs the action unless it is already running, then refreshes all views. `done` is announced to screen readers on
   * success.
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
  /** The same for one control request. */
  const send = (done: string, ...sent: Parameters<ControlApi['send']>): Promise<void> =>
    run(() => api.send(...sent), done);
  return { busy, refusal, run, send, forget: () => setRefusal(undefined) };
};
