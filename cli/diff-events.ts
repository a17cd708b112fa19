import { join } from 'node:path';
import type { Shown } from '../contracts/redaction/shown.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import { foldJournal } from '../reports/index.ts';
import { progressBar } from '../reports/run/progress.ts';
import { capitalized } from '../reports/text/verdict-text.ts';
import { shown } from './known-secrets.ts';
import { journalLine, terminalOf } from './outputs.ts';
import { keepUnrestored } from './run-folder.ts';
import { openFile, type Stream } from './writer.ts';

/**
 * Opens the journals of a side's runs under the folder `out`, before anything is sent. The last run's journal comes
 * first. Throws a `UsageError` if one cannot be written.
 */
export function openJournals(out: string, letter: 'a' | 'b', noiseRuns: number) {
  const fold = foldJournal();
  const files = Array.from({ length: noiseRuns + 1 }, (_, run) =>
    join(out, run === 0 ? `${letter}.ndjson` : `${letter}-noise-${run}.ndjson`),
  );
  for (const file of files) keepUnrestored(file);
  const opened = files.map(file => openFile(file, '--out', out));
  let hasBegun = false;
  return {
    files,
    /**
     * Writes an event of a run (0: the last one) at once. A killed process then leaves what is needed to restore the
     * server. Throws a `UsageError` if the disk is full or gone.
     */
    event(event: Shown<RunEvent>, run: number): void {
      if (event.event === 'progress') return;
      opened[run]?.write(journalLine(event));
      if (run > 0) return;
      hasBegun = true;
      fold.add(event);
    },
    close: () => {
      for (const file of opened) file.close();
    },
    /** Returns the report of the last run; undefined if it never began. */
    report: () => (hasBegun ? fold.report() : undefined),
  };
}

/** The journals of the runs of one side. */
export type SideJournals = ReturnType<typeof openJournals>;

/**
 * Shows the progress of a comparison on the standard error: one line a phase, and at a terminal also a bar for both
 * runs.
 */
export function diffProgress(stream: Stream) {
  const display = terminalOf(stream);
  const write = (text: string): void => stream.write(shown(text));
  let bar: ReturnType<typeof progressBar> | undefined;
  let hasBegun = false;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
    hasBegun = false;
  };
  return {
    phase(what: string): void {
      stop();
      write(`${capitalized(what)}.\n`);
      if (display.interactive) bar = progressBar({ ...display, write });
    },
    event(event: RunEvent): void {
      hasBegun ||= event.event === 'run-start';
      if (hasBegun) bar?.event(event);
    },
    stop,
  };
}
