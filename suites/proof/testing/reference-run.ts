import { type EndpointId, endpointIds } from '../../../contracts/endpoints.ts';
import type { CheckEnd, Notice, RunEnd, RunEvent, RunStart } from '../../../contracts/report/journal.ts';
import type { EndpointVerdict } from '../../../contracts/report/report.ts';
import { endpointVerdict } from '../../../contracts/report/verdict.ts';
import type { TargetFile } from '../../../contracts/target.ts';
import {
  createReferenceServer,
  type HandlerRequest,
  type ReferenceServerOptions,
  referenceTarget,
  type Snapshot,
} from '../../../reference-server/index.ts';
import type { RunOptions } from '../../engine/config.ts';
import { run } from '../../engine/run.ts';
import { targetOf } from '../../sut/target.ts';
import { heldLimits, turns } from './held-limits.ts';
import { patientServer } from './patient-server.ts';

/** The key of test servers, with characters that URLs and JSON must escape. */
export const testKey = 'Zq7/kN+Conformance_Key-Secret';

/** The fixed time of their clocks, in milliseconds since 1970. */
const testTime = 1_760_000_000_000;

/** How a run in a test differs from a quick run of everything against a conforming server. */
export interface Setting {
  readonly server?: ReferenceServerOptions;
  readonly run?: Partial<RunOptions>;
  /** Globs for `--only`. */
  readonly only?: readonly string[];
  /** The target file, made from that of the reference server. */
  readonly file?: (file: TargetFile) => TargetFile;
  /** The key for the suite; absent: that of the server. */
  readonly apiKey?: string;
  readonly onEvent?: (event: RunEvent) => void;
  /** Some operations never answer. Only the time limits of those requests expire, see `heldLimits`. */
  readonly hangs?: boolean;
  /** Pause between runs in milliseconds, after which lagging state is current. */
  readonly restMs?: number;
}

/** The events of a run, the requests that the server got, and its store before and afterwards. */
export interface RunRecord {
  readonly events: readonly RunEvent[];
  readonly start: RunStart;
  readonly end: RunEnd;
  readonly checks: ReadonlyMap<string, CheckEnd>;
  readonly notices: readonly Notice[];
  readonly verdicts: ReadonlyMap<EndpointId, EndpointVerdict>;
  /** Requests that reached one of the operations, in order. */
  readonly seen: readonly HandlerRequest[];
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Returns the verdict of every endpoint with planned checks. */
function verdictsOf(checks: ReadonlyMap<string, CheckEnd>): ReadonlyMap<EndpointId, EndpointVerdict> {
  const ends = [...checks.values()];
  return new Map(
    endpointIds.flatMap(id => {
      const own = ends.filter(({ endpoint }) => endpoint === id);
      return own.length === 0 ? [] : [[id, endpointVerdict(own)] as const];
    }),
  );
}

/**
 * Calls `hold` if a handler hangs. Handlers wait only for each other, so one that does not answer within some turns of
 * the event loop never will.
 */
async function holdIfHanging(answer: unknown, hold: () => void): Promise<void> {
  const answered = Promise.resolve(answer).then(
    () => false,
    () => false,
  );
  const isHanging = await Promise.race([answered, turns().then(() => true)]);
  if (isHanging) hold();
}

/** Runs the suite, in process and over a real socket, against a new reference server. */
export const recordedRun = async (setting: Setting = {}): Promise<RunRecord> =>
  (await recordedRuns(setting, [setting.run?.token ?? 'test']))[0] as RunRecord;

/** Runs the suite once for each token, in turn, against one server that keeps what each run leaves behind. */
export async function recordedRuns(setting: Setting, tokens: readonly string[]): Promise<readonly RunRecord[]> {
  let seen: HandlerRequest[] = [];
  const limits = setting.hangs === true ? heldLimits() : undefined;
  const server = createReferenceServer({
    ...patientServer,
    apiKey: testKey,
    now: () => testTime,
    ...setting.server,
    decorate(id, handler) {
      const inner = setting.server?.decorate?.(id, handler) ?? handler;
      return (request, store, settings) => {
        seen.push(request);
        const answer = inner(request, store, settings);
        if (limits !== undefined) void holdIfHanging(answer, limits.hold);
        return answer;
      };
    },
  });
  const { url } = await server.listen();
  const file = referenceTarget(server.naming);
  const target = targetOf(setting.file?.(file) ?? file, new URL(url), setting.apiKey ?? server.apiKey);
  const once = async (token: string): Promise<RunRecord> => {
    const events: RunEvent[] = [];
    seen = [];
    const before = await server.store.snapshot();
    await run(
      {
        target,
        embedded: true,
        selection: { only: setting.only ?? [], skip: [] },
        profile: 'quick',
        timeoutMs: limits?.timeoutMs ?? 600_000,
        settleMs: 0,
        ...setting.run,
        token,
      },
      event => {
        events.push(event);
        setting.onEvent?.(event);
      },
    );
    const ends = events.filter(event => event.event === 'check-end');
    const checks = new Map(ends.map(end => [end.id, end]));
    return {
      events,
      start: events[0] as RunStart,
      end: events.at(-1) as RunEnd,
      checks,
      notices: events.filter(event => event.event === 'notice'),
      verdicts: verdictsOf(checks),
      seen,
      before,
      after: await server.store.snapshot(),
    };
  };
  const records: RunRecord[] = [];
  try {
    for (const token of tokens) {
      if (records.length > 0 && setting.restMs !== undefined)
        await new Promise(resolve => setTimeout(resolve, setting.restMs));
      records.push(await once(token));
    }
    return records;
  } finally {
    limits?.release();
    await server.close();
  }
}

/** Returns the checks with a verdict. */
export const checksThat = (record: RunRecord, verdict: CheckEnd['verdict']): readonly string[] =>
  [...record.checks.values()].filter(check => check.verdict === verdict).map(({ id }) => id);
