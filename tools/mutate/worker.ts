import { relative } from 'node:path';
import { createVitest, type TestSpecification } from 'vitest/node';
import config from '../../vitest.config.ts';
import { root, textOf } from '../repository.ts';
import { type Mutant, mutated } from './places.ts';

/** A request to a worker: run tests until the first failure, with or without a mutant of a source. */
export interface Question {
  readonly tests: readonly string[];
  readonly mutant?: Mutant;
}

/** An answer of a worker: the tests that it has, the end of a test file, or the overall result. */
export type Answer =
  | { readonly ready: readonly string[] }
  | { readonly ended: string; readonly took: number }
  | { readonly failed: string | null };

const say = (answer: Answer): void => {
  process.send?.(answer);
};

/** The source to serve instead of the file on disk. */
let served: { readonly path: string; readonly text: string } | undefined;

const { projects: _, ...shared } = config.test ?? {};
const unit = config.test?.projects?.[0] as {
  readonly test: { readonly include: string[]; readonly exclude: string[] };
};

/** Keeps the requested order of the tests, the nearest first. */
class AsAsked {
  shard(specifications: TestSpecification[]): TestSpecification[] {
    return specifications;
  }
  sort(specifications: TestSpecification[]): TestSpecification[] {
    return specifications;
  }
}

// The unit project with the settings that all projects share, and one worker, so that transformed modules are reused
// from one mutant to the next.
const vitest = await createVitest(
  'test',
  {
    ...shared,
    ...unit.test,
    root,
    config: false,
    watch: false,
    bail: 1,
    maxWorkers: 1,
    reporters: [
      {
        onTestModuleEnd: module => say({ ended: relative(root, module.moduleId), took: module.diagnostic().duration }),
      },
    ],
    sequence: { sequencer: AsAsked as never },
  } as Parameters<typeof createVitest>[1],
  { plugins: [{ name: 'mutant', enforce: 'pre', load: id => (id === served?.path ? served.text : null) }] },
);

const specifications = new Map(
  (await vitest.globTestSpecifications()).map(one => [relative(root, one.moduleId), one] as const),
);

async function answer({ tests, mutant }: Question): Promise<void> {
  if (mutant !== undefined) {
    served = { path: `${root}${mutant.file}`, text: mutated(textOf(mutant.file), mutant) };
    vitest.invalidateFile(served.path);
  }
  const asked = tests.flatMap(test => specifications.get(test) ?? []);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked);
  const failed = testModules.find(module => module.state() === 'failed');
  if (served !== undefined) vitest.invalidateFile(served.path);
  served = undefined;
  const error = unhandledErrors.length > 0 ? 'an error outside tests' : null;
  say({ failed: failed === undefined ? error : relative(root, failed.moduleId) });
}

// Exit when the parent process is gone.
process.on('disconnect', () => process.exit());
process.on('message', (question: Question) => void answer(question));
say({ ready: [...specifications.keys()] });
