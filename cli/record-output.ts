import { renameSync, rmSync, statSync } from 'node:fs';
import { own, rendered, type Shown } from '../contracts/redaction/shown.ts';
import { tool } from '../contracts/report/tool.ts';
import { safeJson } from '../reports/text/safe-text.ts';
import { BrokenRecord, decodeRecording, encodeRecording } from '../suites/diff/record/record-file.ts';
import type { Recording } from '../suites/diff/record/recording.ts';
import { refuse, refusing } from './input.ts';
import { readBytes } from './input-file.ts';
import { openEnded, openFile, shown, tell, withFile } from './writer.ts';

/** Opens the file of a recording under a temporary name, so that an unwritable place is reported before the run. */
export function openRecord(file: string) {
  const stat = withFile(file, '; choose another place with --record', () => statSync(file, { throwIfNoEntry: false }));
  // The finished recording replaces the existing file by a rename, which would destroy a device or a FIFO.
  if (stat?.isFile() === false) refuse(`cannot write ${file} (it is no file); choose another place with --record`);
  const unfinished = `${file}.unfinished`;
  const opened = openFile(unfinished, '--record');
  let isOpen = true;
  return {
    /**
     * Writes the recording of a complete run, whole or not at all. For any other run it says on the standard error that
     * none is kept. Throws a `UsageError` if the file cannot be written.
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
    /** Removes the unfinished file, if no recording was written. */
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      opened.close();
      rmSync(unfinished, { force: true });
    },
  };
}

/** Reads a recording. Throws a `UsageError` of one line for any other file. */
export function readRecord(file: string, bytes = readBytes(file, 'recording')): Recording {
  return refusing([BrokenRecord], () => decodeRecording(file, bytes));
}

/**
 * Opens a HAR file for writing, and makes its folder. The file is valid after each entry, so that nothing is lost with
 * the process. Throws a `UsageError` if it cannot be written.
 */
export function openHar(file: string) {
  const opened = openEnded(file, '--record', '\n]}}\n');
  let isFirst = true;
  const { name, version } = tool;
  opened.write(shown(`{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"pages":[],"entries":[`));
  return {
    /** Appends an entry. Throws a `UsageError` if the disk is full or gone. */
    add(entry: Shown<object>): void {
      opened.write(own`${isFirst ? own`` : own`,`}\n${rendered(entry, one => safeJson(one, 0).trimEnd())}`);
      isFirst = false;
    },
    close: opened.close,
  };
}
