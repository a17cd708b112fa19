/** What the comparison of two servers exports: compare them, and record a run for a later comparison. */

export {
  BrokenRecord,
  type DiffOptions,
  type DiffOutcome,
  type DiffServer,
  type DiffSideOutcome,
  OneBackend,
} from './options.ts';
export { createRecorder, type Recorder } from './recorder.ts';
export type { RecordedBreach, RecordedExchange, RecordedKey, Recording } from './recording.ts';
export { diff } from './run.ts';
