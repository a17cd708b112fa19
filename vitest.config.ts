import { configDefaults, defineConfig } from 'vitest/config';

const everyTest = '**/*.test.ts';

/**
 * Tests that stand in a project of their own, by globs: everything else is a unit test. `tools/projects.test.ts` holds
 * that no test is in two.
 */
const apart = {
  /**
   * The suite, against faults, dialects, and targets that misbehave in every way or do nothing; the judge of traffic, and
   * the comparison of two servers, against the same. One project, so that they load the suite once.
   */
  proof: ['dialects', 'diff', 'hostile', 'kill-matrix', 'model', 'traffic', 'vacuous'].map(
    folder => `suites/proof/${folder}/*.test.ts`,
  ),
  /** Pages in a browser: they need Chromium. */
  browser: ['reports/*/page.test.ts', 'reference-server/page/page.test.ts', 'suites/proof/traffic/page/*.test.ts'],
  /** Whole runs and whole processes. */
  system: [
    'cli/bad-inputs.test.ts',
    'cli/commands/*.test.ts',
    'cli/enforcing-attack.test.ts',
    'cli/exec.test.ts',
    'cli/full-disk.test.ts',
    'cli/main.test.ts',
    'cli/hostile-texts.test.ts',
    'cli/interruption.test.ts',
    'cli/key-command.test.ts',
    'cli/kills.test.ts',
    'cli/program.test.ts',
    'cli/shown-commands.test.ts',
    'reference-server/dialects/dialects.test.ts',
    'reference-server/proof/stores/*.test.ts',
    'reference-server/proof/under-fire/*.test.ts',
    'reports/repro/shell.test.ts',
    'reports/repro/unchanged.test.ts',
    'reports/text/curl.test.ts',
    'suites/conformance.test.ts',
    'suites/conformance/describe.test.ts',
    'suites/doctor/diagnosis.test.ts',
    'suites/engine/extended-fuzzing.test.ts',
    'suites/engine/investigation.test.ts',
    'suites/engine/learned-run.test.ts',
    'suites/engine/naming.test.ts',
    'suites/engine/nothing-lost.test.ts',
    'suites/engine/retries.test.ts',
    'suites/engine/run.test.ts',
    'suites/engine/steps.test.ts',
    'suites/proof/independent/*.test.ts',
    'suites/proof/instances/*.test.ts',
    'suites/proof/prove/sources.test.ts',
    'suites/proof/repro/*.test.ts',
    'suites/sut/near-miss-keys.test.ts',
    'suites/traffic/many-keys.test.ts',
    'tools/ci.test.ts',
    'tools/gate.test.ts',
    'tools/openapi-lint.test.ts',
    'tools/precompiled.test.ts',
    'tools/projects.test.ts',
    'tools/typescript-client.test.ts',
  ],
};

const elsewhere = [...configDefaults.exclude, 'bench/.venv/**', 'conform-report/**'];

export default defineConfig({
  test: {
    // Two cores are the least there is; while one worker waits for a process, a third keeps them busy.
    maxWorkers: 3,
    // Most of the time goes by in whole runs of the suite, whose code is called too seldom to be worth the optimiser,
    // and whose answers live too short to be copied by the collector: a third of the processor time.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32', '--interrupt-budget=400000'],
    // The files of a project share the modules that a worker has loaded, and what these remember of schemas and targets:
    // a test restores what it replaces.
    isolate: false,
    // No test depends on how fast the machine is. These limits end what hangs, and nothing else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [everyTest], exclude: [...elsewhere, ...Object.values(apart).flat()] },
      },
      ...Object.entries(apart).map(([name, include]) => ({
        extends: true as const,
        test: { name, include, exclude: elsewhere },
      })),
    ],
  },
});
