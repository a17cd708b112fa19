import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, recordBut } from '../object.ts';
import { text } from './evidence.ts';

/** The breaches that the tests of a client make on purpose (`--expect-breach`). */
export const expectedBreachesSchema = recordBut(['$schema'], {
  $schema: text,
  expected: list(
    recordBut(['endpoint', 'pointer', 'reason'], {
      /** The broken requirement of clients: `client.body-constraint`. */
      requirement: text,
      /** The operation; absent: any. */
      endpoint,
      /** The place in the request, as a report has it (`/name`, `path`); absent: any. */
      pointer: text,
      /** Why the client sends it. */
      reason: text,
    }),
  ),
});

export type ExpectedBreaches = Infer<typeof expectedBreachesSchema>;
