import type { RunStopped } from '../protocol/stop.ts';
import type { RunState } from './run-state.ts';

/** Emitted where time was left and no check had random cases for it. */
const nothingToExtend = {
  event: 'notice',
  severity: 'info',
  text: 'The checks that were run have no random cases to go on with, so the run ended before its --time was up.',
} as const;

/** What kept a run from carrying out its plan, or null. A limit that only ended extended fuzzing did not. */
function reasonOf({ health }: RunState, cut: RunStopped | null): RunStopped | null {
  const stopped = health.stopped();
  return stopped === null || stopped.reason === 'limit' ? cut : stopped;
}

/**
 * Emits the last events of a run: why it ended early, what every observer noted, and its end.
 *
 * @param cut what ended a phase before it was done, or null
 */
export function summarize(run: RunState, cut: RunStopped | null): void {
  const { config, wire, counts, emit } = run;
  const why = reasonOf(run, cut);
  const isIdle = config.timeMs !== undefined && counts.extended === 0 && run.health.stopped() === null;
  if (why === null && isIdle && !run.isTimeUp()) emit(nothingToExtend);
  const because = why === null ? undefined : why.message;
  if (because !== undefined && why?.remedy !== undefined)
    emit({ event: 'notice', severity: 'warning', text: because, remedy: why.remedy });
  for (const { all } of wire.observers) for (const event of all?.() ?? []) emit(event);
  for (const event of run.cells.events()) emit(event);
  emit({
    event: 'run-end',
    outcome: why === null || why.reason === 'limit' ? 'complete' : why.reason,
    ...(because === undefined ? {} : { because }),
    stats: run.stats(),
  });
}
