import { requiring } from '../object.ts';
import { freeForm, text } from './shared.ts';

/** A logged event (sections 2.10 and 4.15). It occurs in answers only. */
export const loggedEvent = requiring(
  'A logged event.',
  {
    timestamp: { type: 'string', pattern: '^[0-9]+$', annotation: { formatHint: 'digits' } },
    name: text,
    source: text,
    value: text,
    userID: text,
    metadata: freeForm,
  },
  ['timestamp', 'name', 'source', 'value', 'userID', 'metadata'],
);
