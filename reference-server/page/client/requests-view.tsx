import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Choice, Input } from './form-parts.tsx';
import { Button, Halves, Rows, Status, Sure, View } from './parts.tsx';
import { RequestDetail } from './request-detail.tsx';
import { RequestForm } from './request-form.tsx';
import { amountOf, type Entry, matching, metText, stepFrom, tookText } from './request-list.ts';
import { useAction, useSession } from './session.ts';
import { counted, fragmentOf, shortened, timeOfDay } from './text.ts';

/** Says in one line why a request was refused. */
const whyRefused = ({ refused }: Entry): string | undefined => {
  if (refused === null) return undefined;
  const [first, ...others] = refused.errors;
  if (first === undefined) return refused.message;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return shortened(`${first.property === '' ? '' : `${first.property} `}${first.errorMessage}`) + more;
};

const Row = ({ entry, chosen }: { entry: Entry; chosen: boolean }) => {
  const why = whyRefused(entry);
  return (
    <li>
      <a class="row" href={fragmentOf('requests', entry.key)} aria-current={chosen ? 'true' : undefined}>
        <span class="line">
          <Status status={entry.status} />
          <span class="method">{entry.method}</span>
          <span class="path">{shortened(entry.url, 300)}</span>
          <span class="detail">{tookText(entry.took)}</span>
          <time class="detail">{timeOfDay(entry.time)}</time>
        </span>
        {why !== undefined && <span class="why">{why}</span>}
        {entry.behaviours.length > 0 && <span class="detail">met {metText(entry)}</span>}
      </a>
    </li>
  );
};

/** Keyboard shortcuts: arrows move between requests, Enter jumps to the open one, `/` to the search. */
const useKeys = (found: readonly Entry[], chosen: string | undefined): void => {
  // A ref, because keys may be faster than renewed subscriptions.
  const latest = useRef({ found, chosen });
  latest.current = { found, chosen };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { found, chosen } = latest.current;
      const at = event.target as HTMLElement;
      const isTyping = at.matches('input, select, textarea, [contenteditable]');
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      if (event.key === '/') document.querySelector<HTMLElement>('search input')?.focus();
      else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const next = stepFrom(found, chosen, event.key === 'ArrowDown' ? 1 : -1);
        if (next === undefined) return;
        location.hash = fragmentOf('requests', next.key);
        document.querySelector<HTMLElement>(`a[href="${CSS.escape(fragmentOf('requests', next.key))}"]`)?.focus();
      } else if (event.key === 'Enter' && chosen !== undefined && !at.matches('a, button, summary'))
        document.querySelector<HTMLElement>('section.one')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
};

/** The live list of requests, newest first, with one of them in full. */
export const RequestsView = ({ chosen }: { chosen: string | undefined }) => {
  const { api, catalogue, entries, forget } = useSession();
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const [operation, setOperation] = useState('');
  const [still, setStill] = useState<readonly Entry[]>();
  const { run, busy, refusal } = useAction();
  const shown = still ?? entries;
  const found = useMemo(() => matching(shown, { text, status, operation }), [shown, text, status, operation]);
  const entry = entries.find(one => one.key === chosen) ?? still?.find(one => one.key === chosen);
  const clear = () =>
    run(async () => {
      await api.send('DELETE', '/requests');
      setStill(undefined);
      forget();
    }, 'The log is empty.');
  useKeys(found, chosen);
  const list = (
    <View title="Requests" look="list" refusal={refusal}>
      <search class="tools">
        <Input label="Search" type="search" value={text} onType={setText} placeholder="path, body, reason …" />
        <Choice
          label="Status"
          value={status}
          onChoose={setStatus}
          options={[['', 'all'], '2xx', '4xx', '5xx', ['none', 'lost']]}
        />
        <Choice
          label="Operation"
          value={operation}
          onChoose={setOperation}
          options={[['', 'all'], ...catalogue.endpoints.map(({ id }) => id)]}
        />
        <Button aria-pressed={still !== undefined} onClick={() => setStill(still ? undefined : entries)}>
          {still ? 'Go on' : 'Hold still'}
        </Button>
        <a class="button" href={fragmentOf('requests', 'new')}>
          New request
        </a>
        <Sure label="Clear" of="the log" onSure={clear} disabled={busy} />
      </search>
      <p class="detail">
        {found.length < shown.length && `${found.length} of `}
        {amountOf(shown)}
        {still !== undefined && `, held still; ${counted(entries.length - still.length, 'request')} came since`}
      </p>
      {shown.length === 0 && (
        <p class="empty">Nobody has asked anything yet. Requests show up here as they are made.</p>
      )}
      <Rows of={found} first={100} more={200}>
        {one => <Row key={one.key} entry={one} chosen={one.key === chosen} />}
      </Rows>
    </View>
  );
  return (
    <Halves
      list={list}
      label="The request"
      back={<a href={fragmentOf('requests')}>← All requests</a>}
      opened={chosen !== undefined}
    >
      {chosen === 'new' ? (
        <>
          <h2>New request</h2>
          <RequestForm sent={{ method: 'GET', url: '/console/v1/segments?limit=2', headers: {}, body: '' }} />
        </>
      ) : entry !== undefined ? (
        <RequestDetail key={entry.key} entry={entry} />
      ) : (
        <p class="empty">
          {chosen === undefined ? 'Choose a request to see all of it.' : 'This request is not kept any more.'}
        </p>
      )}
    </Halves>
  );
};
