import { describe, expect, test } from 'vitest';
import { exchange, recording } from '../record/recordings.fixture.ts';
import { align } from './align.ts';
import { counterpartsOf } from './counterparts.ts';

const of = 'create-metric/accepts#one';
const sent = (token: string, number: number, team: string, short: string) =>
  recording(token, [
    exchange({ id: of, endpoint: 'create-metric', body: { name: `conform_${token}_${number}`, team, short } }),
  ]);
const a = sent('aaaa', 7, 'payments', 'q7x');
const b = sent('bbbb', 3, 'billing', 'z01');
const learned = () => counterpartsOf(a, b, align(a, b).pairs);

describe('texts of two servers', () => {
  // biome-ignore format: a table
  test.each([
    ['that are equal',                                  'x',                        'x',                        true],
    ['that are not',                                    'x',                        'y',                        false],
    ['with the names that the same request created',    'conform_aaaa_7::count',    'conform_bbbb_3::count',    true],
    ['with names of different requests',                'conform_aaaa_8::count',    'conform_bbbb_3::count',    true],
    ['with the name of the one, and another text',      'conform_aaaa_7::count',    'conform_bbbb_3::sum',      false],
    ['with what the requests named in the same place',  'payments',                 'billing',                  true],
    ['with that within a longer text',                  'team payments, here',      'team billing, here',       true],
    ['with a short one that is a word',                 'metrics/q7x::count',       'metrics/z01::count',       true],
    ['with a short one within a word',                  'aq7xa',                    'az01a',                    false],
    ['with it the other way round',                     'billing',                  'payments',                 false],
    ['with the addresses of the servers',               'http://aaaa.example/x',    'http://bbbb.example/x',    true],
    ['with what an earlier run left there',             'conform_cccc_1',           'conform_dddd_9',           true],
  ])('%s', (_, one, other, isSame) => expect(learned().sameText(one, other)).toBe(isSame));

  test('name the same only where the counterpart is known', () => {
    const { sameName, isLeftBehind } = learned();
    expect(sameName('conform_aaaa_7', 'conform_bbbb_3')).toBe(true);
    expect(sameName('conform_aaaa_8', 'conform_bbbb_3')).toBe(false);
    expect(sameName('conform_cccc_1', 'conform_dddd_9')).toBe(false);
    const left = (name: string) => [isLeftBehind(name, 'a'), isLeftBehind(name, 'b')];
    expect([left('conform_cccc_1'), left('conform_aaaa_7'), left('x')]).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
  });
});

describe('ids that differ', () => {
  test('have to stay one for one', () => {
    const { sameId } = learned();
    expect(sameId('id-1', 'ID-9', 'person')).toBe(true);
    expect(sameId('id-1', 'ID-9', 'person')).toBe(true);
    expect(sameId('id-1', 'ID-8', 'person')).toBe(false);
    expect(sameId('id-2', 'ID-9', 'person')).toBe(false);
    expect(sameId('id-2', 'ID-8', 'person')).toBe(true);
  });

  test('are one among those of their scope, for a server that counts gives one id to a person and to a group', () => {
    const { sameId } = learned();
    expect(sameId(1, 'u-7', 'person')).toBe(true);
    expect(sameId(1, 'g-3', 'group of x')).toBe(true);
    expect(sameId(1, 'g-4', 'group of x')).toBe(false);
  });

  test('are not known by having been tried', () => {
    const { sameId, tentatively } = learned();
    expect(tentatively(() => sameId('id-1', 'ID-9', 'person'))).toBe(true);
    expect(sameId('id-1', 'ID-8', 'person')).toBe(true);
    expect(tentatively(() => sameId('id-1', 'ID-9', 'person'))).toBe(false);
  });
});
