import type { BehaviourRequest } from '../../../contracts/behaviour.ts';

/** What a behaviour can do, as the form has it. */
export const kinds = {
  error: 'An error',
  latency: 'Latency',
  connection: 'A lost connection',
  rateLimit: 'A rate limit',
  fault: 'A fault: a defect to be found',
  dialect: 'A dialect: right in another way',
} as const;

/** One of the things that a behaviour can do. */
export type Kind = keyof typeof kinds;

/** A behaviour as it is typed; empty texts are not said. */
export interface Draft {
  readonly kind: Kind;
  readonly status: string;
  readonly message: string;
  readonly latency: 'fixed' | 'even' | 'real';
  readonly ms: string;
  readonly moreMs: string;
  readonly connection: 'drop' | 'stall';
  readonly afterWork: boolean;
  readonly requests: string;
  readonly seconds: string;
  /** The id of a fault or a dialect. */
  readonly row: string;
  readonly operation: string;
  readonly entity: string;
  readonly next: string;
  /** In per cent. */
  readonly share: string;
}

/** What the form shows at first. */
export const emptyDraft: Draft = {
  kind: 'error',
  status: '500',
  message: '',
  latency: 'fixed',
  ms: '500',
  moreMs: '2000',
  connection: 'drop',
  afterWork: false,
  requests: '10',
  seconds: '60',
  row: '',
  operation: '',
  entity: '',
  next: '',
  share: '',
};

const latencyOf = ({ latency, ms, moreMs }: Draft): NonNullable<BehaviourRequest['latency']> => {
  const [one, other] = [Number(ms), Number(moreMs)];
  if (latency === 'fixed') return { ms: one };
  return latency === 'even' ? { fromMs: one, toMs: other } : { medianMs: one, p95Ms: other };
};

const effectOf = (draft: Draft): BehaviourRequest => {
  const { kind, status, message, connection, afterWork, requests, seconds, row } = draft;
  const late = afterWork ? { afterWork } : {};
  switch (kind) {
    case 'error':
      return { error: { status: Number(status), ...(message !== '' && { message }) }, ...late };
    case 'latency':
      return { latency: latencyOf(draft) };
    case 'connection':
      return { connection, ...late };
    case 'rateLimit':
      return { rateLimit: { requests: Number(requests), seconds: Number(seconds) } };
    case 'fault':
      return { fault: row };
    case 'dialect':
      return { dialect: row };
  }
};

/** The behaviour that a draft asks for. `narrows`: whether it can be narrowed to some requests. */
export const behaviourOf = (draft: Draft, narrows: boolean): BehaviourRequest => {
  const { operation, entity, next, share } = draft;
  return {
    ...effectOf(draft),
    ...(narrows && {
      ...(operation !== '' && { operations: [operation] }),
      ...(entity !== '' && { entity }),
      ...(next !== '' && { next: Number(next) }),
      ...(share !== '' && { share: Number(share) / 100 }),
    }),
  } as BehaviourRequest;
};
