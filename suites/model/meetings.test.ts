import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { gate, patch, readGate, type Shown, tell } from './told.fixture.ts';

/** A model that has read two gates, and learns of writes in flight at the same time. */
function meeting(all: readonly (readonly [ApiRequest, Shown])[]) {
  const told = tell({ isSoleWriter: true });
  for (const id of ['a', 'b']) told.exchange({ endpoint: readGate, param: id }, { data: gate(id) });
  const meet = (writes: typeof all): void => {
    const numbers = writes.map(([request]) => told.begin(request));
    for (const [index, [, shown]] of writes.entries()) told.answer(numbers[index] as number, shown);
  };
  meet(all);
  const shows = (id: string, more: JsonObject): void =>
    told.exchange({ endpoint: readGate, param: id }, { data: gate(id, more) });
  return { ...told, meet, shows };
}

const [one, other] = ['conform_ours_1x', 'conform_ours_2x'];
const described = (param: string, description: string, shown = description) =>
  [patch(param, { description }), { data: gate(param, { description: shown }) }] as const;
const tagged = [patch('a', { tags: [other] }), { data: gate('a', { tags: [other] }) }] as const;

describe('of writes at once', () => {
  test('that end in another order than they began, the one that ended last is a cause too', () => {
    const told = meeting([]);
    const slow = told.begin(patch('a', { description: one }));
    told.exchange(...tagged);
    const reading = told.begin({ endpoint: readGate, param: 'a' });
    told.answer(reading, { data: gate('a', { tags: [other] }) });
    told.answer(slow, { data: gate('a', { description: one, tags: [other] }) });
    told.shows('a', { tags: [other] });
    expect(told.said()).toEqual(['firm lost a description state.concurrent-fields']);
  });

  test('that send different fields, a lost one breaks what is said of different fields', () => {
    const told = meeting([described('a', one), tagged]);
    told.shows('a', { tags: [other] });
    expect(told.said()).toEqual(['firm lost a description state.concurrent-fields']);
  });

  test('that send one field, the value of either may stand, and no other', () => {
    const right = meeting([described('a', one), described('a', other)]);
    right.shows('a', { description: one });
    expect(right.said()).toEqual([]);
    expect(right.covers).toContain('state.concurrent-values');
    const torn = meeting([described('a', one), described('a', other)]);
    torn.shows('a', { description: `${one.slice(0, 5)}${other.slice(5)}, half and half` });
    expect(torn.said()).toEqual(['firm lost a description state.concurrent-values']);
  });

  test('replace what an earlier race has left, if it was read since', () => {
    const left = { description: one, tags: [other] };
    const told = meeting([described('a', one), [patch('a', { tags: [other] }), { data: gate('a', left) }]]);
    told.shows('a', left);
    told.covers.clear();
    const next = { description: other, tags: [one] };
    told.meet([
      [patch('a', { description: other }), { data: gate('a', next) }],
      [patch('a', { tags: [one] }), { data: gate('a', next) }],
    ]);
    told.shows('a', next);
    expect(told.said()).toEqual([]);
    expect(told.covers).toContain('state.concurrent-fields');
  });

  test('one that is answered with a wrong value does not excuse it for the future', () => {
    const told = meeting([]);
    const off = { isEnabled: false };
    const disable = (more: JsonObject) =>
      [{ endpoint: 'disable-gate', param: 'a' }, { data: gate('a', { ...off, ...more }) }] as const;
    told.exchange(patch('a', off), { data: gate('a', off) });
    told.meet([described('a', one), disable({ description: one })]);
    const before = told.said().length;
    told.exchange(...disable({ description: one }));
    told.shows('a', { description: one });
    expect(before).toBe(1);
    expect(told.said().slice(before)).toEqual(['firm lost a isEnabled state.disable-gate-false']);
  });

  test('what an answer shows beside one that is not answered yet is replaced by later writes', () => {
    const told = meeting([]);
    const broken = told.begin(patch('a', { description: 5 }));
    told.shows('a', { description: 'Between' });
    told.answer(broken, { data: gate('a', { description: 'Between' }) });
    told.exchange(patch('a', { description: one }), { data: gate('a', { description: one }) });
    told.shows('a', { description: 'Between' });
    expect(told.said()).toEqual(['firm lost a description state.patch-every-sent']);
  });

  test('each may be answered with the value of the other, and with no third one', () => {
    expect(meeting([described('a', one, other), described('a', other)]).said()).toEqual([]);
    const told = meeting([described('a', one, 'All about a'), described('a', other)]);
    expect(told.said()).toEqual(['firm lost a description state.concurrent-values']);
  });

  test('of which one had to be refused, nothing is said of what is made of it', () => {
    const typed = (type: string, shown: string) =>
      [patch('a', { type }), { data: gate('a', { type: shown }) }] as const;
    expect(meeting([typed('permanent', 'PERMANENT'), typed('TEMPORARY', 'PERMANENT')]).said()).toEqual([]);
    const third = meeting([typed('PERMANENT', 'HOLDOUT'), typed('TEMPORARY', 'HOLDOUT')]);
    expect(new Set(third.said())).toEqual(new Set(['firm lost a type state.concurrent-values']));
  });

  test('to several gates, a lost one breaks what is said of those', () => {
    const told = meeting([described('a', one), described('b', other)]);
    told.shows('a', { description: one });
    expect(told.covers).toContain('state.concurrent-answers');
    told.shows('b', {});
    expect(told.said()).toEqual(['firm lost b description state.concurrent-answers']);
  });

  test('to several gates, one that shows the text of another was mixed up', () => {
    const told = meeting([described('a', one), described('b', other)]);
    told.shows('a', { description: other });
    expect(told.said()).toEqual(['firm changed a description state.concurrent-answers']);
  });

  test('one that was refused leaves nothing, and lets nothing of a race be proven', () => {
    const refused = [patch('a', { tags: [other] }), { status: 409 }] as const;
    const right = meeting([described('a', one), refused]);
    right.shows('a', { description: one });
    expect(right.covers).not.toContain('state.concurrent-fields');
    const told = meeting([described('a', one), refused]);
    told.shows('a', { description: one, tags: [other] });
    expect(told.said()).toEqual(['firm trace a tags reject.no-trace']);
  });

  test('a disable beside a patch of something else shows in its answer that it is disabled', () => {
    const disabled = [{ endpoint: 'disable-gate', param: 'a' }, { data: gate('a') }] as const;
    expect(meeting([disabled, tagged]).said()).toEqual(['firm lost a isEnabled state.disable-gate-false']);
    const enabling = [patch('a', { isEnabled: true }), { data: gate('a') }] as const;
    expect(meeting([disabled, enabling]).said()).toEqual([]);
  });
});

