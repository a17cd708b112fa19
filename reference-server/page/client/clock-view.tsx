import { useEffect, useState } from 'preact/hooks';
import type { ClockChange, ClockReading } from '../../worlds/clock.ts';
import { Form, Input } from './form-parts.tsx';
import { Button, View } from './parts.tsx';
import { useAction, useSession } from './session.ts';
import { dayAndTime } from './text.ts';

const steps: readonly (readonly [label: string, milliseconds: number])[] = [
  ['1 second', 1000],
  ['1 minute', 60_000],
  ['1 hour', 3_600_000],
  ['1 day', 86_400_000],
];

/** Returns the current time of a clock, estimated with the browser's clock. */
const useTicking = (clock: ClockReading | undefined): number | undefined => {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    if (clock === undefined || clock.stopped) return undefined;
    const begun = performance.now();
    const timer = setInterval(() => setPassed(performance.now() - begun), 500);
    return () => clearInterval(timer);
  }, [clock]);
  return clock === undefined ? undefined : Math.round(clock.time + passed);
};

/** The clock of the world, which can be stopped, set and advanced. */
export const ClockView = () => {
  const { clock } = useSession();
  const { send, busy, refusal } = useAction();
  const now = useTicking(clock);
  const [time, setTime] = useState('');
  const tell = (change: ClockChange, said: string) => send(said, 'PATCH', '/clock', change);
  return (
    <View title="Clock" refusal={refusal}>
      <p class="lead">
        {now === undefined ? '…' : `${dayAndTime(now)} UTC`}
        {clock?.stopped === true && ', stopped'}
      </p>
      <div class="tools">
        <Button disabled={busy} onClick={() => tell({ stopped: clock?.stopped !== true }, 'Done.')}>
          {clock?.stopped === true ? 'Let it run' : 'Stop it'}
        </Button>
        {steps.map(([label, advance]) => (
          <Button key={label} disabled={busy} onClick={() => tell({ advance }, `${label} on.`)}>
            + {label}
          </Button>
        ))}
        <Button disabled={busy} onClick={() => tell({ real: true }, 'It shows the time of the server.')}>
          Time of the server
        </Button>
      </div>
      <Form look="tools" onSend={() => tell({ time: Date.parse(`${time}Z`) }, 'It is set.')}>
        <Input label="Set it to (UTC)" type="datetime-local" step={1} value={time} onType={setTime} required />
        <button type="submit" disabled={busy}>
          Set
        </button>
      </Form>
    </View>
  );
};
