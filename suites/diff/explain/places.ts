import { grouped } from '../../../contracts/grouped.ts';
import { anyPosition } from '../../../contracts/pointer.ts';
import { present } from '../../../contracts/present.ts';
import type {
  AnswerOfSide,
  DifferencePlace,
  SideOfDifference,
  StepOfBoth,
} from '../../../contracts/report/difference.ts';
import { entryOf } from '../../protocol/entries.ts';
import type { AlignedPair } from '../align/align.ts';
import type { PairDifference } from '../compare/differences.ts';
import type { Located } from '../compare/values.ts';
import { caseOf, type RecordedExchange, type Recording } from '../record/recording.ts';

/** The example of a place: its case, and the requests up to the one that shows it. */
export type Example = DifferencePlace['example'];

/** Maximum number of characters of a body in a report. */
const longestBody = 4_096;

/** Maximum number of steps shown: the first ones, and the last ones before the difference. */
const mostSteps = { first: 2, last: 6 } as const;

const cut = (text: string | undefined): string | undefined =>
  text !== undefined && text.length > longestBody ? `${text.slice(0, longestBody)}…` : text;

/** Returns an answer in the form for reports. */
const answerOf = ({ status, failure, value, text }: RecordedExchange): AnswerOfSide =>
  failure === undefined
    ? present({ status, body: cut(value === undefined ? text : JSON.stringify(value)) })
    : { failure };

/** Returns a request in the form for reports. */
function requestOf({ request: { method, path, body, raw } }: RecordedExchange): StepOfBoth['request'] {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return present({ method, path, body: cut(text) });
}

/** Returns a pair as one step of a sequence. */
export function stepOf({ a, b }: AlignedPair, number: number): StepOfBoth {
  const [one, other] = [requestOf(a), requestOf(b)];
  const isSame = JSON.stringify(one) === JSON.stringify(other);
  return present({ number, request: one, requestOfB: isSame ? undefined : other, a: answerOf(a), b: answerOf(b) });
}

/** Returns the steps, without the middle ones if there are many. */
export function shortened(all: readonly StepOfBoth[]): StepOfBoth[] {
  if (all.length <= mostSteps.first + mostSteps.last) return [...all];
  return [...all.slice(0, mostSteps.first), ...all.slice(-mostSteps.last)];
}

/** Returns an example of a case; `of` is `endpoint/check#path`. */
const caseNamed = (of: string, title: string, steps: StepOfBoth[]): Example => {
  const hash = of.indexOf('#');
  return { unit: of.slice(0, hash), path: of.slice(hash + 1), title, shrinks: 0, steps };
};

/** A place, and the pair that shows it best. */
export interface FoundPlace {
  readonly place: DifferencePlace;
  readonly located: Located;
  readonly pair: AlignedPair | null;
}

/** A difference, and the side responsible for it. */
interface LabelledDifference extends PairDifference {
  readonly label: DifferencePlace['label'];
  readonly requirement?: string | undefined;
  readonly level?: DifferencePlace['level'];
}

/** Differences grouped by place. */
export type Places = ReturnType<typeof createPlaces>;

interface Group {
  readonly first: LabelledDifference;
  count: number;
  pair: AlignedPair | null;
}

/** Creates an empty collection of places for the comparison of two recordings. */
export function createPlaces(a: Recording, b: Recording, pairs: readonly AlignedPair[]) {
  const cases = grouped(pairs, pair => pair.of);
  /** Returns the pairs of the case of a pair, up to and including it. */
  const until = (pair: AlignedPair): readonly AlignedPair[] => {
    const all = cases.get(pair.of) ?? [pair];
    return all.slice(0, all.indexOf(pair) + 1);
  };
  /** Returns the size of the example that a pair yields: smaller examples are better. */
  const sizeOf = (pair: AlignedPair | null): number =>
    pair ? until(pair).length * 10_000 + JSON.stringify(pair.a.request.body ?? '').length : Number.POSITIVE_INFINITY;
  const exampleOf = (first: LabelledDifference, pair: AlignedPair | null): Example => {
    if (!pair) return loneExample(first, first.label === 'a-breaks' ? 'a' : 'b', { a, b });
    const steps = until(pair).map((one, index) => stepOf(one, index + 1));
    return caseNamed(pair.of, a.titles[pair.of] ?? '', shortened(steps));
  };
  const groups = new Map<string, Group>();
  return {
    add(difference: LabelledDifference): void {
      const { label, endpoint, requirement, located, pair } = difference;
      const aspect = label.endsWith('breaks') ? '' : located.aspect;
      const key = [label, endpoint, requirement, located.pointer, aspect].join(' ');
      const known = entryOf(groups, key, (): Group => ({ first: difference, count: 0, pair }));
      known.count += 1;
      if (sizeOf(pair) < sizeOf(known.pair)) known.pair = pair;
    },
    /** Returns the places, each with its smallest example. */
    all: (): FoundPlace[] =>
      [...groups.values()].map(({ first, count, pair }) => {
        const { endpoint, label, requirement, level, located } = first;
        const place: DifferencePlace = {
          endpoint,
          pointer: located.pointer,
          aspect: located.aspect,
          label,
          ...present({ requirement, level }),
          a: located.a,
          b: located.b,
          ...present({ lacks: located.lacks, statuses: first.pair ? statusesOf(first.pair) : undefined }),
          occurrences: count,
          example: exampleOf(first, pair),
        };
        return { place, located, pair };
      }),
    until,
  };
}

/** Returns the status of an answer; undefined if there was none. */
const statusOf = ({ failure, status }: RecordedExchange): number | undefined =>
  failure === undefined ? status : undefined;

const statusesOf = ({ a, b }: AlignedPair): DifferencePlace['statuses'] => present({ a: statusOf(a), b: statusOf(b) });

/** Returns an example from the only side that was sent the request; without steps if no single exchange shows it. */
function loneExample(
  { label, located, requirement, endpoint }: LabelledDifference,
  side: SideOfDifference,
  recordings: Readonly<Record<SideOfDifference, Recording>>,
): Example {
  const { breaches, exchanges, titles } = recordings[side];
  const showing = new Set(
    breaches.flatMap(one =>
      one.requirement === requirement && anyPosition(one.pointer) === located.pointer ? one.id : [],
    ),
  );
  const exchange = label.endsWith('breaks')
    ? exchanges.find(one => one.endpoint === endpoint && showing.has(one.id))
    : undefined;
  if (!exchange) return caseNamed(`${endpoint}#`, 'the items of all pages', []);
  const { id } = exchange;
  const of = caseOf(id, { titles }) ?? (id.includes('#') ? id : `${endpoint}#`);
  return caseNamed(of, titles[of] ?? '', [{ number: 1, request: requestOf(exchange), [side]: answerOf(exchange) }]);
}
