import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';

/** A label with its control. */
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

/** An option, with a label if it differs from the value. */
export type Option = string | readonly [value: string, text: string];

/** A select box. */
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

/** A text area. */
export const Lines = ({
  rows,
  value,
  onType,
  onKeyDown,
  json = false,
  ...field
}: Omit<ComponentProps<typeof Field>, 'children'> & {
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

/** A form with a submit button. */
export const Form = ({
  look,
  onSend,
  children,
}: {
  /** Its CSS classes. */
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

/** A text input. */
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
        // The JSX types have one case per input type.
        type={type as 'text'}
        autocomplete="off"
        spellcheck={false}
        onInput={event => onType(event.currentTarget.value)}
      />
    )}
  </Field>
);
