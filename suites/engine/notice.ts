import { present } from '../../contracts/present.ts';
import type { Notice } from '../../contracts/report/journal.ts';

/** One line of a run, about the run as a whole, and what its owner can do. */
export const notice = (severity: Notice['severity'], text: string, remedy?: string): Notice => ({
  event: 'notice',
  severity,
  text,
  ...present({ remedy }),
});
