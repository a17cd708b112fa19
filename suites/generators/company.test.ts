import { expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import { isValid } from '../../contracts/validation.ts';
import { referenceTarget } from '../../reference-server/index.ts';
import { minimalRequest } from '../sut/minimal-request.ts';
import { targetOf } from '../sut/target.ts';
import { companyOf, fieldsOf } from './company.ts';

const target = targetOf(referenceTarget(), new URL('http://service.invalid'), 'a-key');
const withBody = [
  'patch-gate',
  'update-qualifying-event',
  'update-experiment',
  'create-metric',
  'create-prompt-version',
] as const;

const packsOf = (id: (typeof withBody)[number]) => {
  const minimal = minimalRequest(target, { qualifyingEvents: new Map() }, id);
  if ('remedy' in minimal) throw new Error(minimal.because);
  return companyOf(endpoints[id].body, id === 'patch-gate' ? {} : (minimal.body ?? {}), target);
};

test.each(withBody)('every body of %s is valid', id => {
  expect(packsOf(id).filter(({ body }) => !isValid(endpoints[id].body, body))).toEqual([]);
});

test('of every two fields of a gate both stand in a body, and each without the other', () => {
  const carried = packsOf('patch-gate').map(pack => new Set(fieldsOf(pack)));
  const fields = [...new Set(carried.flatMap(set => [...set]))];
  const lacking = fields.flatMap(one =>
    fields
      .filter(other => other !== one)
      .filter(
        other =>
          !carried.some(set => set.has(one) && set.has(other)) || !carried.some(set => set.has(one) && !set.has(other)),
      )
      .map(other => `${one} ${other}`),
  );
  const alike = ['team teamID', 'teamID team', 'creatorID creatorEmail', 'creatorEmail creatorID'];
  expect(lacking.sort()).toEqual(alike.sort());
});

test('each field of a gate has two values, and the first eight bodies carry each field', () => {
  const packs = packsOf('patch-gate');
  const early = new Set(packs.slice(0, 8).flatMap(fieldsOf));
  for (const field of new Set(packs.flatMap(fieldsOf))) {
    const values = new Set(packs.map(({ body }) => JSON.stringify(body[field])));
    values.delete(undefined as unknown as string);
    expect(values.size, field).toBeGreaterThan(1);
    expect(early, field).toContain(field);
  }
});

test('what a field needs beside it comes with it', () => {
  const windows = packsOf('create-metric').filter(({ body }) => body.customRollUpStart !== undefined);
  expect(windows.length).toBeGreaterThan(0);
  expect(windows.every(({ body }) => body.rollupTimeWindow === 'custom' && body.customRollUpEnd !== undefined)).toBe(
    true,
  );
});
