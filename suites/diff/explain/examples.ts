import { present } from '../../../contracts/present.ts';
import type { AnswerOfSide, DifferencePlace, StepOfBoth } from '../../../contracts/report/difference.ts';
import type { AlignedPair } from '../align/align.ts';
import type { RecordedExchange, Recording } from '../record/recording.ts';

/** How a place is shown: the case, and the requests until the one that shows it. */
export type Example = DifferencePlace['example'];

/** Characters of a body that a report shows. */
const longestBody = 4_096;

/** So many steps are shown at most: the first, and the last before the difference. */
const mostSteps = { first: 2, last: 6 } as const;

const cut = (text: string | undefined): string | undefined =>
  text !== undefined && text.length > longestBody ? `${text.slice(0, longestBody)}…` : text;

/** An answer as a report shows it. */
function answerOf({ status, failure, value, text }: RecordedExchange): AnswerOfSide {
  if (failure !== undefined) return { failure };
  const body = value === undefined ? text : JSON.stringify(value);
  return present({ status, body: cut(body) });
}

/** A request as a report shows it. */
function requestOf({ request: { method, path, body, raw } }: RecordedExchange): StepOfBoth['request'] {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return present({ method, path, body: cut(text) });
}

/** A pair as one step of a sequence. */
export function stepOf({ a, b }: AlignedPair, number: number): StepOfBoth {
  const [one, other] = [requestOf(a), requestOf(b)];
  const isSame = JSON.stringify(one) === JSON.stringify(other);
  return present({ number, request: one, requestOfB: isSame ? undefined : other, a: answerOf(a), b: answerOf(b) });
}

/** Steps of which the middle is left out where they are many. */
export function shortened(all: readonly StepOfBoth[]): StepOfBoth[] {
  if (all.length <= mostSteps.first + mostSteps.last) return [...all];
  return [...all.slice(0, mostSteps.first), ...all.slice(-mostSteps.last)];
}

const unitAndPath = (of: string): { unit: string; path: string } => {
  const hash = of.indexOf('#');
  return { unit: of.slice(0, hash), path: of.slice(hash + 1) };
};

/** The example of a difference that a pair shows: the requests of its case until that one. */
export function exampleOf(pair: AlignedPair, ofCase: readonly AlignedPair[], { titles }: Recording): Example {
  const until = ofCase.slice(0, ofCase.indexOf(pair) + 1);
  const all = until.map((one, index) => stepOf(one, index + 1));
  return { ...unitAndPath(pair.of), title: titles[pair.of] ?? '', shrinks: 0, steps: shortened(all) };
}

/** The example of what one side alone was sent. */
export function loneExample(exchange: RecordedExchange, side: 'a' | 'b', of: string, { titles }: Recording): Example {
  const step: StepOfBoth = { number: 1, request: requestOf(exchange), [side]: answerOf(exchange) };
  return { ...unitAndPath(of), title: titles[of] ?? '', shrinks: 0, steps: [step] };
}

/** How much there is to read of an example: less says more. */
export const sizeOf = (pair: AlignedPair, ofCase: readonly AlignedPair[]): number =>
  ofCase.indexOf(pair) * 10_000 + JSON.stringify(pair.a.request.body ?? '').length;
