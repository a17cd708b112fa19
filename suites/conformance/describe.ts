import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { countedVerdict, endpointVerdict } from '../../contracts/report/verdict.ts';
import type { Unit } from '../checks/units.ts';
import { type RunOptions, runDefaults } from '../engine/config.ts';
import { select } from '../engine/plan.ts';
import { run } from '../engine/run.ts';
import type { Target } from '../protocol/sut.ts';
import { createBridge, endingMessage, NonConformance, type UnitEnd } from './bridge.ts';

/** Differences from a standard run of everything. The defaults are those of `conform run`. */
export interface ConformanceOptions
  extends Pick<
    RunOptions,
    'profile' | 'seed' | 'concurrency' | 'rate' | 'timeoutMs' | 'settleMs' | 'readOnly' | 'strict'
  > {
  /** Globs over `endpoint/check`, `endpoint` or `check`: run only these; run all but these. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** The verdict test of an incompletely tested endpoint fails (the default), or is skipped. */
  readonly incomplete?: 'fail' | 'skip';
  /** Maximum duration of the run, in milliseconds; ten minutes when absent. */
  readonly limitMs?: number;
  /** Called with every event of the run, for example to write a journal. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** A target, or a function that makes one when the tests begin (and starts a server first, for example). */
export type TargetSource = Target | (() => Target | Promise<Target>);

/** The part of vitest's tasks from which the selected tests are read. */
interface Task {
  readonly name: string;
  readonly mode?: string;
  readonly tasks?: readonly Task[];
}

const verdictTest = 'verdict';
const suiteName = (id: EndpointId): string => `${id} (${endpoints[id].method} ${endpoints[id].path})`;

/** Ends a test with the verdict of its check. */
async function endTest(end: UnitEnd, strict: boolean, context: TestContext): Promise<void> {
  switch (countedVerdict(end.verdict, strict)) {
    case 'pass':
      return;
    case 'warn':
      await context.annotate(endingMessage(end), 'warning');
      return;
    case 'untested':
    case 'not-applicable':
      return context.skip(endingMessage(end));
    default:
      throw new NonConformance(endingMessage(end));
  }
}

/** Ends the test of an endpoint's verdict, which counts skipped checks too. */
function endVerdictTest(
  ends: readonly UnitEnd[],
  strict: boolean,
  incomplete: ConformanceOptions['incomplete'],
  context: TestContext,
): void {
  const counted = ends.map(end => ({ ...end, verdict: countedVerdict(end.verdict, strict) }));
  const verdict = endpointVerdict(counted);
  if (verdict === 'conformant') return;
  if (verdict === 'not-applicable') context.skip('nothing of it was to be run');
  const guilty = counted.filter(
    end => ['fail', 'error'].includes(end.verdict) || (end.verdict === 'untested' && end.level === 'MUST'),
  );
  const lines = guilty.map(end =>
    end.verdict === 'fail' ? `fail ${end.id}` : `${end.verdict} ${end.id}: ${endingMessage(end)}`,
  );
  if (verdict === 'incomplete' && incomplete === 'skip') context.skip(lines.join('; '));
  throw new NonConformance([`the endpoint is ${verdict}`, ...lines].join('\n'));
}

/** Returns the checks whose tests were not filtered out. */
function wanted(units: readonly Unit[], suites: readonly Task[]): readonly string[] {
  const names = (id: EndpointId): readonly string[] =>
    (suites.find(({ name }) => name === suiteName(id))?.tasks ?? [])
      .filter(({ mode }) => mode !== 'skip' && mode !== 'todo')
      .map(({ name }) => name);
  return units
    .filter(({ endpoint, check }) => names(endpoint).some(name => name === check.id || name === verdictTest))
    .map(({ id }) => id);
}

/**
 * Describes the conformance of a target as vitest tests: a suite per endpoint, with a test per check and one for the
 * verdict. A failed check fails its test, with the findings as message. One that warns passes with an annotation (and
 * fails under `strict`). One that is untested or not applicable is skipped with the reason.
 *
 * Skipped tests alone would read as passed. So the verdict test fails if a MUST-level check is untested (see
 * `incomplete`), and the run's test fails if the run did not complete. Checks whose tests are filtered out are not run.
 * Throws `NothingSelected` when a glob matches nothing.
 *
 * @example
 * import { describeConformance, targetOf } from 'console-conformance/vitest';
 *
 * describeConformance(async () => {
 *   const url = await startMyServer();
 *   return targetOf({ fixtures: { gates: ['a_gate', 'another_gate'] } }, new URL(url), 'the-key');
 * });
 */
export function describeConformance(source: TargetSource, options: ConformanceOptions = {}): void {
  const { only = [], skip = [], incomplete, limitMs = 600_000, onEvent, ...runOptions } = options;
  const { strict = runDefaults.strict } = runOptions;
  const units = select({ only, skip });
  const bridge = createBridge(units.map(({ id, check }) => ({ id, level: check.level })));
  const controller = new AbortController();

  async function start(suites: readonly Task[]): Promise<void> {
    const target = typeof source === 'function' ? await source() : source;
    const chosen = wanted(units, suites);
    const selection = { only: chosen.length > 0 ? chosen : units.map(({ id }) => id), skip: [] };
    bridge.follow(
      run({ ...runOptions, target, selection, signal: controller.signal }, event => {
        bridge.event(event);
        onEvent?.(event);
      }),
    );
  }

  describe('Console Management API', () => {
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern, and takes any other first argument for a mistake
    beforeAll(({}, suite) => start((suite as Task).tasks ?? []), limitMs);

    // Wait for the run, whatever became of the tests, because it restores all changes at its end.
    afterAll(async () => {
      if (!bridge.allEnded()) controller.abort();
      await bridge.over();
    }, limitMs);

    for (const id of endpointIds.filter(one => units.some(unit => unit.endpoint === one))) {
      describe(suiteName(id), () => {
        const own = units.filter(unit => unit.endpoint === id);
        for (const { id: unit, check } of own) {
          test(check.id, { timeout: limitMs }, async context => endTest(await bridge.end(unit), strict, context));
        }
        test(verdictTest, { timeout: limitMs }, async context =>
          endVerdictTest(await Promise.all(own.map(unit => bridge.end(unit.id))), strict, incomplete, context),
        );
      });
    }

    test('the run came to its end', { timeout: limitMs }, async () => {
      const end = await bridge.over();
      if (end?.outcome !== 'complete') throw new NonConformance(end?.because ?? 'the run did not come to its end');
    });
  });
}
