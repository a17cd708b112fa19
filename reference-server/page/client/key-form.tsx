import { useState } from 'preact/hooks';
import type { ControlRefusal } from './control-api.ts';
import { Form, Input } from './form-parts.tsx';

/** What stands in the place of the page until the server lets it in: a form for the control key, where it asks for one. */
export const KeyForm = ({
  refusal,
  given,
  onKey,
}: {
  refusal: ControlRefusal | undefined;
  /** The key that was given before, and is wrong where the server still refuses. */
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
