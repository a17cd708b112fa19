import type { BehaviourRequest } from '../../../contracts/behaviour.ts';
import { stepOf, stepWords } from '../../behaviours/step-text.ts';
import { ControlRefusal } from './control-api.ts';
import type { Option } from './form-parts.tsx';

/** The initial state of the form: a behaviour as typed. Empty texts are omitted. */
export const emptyDraft = {
  kind: 'error',
  /** The steps of a script, one per line. */
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
  /** The id of a fault or a dialect. */
  row: '',
  operation: '',
  entity: '',
  next: '',
  /** A percentage. */
  share: '',
};

/** A behaviour as typed into the form. */
export type Draft = typeof emptyDraft;

/**
 * A form field of a draft: a choice of `options`, a text area of `lines`, a number from `min`, a checkbox, or a text.
 */
export interface DraftField {
  readonly of: keyof Draft;
  readonly label: string;
  readonly hint?: string;
  readonly options?: readonly Option[];
  readonly lines?: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: 'any';
  readonly maxLength?: number;
  /** The default if nothing is typed; a number without one is mandatory. */
  readonly placeholder?: string;
  /** Whether the field is shown; always when absent. */
  readonly when?: (draft: Draft) => boolean;
}

/** A kind of behaviour: its title in the form, its fields, and how to build it from a draft. */
interface Kind {
  readonly title: string;
  readonly fields: readonly DraftField[];
  readonly made: (draft: Draft) => object;
}

/** The longest delay of a request, in milliseconds. */
const longest = 600_000;

const afterWork: DraftField = {
  of: 'afterWork',
  label: 'Only after the work is done: the client cannot know that it was',
};
const late = (draft: Draft) => (draft.afterWork ? { afterWork: true } : {});

/** Parses the steps of a script. Throws a `ControlRefusal` for an invalid line. */
const stepsOf = ({ steps }: Draft): NonNullable<BehaviourRequest['then']> =>
  steps
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const step = stepOf(line);
      if (step === undefined) throw new ControlRefusal(0, `“${line}” is no step. There are ${stepWords}.`);
      return step;
    });

const moreMs = { of: 'moreMs', min: 0, max: longest } as const;

/** The kinds of behaviour that the form offers. */
export const kinds: Readonly<Record<string, Kind>> = {
  script: {
    title: 'Answers in turn',
    fields: [
      { of: 'steps', label: 'Steps, one a line', hint: `Each is met once: ${stepWords}.`, lines: 5 },
      {
        of: 'after',
        label: 'After the last',
        options: [
          ['end', 'the answers of the operation'],
          ['repeat', 'the last again'],
          ['restart', 'the first'],
        ],
      },
    ],
    made: draft => ({ then: stepsOf(draft), after: draft.after }),
  },
  error: {
    title: 'An error',
    fields: [
      { of: 'status', label: 'Status', min: 400, max: 599 },
      { of: 'message', label: 'Message', maxLength: 1000, placeholder: 'as the server says it' },
      afterWork,
    ],
    made: draft => ({
      error: { status: Number(draft.status), ...(draft.message !== '' && { message: draft.message }) },
      ...late(draft),
    }),
  },
  latency: {
    title: 'Latency',
    fields: [
      {
        of: 'latency',
        label: 'How long',
        options: [
          ['fixed', 'always as long'],
          ['even', 'evenly between'],
          ['real', 'as real services: most times, and one in twenty'],
        ],
      },
      { of: 'ms', label: 'Milliseconds', min: 0, max: longest },
      { ...moreMs, label: 'At most', when: ({ latency }) => latency === 'even' },
      { ...moreMs, label: 'One in twenty', when: ({ latency }) => latency === 'real' },
    ],
    made: ({ latency, ...draft }) => {
      const [ms, more] = [Number(draft.ms), Number(draft.moreMs)];
      if (latency === 'fixed') return { latency: { ms } };
      return { latency: latency === 'even' ? { fromMs: ms, toMs: more } : { medianMs: ms, p95Ms: more } };
    },
  },
  connection: {
    title: 'A lost connection',
    fields: [
      {
        of: 'connection',
        label: 'How',
        options: [
          ['drop', 'closed without an answer'],
          ['stall', 'open, and no answer ever'],
        ],
      },
      afterWork,
    ],
    made: draft => ({ connection: draft.connection, ...late(draft) }),
  },
  rateLimit: {
    title: 'A rate limit',
    fields: [
      { of: 'requests', label: 'Requests', min: 0 },
      { of: 'seconds', label: 'In seconds', min: 0, step: 'any' },
    ],
    made: ({ requests, seconds }) => ({ rateLimit: { requests: Number(requests), seconds: Number(seconds) } }),
  },
  fault: { title: 'A fault: a defect to be found', fields: [], made: ({ row }) => ({ fault: row }) },
  dialect: { title: 'A dialect: right in another way', fields: [], made: ({ row }) => ({ dialect: row }) },
};

/** Fields that limit a behaviour to some requests, besides the operation. */
export const narrowing: readonly DraftField[] = [
  { of: 'entity', label: 'Id or name in the path', placeholder: 'any' },
  { of: 'next', label: 'The next so many', min: 1, placeholder: 'all' },
  { of: 'share', label: 'Share in per cent', min: 0, max: 100, step: 'any', placeholder: '100' },
];

/** Returns the behaviour that a draft describes. `narrows`: whether it can be limited to some requests. */
export const behaviourOf = (draft: Draft, narrows: boolean): BehaviourRequest => {
  const { kind, operation, entity, next, share } = draft;
  return {
    ...kinds[kind]?.made(draft),
    ...(narrows && {
      ...(operation !== '' && { operations: [operation] }),
      ...(entity !== '' && { entity }),
      ...(next !== '' && { [kind === 'script' ? 'times' : 'next']: Number(next) }),
      ...(share !== '' && { share: Number(share) / 100 }),
    }),
  } as BehaviourRequest;
};
