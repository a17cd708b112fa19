import { expect, test } from 'vitest';
import { notedSightings, unfound } from './page.fixture.ts';

test('of each fault that shows and is not found the page says why', () => {
  const missed = Object.entries(notedSightings()).filter(([, { visibility }]) => visibility === 'missed');
  expect(missed.map(([id]) => id).sort()).toEqual(Object.keys(unfound).sort());
});
