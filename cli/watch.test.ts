import { describe, expect, test } from 'vitest';
import type { Report } from '../contracts/report/report.ts';
import { examples } from '../reports/testing/examples.fixture.ts';
import { reportOf } from '../reports/testing/runs.fixture.ts';
import type { Target } from '../suites/protocol/sut.ts';
import type { Change } from './commands/run.ts';
import { watch } from './commands/run.ts';
import type { RunFlags } from './definitions/target.ts';
import { UsageError } from './input.ts';

const reports = {
  green: reportOf(examples.green),
  failing: reportOf(examples.failing),
  unreachable: reportOf(examples.unreachable),
};

type Step = keyof typeof reports | Error | 130;

/** Watches runs with these results, and these changes between them. */
async function watched(
  steps: readonly Step[],
  changes: readonly Change[],
  { failed, before }: { readonly failed?: boolean; readonly before?: Report } = {},
) {
  const ran: { readonly failed: boolean | undefined; readonly last: Report | undefined }[] = [];
  const gone: boolean[] = [];
  const said: string[] = [];
  const code = await watch({ failed } as unknown as RunFlags, before, new AbortController().signal, {
    say: text => void said.push(text),
    run: async (flags, last) => {
      const step = steps[ran.length] as Step;
      ran.push({ failed: flags.failed, last });
      if (step instanceof Error) throw step;
      if (step === 130) return { exitCode: 130, report: reports.green, target: {} as Target };
      return { exitCode: reports[step].exitCode, report: reports[step], target: {} as Target };
    },
    wait: async (_ended, isGone) => {
      gone.push(isGone);
      return changes[gone.length - 1] ?? 'quit';
    },
  });
  return { code, ran, gone, said: said.join('') };
}

describe('watching', () => {
  test('runs again after each change, and tells each run of the one before it', async () => {
    const { code, ran, said } = await watched(['failing', 'green', 'failing'], ['restart', 'key', 'quit']);
    expect(ran.map(({ last }) => last?.verdict)).toEqual([undefined, 'non-conformant', 'conformant']);
    expect(code).toBe(1);
    expect(said).toBe('\nAgain: the target is back.\n\nAgain: a key was pressed.\n');
  });

  test('begins with what failed in the run before it, if there was one', async () => {
    const { ran } = await watched(['green'], ['quit'], { before: reports.failing });
    expect(ran[0]?.last).toBe(reports.failing);
  });

  test('ends with 130 when it is interrupted, in a run and between two', async () => {
    expect((await watched(['failing'], ['interrupted'])).code).toBe(130);
    const inRun = await watched(['failing', 130], ['restart']);
    expect(inRun).toMatchObject({ code: 130, gone: [false] });
  });

  test('waits for a target that could not be reached, and compares with the last run that reached it', async () => {
    const { ran, gone } = await watched(['failing', 'unreachable', 'green'], ['restart', 'restart', 'quit']);
    expect(gone).toEqual([false, true, false]);
    expect(ran[2]?.last).toBe(reports.failing);
  });

  test('does not run over and over where the target answers and yet cannot be run against', async () => {
    const { gone } = await watched(['unreachable', 'unreachable', 'unreachable'], ['restart', 'restart', 'quit']);
    expect(gone).toEqual([true, false, true]);
  });

  test('tries what failed alone until nothing of it fails, then everything', async () => {
    const changes: Change[] = ['restart', 'restart', 'restart', 'quit'];
    const { ran } = await watched(['failing', 'green', 'failing', 'green'], changes, {
      failed: true,
      before: reports.failing,
    });
    expect(ran.map(({ failed }) => failed)).toEqual([true, true, false, true]);
  });

  test('ends on a mistake at once, but later tells it and waits for the next change', async () => {
    await expect(watched([new UsageError('no such file')], [])).rejects.toThrow('no such file');
    const later = await watched(['green', new UsageError('c.json is not valid JSON'), 'green'], ['restart', 'restart']);
    expect(later.said).toContain('conform: c.json is not valid JSON\n');
    expect(later.ran).toHaveLength(3);
    await expect(watched(['green', new Error('a fault')], ['restart'])).rejects.toThrow('a fault');
  });
});
