import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type Json, type Members, membersOf } from '../../contracts/json.ts';
import { join } from '../../contracts/pointer.ts';
import type { DifferenceAspect } from '../../contracts/report/difference.ts';
import { shapeOf } from '../observations/observers.ts';
import type { AlignedPair } from './align.ts';
import { type PagesShown, pageDifferences } from './compare-pages.ts';
import { compareValues } from './compare-values.ts';
import type { Counterparts } from './counterparts.ts';
import { anyPosition, type Found, type Located } from './located.ts';
import type { Origins } from './origins.ts';
import { isAcceptedStatus, type RecordedExchange } from './recording.ts';

/** What the comparison of answers is made with. */
export interface AnswersInput {
  readonly counterparts: Counterparts;
  readonly originsA: ReadonlyMap<string, Origins>;
  readonly originsB: ReadonlyMap<string, Origins>;
  /** Both were reset or seeded alike. */
  readonly sameStart: boolean;
  /** What the items of lists show, which is compared when all lists were seen. */
  readonly pages: PagesShown;
}

/** Statuses that ask to slow down, and are no verdict. */
const deferring: ReadonlySet<number> = new Set([429, 503]);

const located = (pointer: string, aspect: DifferenceAspect, a: string, b: string): Located => ({
  pointer,
  aspect,
  a,
  b,
});

const statusInWords = ({ status, failure }: RecordedExchange): string =>
  failure === undefined ? `status ${status}` : `no answer (${failure})`;

/** A value whose members stand in the order of their names: their order means nothing (RFC 8259 section 4). */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(name => [name, inOrder(value[name] as Json)]),
  );
}

/** The body of a refusal in a line: its shape, for its words are the server's own. */
const refusalShape = ({ value, text }: RecordedExchange): string =>
  value !== undefined ? shapeOf(inOrder(value)) : text === undefined ? 'no body' : 'a body that is no JSON';

/** Why a pair cannot be compared; null where it can. The outcomes are those of the runs of both sides. */
export function notComparable({ a, b }: AlignedPair, outcomeOfA: string, outcomeOfB: string): string | null {
  const sides = [
    ['A', a, outcomeOfA],
    ['B', b, outcomeOfB],
  ] as const;
  for (const [side, { status, failure, isTooLong }, outcome] of sides) {
    if (deferring.has(status)) return `${side} asked to slow down (status ${status})`;
    // What was too long to be kept may be like anything.
    if (isTooLong) return `an answer of ${side} is too long to be kept`;
    // A side that died says nothing of what it would have answered.
    if (failure !== undefined && outcome !== 'complete') return `${side} gave no answer, and its run did not end`;
  }
  return null;
}

/** Compares two answers to the same request. */
export function compareAnswers(pair: AlignedPair, input: AnswersInput): Found {
  const { a, b } = pair;
  const words = [statusInWords(a), statusInWords(b)] as const;
  if (a.failure !== undefined || b.failure !== undefined) {
    const isSame = a.failure !== undefined && b.failure !== undefined;
    return { differences: isSame ? [] : [located('status', 'answered', ...words)], start: [] };
  }
  const acceptedByA = isAcceptedStatus(a);
  if (acceptedByA !== isAcceptedStatus(b)) return { differences: [located('status', 'outcome', ...words)], start: [] };
  const status = a.status === b.status ? [] : [located('status', 'status', ...words)];
  const media =
    a.mediaType === b.mediaType
      ? []
      : [located('header content-type', 'value', a.mediaType ?? 'none', b.mediaType ?? 'none')];
  if (!acceptedByA) {
    const [one, other] = [refusalShape(a), refusalShape(b)];
    const body = one === other ? [] : [located('body', 'value', one, other)];
    return { differences: [...status, ...media, ...body], start: [] };
  }
  const found = compareSuccesses(pair, input);
  return { differences: [...status, ...media, ...found.differences], start: found.start };
}

