import { own } from '../contracts/redaction/shown.ts';
import { errors } from './writer.ts';

/** Handles Ctrl-C until `done` is called: the first aborts the signal, the second ends the process at once. */
export function interruption(): { signal: AbortSignal; stop(): void; done(): void } {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130);
    errors.say(own`\nInterrupted: putting back what was changed and writing the reports. Once more to stop at once.\n`);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    stop: () => controller.abort(),
    done: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
