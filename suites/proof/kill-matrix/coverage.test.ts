import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpointIds, endpoints } from '../../../contracts/endpoints.ts';
import { proseRequirements } from '../../../contracts/requirements/index.ts';
import { faultKinds, faultNamed, faults } from '../../../reference-server/index.ts';
import { allUnits } from '../../checks/units.ts';
import { faultClasses } from './classes-page.fixture.ts';
import { due } from './detection.fixture.ts';
import { firstFindings } from './first-findings.fixture.ts';
import { allKills, kills } from './kills.fixture.ts';
import { shards } from './matrix.fixture.ts';

/** Requirements with a check but without a fault, and why. */
// biome-ignore format: a table
const withoutFault: Readonly<Record<string, string>> = {
  'query.limit': 'a limit that is not obeyed breaks pagination.limit-obeyed or pagination.default-limit',
  'query.page':  'a page that is not the one asked for breaks pagination.page-number or pagination.default-page',
};

test('every fault whose first finding is written down is in the catalogue', () => {
  expect(Object.keys(firstFindings).map(id => faultNamed(id).id)).toEqual(Object.keys(firstFindings));
});

test('every collection stands in one shard, so every fault does', () => {
  const collections = new Set(endpointIds.map(id => endpoints[id].collection));
  expect<readonly string[]>(Object.values(shards).flat().sort()).toEqual([...collections].sort());
  expect(Object.values(faultKinds).flat()).toEqual(faults);
});

test('there are at least 150 faults, and every endpoint has one', () => {
  expect(faults.length).toBeGreaterThanOrEqual(150);
  const having = new Set(faults.flatMap(fault => fault.endpoints));
  expect(
    endpointIds.filter(id => !having.has(id)),
    'no row in reference-server/faults/rows',
  ).toEqual([]);
});

test('every prose requirement that a check cites is broken by a fault', () => {
  const checked = new Set(
    allUnits().flatMap(({ check, endpoint }) => check.requirements(endpoints[endpoint], endpoint)),
  );
  const broken = new Set(faults.flatMap(due));
  const prose = proseRequirements.map(row => row.id).filter(id => checked.has(id) && !broken.has(id));
  expect(prose).toEqual(Object.keys(withoutFault));
});

/**
 * The order of cases follows from the contract, not from this catalogue (decision 18). So the quick profile finds the
 * same share as of faults that others chose: eight in ten.
 */
const leastOfQuick = 0.8;

test('the kill matrix knows how every fault is found, and the quick profile finds eight in ten', () => {
  const blind = 'stale or blind: npm run prove -- --changed';
  expect(Object.keys(kills()), blind).toEqual(faults.map(({ id }) => id));
  const quick = allKills().filter(({ kill }) => kill?.profile === 'quick').length;
  expect(quick / faults.length).toBeGreaterThanOrEqual(leastOfQuick);
});

test('nearly every fault is noted with one case that finds it, and put to the server that has it', () => {
  const { length } = allKills().filter(({ kill }) => kill?.noted.path === undefined);
  expect(length).toBeLessThan(faults.length * 0.05);
  const unnamed = allKills().filter(({ kill }) => kill?.named !== true);
  expect(unnamed.length).toBeLessThan(faults.length * 0.05);
});

test('every mechanism that the page of classes names is a file', () => {
  const files = faultClasses.flatMap(({ mechanism }) => mechanism);
  expect(files.filter(file => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
});
