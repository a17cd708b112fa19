import { own, rendered, type Shown } from '../contracts/redaction/shown.ts';
import { tool } from '../contracts/report/tool.ts';
import { safeJson } from '../reports/text/safe-text.ts';
import { shown } from './known-secrets.ts';
import { openEnded } from './writer.ts';

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
