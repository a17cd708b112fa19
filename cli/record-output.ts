import { renameSync, rmSync, statSync } from 'node:fs';
import { own, rendered, type Shown } from '../contracts/redaction/shown.ts';
import { tool } from '../contracts/report/tool.ts';
import { safeJson } from '../reports/text/safe-text.ts';
import { BrokenRecord, decodeRecording, encodeRecording } from '../suites/diff/record/record-file.ts';
import type { Recording } from '../suites/diff/record/recording.ts';
import { refuse, refusing } from './input.ts';
import { readBytes } from './input-file.ts';
import { shown } from './known-secrets.ts';
import { openEnded, openFile, tell, withFile } from './writer.ts';

/** Opens the file of a recording beside its place, so that one that cannot be written is told before the run. */
export function openRecord(file: string) {
  const stat = withFile(file, '; choose another place with --record', () => statSync(file, { throwIfNoEntry: false }));
  // What is finished takes the place of what stands there: of a device or a FIFO nothing would be left.
  if (stat?.isFile() === false) refuse(`cannot write ${file} (it is no file); choose another place with --record`);
  const unfinished = `${file}.unfinished`;
  const opened = openFile(unfinished, '--record');
  let isOpen = true;
  return {
    /**
     * Writes the recording of a run that came to its end, whole or not at all; of any other run says on the standard
     * error that it is not kept. Throws a `UsageError` where it cannot be written.
     */
    keep(recording: Shown<Recording>): void {
      if (recording.outcome !== 'complete') {
        tell(`${file} is not written: the run did not come to its end (${recording.outcome})\n`);
        return;
      }
      opened.write(rendered<Recording, Uint8Array>(recording, encodeRecording));
      opened.close();
      isOpen = false;
      withFile(file, '', () => renameSync(unfinished, file));
    },
    /** Takes away what was begun, where nothing was written. */
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      opened.close();
      rmSync(unfinished, { force: true });
    },
  };
}

/** Reads a recording. Throws a `UsageError` of one line for any other file. */
export function readRecord(file: string): Recording {
  const bytes = readBytes(file, 'recording');
  return refusing([BrokenRecord], () => decodeRecording(file, bytes));
}

/**
 * Opens a HAR file for writing, and makes its folder. It grows by one entry after the other and is whole after each, so
 * that nothing is lost with a process. Throws a `UsageError` if it cannot be written.
 */
export function openHar(file: string) {
  const opened = openEnded(file, '--record', '\n]}}\n');
  let isFirst = true;
  const { name, version } = tool;
  opened.write(shown(`{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"pages":[],"entries":[`));
  return {
    /** Appends an entry. Throws a `UsageError` where the disk is full or gone. */
    add(entry: Shown<object>): void {
      opened.write(own`${isFirst ? own`` : own`,`}\n${rendered(entry, one => safeJson(one, 0).trimEnd())}`);
      isFirst = false;
    },
    close: opened.close,
  };
}
