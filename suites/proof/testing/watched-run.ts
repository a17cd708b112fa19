import { referenceTarget } from '../../../reference-server/index.ts';
import { createRecorder, type Recorder, type Recording } from '../../diff/index.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { Begun } from '../../sut/observer.ts';
import { targetOf } from '../../sut/target.ts';
import type { ObservedExchange } from '../../traffic/index.ts';
import { bytesOf } from './exchanges.ts';
import { type RunRecord, recordedRuns, type Setting, testKey } from './reference-run.ts';

const nowhere = targetOf(referenceTarget(), new URL('http://127.0.0.1'), testKey);

/** One run in three forms: for the run itself, the traffic judge and the comparison. */
export interface WatchedRun {
  readonly record: RunRecord;
  readonly recording: Recording;
  /** The exchanges as a proxy between the suite and the server would have seen them. */
  readonly exchanges: readonly ObservedExchange[];
}

/** Returns an answer as a proxy would have seen it. */
function observed({ reply }: Answer, sentAtMs: number, answeredAtMs: number): ObservedExchange {
  const { method, path, headers, body: sent } = reply.request;
  const answered = reply.body.kind === 'empty' ? null : bytesOf(reply.body.text);
  // Bytes that are not text are already lost.
  const isCut = reply.body.kind === 'broken' && (reply.body.tooLarge === true || reply.body.text.includes('\uFFFD'));
  return {
    number: 0,
    source: 'the suite',
    request: {
      method,
      target: path.startsWith('/') ? path : `/${path}`,
      headers: Object.entries(headers),
      body: sent === undefined ? null : { bytes: Buffer.from(sent), length: Buffer.byteLength(sent), isCut: false },
    },
    response:
      reply.failure === null
        ? {
            status: reply.status,
            headers: Object.entries(reply.headers).flatMap(([name, value = []]) =>
              [value].flat().map(one => [name, one] as const),
            ),
            body: answered === null ? null : { ...answered, isCut },
          }
        : { failure: reply.failure.message },
    sentAtMs,
    answeredAtMs,
  };
}

/** Returns an earlier attempt of a request, of which the server may have carried out whatever it did not answer. */
function unanswered(answer: Answer, attempt: Pick<Begun, 'atMs' | 'sent'> | undefined, atMs: number): ObservedExchange {
  const { request, ...rest } = observed(answer, attempt?.atMs ?? atMs, atMs);
  const bytes = attempt?.sent === undefined ? null : Buffer.from(JSON.stringify(attempt.sent));
  const body = bytes === null ? request.body : { bytes, length: bytes.length, isCut: false };
  return { ...rest, request: { ...request, body }, response: { failure: 'the answer was lost' } };
}

/** Runs the suite once for each token, in turn, against one reference server, and watches each run. */
export async function watchedRuns(setting: Setting, tokens: readonly string[]): Promise<readonly WatchedRun[]> {
  const recordings: Recording[] = [];
  const passed: ObservedExchange[][] = [];
  let recorder: Recorder = createRecorder(nowhere);
  let exchanges: ObservedExchange[] = [];
  const begun = new Map<number, Pick<Begun, 'atMs' | 'sent'>>();
  const records = await recordedRuns(
    {
      ...setting,
      run: {
        ...setting.run,
        watch: {
          answer: answer => recorder.watch.answer(answer),
          begun(one) {
            begun.set(one.number, one);
            recorder.watch.begun?.(one);
          },
          answered(answer, arrival) {
            const { number, lost, atMs } = arrival;
            for (const earlier of lost) exchanges.push(unanswered(answer, begun.get(earlier), atMs));
            exchanges.push(observed(answer, begun.get(number)?.atMs ?? atMs, atMs));
            recorder.watch.answered?.(answer, arrival);
          },
          sent: (...told) => recorder.watch.sent(...told),
        },
      },
      onEvent(event) {
        if (event.event === 'run-start') {
          recorder = createRecorder(nowhere);
          begun.clear();
        }
        recorder.event(event);
        if (event.event !== 'run-end') return;
        recordings.push(recorder.recording());
        passed.push(exchanges);
        exchanges = [];
      },
    },
    tokens,
  );
  return records.map((record, index) => ({
    record,
    recording: recordings[index] as Recording,
    exchanges: inTurn(passed[index] as ObservedExchange[]),
  }));
}

/** Numbers exchanges in the order of their requests, as a proxy sees them. */
const inTurn = (exchanges: readonly ObservedExchange[]): readonly ObservedExchange[] =>
  exchanges
    .toSorted((one, other) => one.sentAtMs - other.sentAtMs)
    .map((one, index) => ({ ...one, number: index + 1 }));

/** Watches a single run. */
export const watchedRun = async (setting: Setting, token = 'test'): Promise<WatchedRun> =>
  (await watchedRuns(setting, [token]))[0] as WatchedRun;
