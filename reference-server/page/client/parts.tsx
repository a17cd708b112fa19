import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { ControlRefusal } from './control-api.ts';

/** A problem with its place, if it has one. */
export const Wrong = ({ at, what }: { at: string | undefined; what: string }) => (
  <>
    {at ? <code>{at}</code> : null} {what}
  </>
);

/** A refusal with all its problems. */
export const Refused = ({ refusal }: { refusal: ControlRefusal | undefined }) =>
  refusal === undefined ? null : (
    <div class="refusal" role="alert">
      <p class="strong">{refusal.message}</p>
      {refusal.problems.length > 0 && (
        <ul>
          {refusal.problems.map(({ pointer, message }) => (
            <li key={pointer + message}>
              <Wrong at={pointer} what={message} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );

/** A view, or a part of one, with its title and the latest refusal. */
export const View = ({
  title,
  refusal,
  look,
  children,
}: {
  title: ComponentChildren;
  refusal?: ControlRefusal | undefined;
  /** Its CSS classes. */
  look?: string;
  children: ComponentChildren;
}) => {
  const id = useId();
  return (
    <section class={look} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Refused refusal={refusal} />
      {children}
    </section>
  );
};

/** A button; `of` names its subject for screen readers. */
export const Button = ({ of, children, ...others }: ComponentProps<'button'> & { of?: string | undefined }) => (
  <button type="button" {...others}>
    {children}
    {of !== undefined && <span class="unseen"> {of}</span>}
  </button>
);

/** A list that shows `first` rows, and `more` on request. */
export const Rows = <T,>({
  of,
  first,
  more,
  children,
}: {
  of: readonly T[];
  first: number;
  more: number;
  children: (one: T) => ComponentChildren;
}) => {
  const [count, setCount] = useState(first);
  return (
    <>
      <ol class="rows">{of.slice(0, count).map(children)}</ol>
      {of.length > count && <Button onClick={() => setCount(count + more)}>Show more</Button>}
    </>
  );
};

/** A list with one entry in full beside it, or in its place on narrow screens. */
export const Halves = ({
  list,
  label,
  back,
  opened,
  children,
}: {
  list: ComponentChildren;
  /** The accessible name of the entry. */
  label: string;
  /** The link back to the list. */
  back: ComponentChildren;
  /** True if an entry is open. */
  opened: boolean;
  children: ComponentChildren;
}) => (
  <div class={opened ? 'halves opened' : 'halves'}>
    {list}
    <section class="one" aria-label={label} tabIndex={-1}>
      {opened && <p class="back">{back}</p>}
      {children}
    </section>
  </div>
);

/** A status with its own colour and shape; null if the connection was lost. */
export const Status = ({ status }: { status: number | null }) => {
  const kind = status === null || status >= 500 ? 'fail' : status >= 400 ? 'warn' : 'pass';
  return <span class={`status status-${kind}`}>{status ?? 'lost'}</span>;
};

/** Maximum number of characters shown of a text. */
const mostShown = 200_000;

/** A text as sent. */
export const Text = ({ text, label }: { text: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
  <section class="text" tabIndex={0} aria-label={label}>
    <pre>
      <code>{text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}</code>
    </pre>
  </section>
);

/** A button that copies a text to the clipboard. */
export const Copy = ({ text, what }: { text: string; what: string }) => {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Select and copy by hand');
    }
  };
  return (
    <Button of={what} onClick={copy} aria-live="polite">
      {said === '' ? 'Copy' : said}
    </Button>
  );
};

/** A button that asks for confirmation, for actions that cannot be undone. */
export const Sure = ({
  label,
  onSure,
  ...others
}: {
  label: string;
  of?: string;
  onSure: () => void;
  disabled: boolean;
}) => {
  const [asked, setAsked] = useState(false);
  const sure = () => {
    if (asked) onSure();
    setAsked(!asked);
  };
  return (
    <Button
      {...others}
      class={asked ? 'sure' : undefined}
      onClick={sure}
      onBlur={() => setAsked(false)}
      onKeyDown={event => event.key === 'Escape' && setAsked(false)}
    >
      {asked ? `Really ${label.toLowerCase()}?` : label}
    </Button>
  );
};

/** An entry of a view, with its buttons. */
export const Card = ({
  title,
  detail,
  look = '',
  current = false,
  children,
}: {
  title: ComponentChildren;
  detail: ComponentChildren;
  /** Further CSS classes. */
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
