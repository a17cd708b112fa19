import type { Properties, Schema } from '../../contracts/dialect.ts';
import { endpointIds } from '../../contracts/endpoints.ts';
import { list, record } from '../../contracts/object.ts';
import { integer, text } from '../../contracts/scalars.ts';
import type { LogFilter, Waiting } from '../log/request-log.ts';
import { type ControlRoute, route, telling } from './route.ts';

const nullable = <const S extends Schema>(schema: S) => ({ anyOf: [schema, { type: 'null' }] }) as const;
const texts = list(text);

const filters = {
  method: { type: 'string', maxLength: 20 },
  path: { type: 'string', description: 'A part of path and query, as they were called.' },
  status: {
    type: 'string',
    pattern: '^([1-5][0-9][0-9]|[1-5]xx|none)$',
    description: '404, or 4xx, or none where a connection was lost.',
  },
  endpoint: { enum: endpointIds as never as readonly [string, ...string[]] },
  since: { type: 'integer', minimum: 0, description: 'Those after the request of this number.' },
} as const satisfies Properties;

const refusedField = record({ property: text, errorMessage: text, requirement: { type: ['string', 'null'] } });
const refusal = record({ message: text, errors: list(refusedField), requirements: texts });

/** A request in the log. */
const loggedRequestSchema = record({
  number: integer,
  time: { type: 'integer', description: 'Milliseconds since 1970, by the clock of the world.' },
  took: { type: 'number', description: 'Milliseconds.' },
  method: text,
  url: text,
  endpoint: { type: ['string', 'null'] },
  keyName: {
    type: ['string', 'null'],
    description: 'What the key that was sent is called; null where it is none of the server, as that of a sandbox.',
  },
  status: { type: ['integer', 'null'], description: 'Null where the connection was lost before an answer.' },
  headers: { type: 'object', additionalProperties: text },
  body: text,
  answerHeaders: { type: 'object', additionalProperties: text },
  answer: text,
  refused: nullable(refusal),
  behaviours: { type: 'array', items: text, description: 'The ids of the behaviours that it met.' },
  answeredBy: {
    ...nullable(record({ behaviour: text, left: { type: ['integer', 'null'] } })),
    description: 'The behaviour that made the answer, and how many more it makes; null of `left`: without end.',
  },
});

const requests = list(loggedRequestSchema);

/** Routes for the request log. */
export const requestRoutes: readonly ControlRoute[] = [
  route('listRequests', 'GET /requests', 'The last requests under /console/, oldest first.', {
    query: { ...filters, limit: { type: 'integer', minimum: 1, maximum: 1000 } },
    answer: record({ requests }),
    unversioned: true,
    run: ({ control, query }) => ({ requests: control.requests.list(query as LogFilter) }),
  }),
  route('waitForRequests', 'GET /requests/wait', 'Waits until so many more requests match, or the time is over.', {
    query: {
      ...filters,
      count: { type: 'integer', minimum: 1, maximum: 200, description: '1 when absent.' },
      timeout: { type: 'integer', minimum: 0, maximum: 50_000, description: 'Milliseconds; 10,000 when absent.' },
    },
    answer: record({ complete: { type: 'boolean' }, requests }),
    run: ({ control, query }) => control.requests.wait(query as Waiting),
  }),
  route(
    'streamRequests',
    'GET /requests/stream',
    'Every request from now on as a server-sent event, or those after `since` or Last-Event-ID first.',
    {
      query: { since: filters.since },
      answer: loggedRequestSchema,
      run: () => undefined,
      stream({ control, query }, listener) {
        const { since } = query as { since?: number };
        const end = control.requests.subscribe(listener);
        if (since !== undefined) for (const request of control.requests.list({ since })) listener(request);
        return end;
      },
    },
  ),
  route(
    'clearRequests',
    'DELETE /requests',
    'Forgets the requests; their numbers go on.',
    telling('cleared', ({ control }) => control.requests.clear()),
  ),
];
