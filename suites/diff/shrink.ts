import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import type { DifferencePlace, SideOfDifference } from '../../contracts/report/difference.ts';
import { putBack } from '../engine/put-back.ts';
import type { RunState } from '../engine/run-state.ts';
import { restorations, type Snapshot } from '../engine/snapshot.ts';
import { type ApiRequest, isDryRun } from '../protocol/answer.ts';
import { GivenUp, RunStopped } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import type { AlignedPair } from './align/align.ts';
import { type ComparedRun, compareAnswers, comparedWith } from './compare/differences.ts';
import { type Example, type FoundPlace, shortened, stepOf } from './explain/places.ts';
import { recordedExchange } from './record/recorder.ts';
import type { RecordedExchange } from './record/recording.ts';

/** A side with its run under way: its original requests, and the means to send them again. */
export interface LiveSide {
  readonly run: RunState;
  readonly snapshot: Snapshot;
  readonly asked: ReadonlyMap<string, ApiRequest>;
}

/** Shrunk examples, by place. */
export type Shrunk = ReadonlyMap<string, Example>;

/** Returns the key of a place within a comparison. */
export const placeKey = ({ label, endpoint, pointer, aspect, requirement }: DifferencePlace): string =>
  [label, endpoint, pointer, aspect, requirement ?? ''].join(' ');

/** Maximum number of places to shrink, of sequences tried for each, and of steps in a sequence. */
const most = { places: 16, sequences: 24, steps: 16 } as const;

/** A value for each side. */
type OfBoth<T> = Readonly<Record<SideOfDifference, T>>;

/** One request to each side. */
type Step = OfBoth<ApiRequest>;

/** True if a request can be repeated at will: it reads, it is a dry run, or its effect is restored. */
function isRepeatable(request: ApiRequest): boolean {
  const { effect } = endpointRow(request.endpoint);
  return effect === 'read' || effect === 'restorable' || isDryRun({ sent: request.body, request });
}

/** Returns the original requests of a sequence; null if one of them cannot be sent again. */
function stepsOf(pairs: readonly AlignedPair[], { a, b }: OfBoth<LiveSide>): Step[] | null {
  const steps = pairs.flatMap(pair => {
    const [ofA, ofB] = [a.asked.get(pair.a.id), b.asked.get(pair.b.id)];
    return ofA && ofB && isRepeatable(ofA) && isRepeatable(ofB) ? { a: ofA, b: ofB } : [];
  });
  return steps.length < pairs.length ? null : steps;
}

const caseId = 'difference#again';

/** Restores the collections that a sequence changes, so that every sequence starts alike. */
async function reset(side: LiveSide, sequence: readonly Step[]): Promise<void> {
  const lanes = new Set(sequence.map(({ a }) => endpointRow(a.endpoint).collection));
  const session = openSession(side.run.wire, 'difference/reset');
  for (const lane of lanes)
    for (const one of restorations(side.snapshot, lane)) await putBack(one, session, { settleMs: 0 });
}

async function sendAll(side: LiveSide, requests: readonly ApiRequest[]): Promise<RecordedExchange[]> {
  const session = openSession(side.run.wire, caseId);
  const exchanges: RecordedExchange[] = [];
  for (const request of requests) exchanges.push(recordedExchange(await session.send(request), side.run.wire.secrets));
  return exchanges;
}

/** Sends a sequence to both sides. Returns the pairs of answers. */
async function sendToBoth(sequence: readonly Step[], { a, b }: OfBoth<LiveSide>): Promise<AlignedPair[]> {
  await Promise.all([reset(a, sequence), reset(b, sequence)]);
  const toA = sequence.map(step => step.a);
  const toB = sequence.map(step => step.b);
  const [ofA, ofB] = await Promise.all([sendAll(a, toA), sendAll(b, toB)]);
  return ofA.flatMap((one, index) => {
    const other = ofB[index];
    return other ? { of: caseId, a: one, b: other, isApart: false } : [];
  });
}