function compareSuccesses({ a, b, isApart }: AlignedPair, input: AnswersInput): Found {
  const { counterparts } = input;
  if (!isObject(a.value) || !isObject(b.value)) {
    const kinds = [a, b].map(({ value, text }) =>
      value === undefined ? (text === undefined ? 'no body' : 'no JSON') : shapeOf(value),
    );
    const [one = '', other = ''] = kinds;
    return { differences: one === other ? [] : [located('body', 'type', one, other)], start: [] };
  }
  const differences: Located[] = [];
  const start: string[] = [];
  const row = endpointRow(a.endpoint);
  for (const name of new Set([...Object.keys(a.value), ...Object.keys(b.value)])) {
    if (name === 'data' || (name === 'pagination' && row.list)) continue;
    const both = { a: a.value[name], b: b.value[name], shown: undefined, asked: undefined, name };
    differences.push(...compareValues(counterparts, both, join('', name)));
  }
  const data = { a: a.value.data, b: b.value.data };
  if (!a.request.own || row.list !== Array.isArray(data.a) || row.list !== Array.isArray(data.b)) {
    const [one, other] = [shapeOf(data.a), shapeOf(data.b)];
    return { differences: one === other ? differences : [...differences, located('/data', 'type', one, other)], start };
  }
  const found = row.list
    ? pageDifferences({ a, b, isApart }, input)
    : compareEntities({ a, b, isApart }, membersOf(data.a), membersOf(data.b), '/data', input);
  return { differences: [...differences, ...found.differences], start: [...start, ...found.start] };
}

/** Compares two entities member by member, each as far as its origin allows. */
export function compareEntities(
  { a, b, isApart }: Pick<AlignedPair, 'a' | 'b' | 'isApart'>,
  ofA: Members,
  ofB: Members,
  pointer: string,
  { counterparts, originsA, originsB, sameStart }: AnswersInput,
): Found {
  const row = endpointRow(a.endpoint);
  const schema = 'properties' in row.data ? row.data.properties : undefined;
  const origins = { a: originsA.get(`${a.id} ${pointer}`), b: originsB.get(`${b.id} ${pointer}`) };
  const sent = { a: membersOf(a.request.body), b: membersOf(b.request.body) };
  const differences: Located[] = [];
  const start: string[] = [];
  for (const name of new Set([...Object.keys(ofA), ...Object.keys(ofB)])) {
    const place = join(pointer, name);
    const both = {
      a: ofA[name],
      b: ofB[name],
      sentA: sent.a[name],
      sentB: sent.b[name],
      shown: schema?.[name],
      asked: row.body?.properties?.[name],
      name,
      entity: `${row.resource} ${a.request.param ?? ''}`,
    };
    const found = compareValues(counterparts, both, place);
    if (name === 'version' && !isApart) differences.push(...versionDifference(origins, place));
    if (found.length === 0) continue;
    const from = [origins.a?.of(name) ?? 'start', origins.b?.of(name) ?? 'start'];
    const isOfStart = from.every(origin => origin === 'start');
    const isLeft = isApart || from.some(origin => origin === 'left');
    // What another case wrote, and one server alone took, is there at that one alone.
    if (isLeft && origins.a?.isTaken(name) !== origins.b?.isTaken(name)) continue;
    if (isLeft || (isOfStart && !sameStart)) {
      const isShape = (one: Located): boolean => one.aspect === 'presence' || one.aspect === 'type';
      const shapes = found.filter(one => isShape(one) && one.pointer === anyPosition(place));
      differences.push(...shapes);
      if (!isLeft && shapes.length === 0) start.push(anyPosition(place));
    } else differences.push(...found);
  }
  return { differences, start };
}

/** By how much each side counts the version on, where both count. */
function versionDifference(
  { a, b }: { readonly a: Origins | undefined; readonly b: Origins | undefined },
  pointer: string,
): Located[] {
  const [one, other] = [a?.versionStep, b?.versionStep];
  if (one === undefined || other === undefined || one === other) return [];
  const inSteps = (step: number): string => (step === 0 ? 'it stays' : `it goes on by ${step}`);
  return [located(pointer, 'value', inSteps(one), inSteps(other))];
}
