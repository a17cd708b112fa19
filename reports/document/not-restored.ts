import type { Row } from './document.ts';
import { mark } from './marks.ts';

/** Returns the row of what a run could not put back, with the request that would. */
export const notRestoredRow = ({
  kind,
  id,
  what,
  send,
}: Readonly<Record<'kind' | 'id' | 'what' | 'send', string>>): Row => ({
  mark: mark('warn', 'not put back'),
  name: [kind, id].filter(Boolean).join(' '),
  text: what,
  command: send,
});
