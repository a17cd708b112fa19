import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { tool } from '../contracts/report/tool.ts';
import { safeJson } from '../reports/text/safe-text.ts';
import { withFile } from './outputs.ts';

/** A HAR file that grows by one entry after the other and is whole after each, so that nothing is lost with a process. */
export interface HarFile {
  /** Appends an entry. Throws a `UsageError` where the disk is full or gone. */
  add(entry: object): void;
  close(): void;
}

const end = '\n]}}\n';

/** Opens a HAR file for writing, and makes its folder. Throws a `UsageError` if it cannot be written. */
export function openHar(file: string): HarFile {
  const handle = withFile(file, '; choose another place with --record', () => {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'w');
  });
  let at = 0;
  let isFirst = true;
  /** Writes the text, and the end of the file behind it, which the next entry overwrites. */
  function write(text: string): void {
    const bytes = Buffer.from(`${text}${end}`);
    withFile(file, '', () => {
      for (let written = 0; written < bytes.length; )
        written += writeSync(handle, bytes, written, bytes.length - written, at + written);
    });
    at += bytes.length - end.length;
  }
  const { name, version } = tool;
  write(`{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"pages":[],"entries":[`);
  return {
    add(entry) {
      write(`${isFirst ? '' : ','}\n${safeJson(entry, 0).trimEnd()}`);
      isFirst = false;
    },
    close: () => withFile(file, '', () => closeSync(handle)),
  };
}
