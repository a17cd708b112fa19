import { present } from '../../contracts/present.ts';
import type { Notice } from '../../contracts/report/journal.ts';

/** Returns a notice: one line about the run as a whole, with a remedy if there is one. */
export const notice = (severity: Notice['severity'], text: string, remedy?: string): Notice => ({
  event: 'notice',
  severity,
  text,
  ...present({ remedy }),
});
