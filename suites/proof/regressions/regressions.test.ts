import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../mutants/judged.ts';
import { isFound } from '../mutants/rows.ts';
import { outcomesOf, proveRegressions, regressionsOf, unfoundOf } from './regressions.ts';
import { startServer } from './server.fixture.ts';
import { type Stack, stackOf, stacks } from './stacks.ts';

const judged = async (stack: Stack, regression?: string) => {
  const up = await startServer(stack, regression);
  try {
    return await outcomeOf(up, 'quick');
  } finally {
    up.kill();
  }
};

// Stacks that need compiling are measured only by `npm run prove -- regressions`.
describe.each<[stack: string, regression: string, first: object]>([
  ['python', 'r15', { requirements: ['state.disable-gate-frame'], endpoints: ['disable-gate'] }],
])('a server in %s that nobody tuned for', (name, regression, first) => {
  const stack = stackOf(name);
  const isLeftOut = !stack.isThere() && process.env.CI === undefined;
  const titled = (title: string): string => (isLeftOut ? `${title}: needs ${stack.needs}` : title);

  // The warnings of a standard run (`warned` of a stack) never appear in a quick run.
  test.skipIf(isLeftOut)(titled('is accused of nothing, and leaves nothing incomplete'), async () => {
    const { judgement, causes, incomplete } = await judged(stack);
    expect([judgement, causes, incomplete ?? []]).toEqual(['silent', [], []]);
  });

  test.skipIf(isLeftOut)(titled('is found to be broken where it is'), async () => {
    const { judgement, causes = [] } = await judged(stack, regression);
    expect(judgement).toBe('found');
    expect(causes[0]).toMatchObject(first);
  });
});

test.each(stacks)(
  'each regression of $name that was not found has a class and a reason, and no other has one',
  stack => {
    const told = outcomesOf(stack);
    const ids = regressionsOf(stack).map(({ id }) => id);
    expect(Object.keys(told).sort()).toEqual([...ids].sort());
    const left = ids.filter(id => told[id] === undefined || !isFound(told[id]));
    expect(Object.keys(unfoundOf(stack)).sort()).toEqual(left.sort());
    for (const { class: one, because } of Object.values(unfoundOf(stack)))
      expect(because === undefined).toBe(one !== 'missed');
  },
);

test('a regression that is asked for and is none is told, and counted', async () => {
  const lines: string[] = [];
  expect(await proveRegressions(['go/r99', 'rust'], line => lines.push(line))).toBe(2);
  expect(lines).toEqual(['regressions: there is no go/r99', 'regressions: there is no rust']);
});
