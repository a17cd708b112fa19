import { describe, expect, test } from 'vitest';
import { requirementById } from '../../../contracts/requirements/index.ts';
import { faults } from '../../../reference-server/index.ts';
import { attributed } from './faults.fixture.ts';
import { notedDifferences } from './page.fixture.ts';
import { sampleOf } from './sample.fixture.ts';

const noted = notedDifferences().faults;
const unnamed = Object.keys(noted).filter(id => noted[id] === false);

describe('a broken server beside the reference server is the one that is named', () => {
  test.each(sampleOf(faults).map(row => [row.id, row] as const))('%s', async (id, fault) => {
    const { asB, asA } = await attributed(fault);
    expect({ b: asB.wrongly, a: asA.wrongly }).toEqual({ b: [], a: [] });
    // Of what depends on luck, another run may show nothing.
    const isSporadic = requirementById(fault.requirement).sporadic === true;
    if (!unnamed.includes(id) && !isSporadic) expect([asB.isNamed, asA.isNamed]).toEqual([true, true]);
  });
});

test('nearly every fault is put to the server that has it', () => {
  expect(unnamed.length).toBeLessThan(Object.keys(noted).length * 0.05);
  expect(Object.keys(noted).filter(id => !faults.some(fault => fault.id === id))).toEqual([]);
});
