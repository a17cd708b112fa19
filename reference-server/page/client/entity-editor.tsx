import { useEffect, useState } from 'preact/hooks';
import { isObject, membersOf } from '../../../contracts/json.ts';
import { ControlRefusal, entityPath } from './control-api.ts';
import { changesBetween, type Value } from './difference.ts';
import { Form, Lines } from './form-parts.tsx';
import { Button, Refused, Sure } from './parts.tsx';
import { useAction, useSession } from './session.ts';
import { fragmentOf } from './text.ts';

/** Returns the storage key of an entity: its id, or its name if it has none. */
const keyOf = (text: string): string => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ControlRefusal(0, `This is no JSON: ${(error as Error).message}`);
  }
  const { id, name } = membersOf(value);
  const key = id ?? name;
  if (typeof key !== 'string')
    throw new ControlRefusal(0, 'An entity is an object with an id or, where it has none, a name.');
  return key;
};

const written = (value: Value | undefined): string => (value === undefined ? '{\n}' : JSON.stringify(value, null, 2));

/** Returns the initial text for a new entity: a copy of another one with a new id. */
const newFrom = (template: Value | undefined): string => {
  if (!isObject(template)) return written(undefined);
  return written({ ...template, ['id' in template ? 'id' : 'name']: 'new' });
};

/** An entity as JSON, to edit, save and delete; a new one if `id` is undefined. */
export const EntityEditor = ({
  collection,
  id,
  present,
  template,
  isLoaded,
}: {
  collection: string;
  id: string | undefined;
  /** The entity as the world holds it now. */
  present: Value | undefined;
  template: Value | undefined;
  isLoaded: boolean;
}) => {
  const { api } = useSession();
  const { run, busy, refusal, forget } = useAction();
  const isNew = id === undefined;
  const now = isNew ? template : present;
  const textOf = isNew ? newFrom : written;
  const [begun, setBegun] = useState<Value | undefined>(now);
  const [text, setText] = useState(() => textOf(now));
  const clean = textOf(begun);
  const isEdited = text !== clean;
  const isOvertaken = !isNew && isEdited && changesBetween(begun, present).length > 0;
  const take = (value: Value | undefined): void => {
    setBegun(value);
    setText(textOf(value));
    forget();
  };
  // An unedited text follows the world.
  useEffect(() => {
    if (!isEdited && now !== undefined && changesBetween(begun, now).length > 0) take(now);
  }, [now]);

  if (!isNew && isLoaded && present === undefined && !isEdited)
    return <p class="empty">The world holds no such entity, or not any more.</p>;

  const save = () =>
    run(async () => {
      const key = keyOf(text);
      if (id !== undefined && key !== id)
        throw new ControlRefusal(
          0,
          `The id is ${JSON.stringify(key)}, and this is ${JSON.stringify(id)}: make a new entity for it.`,
        );
      const stored = await api.sendText<Value>('PUT', entityPath(collection, key), text);
      if (isNew) location.hash = fragmentOf('state', collection, key);
      else take(stored);
    }, 'Saved.');
  const remove = () =>
    run(async () => {
      await api.send('DELETE', entityPath(collection, id ?? ''));
      location.hash = fragmentOf('state', collection);
    }, 'Deleted.');

  return (
    <Form onSend={save}>
      <h2 class="data">{isNew ? 'New entity' : id}</h2>
      <Lines
        label="JSON"
        hint={isEdited ? 'Edited, and not saved.' : 'What the server keeps, with what answers do not show.'}
        json
        rows={Math.min(34, text.split('\n').length + 2)}
        value={text}
        onType={setText}
        onKeyDown={event => {
          if (!(event.ctrlKey || event.metaKey) || (event.key !== 's' && event.key !== 'Enter')) return;
          event.preventDefault();
          void save();
        }}
      />
      {isOvertaken && (
        <p class="notice" role="status">
          It has changed meanwhile: saving puts what stands here in its place.{' '}
          <Button onClick={() => take(present)}>Take what it is now</Button>
        </p>
      )}
      <Refused refusal={refusal} />
      <div class="tools">
        <Button type="submit" class="first" disabled={busy || (!isEdited && !isNew)}>
          {isNew ? 'Create' : 'Save'}
        </Button>
        <Button disabled={!isEdited} onClick={() => take(now)}>
          Undo
        </Button>
        {!isNew && <Sure label="Delete" of={id} onSure={remove} disabled={busy} />}
      </div>
    </Form>
  );
};
