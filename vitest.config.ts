import { relative } from 'node:path';
import picomatch from 'picomatch';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { flagsOfManyRuns } from './contracts/v8-flags.ts';

const everyTest = '**/*.test.ts';

/**
 * Whole runs, whole processes, the suite against faults, dialects and targets that misbehave, and pages in a browser:
 * everything else is a unit test. One project, so that a worker loads the suite once. The files begin in this order: what
 * takes longest first, so that the workers end together.
 */
const system = [
  'suites/proof/kill-matrix/kill-matrix.gates.test.ts',
  'suites/proof/kill-matrix/kill-matrix.experiments.test.ts',
  'suites/proof/dialects/every-kind.test.ts',
  'suites/proof/dialects/gates.test.ts',
  'suites/proof/repro/scripts.test.ts',
  'suites/proof/kill-matrix/kill-matrix.qualifying-events.test.ts',
  'suites/proof/dialects/experiments.test.ts',
  'suites/proof/kill-matrix/kill-matrix.metrics.test.ts',
  'suites/proof/kill-matrix/kill-matrix.others.test.ts',
  'suites/proof/dialects/some-kinds.test.ts',
  'reference-server/proof/stores/damaged.test.ts',
  'cli/commands/serve-outage.test.ts',
  'suites/proof/independent/conformance.test.ts',
  'tools/gate.test.ts',
  'suites/proof/dialects/other-collections.test.ts',
  'suites/proof/dialects/behind.test.ts',
  'reports/run/page.test.ts',
  'cli/commands/coverage.test.ts',
  'cli/kills.test.ts',
  'cli/shown-commands.test.ts',
  'suites/proof/vacuous/vacuous.test.ts',
  'suites/proof/instances/instances.test.ts',
  'cli/commands/diff.test.ts',
  'cli/program.test.ts',
  'cli/interruption.test.ts',
  'suites/traffic/judge/many-keys.test.ts',
  'suites/conformance/describe.test.ts',
  'suites/engine/learned-run.test.ts',
  'reference-server/page/page.test.ts',
  'suites/proof/hostile/answers.test.ts',
  'reference-server/proof/stores/opening.test.ts',
  'cli/full-disk.test.ts',
  'tools/precompiled.test.ts',
  'suites/engine/put-off.test.ts',
  'suites/engine/retries.test.ts',
  'suites/engine/run.test.ts',
  'cli/commands/proxy.test.ts',
  'cli/commands/run-folder.test.ts',

  // What takes less begins in any order.
  'cli/bad-inputs.test.ts',
  'cli/commands/*.test.ts',
  'cli/verification/*.test.ts',
  'cli/enforcing-attack.test.ts',
  'cli/exec.test.ts',
  'cli/hostile-texts.test.ts',
  'cli/key-command.test.ts',
  'cli/main.test.ts',
  'reference-server/dialects/dialects.test.ts',
  'reference-server/proof/stores/*.test.ts',
  'reference-server/proof/under-fire/*.test.ts',
  'reports/*/page.test.ts',
  'reports/repro/shell.test.ts',
  'reports/repro/unchanged.test.ts',
  'reports/text/curl.test.ts',
  'suites/conformance.test.ts',
  'suites/doctor/diagnosis.test.ts',
  'suites/engine/empty-list.test.ts',
  'suites/engine/all-judged.test.ts',
  'suites/engine/extended-fuzzing.test.ts',
  'suites/engine/investigation.test.ts',
  'suites/engine/naming.test.ts',
  'suites/engine/nothing-lost.test.ts',
  'suites/engine/steps.test.ts',
  'suites/proof/dialects/*.test.ts',
  'suites/proof/diff/*.test.ts',
  'suites/proof/hostile/*.test.ts',
  'suites/proof/independent/*.test.ts',
  'suites/proof/instances/*.test.ts',
  'suites/proof/kill-matrix/*.test.ts',
  'suites/proof/ledger/run.test.ts',
  'suites/proof/model/*.test.ts',
  'suites/proof/premise/*.test.ts',
  'suites/proof/prove/sources.test.ts',
  'suites/proof/regressions/*.test.ts',
  'suites/proof/repro/*.test.ts',
  'suites/proof/traffic/*.test.ts',
  'suites/proof/traffic/page/*.test.ts',
  'suites/proof/vacuous/*.test.ts',
  'suites/sut/near-miss-keys.test.ts',
  'suites/sut/trace.test.ts',
  'tools/bundled.test.ts',
  'tools/ci.test.ts',
  'tools/oci.test.ts',
  'tools/openapi-lint.test.ts',
  'tools/projects.test.ts',
  'tools/typescript-client.test.ts',
];

/** The files of `system` as they stand there, and then the unit tests. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const matches = system.map(glob => picomatch(glob));
    const place = ({ project, moduleId }: TestSpecification): number => {
      const path = relative(project.config.root, moduleId);
      const first = matches.findIndex(isMatch => isMatch(path));
      return first < 0 ? matches.length : first;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

const elsewhere = [...configDefaults.exclude, 'bench/.venv/**', 'conform-report/**'];

/**
 * Whether the tests run once: then Node loads all that is no test, by tsx, and whole runs take a fifth less processor time
 * than where vitest evaluates each module and every name that is imported is a getter. So no test replaces a module.
 * In watch mode vitest loads everything, because it has to know which tests a change can reach.
 */
const isOnce = process.argv.some(word => word === 'run' || word === '--run');

/** How Node loads TypeScript. */
const byNode = [
  '--import=tsx/esm',
  `--import=${new URL('tools/plain-names.ts', import.meta.url).href}`,
  '--enable-source-maps',
];

export default defineConfig({
  test: {
    // Two cores are the least there is; while one worker waits for a process, a third keeps them busy.
    maxWorkers: 3,
    // A third of the processor time.
    execArgv: [...flagsOfManyRuns, ...(isOnce ? byNode : [])],
    setupFiles: isOnce ? ['tools/mapped-stacks.ts'] : [],
    server: { deps: { external: isOnce ? [/(?<!\.test)\.ts$/] : [] } },
    // The files of a project share the modules that a worker has loaded, and what these remember of schemas and targets:
    // a test restores what it replaces.
    isolate: false,
    // No test depends on how fast the machine is. These limits end what hangs, and nothing else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 300_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [everyTest], exclude: [...elsewhere, ...system] },
      },
      { extends: true, test: { name: 'system', include: system, exclude: elsewhere } },
    ],
  },
});
