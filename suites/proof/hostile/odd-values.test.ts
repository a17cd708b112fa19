import { expect, test } from 'vitest';
import { endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json } from '../../../contracts/json.ts';
import { join, put } from '../../../contracts/pointer.ts';
import { checks } from '../../checks/index.ts';
import { createModel as createKnowledge } from '../../model/interpret.ts';
import { givenAnswer } from '../testing/answers.ts';
import { contextOf } from '../testing/judged-by.ts';
import { createModel } from '../testing/model.ts';

/**
 * An object whose conversion to text, number or promise fails, because the members of those names are not functions.
 */
const unspeakable = JSON.parse('{"toString":1,"valueOf":2,"toJSON":3,"then":4,"length":-1,"constructor":5}') as Json;
const odd: readonly Json[] = [unspeakable, [unspeakable], JSON.parse('{"__proto__":{"toString":1}}') as Json, null];

/** Returns the pointers of a value and of everything in it; in lists only of the first two items. */
const places = (value: Json, pointer = ''): string[] => [
  pointer,
  ...(isObject(value) ? Object.entries(value) : Array.isArray(value) ? [...value.slice(0, 2).entries()] : []).flatMap(
    ([name, member]) => places(member, join(pointer, name)),
  ),
];

test.each(endpointIds)('whatever stands in an answer of %s, it is judged, and so is the next one', endpoint => {
  const row = endpointRow(endpoint);
  const { param, body } = contextOf(endpoint).minimal;
  const request = { endpoint, param, body, ...(row.list ? { query: { limit: '10', page: '1' } } : {}) };
  const given = createModel()(request, body);
  const right = given.value as Json;
  const passive = checks.filter(check => check.kind === 'passive' && check.appliesTo(row));
  const thrown = new Set<string>();
  const trying = (what: string, work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      thrown.add(`${what}: ${(error as Error).message}`);
    }
  };
  expect(places(right).length).toBeGreaterThan(5);
  for (const value of odd)
    for (const place of places(right)) {
      const known = createKnowledge({ settleMs: 0, token: 'test', isSoleWriter: true });
      const sent = body === undefined ? {} : { sent: body };
      const answers = [right, put(right, place, value), right].map(shown =>
        givenAnswer({ ...given, endpoint, request, ...sent, value: shown }),
      );
      for (const [index, answer] of answers.entries()) {
        const atMs = 2 * index;
        trying(`the model, ${place}`, () => {
          known.interpret({ kind: 'begun', number: index + 1, atMs, request, sent: body });
          known.interpret({ kind: 'answered', number: index + 1, lost: [], atMs: atMs + 1, answer });
        });
        for (const check of passive)
          if (check.kind === 'passive') trying(`${check.id}, ${place}`, () => check.observe(answer, row));
      }
    }
  expect([...thrown]).toEqual([]);
});
