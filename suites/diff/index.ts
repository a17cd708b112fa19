/** Compares two servers, and records a run for a later comparison. */

export {
  type DiffOptions,
  type DiffOutcome,
  type DiffServer,
  type DiffSideOutcome,
  OneBackend,
} from './options.ts';
export { createRecorder, mostExchanges, type Recorder } from './record/recorder.ts';
export type { RecordedBreach, RecordedExchange, Recording } from './record/recording.ts';
export { diff } from './run.ts';
