import type { RunState } from '../engine/run-state.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import { createEventually } from '../state/eventually.ts';
import { readGate } from '../state/reading.ts';
import { openSession } from '../sut/session.ts';

/** A run whose snapshot was taken, and which has written nothing yet. */
export interface ReadyRun {
  readonly run: RunState;
  readonly snapshot: Snapshot;
}

/** A gate that both know, and that may be written: its id, and what both show of it is alike. */
function commonGate(a: Snapshot, b: Snapshot): { id: string; description: string; isAlike: boolean } | undefined {
  for (const [id, gate] of a.gates ?? []) {
    const other = b.gates?.get(id);
    const isWritable =
      a.writable?.entity('patch-gate', id) === undefined &&
      a.writable?.field('patch-gate', id, 'description') === undefined;
    const { description } = gate;
    if (other !== undefined && isWritable && typeof description === 'string')
      return { id, description, isAlike: other.lastModifiedTime === gate.lastModifiedTime };
  }
  return undefined;
}

/**
 * Whether two addresses have one server, or one store, behind them: what is written to a gate at A shows at B. It is put
 * back at once; where that fails, the run of A puts it back at its end. False where there is no gate that both know.
 */
export async function haveOneBackend(a: ReadyRun, b: ReadyRun): Promise<boolean> {
  const gate = commonGate(a.snapshot, b.snapshot);
  if (gate === undefined || a.run.config.readOnly) return false;
  const { token, settleMs } = a.run.config;
  const mark = `written to one address by conform_${token}, to see whether it shows at the other`;
  const writing = openSession(a.run.wire, 'one-backend');
  const reading = openSession(b.run.wire, 'one-backend');
  const write = writing.send({ endpoint: 'patch-gate', param: gate.id, body: { description: mark } });
  const written = await unlessGivenUp(write, null);
  if (written === null || !written.success) return false;
  // Where both began alike, one may be a replica of the other that is behind.
  const seen = await unlessGivenUp(
    createEventually(gate.isAlike ? settleMs : 0)(
      () => readGate(reading, gate.id),
      ({ entity }) => entity?.description === mark,
    ),
    null,
  );
  const { description } = gate;
  await unlessGivenUp(writing.send({ endpoint: 'patch-gate', param: gate.id, body: { description } }), null);
  return seen?.entity?.description === mark;
}
