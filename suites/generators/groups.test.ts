import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import { experimentRequest } from '../../contracts/resources/index.ts';
import { acceptArbitrary, acceptCases } from './accept.ts';
import { arbitraryIn } from './arbitrary.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import { rejectCases } from './reject.ts';

const named = ['A', 'B', 'C'];
const templateWith = (...sizes: readonly number[]): JsonObject => ({
  ...templates['update-experiment'],
  groups: sizes.map((size, index) => ({ name: named[index] as string, size, parameterValues: {} })),
});

/** Returns the groups of every body that must be accepted. */
const acceptedFrom = (base: JsonObject): readonly (readonly JsonObject[])[] =>
  [
    ...acceptCases(experimentRequest, base, everythingDeclared).cases,
    ...fc.sample(acceptArbitrary(experimentRequest, base, everythingDeclared), { seed: 7, numRuns: 400 }),
  ].map(({ body }) => body.groups as JsonObject[]);

const template = templateWith(34, 33, 33);
const accepted = acceptedFrom(template);

test('an experiment with one group keeps it alone, at 100 percent', () => {
  for (const groups of acceptedFrom(templateWith(100)))
    expect(groups.map(({ name, size }) => [name, size])).toEqual([['A', 100]]);
});

test('every case keeps the groups of the template, by name and number', () => {
  for (const groups of accepted) expect(groups.map(({ name }) => name).sort()).toEqual(named);
});

test('the sizes of groups always add up to 100', () => {
  for (const groups of accepted) expect(groups.reduce((sum, { size }) => sum + Number(size), 0)).toBeCloseTo(100, 9);
});

test('all groups of a case have the same parameters', () => {
  const keysOf = ({ parameterValues }: JsonObject): string =>
    isObject(parameterValues) ? Object.keys(parameterValues).sort().join() : 'none';
  const seen = accepted.map(groups => new Set(groups.map(keysOf)));
  for (const keys of seen) expect(keys.size).toBe(1);
  expect(seen.some(keys => !keys.has('') && !keys.has('none'))).toBe(true);
});

test('the controls of what must be refused keep the groups as well', () => {
  for (const { control } of rejectCases(experimentRequest, template, everythingDeclared).cases)
    expect((control.groups as JsonObject[]).map(({ name }) => name)).toEqual(named);
});

test('groups of which no template tells are two or more, of different names', () => {
  const drawn = fc.sample(
    arbitraryIn(experimentRequest.properties.groups, { capabilities: everythingDeclared, root: {} }) ?? fc.constant([]),
    { seed: 8, numRuns: 60 },
  ) as JsonObject[][];
  const counts = new Set(drawn.map(groups => groups.length));
  expect(Math.min(...counts)).toBe(2);
  expect(counts.size).toBeGreaterThan(2);
  for (const groups of drawn) expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
});
