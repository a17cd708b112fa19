import { BehaviourForm } from './behaviour-form.tsx';
import { doesText, meetsText } from './behaviour-text.ts';
import { segment } from './control-api.ts';
import { Button, Card, Sure, View } from './parts.tsx';
import { useAction, useSession } from './session.ts';
import { counted } from './text.ts';

/** The active behaviours: faults, dialects, latency, errors, lost connections, rate limits. */
export const BehavioursView = () => {
  const { behaviours } = useSession();
  const { send, busy, refusal } = useAction();
  return (
    <View title="Behaviours" refusal={refusal}>
      {behaviours.length === 0 && <p class="empty">None: the server keeps the contract.</p>}
      {behaviours.map(behaviour => {
        const { id, on, met } = behaviour;
        const path = `/behaviours/${segment(id)}`;
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
              onClick={() => send(`${id} is ${on ? 'off' : 'on'}.`, 'PATCH', path, { on: !on })}
            >
              {on ? 'On' : 'Off'}
            </Button>
            <Sure label="Delete" of={id} disabled={busy} onSure={() => send(`${id} is deleted.`, 'DELETE', path)} />
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
