import { useMemo, useState } from 'preact/hooks';
import { behaviourOf, type Draft, type DraftField, emptyDraft, kinds, narrowing } from './behaviour-draft.ts';
import { ControlRefusal } from './control-api.ts';
import { Choice, Form, Input, Lines } from './form-parts.tsx';
import { Button, Refused } from './parts.tsx';
import { type CatalogueRow, useAction, useSession } from './session.ts';
import { searchFor, shortened } from './text.ts';

/** Maximum number of catalogue rows shown. */
const mostRows = 40;

/** A searchable list of the faults or dialects, to choose one. */
const CatalogueRows = ({
  rows,
  chosen,
  onChoose,
}: {
  rows: readonly CatalogueRow[];
  chosen: string;
  onChoose: (id: string) => void;
}) => {
  const [text, setText] = useState('');
  const found = useMemo(() => {
    const holds = searchFor(text);
    return rows.filter(({ id, title, endpoints }) => holds(() => `${id} ${title} ${endpoints.join(' ')}`));
  }, [rows, text]);
  return (
    <fieldset class="wide">
      <legend>Which</legend>
      <Input
        label="Search the catalogue"
        type="search"
        value={text}
        onType={setText}
        placeholder="id, words, operation"
      />
      <p class="detail" role="status">
        {found.length} of {rows.length}
        {found.length > mostRows && `; the first ${mostRows} are shown`}
      </p>
      <div class="catalogue">
        {found.slice(0, mostRows).map(({ id, title, fixedAtStart }) => (
          <label key={id} class={fixedAtStart ? 'choice off' : 'choice'}>
            <input
              type="radio"
              name="row"
              value={id}
              checked={id === chosen}
              disabled={Boolean(fixedAtStart)}
              onChange={() => onChoose(id)}
            />
            <span>
              <code>{id}</code> {title}
              {fixedAtStart && <span class="detail"> Only when the server starts: it {fixedAtStart}.</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

/** The form fields of a draft. */
const Fields = ({
  fields,
  draft,
  change,
}: {
  fields: readonly DraftField[];
  draft: Draft;
  change: (some: Partial<Draft>) => void;
}) =>
  fields.map(({ of, when, options, lines, ...others }) => {
    if (when?.(draft) === false) return null;
    const value = draft[of];
    const onType = (typed: string | boolean) => change({ [of]: typed });
    if (typeof value === 'boolean')
      return (
        <label class="choice" key={of}>
          <input type="checkbox" checked={value} onChange={() => onType(!value)} />
          <span>{others.label}</span>
        </label>
      );
    const typed = { ...others, key: of, value, onType };
    if (options !== undefined) return <Choice {...typed} options={options} onChoose={onType} />;
    if (lines !== undefined) return <Lines {...typed} rows={lines} wide />;
    if (others.min === undefined) return <Input {...typed} />;
    return <Input {...typed} type="number" required={others.placeholder === undefined} />;
  });

/** The form that adds a behaviour. */
export const BehaviourForm = () => {
  const { api, catalogue } = useSession();
  const { run, busy, refusal, forget } = useAction();
  const [draft, setDraft] = useState(emptyDraft);
  const { kind } = draft;
  const change = (some: Partial<Draft>) => {
    forget();
    setDraft(before => ({ ...before, ...some }));
  };
  const rows = kind === 'fault' ? catalogue.faults : kind === 'dialect' ? catalogue.dialects : undefined;
  const row = rows?.find(({ id }) => id === draft.row);
  const operations = catalogue.endpoints.map(({ id }) => id).filter(id => row?.endpoints.includes(id) !== false);
  const add = () =>
    run(async () => {
      if (rows !== undefined && row === undefined) throw new ControlRefusal(0, `Choose a ${kind} first.`);
      await api.send('POST', '/behaviours', behaviourOf(draft, row?.narrows !== false));
    }, 'The behaviour is on.');
  return (
    <Form look="card" onSend={add}>
      <h3>Add a behaviour</h3>
      <div class="tools">
        <Choice
          label="What"
          value={kind}
          options={Object.entries(kinds).map(([id, { title }]) => [id, title])}
          onChoose={other => change({ kind: other, row: '', operation: '' })}
        />
        <Fields fields={kinds[kind]?.fields ?? []} draft={draft} change={change} />
        {rows !== undefined && (
          <CatalogueRows
            key={kind}
            rows={rows}
            chosen={draft.row}
            onChoose={id => change({ row: id, operation: '' })}
          />
        )}
      </div>
      {row !== undefined && <p class="detail">Chosen: {shortened(`${row.id}: ${row.title}`, 300)}</p>}
      {row?.narrows === false ? (
        <p class="detail">It changes the store as a whole, and so it holds for all requests.</p>
      ) : (
        <fieldset>
          <legend>For which requests</legend>
          <Choice
            label="Operation"
            value={draft.operation}
            options={[['', 'all'], ...operations]}
            onChoose={operation => change({ operation })}
          />
          <Fields fields={narrowing} draft={draft} change={change} />
        </fieldset>
      )}
      <Refused refusal={refusal} />
      <Button type="submit" class="first" disabled={busy}>
        Add
      </Button>
    </Form>
  );
};
