import { expect, test } from 'vitest';
import { createSecrets } from '../../contracts/redaction/secrets.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import type { Violation } from '../protocol/check.ts';
import { targetOf } from '../sut/target.ts';
import { createFindingsCollector, findingOf, type Source, signatureOf, violatedLevel } from './findings.ts';

const violation = (pointer = '/data/name', actual = 'x'): Violation => ({
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
  const at = (pointer: string) => signatureOf('patch-gate/echo', violation(pointer), null);
  expect(at('/data/3/name')).toBe(at('/data/12/name'));
  expect(at('/data/3')).toBe(at('/data/4'));
  expect(at('/data/3/name')).not.toBe(at('/data/3/id'));
  expect(at('/data/name3')).not.toBe(at('/data/name4'));
});

test('the field of the case and the check that judges tell causes apart', () => {
  const about = (pointer: string, owner = 'a/b') => signatureOf(owner, violation(), { title: '', pointer });
  expect(about('/name')).not.toBe(about('/tags'));
  expect(about('/tags/0')).toBe(about('/tags/1'));
  expect(about('/name')).not.toBe(about('/name', 'a/c'));
});

test('the lowest case of a unit is kept, whatever the order in which cases end, and all are counted', () => {
  const collector = createFindingsCollector();
  for (const index of [5, 2, 9, 3]) collector.add('s', violation('/data', `of ${index}`), source(index));
  expect(collector.groups.get('s')).toMatchObject({
    occurrences: 4,
    source: { index: 2 },
    violation: { actual: 'of 2' },
  });
});

test('the lowest other cases of the unit are kept beside it, each once', () => {
  const collector = createFindingsCollector();
  for (const index of [5, 2, 9, 3, 5, 7]) collector.add('s', violation('/data', `of ${index}`), source(index));
  collector.add('s', violation('/data', 'of another unit'), source(0, 'patch-gate/rejects'));
  expect(collector.groups.get('s')?.others.map(({ index }) => index)).toEqual([3, 5, 7]);
});

test('a violation without a doubt is kept rather than one with a doubt, whichever case is lower', () => {
  const doubtful = { ...violation('/data', 'once'), doubt: 'seen once' };
  for (const order of [
    [1, 5],
    [5, 1],
  ] as const) {
    const collector = createFindingsCollector();
    for (const index of order) collector.add('s', index === 1 ? doubtful : violation('/data', 'sure'), source(index));
    expect(collector.groups.get('s')).toMatchObject({
      occurrences: 2,
      source: { index: 5 },
      violation: { actual: 'sure' },
    });
  }
});

test('a violation without a doubt does not take over how often the doubtful one was seen', () => {
  const collector = createFindingsCollector();
  collector.add('s', { ...violation(), doubt: 'seen 1 of 3 times' }, source(1));
  const group = collector.groups.get('s');
  if (group === undefined) throw new Error('the violation makes a group');
  group.seen = { times: 1, of: 3 };
  collector.add('s', { ...violation(), doubt: 'seen once' }, source(0));
  expect(group.seen).toEqual({ times: 1, of: 3 });
  collector.add('s', violation(), source(5));
  expect(group.seen).toBeUndefined();
});

test('the first unit to show a group keeps it: indexes of different units do not compare', () => {
  const collector = createFindingsCollector();
  collector.add('s', violation(), source(5, 'patch-gate/accepts'));
  collector.add('s', violation(), source(0, 'patch-gate/rejects'));
  expect(collector.groups.get('s')?.source).toMatchObject({ unit: 'patch-gate/accepts', index: 5 });
});

test('a case about the accused member is kept rather than one that sent much beside it, whichever unit was first', () => {
  const whole: Source = { ...source(0, 'patch-gate/neighbours'), description: { title: 'all fields', pointer: '' } };
  const other: Source = { ...source(3, 'patch-gate/values'), description: { title: 'tags', pointer: '/tags' } };
  const keptOf = (pointer: string, ...sources: readonly Source[]) => {
    const collector = createFindingsCollector();
    for (const one of sources) collector.add('s', violation(pointer), one);
    return collector.groups.get('s')?.source;
  };
  const own = source(7);
  // Cases of one unit end in any order.
  expect(keptOf('/data/name', { ...whole, unit: own.unit }, own)).toMatchObject({ index: 0 });
  expect([keptOf('/data/name', whole, other, own), keptOf('/data/0/name/0', own, whole)]).toEqual([own, own]);
  expect(keptOf('/data/names', whole, own)).toBe(whole);
});

test('the number of groups is bounded; known ones are still counted', () => {
  const collector = createFindingsCollector();
  for (let index = 0; index < 500; index += 1) collector.add(`s${index}`, violation(), source(index));
  collector.add('s0', violation(), source(501));
  expect(collector.groups.size).toBe(40);
  expect(collector.groups.get('s0')?.occurrences).toBe(2);
});

test('a finding has its level of its requirement, and names the unit only where another check caused it', () => {
  const collector = createFindingsCollector();
  collector.add('s', violation('/data', 'another came'), source(1));
  const group = collector.groups.get('s');
  if (group === undefined) throw new Error('it was just added');
  const target = targetOf({}, new URL('http://127.0.0.1:9'), 'the-secret-key');
  const own = findingOf(group, 'patch-gate/accepts', target, createSecrets());
  expect(own).toMatchObject({
    level: 'MUST',
    actual: 'another came',
    counterexample: { path: '1', pointer: '/name', sent: 'y' },
  });
  expect(own.counterexample).not.toHaveProperty('unit');
  expect(own.counterexample).not.toHaveProperty('control');
  const watched = findingOf(group, 'patch-gate/echo', target, createSecrets());
  expect(watched.counterexample?.unit).toBe('patch-gate/accepts');
});

test('an open row can never be violated: citing one is the fault of the suite', () => {
  expect(violatedLevel('echo.order-and-space')).toBe('SHOULD');
  expect(() => violatedLevel('no.such-row')).toThrow();
});

test('failures take the place of warnings where there are too many, and what is left out is counted', () => {
  const collector = createFindingsCollector();
  const warning = (index: number): Violation => ({ ...violation(`/data/w${index}`), requirement: 'reject.wrong-type' });
  for (let index = 0; index < 50; index += 1) collector.add(`w${index}`, warning(index), source(index));
  expect([collector.groups.size, collector.leftOut()]).toEqual([40, { failures: 0, warnings: 10 }]);
  collector.add('f', violation(), source(50));
  expect([collector.groups.size, collector.groups.has('f'), collector.groups.has('w39')]).toEqual([40, true, false]);
  collector.add('w39', warning(39), source(39));
  expect([collector.groups.has('w39'), collector.leftOut()]).toEqual([false, { failures: 0, warnings: 12 }]);
  for (let index = 0; index < 45; index += 1) collector.add(`f${index}`, violation(`/data/f${index}`), source(index));
  expect([...collector.groups.values()].every(one => one.violation.requirement === 'echo.sent-field')).toBe(true);
  expect(collector.leftOut()?.failures).toBe(6);
  expect(createFindingsCollector().leftOut()).toBeUndefined();
});