/** A creation of a prompt version, and the id in its answer. */
const version = (name: string, id: string) =>
  [
    { endpoint: 'create-prompt-version', param: 'p', body: { name } },
    { data: { name, id } },
  ] as const satisfies readonly [ApiRequest, Shown];

describe('of creations at once', () => {
  /** Tells of two creations with one id, after some that were made one by one. */
  function twice(...before: readonly string[]) {
    const told = tell();
    for (const id of before) told.exchange(...version(`name of ${id} ${before.length}`, id));
    const [first, second] = [version('first', 'v7'), version('second', 'v7')];
    const numbers = [first, second].map(([request]) => told.begin(request));
    for (const [index, [, shown]] of [first, second].entries()) told.answer(numbers[index] as number, shown);
    return told;
  }

  test('two have one id, where things that are created one by one have their own', () => {
    expect(twice('v1', 'v2').said()).toEqual(['firm repeated v7 state.concurrent-creations']);
  });

  test('nothing is known of it before two were created one by one', () => {
    const told = twice();
    expect(told.said()).toEqual(['unknown repeated v7 state.concurrent-creations']);
    told.exchange(...version('third', 'v8'));
    told.exchange(...version('fourth', 'v9'));
    expect(told.said()).toEqual(['firm repeated v7 state.concurrent-creations']);
  });

  test('an id that all of one thing have is nobody’s fault', () => {
    const told = twice();
    for (const name of ['third', 'fourth']) told.exchange(...version(name, 'v7'));
    expect(told.said()).toEqual(['explained repeated v7 state.concurrent-creations']);
  });

  test('what is answered without an id has none in common', () => {
    const told = tell();
    const made = ['first', 'second'].map(name => told.begin(version(name, '')[0]));
    for (const number of made) told.answer(number, { data: { description: 'sparse' } });
    expect(told.said()).toEqual([]);
  });

  test('each is answered with its own name', () => {
    const told = tell();
    const [first, second] = [version('first', 'v1')[0], version('second', 'v2')[0]].map(told.begin);
    told.answer(first as number, version('second', 'v1')[1]);
    told.answer(second as number, version('second', 'v2')[1]);
    expect(told.said()).toEqual(['firm swapped first state.concurrent-answers']);
  });
});

test('of sets of environments at once each answer shows every environment once', () => {
  const environments = ['Production', 'Staging'].map(name => ({ id: `env-${name}`, name }));
  const set: ApiRequest = { endpoint: 'update-environments', body: { environments } };
  const told = tell();
  const numbers = [told.begin(set), told.begin(set)];
  told.answer(numbers[0] as number, { data: { environments } });
  told.answer(numbers[1] as number, { data: { environments: [...environments, ...environments.slice(0, 1)] } });
  expect(told.said()).toEqual(['firm repeated env-Production state.concurrent-answers']);
});
