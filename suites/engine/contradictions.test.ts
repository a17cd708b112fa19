import { describe, expect, test } from 'vitest';
import { findingsOf } from '../proof/kill-matrix/detection.fixture.ts';
import { givenAnswer, onePage } from '../proof/testing/answers.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';
import { createContradictions } from './contradictions.ts';

const endpoint = 'list-segments';

/** Returns the contradictions after answers with these statuses to one request. */
function answered(statuses: readonly number[], request: Parameters<typeof givenAnswer>[0]['request'] = {}) {
  const contradictions = createContradictions();
  for (const status of statuses)
    contradictions.note(givenAnswer({ endpoint, status, value: onePage([]), request: { endpoint, ...request } }));
  return contradictions;
}
const counted = (contradictions: ReturnType<typeof createContradictions>) =>
  contradictions.of(endpoint).map(({ refused, times }) => [refused.status, times]);

describe('what an operation refuses although it accepts it', () => {
  test.each([
    ['between two acceptances', [200, 404, 200], [[404, 1]]],
    ['more often', [200, 400, 400, 200, 400, 200], [[400, 3]]],
    [
      'in two ways',
      [200, 401, 200, 404, 200],
      [
        [401, 1],
        [404, 1],
      ],
    ],
    ['but never before', [404, 200], []],
    ['but not again since', [200, 404, 404], []],
    ['by what may pass by itself', [200, 402, 200, 403, 200, 409, 200, 412, 200, 422, 200, 423, 200, 429, 200], []],
    ['by an error of the server, which is told of every answer', [200, 500, 200], []],
  ] as const)('%s', (_, statuses, expected) => {
    expect(counted(answered(statuses))).toEqual(expected);
  });

  test.each([
    ['without the key', { key: { kind: 'none' } }],
    ['at another path', { rawPath: '/x' }],
    ['of a later page', { query: { page: 2, limit: 3 } }],
    ['of another method', { method: 'POST' }],
    ['in another spelling', { headers: { accept: 'text/html' } }],
    ['that asks what is open', { asks: { requirement: 'open.list-query', subject: 'x' } }],
  ] as const)('is no request %s', (_, request) => {
    expect(counted(answered([200, 404, 200], request))).toEqual([]);
  });

  test('is not another request of the operation', () => {
    const contradictions = createContradictions();
    for (const [status, page] of [
      [200, 1],
      [404, 9],
      [200, 1],
    ] as const)
      contradictions.note(
        givenAnswer({ endpoint, status, value: onePage([]), request: { endpoint, query: { page } } }),
      );
    expect(counted(contradictions)).toEqual([]);
  });

  test('is open until it was asked again, and counts all requests that are accepted', () => {
    expect(answered([200, 404]).open(endpoint)).toHaveLength(1);
    expect(answered([200, 404, 200]).open(endpoint)).toEqual([]);
    expect(answered([200, 404, 404, 200]).sent(endpoint)).toBe(4);
  });
});

test('what is known keeps no parsed value, and no more of a text than evidence shows', () => {
  const contradictions = createContradictions();
  const long = 'x'.repeat(100_000);
  for (const status of [200, 404, 200])
    contradictions.note(
      givenAnswer({ endpoint, status, value: { ...onePage([{ long }]), message: 'No.' }, request: { endpoint } }),
    );
  const [told] = contradictions.of(endpoint);
  expect(told?.words).toBe('status 404: "No."');
  for (const answer of [told?.before, told?.refused]) {
    expect(answer).toMatchObject({ value: undefined, data: undefined });
    expect(JSON.stringify(answer).length).toBeLessThan(50_000);
  }
});

describe('a run', () => {
  /** Returns the findings about acceptance of the list if each `nth` request to it is refused; 0 refuses none. */
  const told = async (nth: number, status: number) => {
    let count = 0;
    const record = await recordedRun({
      only: [`${endpoint}/*`],
      run: { profile: 'standard' },
      server: {
        decorate: (id, handler) => async (request, store, settings) => {
          count += id === endpoint ? 1 : 0;
          return id === endpoint && nth > 0 && count % nth === 0
            ? { status, body: { status, message: 'No.' } }
            : handler(request, store, settings);
        },
      },
    });
    return findingsOf(record)
      .filter(({ unit }) => unit === `${endpoint}/accepts`)
      .map(({ requirement, level, doubt }) => [requirement, level, doubt]);
  };

  test('warns of a list that is refused now and then, by the number of the requests', async () => {
    expect(await told(10, 401)).toEqual([
      [
        'accept.smallest',
        'SHOULD',
        expect.stringMatching(/^requests that are accepted were refused [1-9] of \d+ times$/),
      ],
    ]);
  });

  test.each([
    [7, 409],
    [7, 422],
    [0, 404],
  ])('says nothing of one in %i with %i', async (nth, status) => {
    expect(await told(nth, status)).toEqual([]);
  });
});
