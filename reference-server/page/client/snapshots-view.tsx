import { useState } from 'preact/hooks';
import { membersOf, parsedJson } from '../../../contracts/json.ts';
import type { SnapshotDocument, SnapshotInfo } from '../../control/snapshots.ts';
import { ControlRefusal, segment } from './control-api.ts';
import { Field, Form, Input } from './form-parts.tsx';
import { Button, Card, Sure, View } from './parts.tsx';
import { useAction, useRead, useSession } from './session.ts';
import { counted, dayAndTime, fragmentOf } from './text.ts';

/** Offers a text to the user as a download. */
const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** Returns the name for an imported file: its own, without characters that snapshot names may not have. */
const nameOf = (file: string): string =>
  file
    .replace(/\.json$/i, '')
    .replace(/[^\w\-. ]/g, '-')
    .slice(0, 100) || 'imported';

const pathOf = (name: string): string => `/snapshots/${segment(name)}`;

/** Named snapshots of the state: to save, load, export and delete. */
export const SnapshotsView = () => {
  const { api, world, revision } = useSession();
  const { run, send, busy, refusal } = useAction();
  const [name, setName] = useState('');
  const { value, refusal: unread } = useRead<{ snapshots: readonly SnapshotInfo[] }>(api, '/snapshots', revision);
  const snapshots = value?.snapshots.toSorted((one, other) => other.savedAt - one.savedAt) ?? [];
  const save = () =>
    run(async () => {
      await api.send('POST', `${pathOf(name.trim())}/save`);
      setName('');
    }, 'Saved.');
  const take = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file === undefined) return;
    void run(async () => {
      const text = await file.text();
      input.value = '';
      const document = parsedJson(text);
      if (document === undefined) throw new ControlRefusal(0, 'This file is no JSON.');
      const { name: own } = membersOf(document);
      await api.sendText('PUT', pathOf(nameOf(typeof own === 'string' ? own : file.name)), text);
    }, 'Imported.');
  };
  const exported = (one: string) =>
    run(async () => {
      const document = await api.get<SnapshotDocument>(pathOf(one));
      download(`${nameOf(one)}.json`, JSON.stringify(document, null, 2));
    });
  return (
    <View title={`Snapshots of ${world}`} refusal={refusal ?? unread}>
      <Form look="tools" onSend={save}>
        <Input
          label="Name"
          value={name}
          onType={setName}
          required
          maxLength={100}
          pattern="[a-zA-Z0-9_\-. ]+"
          placeholder="before the test"
        />
        <Button type="submit" class="first" disabled={busy}>
          Save the present state
        </Button>
        <Field label="Import a file">
          {ids => (
            <input {...ids} type="file" accept="application/json,.json" onChange={event => take(event.currentTarget)} />
          )}
        </Field>
      </Form>
      {value !== undefined && snapshots.length === 0 && (
        <p class="empty">No snapshot yet. Save one before a test, and load it to be back in an instant.</p>
      )}
      {snapshots.map(({ name: one, savedAt, entities }) => (
        <Card
          key={one}
          title={<h3 class="data">{one}</h3>}
          detail={`${dayAndTime(savedAt)} UTC, ${counted(entities, 'entity', 'entities')}`}
        >
          <Button of={one} disabled={busy} onClick={() => send(`${one} is loaded.`, 'POST', `${pathOf(one)}/load`)}>
            Load
          </Button>
          <Button of={one} disabled={busy} onClick={() => exported(one)}>
            Export
          </Button>
          <Sure
            label="Delete"
            of={one}
            disabled={busy}
            onSure={() => send(`${one} is deleted.`, 'DELETE', pathOf(one))}
          />
        </Card>
      ))}
      <p>
        <a href={fragmentOf('state', 'changes')}>What has changed since the last</a>
      </p>
    </View>
  );
};
