import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
