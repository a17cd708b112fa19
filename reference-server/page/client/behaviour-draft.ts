import type { BehaviourRequest } from '../../../contracts/behaviour.ts';
import { stepOf, stepWords } from '../../behaviours/step-text.ts';
import { ControlRefusal } from './control-api.ts';
import type { Option } from './form-parts.tsx';

/** What the form shows at first: a behaviour as it is typed. Empty texts are not said. */
export const emptyDraft = {
  kind: 'error',
  /** The steps of a script, one a line. */
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
  /** In per cent. */
  share: '',
};

/** A behaviour as it is typed. */
export type Draft = typeof emptyDraft;

/** A member of a draft as the form has it: a choice of `options`, so many `lines`, a number from `min`, a yes or no, or a text. */
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
  /** What holds where nothing is typed; a number without it must be typed. */
  readonly placeholder?: string;
  /** Whether it is asked for; always when absent. */
  readonly when?: (draft: Draft) => boolean;
}

/** One of the things that a behaviour can do: what the form calls it, what it asks for, and the behaviour of it. */
interface Kind {
  readonly title: string;
  readonly fields: readonly DraftField[];
  readonly made: (draft: Draft) => object;
}

/** The longest that a request may be held back, in milliseconds. */
const longest = 600_000;

const afterWork: DraftField = {
  of: 'afterWork',
  label: 'Only after the work is done: the client cannot know that it was',
};
const late = (draft: Draft) => (draft.afterWork ? { afterWork: true } : {});

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

const moreMs = { of: 'moreMs', min: 0, max: longest } as const;

/** What a behaviour can do. */
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

/** Which of the requests a behaviour is for, besides their operation. */
export const narrowing: readonly DraftField[] = [
  { of: 'entity', label: 'Id or name in the path', placeholder: 'any' },
  { of: 'next', label: 'The next so many', min: 1, placeholder: 'all' },
  { of: 'share', label: 'Share in per cent', min: 0, max: 100, step: 'any', placeholder: '100' },
];

/** The behaviour that a draft asks for. `narrows`: whether it can be narrowed to some requests. */
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
