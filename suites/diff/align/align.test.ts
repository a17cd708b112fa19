import { describe, expect, test } from 'vitest';
import { caseOf } from '../record/recording.ts';
import { exchange, recording } from '../record/recordings.fixture.ts';
import { align } from './align.ts';

const unit = 'patch-gate/frame';

describe('the case of an exchange', () => {
  const titles = { [`${unit}#one`]: '', [`${unit}#one.12345`]: '' };
  // biome-ignore format: a table
  test.each([
    [`${unit}#one`,         `${unit}#one`],
    [`${unit}#one.2`,       `${unit}#one`],
    [`${unit}#one.12345`,   `${unit}#one.12345`],
    [`${unit}#one.12345.3`, `${unit}#one.12345`],
    ['preflight.2',         null],
    [`${unit}#other`,       null],
  ])('%s is of %s', (id, of) => expect(caseOf(id, { titles })).toBe(of));
});

describe('two recordings are aligned', () => {
  const patch = (id: string, body = {}) => exchange({ id, param: 'a', body });

  test('case by case, whatever the order in which the cases were sent', () => {
    const a = recording('aa', [patch(`${unit}#one`), patch(`${unit}#two`)]);
    const b = recording('bb', [patch(`${unit}#two`), patch(`${unit}#one`)]);
    expect(align(a, b).pairs.map(pair => [pair.a.id, pair.b.id])).toEqual([
      [`${unit}#one`, `${unit}#one`],
      [`${unit}#two`, `${unit}#two`],
    ]);
  });

  test('by the last of readings that were repeated until a write showed', () => {
    const write = (id: string) => patch(id, { description: 'x' });
    const a = recording('aa', [write(`${unit}#one`), patch(`${unit}#one.2`)]);
    const b = recording('bb', [write(`${unit}#one`), patch(`${unit}#one.2`), patch(`${unit}#one.3`)]);
    const { pairs, unaligned } = align(a, b);
    expect(pairs.map(pair => pair.b.id)).toEqual([`${unit}#one`, `${unit}#one.3`]);
    expect(unaligned).toEqual([]);
  });

  test('and what only one was sent is told with the reason', () => {
    const a = recording('aa', [patch(`${unit}#one`), patch('disable-gate/frame#x')]);
    const b = recording('bb', [patch(`${unit}#two`)], { untested: { 'disable-gate/frame': 'no gate' } });
    expect(align(a, b).unaligned.map(one => [one.exchange.id, one.because])).toEqual([
      [`${unit}#one`, 'B was not sent the case, for what it shows of itself leads to others'],
      ['disable-gate/frame#x', 'B could not be tested: no gate'],
      [`${unit}#two`, 'A was not sent the case, for what it shows of itself leads to others'],
    ]);
  });

  test('a control that one of them was sent more often is not set beside the request that it controls', () => {
    const metric = (id: string, token: string, event: Readonly<Record<string, string>>, status: number) => ({
      ...exchange({ id: `${unit}#one${id}`, endpoint: 'create-metric' as const, status }),
      request: {
        ...exchange({ id, endpoint: 'create-metric' as const }).request,
        body: { name: `conform_${token}_${id.length}`, type: 'mean', metricEvents: [event] },
      },
    });
    const [control, faulty] = [{ name: 'checkout', type: 'count' }, { type: 'count' }];
    const a = recording('aa', [metric('', 'aa', faulty, 400), metric('.2', 'aa', control, 200)]);
    const b = recording('bb', [
      metric('', 'bb', control, 402),
      metric('.2', 'bb', control, 200),
      metric('.3', 'bb', faulty, 400),
    ]);
    const { pairs, unaligned } = align(a, b);
    expect(pairs.map(pair => [pair.a.id, pair.b.id])).toEqual([
      [`${unit}#one`, `${unit}#one.3`],
      [`${unit}#one.2`, `${unit}#one`],
    ]);
    expect(unaligned.map(one => one.exchange.id)).toEqual([`${unit}#one.2`]);
    expect(
      align(recording('aa', [metric('', 'aa', faulty, 400)]), recording('bb', [metric('', 'bb', control, 402)])).pairs,
    ).toEqual([]);
  });

  test('in the words of each server, where these differ', () => {
    const sent = (token: string, param: string, team: string) =>
      recording(token, [
        exchange({ id: `${unit}#one`, param, body: { team, description: `of ${token}` } }),
        exchange({ id: `${unit}#one.2`, param, body: { description: `of ${token}` } }),
      ]);
    expect(
      align(sent('aaaa', 'x', 'payments'), sent('bbbb', 'y', 'billing')).pairs.map(pair => [pair.a.id, pair.b.id]),
    ).toEqual([
      [`${unit}#one`, `${unit}#one`],
      [`${unit}#one.2`, `${unit}#one.2`],
    ]);
  });

  test('also where one shows members of its own, which are sent back to it', () => {
    const sent = (token: string, more: Readonly<Record<string, string>>) =>
      recording(token, [
        exchange({
          id: `${unit}#one`,
          endpoint: 'update-qualifying-event',
          body: { sql: 'SELECT 1', idTypeMapping: [{ serviceUnitID: 'userID', column: 'id', ...more }] },
        }),
      ]);
    expect(align(sent('aaaa', {}), sent('bbbb', { _links: 'x' })).pairs).toHaveLength(1);
  });

  test('what comes after writes that differ is apart', () => {
    const sent = (token: string, isEnabled: boolean) =>
      recording(token, [
        patch(`${unit}#one`, { isEnabled }),
        patch(`${unit}#one.2`),
        patch(`${unit}#one.3`, { tags: [] }),
      ]);
    const isApart = (b: boolean) => align(sent('aa', true), sent('bb', b)).pairs.map(pair => pair.isApart);
    expect(isApart(true)).toEqual([false, false, false]);
    expect(isApart(false)).toEqual([false, true, true]);
  });

  test('what comes after a write that only one of them took is apart', () => {
    const answered = (token: string, status: number) =>
      recording(token, [
        { ...patch(`${unit}#one`, { description: 'x' }), status },
        { ...patch(`${unit}#one.2`), status: 200 },
      ]);
    const isApart = (b: number) => align(answered('aa', 422), answered('bb', b)).pairs.map(pair => pair.isApart);
    expect(isApart(400)).toEqual([false, false]);
    expect(isApart(200)).toEqual([false, true]);
  });
});
