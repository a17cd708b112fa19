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

/** The key of the servers that tests start: with signs in it that URLs and JSON have to escape. */
export const testKey = 'Zq7/kN+Conformance_Key-Secret';

/** When the clock of those servers stands, in milliseconds since 1970. */
const testTime = 1_760_000_000_000;

/** How a run in a test differs from a quick run of everything against a conforming server. */
export interface Setting {
  readonly server?: ReferenceServerOptions;
  readonly run?: Partial<RunOptions>;
  /** Globs, as `--only` takes them. */
  readonly only?: readonly string[];
  /** The target file, made from that of the reference server. */
  readonly file?: (file: TargetFile) => TargetFile;
  /** The key that the suite is given; that of the server when absent. */
  readonly apiKey?: string;
  readonly onEvent?: (event: RunEvent) => void;
  /** Some operations never answer: the time limit of those requests runs out, and of no others, see `heldLimits`. */
  readonly hangs?: boolean;
  /** Milliseconds for which the server is left alone before another run: what lags has come up by then. */
  readonly restMs?: number;
}

/** What a run told, what the server saw, and what its store held before and afterwards. */
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

/** The verdict of every endpoint of which something was planned. */
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
 * Handlers wait for nothing but one another: one that has not answered after so many turns of the event loop never
 * does.
 */
async function holdIfHanging(answer: unknown, hold: () => void): Promise<void> {
  const answered = Promise.resolve(answer).then(
    () => false,
    () => false,
  );
  const isHanging = await Promise.race([answered, turns().then(() => true)]);
  if (isHanging) hold();
}

/** Runs the suite, in process and over a real socket, against a reference server of its own. */
export const recordedRun = async (setting: Setting = {}): Promise<RunRecord> =>
  (await recordedRuns(setting, [setting.run?.token ?? 'test']))[0] as RunRecord;

/** The same once for each token, one run after another, against one server that keeps what each leaves behind. */
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

/** The checks that ended with a verdict. */
export const checksThat = (record: RunRecord, verdict: CheckEnd['verdict']): readonly string[] =>
  [...record.checks.values()].filter(check => check.verdict === verdict).map(({ id }) => id);
