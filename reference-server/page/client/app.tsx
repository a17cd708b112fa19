import { type FunctionComponent, render } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Behaviour } from '../../behaviours/schema.ts';
import type { LoggedRequest } from '../../log/request-log.ts';
import type { ClockReading } from '../../worlds/clock.ts';
import { BehavioursView } from './behaviours-view.tsx';
import { ClockView } from './clock-view.tsx';
import { ControlRefusal, controlApi } from './control-api.ts';
import { Choice, Form, Input } from './form-parts.tsx';
import { followRequests } from './live.ts';
import { RefusedView } from './refused-view.tsx';
import { type Entry, withRequests } from './request-list.ts';
import { RequestsView } from './requests-view.tsx';
import { type Catalogue, type Session, SessionContext, useRead, type WorldRow } from './session.ts';
import { SnapshotsView } from './snapshots-view.tsx';
import { StateView } from './state-view.tsx';
import { fragmentOf, wayOf } from './text.ts';
import { WorldsView } from './worlds-view.tsx';

const defaultWorld = 'default';

/** Polling interval, in milliseconds, for changes that the stream does not announce. */
const lookAgain = 5000;

interface View {
  readonly title: string;
  readonly body: FunctionComponent<{ way: readonly string[] }>;
}

const views: Readonly<Record<string, View>> = {
  requests: { title: 'Requests', body: ({ way: [key] }) => <RequestsView chosen={key || undefined} /> },
  refused: { title: 'Client errors', body: RefusedView },
  state: { title: 'State', body: StateView },
  snapshots: { title: 'Snapshots', body: SnapshotsView },
  behaviours: { title: 'Behaviours', body: BehavioursView },
  clock: { title: 'Clock', body: ClockView },
  worlds: { title: 'Worlds', body: WorldsView },
};

/** True if a request may have changed what the views show. */
const mayChange = ({ method, behaviours }: LoggedRequest): boolean =>
  behaviours.length > 0 || !/^(GET|HEAD|OPTIONS)$/.test(method);

const useWay = (): readonly string[] => {
  const [way, setWay] = useState(() => wayOf(location.hash));
  useEffect(() => {
    const follow = () => setWay(wayOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return way;
};

/** Replaces the page until the server grants access: asks for the control key if the server requires one. */
const KeyForm = ({
  refusal,
  given,
  onKey,
}: {
  refusal: ControlRefusal | undefined;
  /** The key that was tried before; wrong if the server still refuses. */
  given: string | undefined;
  onKey: (key: string) => void;
}) => {
  const [key, setKey] = useState('');
  if (refusal === undefined) return <p class="empty">Asking the server …</p>;
  if (refusal.status !== 401)
    return (
      <div class="card">
        <p role="alert">{refusal.message}</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    );
  return (
    <Form look="card" onSend={() => onKey(key)}>
      <h2>This server asks for its control key</h2>
      <div class="tools">
        <Input
          label="Control key"
          type="password"
          value={key}
          onType={setKey}
          required
          hint="What --control-key said. It stays in the memory of this page."
        />
        <button type="submit" class="first">
          Look into it
        </button>
      </div>
      {given !== undefined && (
        <p class="refusal" role="alert">
          That was not the key.
        </p>
      )}
    </Form>
  );
};

/** The page. */
const App = () => {
  const [name = '', ...way] = useWay();
  const [controlKey, setControlKey] = useState<string>();
  const [world, setWorld] = useState(defaultWorld);
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [lost, setLost] = useState<ControlRefusal | undefined>(() => new ControlRefusal(0, 'connecting …'));
  const [revision, setRevision] = useState(0);
  const [keys, setKeys] = useState<Readonly<Record<string, string>>>({});
  const [said, setSaid] = useState('');
  const soon = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const api = useMemo(() => controlApi({ world, controlKey }), [world, controlKey]);
  const root = useMemo(() => controlApi({ world: defaultWorld, controlKey }), [controlKey]);
  const refresh = useCallback(() => setRevision(before => before + 1), []);
  const forget = useCallback(() => setEntries([]), []);
  const keyOf = useCallback((of: string) => (Object.hasOwn(keys, of) ? (keys[of] ?? '') : ''), [keys]);
  const keepKey = useCallback((of: string, key: string) => setKeys(before => ({ ...before, [of]: key })), []);
  const choose = useCallback((other: string) => {
    setEntries([]);
    setWorld(other);
  }, []);

  const catalogue = useRead<Catalogue>(root, '/catalogue');
  const worlds = useRead<{ sandboxes: readonly WorldRow[] }>(root, '/sandboxes', revision);
  const behaviours = useRead<{ behaviours: readonly Behaviour[] }>(api, '/behaviours', revision);
  const clock = useRead<ClockReading>(api, '/clock', revision);
  const isIn = catalogue.value !== undefined;

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

  const chosen = Object.hasOwn(views, name) ? name : 'requests';
  const { title, body: Body } = views[chosen] as View;
  useEffect(() => {
    document.title = `${title} · Reference server`;
  }, [title]);

  const session: Session | undefined = catalogue.value && {
    api,
    world,
    worlds: known,
    choose,
    catalogue: catalogue.value,
    entries,
    forget,
    behaviours: behaviours.value?.behaviours ?? [],
    clock: clock.value,
    revision,
    refresh,
    keyOf,
    keepKey,
    say: setSaid,
  };
  const acting = session?.behaviours.filter(({ on }) => on).length ?? 0;

  return (
    <SessionContext.Provider value={session}>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the view
      </button>
      <header class="top">
        <h1>Reference server</h1>
        {session !== undefined && (
          <>
            <Choice label="World" value={world} options={known.map(one => one.name)} onChoose={choose} />
            <p class="live" role="status">
              <span class={lost === undefined ? 'dot dot-on' : 'dot'} /> {lost === undefined ? 'live' : lost.message}
            </p>
            {clock.value?.stopped === true && <a href={fragmentOf('clock')}>The clock is stopped</a>}
          </>
        )}
      </header>
      {session !== undefined && (
        <nav aria-label="Views">
          <ul>
            {Object.entries(views).map(([id, view]) => (
              <li key={id}>
                <a href={fragmentOf(id)} aria-current={id === chosen ? 'page' : undefined}>
                  {view.title}
                  {id === 'behaviours' && acting > 0 && (
                    <>
                      {' '}
                      <span class="number">{acting}</span>
                    </>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <main id="main" tabIndex={-1}>
        {session !== undefined ? (
          <Body way={way} key={world} />
        ) : (
          <KeyForm refusal={catalogue.refusal} given={controlKey} onKey={setControlKey} />
        )}
      </main>
      <p class="unseen" role="status">
        {said}
      </p>
    </SessionContext.Provider>
  );
};

const place = document.getElementById('page');
if (place !== null) {
  // Remove the fallback for browsers without scripts.
  place.replaceChildren();
  render(<App />, place);
}
