import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../mutants/judged.ts';
import { isFound } from '../mutants/rows.ts';
import { outcomes, regressions, unfound } from './regressions.ts';
import { hasPython, startPython } from './server.fixture.ts';

const judged = async (regression?: string) => {
  const up = await startPython(regression);
  try {
    return await outcomeOf(up, 'quick');
  } finally {
    up.kill();
  }
};

describe.skipIf(!hasPython() && process.env.CI === undefined)('a server in Python that nobody tuned for', () => {
  test('is accused of nothing, and leaves nothing incomplete', async () => {
    const { judgement, causes, incomplete } = await judged();
    expect([judgement, causes, incomplete ?? []]).toEqual(['silent', [], []]);
  });

  test('is found to be broken where it is', async () => {
    const { judgement, causes = [] } = await judged('r15');
    expect(judgement).toBe('found');
    expect(causes[0]).toMatchObject({ requirements: ['state.disable-gate-frame'], endpoints: ['disable-gate'] });
  });
});

test('each regression that was not found has a class and a reason, and no other has one', () => {
  const told = outcomes();
  const ids = regressions().map(({ id }) => id);
  expect(Object.keys(told).sort()).toEqual([...ids].sort());
  const left = ids.filter(id => told[id] === undefined || !isFound(told[id]));
  expect(Object.keys(unfound()).sort()).toEqual(left.sort());
  for (const { class: one, because } of Object.values(unfound())) expect(because === undefined).toBe(one !== 'missed');
});
