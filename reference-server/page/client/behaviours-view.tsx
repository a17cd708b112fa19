import { BehaviourForm } from './behaviour-form.tsx';
import { doesText, meetsText } from './behaviour-text.ts';
import { segment } from './control-api.ts';
import { Button, Card, Sure, View } from './parts.tsx';
import { useAction, useSession } from './session.ts';
import { counted } from './text.ts';

/** The active behaviours: faults, dialects, latency, errors, lost connections, rate limits. */
export const BehavioursView = () => {
  const { api, behaviours } = useSession();
  const { run, send, busy, refusal } = useAction();
  return (
    <View title="Behaviours" refusal={refusal}>
      {behaviours.length === 0 && <p class="empty">None: the server keeps the contract.</p>}
      {behaviours.map(behaviour => {
        const { id, on, met } = behaviour;
        // Made when it is sent, because an id that no path can hold is refused.
        const path = (): string => `/behaviours/${segment(id)}`;
        return (
          <Card
            key={id}
            look={on ? '' : 'off'}
            title={
              <h3>
                <code>{id}</code> {doesText(behaviour)}
              </h3>
            }
            detail={`${meetsText(behaviour)}; met ${counted(met, 'request')}`}
          >
            <Button
              of={id}
              role="switch"
              aria-checked={on}
              disabled={busy}
              onClick={() => run(() => api.send('PATCH', path(), { on: !on }), `${id} is ${on ? 'off' : 'on'}.`)}
            >
              {on ? 'On' : 'Off'}
            </Button>
            <Sure
              label="Delete"
              of={id}
              disabled={busy}
              onSure={() => run(() => api.send('DELETE', path()), `${id} is deleted.`)}
            />
          </Card>
        );
      })}
      {behaviours.length > 1 && (
        <p class="between">
          <Sure
            label="Delete all"
            disabled={busy}
            onSure={() => send('The server keeps the contract.', 'DELETE', '/behaviours')}
          />
        </p>
      )}
      <BehaviourForm />
    </View>
  );
};
