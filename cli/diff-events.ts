import { join } from 'node:path';
import type { Shown } from '../contracts/redaction/shown.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import { foldJournal } from '../reports/index.ts';
import { progressBar } from '../reports/run/progress.ts';
import { capitalized } from '../reports/text/verdict-text.ts';
import { shown } from './known-secrets.ts';
import { journalLine, terminalOf } from './outputs.ts';
import { keepUnended } from './run-folder.ts';
import { openFile, type Stream } from './writer.ts';

/**
 * Opens the journals of the runs of a side under the folder `out`, the one of its last run first, before anything is sent.
 * Throws a `UsageError` if one cannot be written.
 */
export function openJournals(out: string, letter: 'a' | 'b', noiseRuns: number) {
  const fold = foldJournal();
  const files = Array.from({ length: noiseRuns + 1 }, (_, run) =>
    join(out, run === 0 ? `${letter}.ndjson` : `${letter}-noise-${run}.ndjson`),
  );
  for (const file of files) keepUnended(file);
  const opened = files.map(file => openFile(file, '--out', out));
  let hasBegun = false;
  return {
    files,
    /**
     * Takes an event of a run (0: the last one) and writes it at once, so that a process that is killed keeps what would
     * put the server back. Throws a `UsageError` where the disk is full or gone.
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
    /** The report of the last run; undefined where it never began. */
    report: () => (hasBegun ? fold.report() : undefined),
  };
}

/** The journals of the runs of one side. */
export type SideJournals = ReturnType<typeof openJournals>;

/**
 * Tells on the standard error what a comparison does now: its phases a line each, and, with a person before the stream, how
 * far both runs have come.
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
