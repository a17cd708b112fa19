import type { Properties, Schema } from './dialect.ts';
import { endpointIds } from './endpoints.ts';
import type { Infer } from './infer.ts';
import { count, flag, integer, number, some } from './scalars.ts';

/** Behaviours: instructions for a reference server (`/_reference/v1/behaviours`, `serve --behaviours FILE`). */

/** Ten minutes, in milliseconds: longer than any client waits. */
export const longestWait = 600_000;

/** Returns the schema of an object with only these members. */
const closed = <const P extends Properties, const R extends keyof P & string = never>(
  description: string,
  properties: P,
  required: readonly R[] = [],
) => ({ type: 'object', description, properties, required, additionalProperties: false }) as const satisfies Schema;

const milliseconds = { type: 'number', minimum: 0, maximum: longestWait } as const satisfies Schema;

/** The delay of a request in milliseconds: fixed, or drawn for each request. */
const latency = {
  description: 'How long a request is held back: always as long, evenly drawn, or log-normal, as real services are.',
  anyOf: [
    closed('Always as long.', { ms: milliseconds }, ['ms']),
    closed('Evenly drawn.', { fromMs: milliseconds, toMs: milliseconds }, ['fromMs', 'toMs']),
    closed('Log-normal.', { medianMs: milliseconds, p95Ms: milliseconds }, ['medianMs', 'p95Ms']),
  ],
} as const satisfies Schema;

const text = { type: 'string', maxLength: 4096 } as const satisfies Schema;
const operation = { enum: endpointIds as never as readonly [string, ...string[]] } as const satisfies Schema;
const method = { enum: ['GET', 'POST', 'PUT', 'PATCH'] } as const satisfies Schema;

/** Returns the schema of one value, or a list of values. */
const oneOrMore = <const S extends Schema>(description: string, one: S) =>
  ({ description, anyOf: [one, { type: 'array', minItems: 1, items: one }] }) as const satisfies Schema;

const test = closed('All that is given has to hold.', {
  equals: { description: 'Any JSON value.' },
  matches: { type: 'string', maxLength: 1000, description: 'A regular expression (ECMAScript) that it matches.' },
  absent: { type: 'boolean', description: 'True: it is not there. False: it is there, whatever it is.' },
});

/** The condition for a value: equal to it, or a test. */
const matcher = {
  description: 'What it must be: this very value, or what a test says.',
  anyOf: [text, number, flag, { type: 'null' }, test],
} as const satisfies Schema;

const matchers = (description: string) =>
  ({ type: 'object', description, additionalProperties: matcher }) as const satisfies Schema;

const match = closed('Which requests are meant. All that is given has to hold.', {
  operation: oneOrMore('The operation, or some of them.', operation),
  method: oneOrMore('The method, or some of them.', method),
  param: matcher,
  query: matchers('Parameters of the query by name; of a repeated one the first.'),
  headers: matchers('Headers by name, in any letter case.'),
  body: matchers('Values of the body by JSON Pointer (RFC 6901), as they were sent.'),
  key: { ...text, description: 'What the key that was sent is called (`serve --key NAME=KEY`).' },
  sandbox: { ...text, description: 'The name of the world, see `GET /sandboxes`.' },
});

/** Failures of a connection, each with what the client sees. */
// biome-ignore format: a table
export const wireFailures = {
  'reset':            'the connection is reset (RST) before an answer',
  'close':            'the connection is closed before an answer',
  'close-in-head':    'the connection is closed in the midst of the head of the answer',
  'close-in-body':    'the connection is closed in the midst of the body',
  'length-too-long':  'Content-Length promises more bytes than the body has, and the connection is closed',
  'length-too-short': 'Content-Length promises fewer bytes than the body has; the rest follows on the connection',
  'garbage':          'bytes that are no HTTP',
  'cut-utf8':         'the body ends within a character of UTF-8',
  'cut-gzip':         'the body is packed with gzip and ends too early',
  'early-answer':     'the answer comes before the body of the request was read',
  'dead-connection':  'the answer comes, and nothing any more on the same connection, which stays open',
  'no-continue':      'a client that expects 100 Continue does not get it',
  'stall':            'no answer ever comes, and the connection stays open',
} as const;

/** The name of a connection failure. */
export type WireFailure = keyof typeof wireFailures;

const headers = {
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 2000 },
} as const satisfies Schema;

