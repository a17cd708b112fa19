import { expect, test } from 'vitest';
import type { Draft } from '../checks/check.ts';
import { createSecrets } from '../client/secrets.ts';
import { targetOf } from '../target/world.ts';
import { givenAnswer } from '../testing/answers.ts';
import { createCasebook, findingOf, levelOf, type Source, signatureOf } from './casebook.ts';

const draft = (pointer = '/data/name', actual = 'x'): Draft => ({
  requirement: 'echo.sent-field',
  pointer,
  expected: 'y',
  actual,
  answer: givenAnswer({ value: {} }),
});
const source = (index: number, unit = 'patch-gate/accepts'): Source => ({
  unit,
  index,
  path: String(index),
  description: { title: `case ${index}`, pointer: '/name', sent: 'y' },
});

test('positions in lists do not tell one cause from another; fields do', () => {
  const at = (pointer: string) => signatureOf('patch-gate/echo', draft(pointer), null);
  expect(at('/data/3/name')).toBe(at('/data/12/name'));
  expect(at('/data/3')).toBe(at('/data/4'));
  expect(at('/data/3/name')).not.toBe(at('/data/3/id'));
  expect(at('/data/name3')).not.toBe(at('/data/name4'));
});

test('the field of the case and the check that judges tell causes apart', () => {
  const about = (pointer: string, owner = 'a/b') => signatureOf(owner, draft(), { title: '', pointer });
  expect(about('/name')).not.toBe(about('/tags'));
  expect(about('/tags/0')).toBe(about('/tags/1'));
  expect(about('/name')).not.toBe(about('/name', 'a/c'));
});

test('the lowest case of a unit is kept, whatever the order in which cases end, and all are counted', () => {
  const casebook = createCasebook();
  for (const index of [5, 2, 9, 3]) casebook.add('s', draft('/data', `of ${index}`), source(index));
  expect(casebook.grievances.get('s')).toMatchObject({
    occurrences: 4,
    source: { index: 2 },
    draft: { actual: 'of 2' },
  });
});

test('the first unit to show a grievance keeps it: indexes of different units do not compare', () => {
  const casebook = createCasebook();
  casebook.add('s', draft(), source(5, 'patch-gate/accepts'));
  casebook.add('s', draft(), source(0, 'patch-gate/rejects'));
  expect(casebook.grievances.get('s')?.source).toMatchObject({ unit: 'patch-gate/accepts', index: 5 });
});

test('the number of grievances is bounded; known ones are still counted', () => {
  const casebook = createCasebook();
  for (let index = 0; index < 500; index += 1) casebook.add(`s${index}`, draft(), source(index));
  casebook.add('s0', draft(), source(501));
  expect(casebook.grievances.size).toBe(40);
  expect(casebook.grievances.get('s0')?.occurrences).toBe(2);
});

test('a finding has its level from the ledger, and names the unit only where another check caused it', () => {
  const casebook = createCasebook();
  casebook.add('s', draft('/data', 'the-secret-key came'), source(1));
  const grievance = casebook.grievances.get('s');
  if (grievance === undefined) throw new Error('it was just added');
  const target = targetOf({}, new URL('http://127.0.0.1:9'), 'the-secret-key');
  const secrets = createSecrets();
  secrets.add('the-secret-key', '«key»');
  const own = findingOf(grievance, 'patch-gate/accepts', target, secrets);
  expect(own).toMatchObject({
    level: 'MUST',
    actual: '«key» came',
    counterexample: { path: '1', pointer: '/name', sent: 'y' },
  });
  expect(own.counterexample).not.toHaveProperty('unit');
  expect(own.counterexample).not.toHaveProperty('twin');
  const watched = findingOf(grievance, 'patch-gate/echo', target, secrets);
  expect(watched.counterexample?.unit).toBe('patch-gate/accepts');
});

test('an open row can never be violated: citing one is the fault of the suite', () => {
  expect(levelOf('echo.order-and-space')).toBe('SHOULD');
  expect(() => levelOf('no.such-row')).toThrow();
});
