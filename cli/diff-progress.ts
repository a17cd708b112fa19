import type { RunEvent } from '../contracts/report/journal.ts';
import { progressBar } from '../reports/terminal/progress.ts';
import { capitalized } from '../reports/text/verdict-text.ts';
import { shown } from './known-secrets.ts';
import { terminalOf } from './outputs.ts';
import type { Stream } from './writer.ts';

/** Tells on the standard error what a comparison does now: its phases a line each, and how far both runs have come. */
export interface DiffProgress {
  phase(what: string): void;
  event(event: RunEvent): void;
  stop(): void;
}

/** Returns the progress of a comparison; without a person before the stream it has the phases alone. */
export function diffProgress(stream: Stream, environment: Readonly<Record<string, string | undefined>>): DiffProgress {
  const display = terminalOf(stream, environment);
  const write = (text: string): void => stream.write(shown(text));
  let bar: ReturnType<typeof progressBar> | undefined;
  let hasBegun = false;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
    hasBegun = false;
  };
  return {
    phase(what) {
      stop();
      write(`${capitalized(what)}.\n`);
      if (display.interactive) bar = progressBar({ ...display, write });
    },
    event(event) {
      hasBegun ||= event.event === 'run-start';
      if (hasBegun) bar?.event(event);
    },
    stop,
  };
}