const answer = closed('An answer, and how it comes. Without `status` it is that of the operation.', {
  status: { type: 'integer', minimum: 200, maximum: 599 },
  message: { type: 'string', maxLength: 1000, description: 'The message of the body, where there is no other.' },
  headers,
  body: { description: 'The whole body, as JSON.' },
  text: { type: 'string', description: 'The whole body, as a text.' },
  bytes: { type: 'string', pattern: '^[a-zA-Z0-9+/=]*$', description: 'The whole body, as bytes in base64.' },
  delay: latency,
  bytesPerSecond: { ...some, description: 'So slowly the body drips.' },
  wire: {
    enum: Object.keys(wireFailures) as never as readonly [WireFailure, ...WireFailure[]],
    description: Object.entries(wireFailures)
      .map(([name, what]) => `${name}: ${what}.`)
      .join(' '),
  },
  effect: {
    enum: ['before', 'after', 'none'],
    description:
      'Whether the operation is carried out: before the answer, after it, or not at all. `none` where the answer has a status of its own or never comes whole, else `before`.',
  },
});

const error = closed(
  'An answer in the place of that of the operation, to each request: the older form of `then`.',
  {
    status: { type: 'integer', minimum: 400, maximum: 599 },
    message: { type: 'string', maxLength: 1000, description: 'The message of the body, where `body` is not given.' },
    body: { description: 'The whole body.' },
    headers,
  },
  ['status'],
);

const rateLimit = closed(
  'So many requests in so many seconds, by the clock of the world; more are refused with 429 and Retry-After.',
  {
    requests: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    seconds: { type: 'number', exclusiveMinimum: 0, maximum: 86_400 },
  },
  ['requests', 'seconds'],
);

/** A behaviour: which requests it matches, and what it does to them. */
export const behaviourSchema = closed('Which requests are met, and what is done to them.', {
  id: {
    type: 'string',
    minLength: 1,
    maxLength: 100,
    pattern: '^[a-zA-Z0-9_\\-.]+$',
  },
  on: { type: 'boolean', description: 'Whether it acts; true when absent.' },
  match,
  skip: { ...count, description: 'Leave the first so many alone.' },
  times: { ...some, description: 'Meet so many, and no more.' },
  share: { type: 'number', exclusiveMinimum: 0, maximum: 1, description: 'This share of the requests, by the seed.' },
  seed: { type: 'integer', description: 'What is drawn follows from it; 0 when absent.' },
  until: {
    description: 'Until then by the clock of the world: milliseconds since 1970, or a date and time (RFC 3339).',
    anyOf: [integer, { type: 'string', maxLength: 40 }],
  },
  then: {
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    description: 'What the requests meet in turn, each spent by one of them.',
    items: { anyOf: [{ const: 'real' }, answer] },
  },
  after: {
    enum: ['end', 'repeat', 'restart'],
    description: 'What comes after the last of `then`: nothing (also when absent), the last again, or the first.',
  },
  latency,
  rateLimit,
  fault: { type: 'string', description: 'The id of a fault of the catalogue.' },
  dialect: { type: 'string', description: 'The id of a dialect of the catalogue.' },
  operations: {
    type: 'array',
    minItems: 1,
    items: operation,
    description: 'The older form of `match.operation`.',
  },
  methods: { type: 'array', minItems: 1, items: method, description: 'The older form of `match.method`.' },
  entity: { ...text, description: 'The older form of `match.param`.' },
  next: { ...some, description: 'The older form of `times`.' },
  error,
  connection: {
    enum: ['drop', 'stall'],
    description: 'The older form of `then` with `wire`: `close`, and `stall`, to each request.',
  },
  afterWork: { type: 'boolean', description: 'The older form of `effect: before`, for `error` and `connection`.' },
});

/** The answer of a script to one request. */
export type ScriptedAnswer = Infer<typeof answer>;

/** The condition for a value. */
export type Matcher = Infer<typeof matcher>;

/** Written out, because the compiler cannot infer a record of unions. */
type Matchers = Readonly<Record<string, Matcher>>;
type OperationName = Infer<typeof operation>;
type MethodName = Infer<typeof method>;

/** Selects requests. */
export interface Match {
  readonly operation?: OperationName | readonly OperationName[];
  readonly method?: MethodName | readonly MethodName[];
  readonly param?: Matcher;
  readonly query?: Matchers;
  readonly headers?: Matchers;
  readonly body?: Matchers;
  readonly key?: string;
  readonly sandbox?: string;
}

type Others = Infer<{
  readonly type: 'object';
  readonly properties: Omit<(typeof behaviourSchema)['properties'], 'match'>;
}>;

/** A behaviour in a request or a file. */
export interface BehaviourRequest extends Others {
  readonly match?: Match;
}

/** The contents of a file: one behaviour or several. */
export const behavioursSchema = {
  anyOf: [
    behaviourSchema,
    closed('Several behaviours.', { behaviours: { type: 'array', minItems: 1, items: behaviourSchema } }, [
      'behaviours',
    ]),
  ],
} as const satisfies Schema;

/** Returns the behaviours in a file. */
export const behavioursIn = (
  given: BehaviourRequest | { readonly behaviours: readonly BehaviourRequest[] },
): readonly BehaviourRequest[] => ('behaviours' in given ? given.behaviours : [given]);
