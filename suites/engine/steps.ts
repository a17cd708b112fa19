import { jsonAt } from '../../contracts/json-tree.ts';
import { redactedBeginning } from '../../contracts/redaction/beginning.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import type { Step } from '../../contracts/report/evidence.ts';
import type { Answer } from '../protocol/answer.ts';
import type { NumberedAnswer, Session, Violation } from '../protocol/check.ts';
import type { WireRequest } from '../protocol/reply.ts';
import type { Target } from '../protocol/sut.ts';
import { exchangeOf, keptAnswer } from './evidence.ts';

/** The most steps of a finding: the first of them, and the last. */
const most = { first: 3, last: 9 } as const;

/**
 * The most exchanges of a case that are kept while it goes on, beside the first: what is accused is judged once others
 * have been asked whether they did it.
 */
const mostKept = 120;

/** The most characters of a value that a step shows. */
const longestShown = 200;

/** Remembers what a session sent. */
export interface StepRecorder {
  /** Returns a violation with the steps that led to its answer, where there were several. */
  withSteps(violation: Violation): Violation;
}

/** True of a request that only reads: a gate is read by an empty patch. */
const isReading = ({ method, body }: WireRequest): boolean => method === 'GET' || body?.toString() === '{}';

/** What such a requirement says of an answer, it says for what was sent before. */
const ofSequences = /^state\.|^reject\.no-trace$|^auth\.no-effect$/;

/** Requests that read the same: a check that waits for something reads again and again. */
function isRepetition({ reply: { request: one }, status }: Answer, next: Answer): boolean {
  const other = next.reply.request;
  const isSame = one.method === other.method && one.path === other.path && status === next.status;
  return isSame && isReading(one) && isReading(other);
}

/** A reading that shows the same as one that was kept. */
const isSameReading = (one: Answer, next: Answer): boolean =>
  isRepetition(one, next) && textOf(one) === textOf(keptAnswer(next));

const textOf = ({ reply: { body } }: Answer): string => (body.kind === 'empty' ? '' : body.text);

/** Steps without those that were asked again, at most so many. */
function inShort(steps: readonly NumberedAnswer[]): NumberedAnswer[] {
  const own = steps.filter(({ answer }, index) => {
    const next = steps[index + 1];
    return next === undefined || !isRepetition(answer, next.answer);
  });
  return own.length <= most.first + most.last ? own : [...own.slice(0, most.first), ...own.slice(-most.last)];
}

/** Has a session remember a bounded number of the exchanges that it sends one after another. */
export function recordSteps(session: Session): StepRecorder {
  const { send } = session;
  const kept: { readonly number: number; answer: Answer }[] = [];
  const places = new Map<string, NumberedAnswer>();
  /** The last answer, as it came: most cases have one request, of which no step is ever shown. */
  let whole: Answer | undefined;
  let count = 0;
  session.send = async request => {
    const answer = await send(request);
    count += 1;
    const last = kept.at(-1);
    if (last !== undefined && last.answer === whole) last.answer = keptAnswer(whole);
    // Who watches reads the same again and again: it takes the place of one step, and pushes no other out.
    if (last !== undefined && kept.length > 1 && isSameReading(last.answer, answer)) {
      places.set(answer.id, last);
      return answer;
    }
    whole = answer;
    kept.push({ number: count, answer });
    if (kept.length > most.first + mostKept) kept.splice(most.first, 1);
    return answer;
  };
  return {
    withSteps(violation) {
      const { id } = violation.answer;
      const at = kept.findIndex(one => one.answer.id === id || one === places.get(id));
      const step = kept[at];
      const isOfSequence = violation.pointer.startsWith('/') || ofSequences.test(violation.requirement);
      if (step === undefined || at === 0 || !isOfSequence) return violation;
      const accused = { ...step, answer: keptAnswer(violation.answer) };
      return { ...violation, steps: inShort([...kept.slice(0, at), accused]) };
    },
  };
}

/** Returns steps as a report shows them: each in brief, with what its answer had at the accused place. */
export function stepsOf({ steps = [], pointer }: Violation, target: Target, secrets: Secrets): Step[] {
  return steps.map(({ number, answer }) => {
    const text = textOf(answer);
    const shown = jsonAt(text, pointer) ?? jsonAt(text, pointer.replace('/*', ''));
    return {
      number,
      exchange: exchangeOf(answer, target, secrets),
      ...(shown === undefined ? {} : { shown: redactedBeginning(shown, longestShown, secrets).text }),
    };
  });
}
