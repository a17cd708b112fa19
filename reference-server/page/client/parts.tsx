import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { ControlRefusal } from './control-api.ts';

/** Why something was refused, with all that was wrong. */
export const Refused = ({ refusal }: { refusal: ControlRefusal | undefined }) =>
  refusal === undefined ? null : (
    <div class="refusal" role="alert">
      <p class="strong">{refusal.message}</p>
      {refusal.problems.length > 0 && (
        <ul>
          {refusal.problems.map(({ pointer, message }) => (
            <li key={pointer + message}>
              {pointer !== '' && <code>{pointer}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );

/** A status with a colour and a shape of its own; null where the connection was lost. */
export const Status = ({ status }: { status: number | null }) => {
  const kind = status === null || status >= 500 ? 'fail' : status >= 400 ? 'warn' : 'pass';
  return <span class={`status status-${kind}`}>{status ?? 'lost'}</span>;
};

/** So many characters of a text are shown. */
const mostShown = 200_000;

/** A text as it was sent. */
export const Text = ({ text, label }: { text: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
  <section class="text" tabIndex={0} aria-label={label}>
    <pre>
      <code>{text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}</code>
    </pre>
  </section>
);

/** Puts a text on the clipboard. */
export const Copy = ({ text, what }: { text: string; what: string }) => {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Select and copy by hand'),
    ) ?? setSaid('Select and copy by hand');
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {said === '' ? 'Copy' : said}
      <span class="unseen"> {what}</span>
    </button>
  );
};

/** A button for what cannot be undone: it asks once more. */
export const Sure = ({
  label,
  name,
  onSure,
  disabled = false,
}: {
  label: string;
  /** What it is done to, for those who do not see where the button stands. */
  name?: string;
  onSure: () => void;
  disabled?: boolean;
}) => {
  const [asked, setAsked] = useState(false);
  const sure = () => {
    if (asked) onSure();
    setAsked(!asked);
  };
  return (
    <button
      type="button"
      class={asked ? 'sure' : undefined}
      disabled={disabled}
      onClick={sure}
      onBlur={() => setAsked(false)}
      onKeyDown={event => event.key === 'Escape' && setAsked(false)}
    >
      {asked ? `Really ${label.toLowerCase()}?` : label}
      {name !== undefined && <span class="unseen"> {name}</span>}
    </button>
  );
};

/** A label with what it names. */
export const Field = ({
  label,
  hint,
  wide = false,
  children,
}: {
  label: string;
  hint?: string | undefined;
  wide?: boolean;
  children: (ids: { readonly id: string; readonly 'aria-describedby'?: string }) => ComponentChildren;
}) => {
  const id = useId();
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      {children({ id, ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }) })}
      {hint !== undefined && (
        <p class="detail" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** What can be chosen, with what it is called where that is something else. */
export type Option = string | readonly [value: string, text: string];

/** A choice of one. */
export const Choice = ({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}) => (
  <Field label={label}>
    {ids => (
      <select {...ids} value={value} onChange={event => onChoose(event.currentTarget.value)}>
        {options.map(option => {
          const [one, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={one} value={one}>
              {text}
            </option>
          );
        })}
      </select>
    )}
  </Field>
);

/** Some lines of text to type. */
export const Lines = ({
  rows,
  value,
  onType,
  onKeyDown,
  json = false,
  ...field
}: {
  label: string;
  hint?: string | undefined;
  wide?: boolean;
  rows: number;
  value: string;
  onType: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  json?: boolean;
}) => (
  <Field {...field}>
    {ids => (
      <textarea
        {...ids}
        class={json ? 'json' : undefined}
        rows={rows}
        spellcheck={false}
        value={value}
        onInput={event => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    )}
  </Field>
);

/** What is typed and then sent, by a button of it. */
export const Form = ({
  look,
  onSend,
  children,
}: {
  /** Its classes. */
  look?: string;
  onSend: () => unknown;
  children: ComponentChildren;
}) => (
  <form
    class={look}
    onSubmit={event => {
      event.preventDefault();
      onSend();
    }}
  >
    {children}
  </form>
);

/** One of the things that a view lists, with the buttons that do something to it. */
export const Card = ({
  title,
  detail,
  look = '',
  current = false,
  children,
}: {
  title: ComponentChildren;
  detail: ComponentChildren;
  /** Further classes. */
  look?: string;
  current?: boolean;
  children: ComponentChildren;
}) => (
  <article class={`card entry ${look}`} aria-current={current ? 'true' : undefined}>
    <div>
      {title}
      <p class="detail">{detail}</p>
    </div>
    <div class="tools">{children}</div>
  </article>
);

/** A line of text to type. */
export const Input = ({
  label,
  hint,
  onType,
  type = 'text',
  ...others
}: {
  label: string;
  value: string;
  onType: (value: string) => void;
  hint?: string;
  type?: 'text' | 'search' | 'number' | 'password' | 'datetime-local';
  placeholder?: string;
  required?: boolean;
  maxLength?: number;
  min?: number;
  max?: number;
  step?: number | 'any';
  pattern?: string;
}) => (
  <Field label={label} hint={hint}>
    {ids => (
      <input
        {...ids}
        {...others}
        // Its type has a case of its own for each kind.
        type={type as 'text'}
        autocomplete="off"
        spellcheck={false}
        onInput={event => onType(event.currentTarget.value)}
      />
    )}
  </Field>
);
