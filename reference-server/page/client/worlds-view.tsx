import { useState } from 'preact/hooks';
import { segment } from './control-api.ts';
import { Button, Card, Copy, Sure, View } from './parts.tsx';
import { useAction, useSession, type WorldRow } from './session.ts';
import { counted, dayAndTime } from './text.ts';

/** The worlds of the server: to choose, create and delete. */
export const WorldsView = () => {
  const { api, world, worlds, choose, keepKey, keyOf } = useSession();
  const { run, busy, refusal } = useAction();
  const [made, setMade] = useState<string>();
  const make = () =>
    run(async () => {
      const { name, apiKey } = await api.send<WorldRow & { apiKey: string }>('POST', '/sandboxes', {});
      keepKey(name, apiKey);
      setMade(name);
    }, 'A sandbox was made.');
  return (
    <View title="Worlds" refusal={refusal}>
      <p class="detail">
        The default world is seen by the key of the server. A sandbox is a world of its own for the holders of one key.
      </p>
      <div class="tools">
        <Button class="first" disabled={busy} onClick={make}>
          New sandbox
        </Button>
      </div>
      {made !== undefined && (
        <p class="notice" role="status">
          The key of {made}, which is told this once: <code>{keyOf(made)}</code>{' '}
          <Copy text={keyOf(made)} what="the key" />
        </p>
      )}
      {worlds.map(({ name, requests, usedAt }) => (
        <Card
          key={name}
          current={name === world}
          title={<h3 class="data">{name}</h3>}
          detail={
            usedAt === undefined
              ? 'kept in the store; to be looked at once its key was sent'
              : `${counted(requests, 'request')}, last used ${dayAndTime(usedAt)} UTC`
          }
        >
          <Button of={name} disabled={name === world || usedAt === undefined} onClick={() => choose(name)}>
            {name === world ? 'Looked at' : 'Look at it'}
          </Button>
          {name !== 'default' && (
            <Sure
              label="Delete"
              of={name}
              disabled={busy}
              onSure={() =>
                run(async () => {
                  if (name === world) choose('default');
                  await api.send('DELETE', `/sandboxes/${segment(name)}`);
                }, `${name} is deleted.`)
              }
            />
          )}
        </Card>
      ))}
    </View>
  );
};
