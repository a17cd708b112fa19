/** Compares two servers, and records a run for a later comparison. */

export { createRecorder, mostExchanges, type Recorder } from './record/recorder.ts';
export type { RecordedBreach, RecordedExchange, Recording } from './record/recording.ts';
export { type DiffOptions, type DiffOutcome, type DiffServer, type DiffSideOutcome, diff, OneBackend } from './run.ts';
