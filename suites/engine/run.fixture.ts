import { redactedEvent } from '../../contracts/redaction/events.ts';
import { createSecrets } from '../../contracts/redaction/secrets.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import type { TargetFile } from '../../contracts/target.ts';
import type { Failure, WireRequest } from '../protocol/reply.ts';
import type { RunStopped } from '../protocol/stop.ts';
import type { Observer } from '../sut/observer.ts';
import { createWire } from '../sut/session.ts';
import { targetOf } from '../sut/target.ts';
import { configOf, type RunOptions } from './config.ts';
import { createContradictions } from './contradictions.ts';
import { createCountedCells } from './counted-cells.ts';
import { createOtherRuns } from './other-runs.ts';
import { createWrittenFields } from './residue.ts';
import type { RunState } from './run-state.ts';
import { createSuspected } from './suspected.ts';
import { createUnplanned } from './unplanned.ts';
import { createWriteGuard } from './write-guard.ts';

/** Returns a target's answer to a request; if undefined, 200 and an empty object. */
export type Answers = (request: WireRequest) => { status?: number; value?: unknown; failure?: Failure } | undefined;

/** A test double of a run: its target is a function, its clock stands still, and its events are kept. */
export interface RunDouble extends RunState {
  readonly events: RunEvent[];
  /** The sent requests in order: `METHOD path body`. */
  readonly sent: string[];
}

/** Overrides of a double. By default it selects no units, has no fixtures and answers every request with 200. */
export interface DoubleOptions {
  readonly file?: TargetFile;
  readonly answers?: Answers;
  readonly options?: Partial<RunOptions>;
  readonly lanes?: RunState['lanes'];
  readonly observers?: readonly Observer[];
  readonly stopped?: RunStopped;
}

/** Returns a run double, which never waits or opens a connection. */
export function runDouble(double: DoubleOptions = {}): RunDouble {
  const { file = {}, answers = () => undefined, lanes = [], observers = [], stopped = null } = double;
  const target = targetOf(file, new URL('http://127.0.0.1:9'), 'a-key-of-tests');
  const events: RunEvent[] = [];
  const sent: string[] = [];
  const secrets = createSecrets();
  secrets.add(target.apiKey, '«the API key»');
  const wire = createWire({
    target,
    secrets,
    token: 'test',
    observers,
    admit: () => {},
    client: {
      async send(request) {
        sent.push([request.method, request.path.replace('/console/v1', ''), request.body].filter(Boolean).join(' '));
        const { status = 200, value = {}, failure = null } = answers(request) ?? {};
        return {
          request,
          status: failure === null ? status : 0,
          headers: {},
          body: { kind: 'json', value, text: JSON.stringify(value) },
          bytes: 2,
          failure,
          durationMs: 1,
        };
      },
      connections: 8,
      gather: () => [],
      sent: () => sent.length,
      retries: () => ({ closed: 0, gateway: 0 }),
      outages: () => 0,
      departures: () => 0,
      reads: () => [],
      close: async () => {},
    },
  });
  return {
    config: configOf({ target, token: 'test', clock: () => 0, ...double.options }),
    units: [],
    lanes,
    wire,
    health: { stopped: () => stopped, admitted: () => sent.length, admit: () => {}, note: () => {}, all: () => [] },
    unplanned: createUnplanned([]),
    contradictions: createContradictions(),
    writtenFields: createWrittenFields(),
    guard: createWriteGuard(target, { settleMs: 0, token: 'test' }),
    otherRuns: createOtherRuns('test', target),
    suspected: createSuspected({ settleMs: 0, token: 'test' }),
    cells: createCountedCells(configOf({ target, path: '0' }), []),
    counts: { probes: 0, extended: 0 },
    emit: event => events.push(redactedEvent(event, secrets)),
    isTimeUp: () => false,
    stats: () => ({ requests: sent.length, cases: 0, durationMs: 0 }),
    events,
    sent,
  };
}
