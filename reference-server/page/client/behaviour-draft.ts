import type { BehaviourRequest } from '../../../contracts/behaviour.ts';
import { stepOf, stepWords } from '../../behaviours/step-text.ts';
import { ControlRefusal } from './control-api.ts';

/** What a behaviour can do, as the form has it. */
export const kinds = {
  script: 'Answers in turn',
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
  /** The steps of a script, one a line. */
  readonly steps: string;
  readonly after: 'end' | 'repeat' | 'restart';
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
  steps: '500\n503\n429 Retry-After: 1\nreal',
  after: 'end',
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

/** The steps of a script. Throws a `ControlRefusal` for a line that is none. */
const stepsOf = ({ steps }: Draft): NonNullable<BehaviourRequest['then']> =>
  steps
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const step = stepOf(line);
      if (step === undefined) throw new ControlRefusal(0, `“${line}” is no step. There are ${stepWords}.`);
      return step;
    });

const effectOf = (draft: Draft): BehaviourRequest => {
  const { kind, status, message, connection, afterWork, requests, seconds, row } = draft;
  const late = afterWork ? { afterWork } : {};
  switch (kind) {
    case 'script':
      return { then: stepsOf(draft), after: draft.after };
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
      ...(next !== '' && { [draft.kind === 'script' ? 'times' : 'next']: Number(next) }),
      ...(share !== '' && { share: Number(share) / 100 }),
    }),
  } as BehaviourRequest;
};
