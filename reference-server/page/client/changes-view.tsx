import { useMemo, useState } from 'preact/hooks';
import type { SnapshotDocument, SnapshotInfo } from '../../control/snapshots.ts';
import { entityPath, segment } from './control-api.ts';
import { changesBetween, type EntityChange, type State, stateChanges, type Value } from './difference.ts';
import { Choice } from './form-parts.tsx';
import { Sure, View } from './parts.tsx';
import { useAction, useLoaded, useRead, useSession } from './session.ts';
import { counted, dayAndTime, fragmentOf, shortened } from './text.ts';

/** Maximum numbers of differences shown per entity, and of entities. */
const mostPlaces = 50;
const mostEntities = 200;

/** Stands for the initial state of the world; no snapshot can have this name. */
const seed = '/seed';

const shown = (value: Value | undefined): string =>
  value === undefined ? 'absent' : shortened(JSON.stringify(value), 600);

const Places = ({ change }: { change: EntityChange }) => {
  const places = useMemo(() => changesBetween(change.before, change.after), [change]);
  return (
    <dl class="difference">
      {places.slice(0, mostPlaces).map(({ path, before, after }) => (
        <div key={path}>
          <dt class="data">{path}</dt>
          <dd class="data">
            <del>
              <span class="unseen">was </span>
              {shown(before)}
            </del>{' '}
            <ins>
              <span class="unseen">is </span>
              {shown(after)}
            </ins>
          </dd>
        </div>
      ))}
      {places.length > mostPlaces && <p class="detail">{counted(places.length - mostPlaces, 'place')} more.</p>}
    </dl>
  );
};

/** The differences between the world and its last snapshot, another snapshot or its initial state. */
export const ChangesView = () => {
  const { api, revision } = useSession();
  const { value: state, refusal: unheld } = useRead<State>(api, '/state', revision);
  const { run, busy, refusal } = useAction();
  const [chosen, setChosen] = useState<string>();
  const listed = useRead<{ snapshots: readonly SnapshotInfo[] }>(api, '/snapshots', revision);
  const snapshots = listed.value?.snapshots;
  const last = snapshots?.toSorted((one, other) => other.savedAt - one.savedAt)[0]?.name ?? seed;
  const base = chosen !== undefined && (chosen === seed || snapshots?.some(one => one.name === chosen)) ? chosen : last;
  const savedAt = snapshots?.find(one => one.name === base)?.savedAt;
  const { value: before, refusal: unread } = useLoaded(async () => {
    if (snapshots === undefined) return undefined;
    if (base === seed) return api.get<State>('/seed');
    return (await api.get<SnapshotDocument>(`/snapshots/${segment(base)}`)).state as unknown as State;
  }, [api, base, savedAt, snapshots === undefined]);
  const changes = useMemo(() => (before && state ? stateChanges(before, state) : undefined), [before, state]);
  const putBack = ({ collection, id, before: was }: EntityChange) =>
    run(() => api.send(was === undefined ? 'DELETE' : 'PUT', entityPath(collection, id), was), `${id} is as it was.`);
  return (
    <View title="What has changed" refusal={unheld ?? listed.refusal ?? unread ?? refusal}>
      <div class="tools">
        <Choice
          label="Since"
          value={base}
          onChoose={setChosen}
          options={[
            ...(snapshots ?? []).map(
              ({ name, savedAt: at }) => [name, `snapshot ${name}, ${dayAndTime(at)} UTC`] as const,
            ),
            [seed, 'the beginning (the seed)'],
          ]}
        />
      </div>
      {changes !== undefined && (
        <p class="detail" role="status">
          {changes.length === 0
            ? 'Nothing differs.'
            : `${counted(changes.length, 'entity differs', 'entities differ')}.`}
        </p>
      )}
      {changes?.slice(0, mostEntities).map(change => (
        <article class="card" key={`${change.collection}/${change.id}`}>
          <h3 class="asked">
            <span class={`kind kind-${change.kind}`}>{change.kind}</span>
            {change.kind === 'removed' ? (
              <span class="data">
                {change.collection} / {change.id}
              </span>
            ) : (
              <a class="data" href={fragmentOf('state', change.collection, change.id)}>
                {change.collection} / {change.id}
              </a>
            )}
            <Sure label="Put back" of={change.id} onSure={() => putBack(change)} disabled={busy} />
          </h3>
          {change.kind === 'changed' && <Places change={change} />}
        </article>
      ))}
      {changes !== undefined && changes.length > mostEntities && (
        <p class="detail">{counted(changes.length - mostEntities, 'entity', 'entities')} more.</p>
      )}
    </View>
  );
};
