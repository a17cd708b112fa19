import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../contracts/json.ts';
import { keyOf } from '../../entities.ts';
import { ChangesView } from './changes-view.tsx';
import { segment } from './control-api.ts';
import { EntityEditor } from './entity-editor.tsx';
import { Choice, Input } from './form-parts.tsx';
import { Halves, Refused, Rows, Sure, View } from './parts.tsx';
import { useAction, useLoaded, useRead, useSession } from './session.ts';
import { counted, fragmentOf, searchFor, shortened } from './text.ts';

/** Returns the title of a collection: `qualifying events` for `qualifyingEvents`. */
const titleOf = (collection: string): string => collection.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

/** Summarises an entity in one line. */
const summaryOf = (key: string, entity: JsonObject): string => {
  const { name, description, isEnabled, status, type } = entity;
  const on = typeof isEnabled === 'boolean' ? (isEnabled ? 'enabled' : 'disabled') : undefined;
  return [on, type, status, name === key ? '' : name, description]
    .filter(part => typeof part === 'string' && part !== '')
    .join(' · ');
};

/** The state of the world by collection, with an editor for one entity. */
export const StateView = ({ way }: { way: readonly string[] }) => {
  const { api, catalogue, revision } = useSession();
  const { send, busy, refusal: refused } = useAction();
  const [text, setText] = useState('');
  const [collection = catalogue.collections[0] ?? '', id] = way.filter(part => part !== '');
  const isChanges = collection === 'changes';
  const { value: counts, refusal: uncounted } = useRead<{ collections: Readonly<Record<string, number>> }>(
    api,
    '/collections',
    revision,
  );
  const { value: loaded, refusal: unread } = useLoaded(
    async () =>
      isChanges
        ? undefined
        : api.get<{ collection: string; entities: readonly JsonObject[] }>(`/state/${segment(collection)}`),
    [api, revision, collection],
  );
  const isLoaded = loaded?.collection === collection;
  const held = isLoaded ? loaded.entities.map(entity => [keyOf(entity), entity] as const) : [];
  const holds = searchFor(text);
  const found = held.filter(([key, entity]) => holds(() => key + JSON.stringify(entity)));
  const titled = (name: string): string => `${titleOf(name)} (${counts?.collections[name] ?? '…'})`;
  const list = (
    <View title={<span class="capital">{titleOf(collection)}</span>} look="list">
      <p class="detail">
        {found.length < held.length && `${found.length} of `}
        {counted(held.length, 'entity', 'entities')}
      </p>
      <Rows key={collection} of={found} first={200} more={1000}>
        {([key, entity]) => (
          <li key={key}>
            <a class="row" href={fragmentOf('state', collection, key)} aria-current={key === id ? 'true' : undefined}>
              <span class="strong data">{shortened(key)}</span>
              <span class="detail">{shortened(summaryOf(key, entity))}</span>
            </a>
          </li>
        )}
      </Rows>
    </View>
  );
  return (
    <>
      <div class="tools">
        <a class="button" href={fragmentOf('state', 'changes')} aria-current={isChanges ? 'true' : undefined}>
          Changes
        </a>
        <Choice
          label="Collection"
          value={isChanges ? '' : collection}
          options={[
            ...(isChanges ? [['', 'choose …'] as const] : []),
            ...catalogue.collections.map(name => [name, titled(name)] as const),
          ]}
          onChoose={name => {
            if (name !== '') location.hash = fragmentOf('state', name);
          }}
        />
        {!isChanges && (
          <>
            <Input label="Search" type="search" value={text} onType={setText} placeholder="id or value" />
            <a class="button" href={fragmentOf('state', collection, '', 'new')}>
              New entity
            </a>
          </>
        )}
        <Sure
          label="Reset"
          of="to the seed"
          disabled={busy}
          onSure={() => send('The world is as it was at first.', 'POST', '/reset', {})}
        />
      </div>
      <Refused refusal={uncounted ?? unread ?? refused} />
      {isChanges ? (
        <ChangesView />
      ) : (
        <Halves
          list={list}
          label="The entity"
          back={<a href={fragmentOf('state', collection)}>← All {titleOf(collection)}</a>}
          opened={id !== undefined}
        >
          {id === undefined ? (
            <p class="empty">Choose an entity to see and edit all of it.</p>
          ) : (
            <EntityEditor
              key={`${collection}/${way.length > 2 ? '' : id}`}
              collection={collection}
              id={way.length > 2 ? undefined : id}
              present={held.find(([key]) => key === id)?.[1]}
              template={held[0]?.[1]}
              isLoaded={isLoaded}
            />
          )}
        </Halves>
      )}
    </>
  );
};
