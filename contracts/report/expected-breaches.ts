import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, recordBut } from '../object.ts';
import { text } from './evidence.ts';

/** The breaches that the tests of a client make on purpose (`--expect-breach`). */
export const expectedBreachesSchema = recordBut(['$schema'], {
  $schema: text,
  expected: list(
    recordBut(['endpoint', 'pointer', 'reason'], {
      /** The requirement of the client that is broken: `client.body-constraint`. */
      requirement: text,
      /** Only at this operation; absent: at any. */
      endpoint,
      /** Only at this place of the request, as a report has it (`/name`, `path`); absent: at any. */
      pointer: text,
      /** Why it is sent. */
      reason: text,
    }),
  ),
});

export type ExpectedBreaches = Infer<typeof expectedBreachesSchema>;
