import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { createSuspected } from './suspected.ts';

/** What a gate shows, as the test asks for it. */
const gate = (description: string): JsonObject => ({ id: 'a_gate', name: 'A gate', description });

/** A run's suspicions about a target whose departures the test counts. */
function watched() {
  let departures = 0;
  let number = 0;
  const suspected = createSuspected({ settleMs: 0, token: 'ours', departures: () => departures });
  const begin = (body: JsonObject, param = 'a_gate'): { readonly number: number; readonly request: ApiRequest } => {
    number += 1;
    const request: ApiRequest = { endpoint: 'patch-gate', param, body };
    suspected.begun({ number, id: `case#${number}`, request, sent: body, atMs: number * 1_000 });
    return { number, request };
  };
  const answer = (of: ReturnType<typeof begin>, data: JsonObject): void => {
    const { endpoint: _, ...request } = of.request;
    const given = givenAnswer({ value: { message: 'Done.', data }, request });
    const arrival = { number: of.number, lost: [], atMs: number * 1_000 + 500 };
    suspected.answered({ ...given, request: of.request }, arrival);
  };
  return {
    begin,
    answer,
    exchange: (body: JsonObject, data: JsonObject): void => answer(begin(body), data),
    leave(): void {
      departures += 1;
    },
    fields: () =>
      suspected.groups('gates').flatMap(({ sightings }) => sightings.map(({ suspicion }) => suspicion.field)),
  };
}

test('a write that is not shown any more is suspected', () => {
  const { exchange, fields } = watched();
  exchange({ description: 'ours' }, gate('ours'));
  exchange({}, gate('before'));
  expect(fields()).toEqual(['description']);
});

test('of a target that was away nothing is known, not even by an answer that was under way', () => {
  const { begin, answer, exchange, leave, fields } = watched();
  exchange({ description: 'ours' }, gate('ours'));
  const reading = begin({});
  leave();
  answer(reading, gate('before'));
  exchange({}, gate('before'));
  expect(fields()).toEqual([]);
  exchange({ description: 'ours again' }, gate('ours again'));
  exchange({}, gate('before'));
  expect(fields()).toEqual(['description']);
});

test('what another entity was sent before the target went away is not taken for one that got there by mistake', () => {
  const shown = (param: string): JsonObject => ({ ...gate('ours, for each gate'), id: param });
  const { begin, answer, exchange, leave, fields } = watched();
  const sendTo = (param: string, body: JsonObject): void => answer(begin(body, param), shown(param));
  const sent = { description: 'ours, for each gate' };
  sendTo('another_gate', sent);
  leave();
  exchange({}, gate('before'));
  sendTo('a_gate', sent);
  sendTo('another_gate', {});
  expect(fields()).toEqual([]);
});
