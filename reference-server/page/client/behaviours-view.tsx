import { BehaviourForm } from './behaviour-form.tsx';
import { doesText, meetsText } from './behaviour-text.ts';
import { segment } from './control-api.ts';
import { Card, Refused, Sure } from './parts.tsx';
import { useAction, useSession } from './session.ts';
import { counted } from './text.ts';

/** What the server does beside what it should: faults, dialects, latency, errors, lost connections, rate limits. */
export const BehavioursView = () => {
  const { api, behaviours } = useSession();
  const { run, busy, refusal } = useAction();
  return (
    <section aria-labelledby="behaviours-title">
      <h2 id="behaviours-title">Behaviours</h2>
      <Refused refusal={refusal} />
      {behaviours.length === 0 && <p class="empty">None: the server keeps the contract.</p>}
      {behaviours.map(behaviour => {
        const { id, on, met } = behaviour;
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
            <button
              type="button"
              role="switch"
              aria-checked={on}
              disabled={busy}
              onClick={() =>
                run(
                  () => api.send('PATCH', `/behaviours/${segment(id)}`, { on: !on }),
                  `${id} is ${on ? 'off' : 'on'}.`,
                )
              }
            >
              {on ? 'On' : 'Off'}
              <span class="unseen"> {id}</span>
            </button>
            <Sure
              label="Delete"
              name={id}
              disabled={busy}
              onSure={() => run(() => api.send('DELETE', `/behaviours/${segment(id)}`), `${id} is deleted.`)}
            />
          </Card>
        );
      })}
      {behaviours.length > 1 && (
        <p class="between">
          <Sure
            label="Delete all"
            disabled={busy}
            onSure={() => run(() => api.send('DELETE', '/behaviours'), 'The server keeps the contract.')}
          />
        </p>
      )}
      <BehaviourForm />
    </section>
  );
};
