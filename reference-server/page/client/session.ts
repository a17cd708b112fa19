import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Behaviour } from '../../behaviours/schema.ts';
import type { catalogueOf } from '../../control/behaviour-routes.ts';
import type { LoggedRequest } from '../../log/request-log.ts';
import type { ClockReading } from '../../worlds/clock.ts';
import { asRefusal, type ControlApi, ControlRefusal, controlApi } from './control-api.ts';
import { followRequests } from './live.ts';
import { type Entry, withRequests } from './request-list.ts';

/** The operations, collections and behaviours that this server offers. */
type Catalogue = ReturnType<typeof catalogueOf>;

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

const defaultWorld = 'default';

/** Polling interval, in milliseconds, for changes that the stream does not announce. */
const lookAgain = 5000;

/** True if a request may have changed what the views show. */
const mayChange = ({ method, behaviours }: LoggedRequest): boolean =>
  behaviours.length > 0 || !/^(GET|HEAD|OPTIONS)$/.test(method);

/** Follows the server: returns the session once it grants access, otherwise why it does not. */
export const useServer = (controlKey: string | undefined) => {
  const [world, setWorld] = useState(defaultWorld);
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [lost, setLost] = useState<ControlRefusal | undefined>(() => new ControlRefusal(0, 'connecting …'));
  const [revision, setRevision] = useState(0);
  const [keys, setKeys] = useState<ReadonlyMap<string, string>>(new Map());
  const [said, say] = useState('');
  const soon = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const api = useMemo(() => controlApi({ world, controlKey }), [world, controlKey]);
  const root = useMemo(() => controlApi({ world: defaultWorld, controlKey }), [controlKey]);
  const refresh = useCallback(() => setRevision(before => before + 1), []);
  const forget = useCallback(() => setEntries([]), []);
  const choose = useCallback(
    (other: string) => {
      forget();
      setWorld(other);
    },
    [forget],
  );

  const { value: catalogue, refusal } = useRead<Catalogue>(root, '/catalogue');
  const worlds = useRead<{ sandboxes: readonly WorldRow[] }>(root, '/sandboxes', revision);
  const behaviours = useRead<{ behaviours: readonly Behaviour[] }>(api, '/behaviours', revision);
  const clock = useRead<ClockReading>(api, '/clock', revision);
  const isIn = catalogue !== undefined;

  useEffect(() => {
    if (!isIn) return undefined;
    return followRequests(api, {
      requests(come) {
        setEntries(before => withRequests(before, come));
        // Only requests that may change something cause a reload, and a burst causes just one.
        if (!come.some(mayChange)) return;
        soon.current ??= setTimeout(() => {
          soon.current = undefined;
          refresh();
        }, 700);
      },
      state: setLost,
    });
  }, [api, isIn, refresh]);

  useEffect(() => {
    const timer = setInterval(() => document.hidden || refresh(), lookAgain);
    return () => clearInterval(timer);
  }, [refresh]);

  // The world shown may have been deleted meanwhile.
  const known = worlds.value?.sandboxes ?? [{ name: defaultWorld, requests: 0, usedAt: 0 }];
  const isGone = worlds.value !== undefined && !known.some(one => one.name === world);
  useEffect(() => {
    if (isGone) choose(defaultWorld);
  }, [isGone, choose]);

  const session = catalogue && {
    api,
    world,
    worlds: known,
    choose,
    catalogue,
    entries,
    /** Drops the requests that the page keeps. */
    forget,
    /** Why the stream of requests is not live. */
    lost,
    behaviours: behaviours.value?.behaviours ?? [],
    clock: clock.value,
    /** Increases whenever the state may have changed, so that views read it again. */
    revision,
    /** Reloads the data of all views. */
    refresh,
    /** Returns the API key of a world, kept only in the memory of the page. */
    keyOf: (of: string): string => keys.get(of) ?? '',
    keepKey: (of: string, key: string) => setKeys(before => new Map(before).set(of, key)),
    /** Announces the result of an action to screen readers. */
    say,
    said,
  };
  return { session, refusal };
};

/** The state and actions that all views share. */
type Session = NonNullable<ReturnType<typeof useServer>['session']>;

/** The context that provides the session. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the session. Throws outside the page. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('There is no session outside of the page.');
  return session;
};

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