/** True if the last answers of a sequence show the same difference at the same place. */
function showsAgain({ located }: FoundPlace, pairs: readonly AlignedPair[], { a, b }: OfBoth<LiveSide>): boolean {
  const last = pairs.at(-1);
  if (!last) return false;
  const alone = (side: SideOfDifference, { run: { config } }: LiveSide): ComparedRun => ({
    baseUrl: config.target.baseUrl.href,
    token: config.token,
    titles: { [caseId]: '' },
    exchanges: pairs.map(pair => pair[side]),
  });
  // Both sides were just restored, so compare the values from before the sequence as well.
  const { differences } = compareAnswers(last, comparedWith(alone('a', a), alone('b', b), pairs, true, false));
  return differences.some(one => one.pointer === located.pointer && one.aspect === located.aspect);
}

const without = (request: ApiRequest, member: string): ApiRequest => {
  const { [member]: _gone, ...rest } = request.body as JsonObject;
  return { ...request, body: rest };
};

/** Yields smaller sequences, the smallest first. */
function* smallerThan(sequence: readonly Step[]): Generator<readonly Step[]> {
  const last = sequence.at(-1);
  if (!last) return;
  if (sequence.length > 1) yield [last];
  if (sequence.length > 2)
    for (const index of sequence.keys()) if (index < sequence.length - 1) yield sequence.toSpliced(index, 1);
  const { body, raw } = last.a;
  if (raw !== undefined || !isObject(body) || !isObject(last.b.body)) return;
  for (const member of Object.keys(body))
    if (Object.hasOwn(last.b.body, member))
      yield [...sequence.slice(0, -1), { a: without(last.a, member), b: without(last.b, member) }];
}

/** True if nothing can be left out of a sequence. */
const isSmallest = (sequence: readonly Step[]): boolean => smallerThan(sequence).next().done === true;

async function shrinkOne(
  place: FoundPlace,
  sequence: readonly Step[],
  sides: OfBoth<LiveSide>,
): Promise<Example | null> {
  let tries = 1;
  let pairs = await sendToBoth(sequence, sides);
  // A difference that does not recur cannot be shrunk.
  if (!showsAgain(place, pairs, sides)) return null;
  let smallest = sequence;
  let shrinks = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(smallest)) {
      if (tries >= most.sequences) break;
      tries += 1;
      const tried = await sendToBoth(candidate, sides);
      if (!showsAgain(place, tried, sides)) continue;
      [smallest, pairs, isSmaller] = [candidate, tried, true];
      shrinks += 1;
      break;
    }
  }
  const steps = shortened(pairs.map((pair, index) => stepOf(pair, index + 1)));
  return { ...place.place.example, shrinks, steps };
}

/**
 * Finds, for each place, the smallest sequence that still shows the difference: fewer requests first, then fewer
 * members of the last body. Sequences that create something, or change it for good, stay unchanged. Stops early when
 * the run may send no more.
 */
export async function shrinkExamples(
  found: readonly FoundPlace[],
  sequences: (pair: AlignedPair) => readonly AlignedPair[],
  sides: OfBoth<LiveSide>,
): Promise<Shrunk> {
  const shrunk = new Map<string, Example>();
  let left: number = most.places;
  for (const place of found) {
    if (!place.pair || left === 0) continue;
    const sequence = stepsOf(sequences(place.pair), sides);
    if (!sequence || sequence.length > most.steps || isSmallest(sequence)) continue;
    left -= 1;
    try {
      const example = await shrinkOne(place, sequence, sides);
      if (example) shrunk.set(placeKey(place.place), example);
    } catch (error) {
      if (error instanceof RunStopped) return shrunk;
      // A request is withheld, or the operation no longer answers: keep the example unchanged.
      if (!(error instanceof GivenUp)) throw error;
    }
  }
  return shrunk;
}
