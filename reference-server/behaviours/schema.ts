import type { Schema } from '../../contracts/dialect.ts';
import { endpointIds } from '../../contracts/endpoints.ts';
import type { Infer } from '../../contracts/infer.ts';

/** Ten minutes: nobody waits longer. */
export const longestWait = 600_000;

const milliseconds = { type: 'number', minimum: 0, maximum: longestWait } as const satisfies Schema;

/** How long a request is held back, in milliseconds: fixed, or drawn anew for each. */
const latency = {
  description: 'How long a request is held back: always as long, evenly drawn, or log-normal, as real services are.',
  anyOf: [
    { type: 'object', properties: { ms: milliseconds }, required: ['ms'], additionalProperties: false },
    {
      type: 'object',
      properties: { fromMs: milliseconds, toMs: milliseconds },
      required: ['fromMs', 'toMs'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { medianMs: milliseconds, p95Ms: milliseconds },
      required: ['medianMs', 'p95Ms'],
      additionalProperties: false,
    },
  ],
} as const satisfies Schema;

/** An answer in the place of that of the operation. */
const error = {
  type: 'object',
  description: 'An answer in the place of that of the operation.',
  properties: {
    status: { type: 'integer', minimum: 400, maximum: 599 },
    message: { type: 'string', maxLength: 1000, description: 'The message of the body, where `body` is not given.' },
    body: { description: 'The whole body.' },
    headers: { type: 'object', additionalProperties: { type: 'string', maxLength: 2000 } },
  },
  required: ['status'],
  additionalProperties: false,
} as const satisfies Schema;

const rateLimit = {
  type: 'object',
  description:
    'So many requests in so many seconds, by the clock of the world; more are refused with 429 and Retry-After.',
  properties: {
    requests: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    seconds: { type: 'number', exclusiveMinimum: 0, maximum: 86_400 },
  },
  required: ['requests', 'seconds'],
  additionalProperties: false,
} as const satisfies Schema;

/** What a behaviour may be called: not `.` or `..`, which no URL can carry as a part of its path. */
const behaviourId = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!\\.{1,2}$)[a-zA-Z0-9_\\-.]*$',
} as const satisfies Schema;

/** A behaviour: which requests it meets, and what it does to them. */
export const behaviourSchema = {
  type: 'object',
  description: 'Which requests are met, and what is done to them. All that is given of the first has to hold.',
  properties: {
    id: behaviourId,
    on: { type: 'boolean', description: 'Whether it acts; true when absent.' },
    operations: {
      type: 'array',
      minItems: 1,
      items: { enum: endpointIds as never as readonly [string, ...string[]] },
      description: 'Requests to these operations; all when absent.',
    },
    methods: { type: 'array', minItems: 1, items: { enum: ['GET', 'POST', 'PUT', 'PATCH'] } },
    entity: { type: 'string', maxLength: 4096, description: 'Requests whose path names this id or name.' },
    next: { type: 'integer', minimum: 1, description: 'The next so many requests alone.' },
    share: { type: 'number', exclusiveMinimum: 0, maximum: 1, description: 'This share of the requests, by the seed.' },
    seed: { type: 'integer', description: 'What is drawn follows from it; 0 when absent.' },
    fault: { type: 'string', description: 'The id of a fault of the catalogue.' },
    dialect: { type: 'string', description: 'The id of a dialect of the catalogue.' },
    latency,
    error,
    connection: {
      enum: ['drop', 'stall'],
      description: 'drop: the connection is closed without an answer. stall: no answer ever comes.',
    },
    afterWork: {
      type: 'boolean',
      description: 'Whether the operation is carried out before `error` or `connection` hides its answer.',
    },
    rateLimit,
  },
  additionalProperties: false,
} as const satisfies Schema;

/** A behaviour as it is asked for. */
export type BehaviourRequest = Infer<typeof behaviourSchema>;

/** A behaviour as it is kept. */
export interface StoredBehaviour extends BehaviourRequest {
  readonly id: string;
  readonly on: boolean;
  /** Counts the behaviours that were ever made in this world: one that was made anew begins anew. */
  readonly made: number;
}

/** A behaviour as it is shown. */
export interface Behaviour extends StoredBehaviour {
  /** How many of its `next` requests are still to come, at all servers that share the store. */
  readonly left?: number;
  /** How many requests met it at this server. */
  readonly met: number;
}

/** Where behaviours are kept, and how many were ever made. */
export const behaviourKey = 'behaviour/';
export const madeKey = 'behaviours-made';

/** Where it is counted what a behaviour met, and what its rate limit let through, at all servers that share the store. */
export const countKeys = (made: number) => ({ met: `behaviour-met/${made}`, rate: `behaviour-rate/${made}` }) as const;

/** What all servers that share a store count of a behaviour. */
export type Counted = {
  /** How many requests it could have met, of which a share is taken. */
  readonly seen: number;
  /** How many of those it met. */
  readonly met: number;
  /** Whether it met the last of them. */
  readonly acts: boolean;
};
