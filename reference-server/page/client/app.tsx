import { type FunctionComponent, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { BehavioursView } from './behaviours-view.tsx';
import { ClockView } from './clock-view.tsx';
import type { ControlRefusal } from './control-api.ts';
import { Choice, Form, Input } from './form-parts.tsx';
import { RefusedView } from './refused-view.tsx';
import { RequestsView } from './requests-view.tsx';
import { SessionContext, useServer } from './session.ts';
import { SnapshotsView } from './snapshots-view.tsx';
import { StateView } from './state-view.tsx';
import { fragmentOf, wayOf } from './text.ts';
import { WorldsView } from './worlds-view.tsx';

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
  const { session, refusal } = useServer(controlKey);

  const chosen = Object.hasOwn(views, name) ? name : 'requests';
  const { title, body: Body } = views[chosen] as View;
  useEffect(() => {
    document.title = `${title} · Reference server`;
  }, [title]);

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
            <Choice
              label="World"
              value={session.world}
              options={session.worlds.map(one => one.name)}
              onChoose={session.choose}
            />
            <p class="live" role="status">
              <span class={session.lost ? 'dot' : 'dot dot-on'} /> {session.lost?.message ?? 'live'}
            </p>
            {session.clock?.stopped === true && <a href={fragmentOf('clock')}>The clock is stopped</a>}
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
          <Body way={way} key={session.world} />
        ) : (
          <KeyForm refusal={refusal} given={controlKey} onKey={setControlKey} />
        )}
      </main>
      <p class="unseen" role="status">
        {session?.said}
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
