import { grouped } from '../../../contracts/grouped.ts';
import { anyPosition } from '../../../contracts/pointer.ts';
import { present } from '../../../contracts/present.ts';
import type { AnswerOfSide, DifferencePlace, StepOfBoth } from '../../../contracts/report/difference.ts';
import type { AlignedPair } from '../align/align.ts';
import type { PairDifference } from '../compare/differences.ts';
import type { Located } from '../compare/located.ts';
import { caseOf, type RecordedExchange, type Recording } from '../record/recording.ts';

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
function exampleOf(pair: AlignedPair, ofCase: readonly AlignedPair[], { titles }: Recording): Example {
  const until = ofCase.slice(0, ofCase.indexOf(pair) + 1);
  const all = until.map((one, index) => stepOf(one, index + 1));
  return { ...unitAndPath(pair.of), title: titles[pair.of] ?? '', shrinks: 0, steps: shortened(all) };
}

/** The example of what one side alone was sent. */
function loneExample(exchange: RecordedExchange, side: 'a' | 'b', of: string, { titles }: Recording): Example {
  const step: StepOfBoth = { number: 1, request: requestOf(exchange), [side]: answerOf(exchange) };
  return { ...unitAndPath(of), title: titles[of] ?? '', shrinks: 0, steps: [step] };
}

/** How much there is to read of an example: less says more. */
const sizeOf = (pair: AlignedPair, ofCase: readonly AlignedPair[]): number =>
  ofCase.indexOf(pair) * 10_000 + JSON.stringify(pair.a.request.body ?? '').length;

/** A place that was found, and the pair that shows it best. */
export interface FoundPlace {
  readonly place: DifferencePlace;
  readonly located: Located;
  readonly pair: AlignedPair | null;
}

/** A difference, and whose it is. */
interface LabelledDifference extends PairDifference {
  readonly label: DifferencePlace['label'];
  readonly requirement?: string | undefined;
  readonly level?: DifferencePlace['level'];
}

/** Gathers differences by their places. */
export interface Places {
  add(difference: LabelledDifference): void;
  /** The places, each with the example that says it with the least. */
  all(): FoundPlace[];
  /** The pairs of the case of a pair, until it. */
  until(pair: AlignedPair): readonly AlignedPair[];
}

interface Group {
  readonly first: LabelledDifference;
  count: number;
  pair: AlignedPair | null;
}

/** Places of the comparison of two recordings, none found yet. */
export function createPlaces(a: Recording, b: Recording, pairs: readonly AlignedPair[]): Places {
  const cases = grouped(pairs, pair => pair.of);
  const casePairs = (pair: AlignedPair): readonly AlignedPair[] => cases.get(pair.of) ?? [pair];
  const size = (pair: AlignedPair | null): number =>
    pair === null ? Number.POSITIVE_INFINITY : sizeOf(pair, casePairs(pair));
  const groups = new Map<string, Group>();
  const exampleFor = (first: LabelledDifference, pair: AlignedPair | null): Example =>
    pair === null ? (loneOf(first, a, b) ?? emptyExample(first.endpoint)) : exampleOf(pair, casePairs(pair), a);
  return {
    add(difference) {
      const { label, endpoint, requirement, located, pair } = difference;
      const key = [label, endpoint, requirement, located.pointer, label.endsWith('breaks') ? '' : located.aspect];
      const known = groups.get(key.join(' ')) ?? { first: difference, count: 0, pair };
      known.count += 1;
      if (size(pair) < size(known.pair)) known.pair = pair;
      groups.set(key.join(' '), known);
    },
    all: () =>
      [...groups.values()].map(({ first, count, pair }): FoundPlace => {
        const { endpoint, label, requirement, level, located } = first;
        const place: DifferencePlace = {
          endpoint,
          pointer: located.pointer,
          aspect: located.aspect,
          label,
          ...present({ requirement, level }),
          a: located.a,
          b: located.b,
          ...present({ lacks: located.lacks }),
          ...(first.pair === null ? {} : { statuses: statusesOf(first.pair) }),
          occurrences: count,
          example: exampleFor(first, pair),
        };
        return { place, located, pair };
      }),
    until(pair) {
      const all = casePairs(pair);
      return all.slice(0, all.indexOf(pair) + 1);
    },
  };
}

/** The statuses of both answers; a side that gave none has none. */
const statusesOf = ({ a, b }: AlignedPair): NonNullable<DifferencePlace['statuses']> => ({
  ...(a.failure === undefined ? { a: a.status } : {}),
  ...(b.failure === undefined ? { b: b.status } : {}),
});

const emptyExample = (endpoint: string): Example => ({
  unit: endpoint,
  path: '',
  title: 'the items of all pages',
  shrinks: 0,
  steps: [],
});

/** What only the side that breaks a requirement was sent. */
function loneOf(
  { label, located, requirement, endpoint }: LabelledDifference,
  a: Recording,
  b: Recording,
): Example | undefined {
  if (label !== 'a-breaks' && label !== 'b-breaks') return undefined;
  const side = label === 'a-breaks' ? 'a' : 'b';
  const recording = side === 'a' ? a : b;
  const showing = new Set(
    recording.breaches.flatMap(one =>
      one.requirement === requirement && anyPosition(one.pointer) === located.pointer ? one.id : [],
    ),
  );
  const exchange = recording.exchanges.find(one => one.endpoint === endpoint && showing.has(one.id));
  if (exchange === undefined) return undefined;
  const { id } = exchange;
  return loneExample(exchange, side, caseOf(id, recording) ?? (id.includes('#') ? id : `${endpoint}#`), recording);
}
