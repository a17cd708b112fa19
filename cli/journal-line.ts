import { rendered, type Shown } from '../contracts/redaction/shown.ts';
import type { RunEvent } from '../contracts/report/journal.ts';

/** A line of a journal. */
export const journalLine = (event: Shown<RunEvent>): Shown =>
  rendered<RunEvent, string>(event, one => `${JSON.stringify(one)}\n`);
