import { useState } from 'preact/hooks';
import { stepWords } from '../../behaviours/step-text.ts';
import { behaviourOf, type Draft, emptyDraft, type Kind, kinds } from './behaviour-draft.ts';
import { CatalogueRows } from './catalogue-rows.tsx';
import { ControlRefusal } from './control-api.ts';
import { Choice, Field, Input, Refused } from './parts.tsx';
import { type CatalogueRow, useAction, useSession } from './session.ts';
import { shortened } from './text.ts';

type Change = (change: Partial<Draft>) => void;

interface Editing {
  readonly draft: Draft;
  readonly change: Change;
}

/** The members of a draft that are numbers. */
type Amounts = 'status' | 'ms' | 'moreMs' | 'requests' | 'seconds' | 'next' | 'share';

/** A number of the draft; `placeholder` says what holds where it may be left out. */
const Amount = ({
  of,
  draft,
  change,
  ...others
}: Editing & { of: Amounts; label: string; min: number; max?: number; step?: 'any'; placeholder?: string }) => (
  <Input
    {...others}
    type="number"
    required={others.placeholder === undefined}
    value={draft[of]}
    onType={value => change({ [of]: value })}
  />
);

/** The longest that a request may be held back, in milliseconds. */
const longest = 600_000;

const Latency = ({ draft, change }: Editing) => (
  <>
    <Choice
      label="How long"
      value={draft.latency}
      options={[
        ['fixed', 'always as long'],
        ['even', 'evenly between'],
        ['real', 'as real services: most times, and one in twenty'],
      ]}
      onChoose={latency => change({ latency: latency as Draft['latency'] })}
    />
    <Amount of="ms" label="Milliseconds" min={0} max={longest} draft={draft} change={change} />
    {draft.latency !== 'fixed' && (
      <Amount
        of="moreMs"
        label={draft.latency === 'even' ? 'At most' : 'One in twenty'}
        min={0}
        max={longest}
        draft={draft}
        change={change}
      />
    )}
  </>
);

const Script = ({ draft, change }: Editing) => (
  <>
    <Field label="Steps, one a line" hint={`Each is met once: ${stepWords}.`} wide>
      {ids => (
        <textarea
          {...ids}
          rows={5}
          spellcheck={false}
          value={draft.steps}
          onInput={event => change({ steps: event.currentTarget.value })}
        />
      )}
    </Field>
    <Choice
      label="After the last"
      value={draft.after}
      options={[
        ['end', 'the answers of the operation'],
        ['repeat', 'the last again'],
        ['restart', 'the first'],
      ]}
      onChoose={after => change({ after: after as Draft['after'] })}
    />
  </>
);

const AfterWork = ({ draft, change }: Editing) => (
  <label class="choice">
    <input type="checkbox" checked={draft.afterWork} onChange={() => change({ afterWork: !draft.afterWork })} />
    <span>Only after the work is done: the client cannot know that it was</span>
  </label>
);

const Effect = ({ draft, change }: Editing) => {
  const { catalogue } = useSession();
  switch (draft.kind) {
    case 'script':
      return <Script draft={draft} change={change} />;
    case 'error':
      return (
        <>
          <Amount of="status" label="Status" min={400} max={599} draft={draft} change={change} />
          <Input
            label="Message"
            value={draft.message}
            onType={message => change({ message })}
            maxLength={1000}
            placeholder="as the server says it"
          />
          <AfterWork draft={draft} change={change} />
        </>
      );
    case 'latency':
      return <Latency draft={draft} change={change} />;
    case 'connection':
      return (
        <>
          <Choice
            label="How"
            value={draft.connection}
            options={[
              ['drop', 'closed without an answer'],
              ['stall', 'open, and no answer ever'],
            ]}
            onChoose={connection => change({ connection: connection as Draft['connection'] })}
          />
          <AfterWork draft={draft} change={change} />
        </>
      );
    case 'rateLimit':
      return (
        <>
          <Amount of="requests" label="Requests" min={0} draft={draft} change={change} />
          <Amount of="seconds" label="In seconds" min={0} step="any" draft={draft} change={change} />
        </>
      );
    default:
      return (
        <CatalogueRows
          key={draft.kind}
          rows={draft.kind === 'fault' ? catalogue.faults : catalogue.dialects}
          chosen={draft.row}
          onChoose={row => change({ row, operation: '' })}
        />
      );
  }
};

const Narrowing = ({ draft, change, row }: Editing & { row: CatalogueRow | undefined }) => {
  const { catalogue } = useSession();
  if (row?.narrows === false)
    return <p class="detail">It changes the store as a whole, and so it holds for all requests.</p>;
  const operations = catalogue.endpoints.filter(({ id }) => row === undefined || row.endpoints.includes(id));
  return (
    <fieldset>
      <legend>For which requests</legend>
      <Choice
        label="Operation"
        value={draft.operation}
        options={[['', 'all'], ...operations.map(({ id }) => [id, id] as const)]}
        onChoose={operation => change({ operation })}
      />
      <Input
        label="Id or name in the path"
        value={draft.entity}
        onType={entity => change({ entity })}
        placeholder="any"
      />
      <Amount of="next" label="The next so many" min={1} placeholder="all" draft={draft} change={change} />
      <Amount
        of="share"
        label="Share in per cent"
        min={0}
        max={100}
        step="any"
        placeholder="100"
        draft={draft}
        change={change}
      />
    </fieldset>
  );
};

/** A behaviour to add. */
export const BehaviourForm = () => {
  const { api, catalogue } = useSession();
  const { run, busy, refusal, forget } = useAction();
  const [draft, setDraft] = useState(emptyDraft);
  const change: Change = some => {
    forget();
    setDraft(before => ({ ...before, ...some }));
  };
  const rows = draft.kind === 'fault' ? catalogue.faults : draft.kind === 'dialect' ? catalogue.dialects : undefined;
  const row = rows?.find(({ id }) => id === draft.row);
  const add = () =>
    run(async () => {
      if (rows !== undefined && row === undefined) throw new ControlRefusal(0, `Choose a ${draft.kind} first.`);
      await api.send('POST', '/behaviours', behaviourOf(draft, row?.narrows !== false));
    }, 'The behaviour is on.');
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault();
        void add();
      }}
    >
      <h3>Add a behaviour</h3>
      <div class="tools">
        <Choice
          label="What"
          value={draft.kind}
          options={Object.entries(kinds)}
          onChoose={kind => change({ kind: kind as Kind, row: '', operation: '' })}
        />
        <Effect draft={draft} change={change} />
      </div>
      {row !== undefined && <p class="detail">Chosen: {shortened(`${row.id}: ${row.title}`, 300)}</p>}
      <Narrowing draft={draft} change={change} row={row} />
      <Refused refusal={refusal} />
      <button type="submit" class="first" disabled={busy}>
        Add
      </button>
    </form>
  );
};
