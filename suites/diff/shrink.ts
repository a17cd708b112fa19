import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import type { DifferencePlace } from '../../contracts/report/difference.ts';
import { putBack } from '../engine/put-back.ts';
import type { RunState } from '../engine/run-state.ts';
import { restorations, type Snapshot } from '../engine/snapshot.ts';
import { type ApiRequest, isDryRun } from '../protocol/answer.ts';
import { GivenUp, RunStopped } from '../protocol/stop.ts';
import { openSession } from '../sut/session.ts';
import type { AlignedPair } from './align/align.ts';
import { counterpartsOf } from './align/counterparts.ts';
import { compareAnswers } from './compare/differences.ts';
import { originsOf } from './compare/origins.ts';
import { createPagesShown } from './compare/pages.ts';
import { type Example, type FoundPlace, shortened, stepOf } from './explain/places.ts';
import { recordedExchange } from './record/recorder.ts';
import type { RecordedExchange, Recording } from './record/recording.ts';

/** A side whose run is under way: what its requests were, and how to send them again. */
export interface LiveSide {
  readonly run: RunState;
  readonly snapshot: Snapshot;
  readonly asked: ReadonlyMap<string, ApiRequest>;
}

/** Examples that were made smaller, by the place. */
export type Shrunk = ReadonlyMap<string, Example>;

/** What names a place among those of a comparison. */
export const placeKey = ({ label, endpoint, pointer, aspect, requirement }: DifferencePlace): string =>
  [label, endpoint, pointer, aspect, requirement ?? ''].join(' ');

/** So many places are made smaller at most, by so many sequences each. */
const most = { places: 16, sequences: 24, steps: 16 } as const;

/** What there is of each side. */
interface OfBoth<T> {
  readonly a: T;
  readonly b: T;
}

/** One request to each side. */
type Step = OfBoth<ApiRequest>;

/**
 * True of a request that can be sent any number of times: it reads, says that nothing is to be persisted, or writes what
 * is put back.
 */
function isRepeatable(request: ApiRequest): boolean {
  const { effect } = endpointRow(request.endpoint);
  return effect === 'read' || effect === 'restorable' || isDryRun({ sent: request.body, request });
}

/** The requests of a sequence, as they were asked for; null where one of them cannot be sent again. */
function stepsOf(pairs: readonly AlignedPair[], { a, b }: OfBoth<LiveSide>): Step[] | null {
  const steps = pairs.flatMap(pair => {
    const [ofA, ofB] = [a.asked.get(pair.a.id), b.asked.get(pair.b.id)];
    return ofA !== undefined && ofB !== undefined && isRepeatable(ofA) && isRepeatable(ofB) ? { a: ofA, b: ofB } : [];
  });
  return steps.length < pairs.length ? null : steps;
}

const caseId = 'difference#again';

/** The recording of one sequence alone. */
const alone = (exchanges: readonly RecordedExchange[], { run: { config } }: LiveSide): Recording => ({
  version: 1,
  tool: '',
  baseUrl: config.target.baseUrl.href,
  seed: config.seed,
  profile: config.profile,
  readOnly: config.readOnly,
  only: [],
  skip: [],
  token: config.token,
  outcome: 'complete',
  requests: exchanges.length,
  titles: { [caseId]: '' },
  pointers: {},
  exchanges,
  breaches: [],
  untested: {},
});

/** Puts back what the collections of a sequence changed, so that each sequence starts alike. */
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

/** Sends a sequence to both, and returns the pairs of answers. */
async function sendToBoth(sequence: readonly Step[], { a, b }: OfBoth<LiveSide>): Promise<AlignedPair[]> {
  await Promise.all([reset(a, sequence), reset(b, sequence)]);
  const toA = sequence.map(step => step.a);
  const toB = sequence.map(step => step.b);
  const [ofA, ofB] = await Promise.all([sendAll(a, toA), sendAll(b, toB)]);
  return ofA.flatMap((one, index) => {
    const other = ofB[index];
    return other === undefined ? [] : { of: caseId, a: one, b: other, isApart: false };
  });
}

/** True where the last answers of a sequence differ in the same place in the same way. */
function showsAgain({ located }: FoundPlace, pairs: readonly AlignedPair[], { a, b }: OfBoth<LiveSide>): boolean {
  const last = pairs.at(-1);
  if (last === undefined) return false;
  const ofA = pairs.map(pair => pair.a);
  const ofB = pairs.map(pair => pair.b);
  const recordings = { a: alone(ofA, a), b: alone(ofB, b) };
  const { differences } = compareAnswers(last, {
    counterparts: counterpartsOf(recordings.a, recordings.b, pairs),
    origins: { a: originsOf(recordings.a), b: originsOf(recordings.b) },
    // Both have just been put back to what they were: of what was there before, nothing is claimed here either.
    sameStart: true,
    isSelf: false,
    pages: createPagesShown(),
  });
  return differences.some(one => one.pointer === located.pointer && one.aspect === located.aspect);
}

const without = (request: ApiRequest, member: string): ApiRequest => {
  const { [member]: _gone, ...rest } = request.body as JsonObject;
  return { ...request, body: rest };
};

/** Sequences that say less than this one, the smallest first. */
function* smallerThan(sequence: readonly Step[]): Generator<readonly Step[]> {
  const last = sequence.at(-1);
  if (last === undefined) return;
  if (sequence.length > 1) yield [last];
  if (sequence.length > 2)
    for (const index of sequence.keys()) if (index < sequence.length - 1) yield sequence.toSpliced(index, 1);
  const { body, raw } = last.a;
  if (raw !== undefined || !isObject(body) || !isObject(last.b.body)) return;
  for (const member of Object.keys(body))
    if (Object.hasOwn(last.b.body, member))
      yield [...sequence.slice(0, -1), { a: without(last.a, member), b: without(last.b, member) }];
}

/** True of a sequence that nothing can be left out of. */
const isSmallest = (sequence: readonly Step[]): boolean => smallerThan(sequence).next().done === true;

async function shrinkOne(
  place: FoundPlace,
  sequence: readonly Step[],
  sides: OfBoth<LiveSide>,
): Promise<Example | null> {
  let tries = 1;
  let pairs = await sendToBoth(sequence, sides);
  // What is not seen again cannot be made smaller.
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
 * Searches, for each place, the smallest sequence that shows the difference on both: fewer requests, then fewer members
 * of the last one. What creates something, or changes it for good, is left as it was sent. Ends early where no more is
 * to be sent.
 */
export async function shrinkExamples(
  found: readonly FoundPlace[],
  sequences: (pair: AlignedPair) => readonly AlignedPair[],
  sides: OfBoth<LiveSide>,
): Promise<Shrunk> {
  const shrunk = new Map<string, Example>();
  let left: number = most.places;
  for (const place of found) {
    if (place.pair === null || left === 0) continue;
    const sequence = stepsOf(sequences(place.pair), sides);
    if (sequence === null || sequence.length > most.steps || isSmallest(sequence)) continue;
    left -= 1;
    try {
      const example = await shrinkOne(place, sequence, sides);
      if (example !== null) shrunk.set(placeKey(place.place), example);
    } catch (error) {
      if (error instanceof RunStopped) return shrunk;
      // A request of it is held back, or the operation does not answer any more: it stays as it is.
      if (!(error instanceof GivenUp)) throw error;
    }
  }
  return shrunk;
}
