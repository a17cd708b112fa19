import { describe, expect, test } from 'vitest';
import { faults } from '../../../reference-server/index.ts';
import { shareOf } from '../testing/proof-share.ts';
import { isDriven, sightingOf } from './faults.fixture.ts';
import { notedSightings, unfound } from './page.fixture.ts';

const sightings = notedSightings();

describe('what ordinary traffic and broken clients show of a fault is what the page says', () => {
  const noted = faults.filter(fault => isDriven(fault) && sightings[fault.id] !== undefined);
  test.each(shareOf(noted).map(row => [row.id, row] as const))('%s', async (id, fault) => {
    expect((await sightingOf(fault)).visibility).toBe(sightings[id]);
  });
});

test('of each fault that shows and is not found the page says why', () => {
  const missed = Object.keys(sightings).filter(id => sightings[id] === 'missed');
  expect(missed.sort()).toEqual(Object.keys(unfound).sort());
});
