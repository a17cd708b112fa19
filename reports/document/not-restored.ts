import type { Row } from './document.ts';
import { mark } from './marks.ts';

/** What a run could not put back, and the request that would. */
type NotRestored = Readonly<Record<'kind' | 'id' | 'what' | 'send', string>>;

/** Maximum number of rows. */
const most = 12;

/** Returns a row for each of the first changes that could not be put back. */
export const notRestoredRows = (left: readonly NotRestored[]): readonly Row[] =>
  left.slice(0, most).map(({ kind, id, what, send }) => ({
    mark: mark('warn', 'not put back'),
    name: [kind, id].filter(Boolean).join(' '),
    text: what,
    command: send,
  }));
