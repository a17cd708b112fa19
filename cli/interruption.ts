import { own, type Shown } from '../contracts/redaction/shown.ts';
import { errors, tell } from './writer.ts';

/** The signals that ask a process to end: from the keyboard, from its parent, from a closed terminal. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls a function for every signal that asks this process to end. Returns a function that stops that. */
export function onEndingSignal(act: (name: NodeJS.Signals) => void): () => void {
  for (const name of endingSignals) process.on(name, act);
  return () => {
    for (const name of endingSignals) process.off(name, act);
  };
}

/** What a command does when it is asked to end, if it changes the target and writes reports. */
const putsBack = own`\nInterrupted: putting back what was changed and writing the reports. A server that is away is waited for; that may take a minute. Once more to stop at once.\n`;

/**
 * Handles the ending signals until `done` is called. The first prints `first` and aborts the signal; the second prints
 * `last` and ends the process at once.
 */
export function interruption(last = () => '', first: Shown = putsBack) {
  const controller = new AbortController();
  const done = onEndingSignal(() => {
    if (controller.signal.aborted) {
      tell(last());
      process.exit(130);
    }
    errors.say(first);
    controller.abort();
  });
  return { signal: controller.signal, stop: () => controller.abort(), done };
}
