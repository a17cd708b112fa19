import { expect, test } from 'vitest';
import { givenAnswer } from '../proof/testing/answers.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { RecordedSession } from '../sut/session.ts';
import { isMadeByShowing, isMoving, isShownAgain } from './reading-trials.ts';
import type { Sighting } from './suspected.ts';
import type { Cause } from './trials.ts';

const [whole, page]: readonly ApiRequest[] = [
  { endpoint: 'list-qualifying-events', query: { limit: '100' } },
  { endpoint: 'list-qualifying-events', query: { limit: '9' } },
];
const update: ApiRequest = { endpoint: 'update-qualifying-event', param: 'a', body: { description: 'new' } };

/** Returns a session in which each request shows one description. */
const showing = (described: (request: ApiRequest) => string): RecordedSession =>
  ({
    send: async (request: ApiRequest): Promise<Answer> => ({
      ...givenAnswer({ value: { message: 'Listed.', data: [{ name: 'a', description: described(request) }] } }),
      request,
    }),
  }) as RecordedSession;

/** Returns a sighting: a page showed an old description after `known` had shown a new one. */
const sightingAfter = (known: ApiRequest): Sighting =>
  ({
    suspicion: { kind: 'disagree', resource: 'qualifying-event', id: 'a', field: 'description' },
    answer: { request: page },
    shown: '"old"',
    known: { id: 'known', request: known },
  }) as Sighting;

test.each([
  ['both show what was suspected', () => 'old', false],
  ['both show what was known', () => 'new', false],
  ['they still disagree', (request: ApiRequest) => (request === page ? 'old' : 'new'), true],
])(
  'a contradiction between two readings is shown again where %s: see the last column',
  async (_what, described, isAgain) => {
    expect(await isShownAgain(showing(described), sightingAfter(whole as ApiRequest))).toBe(isAgain);
  },
);

test('what a write had shown before is asked of nobody but the reading that contradicts it', async () => {
  expect(
    await isShownAgain(
      showing(() => 'old'),
      sightingAfter(update),
    ),
  ).toBe(true);
  expect(
    await isShownAgain(
      showing(() => 'new'),
      sightingAfter(update),
    ),
  ).toBe(false);
});

test('what hangs on how much was shown before moves by itself, though the same page shows it alike each time', async () => {
  let items = 0;
  const everyThird = ({ query }: ApiRequest): string => {
    const described = items % 3 === 0 ? 'new' : 'old';
    items += Number(query?.limit);
    return described;
  };
  const sighting = sightingAfter(whole as ApiRequest);
  expect(await isMoving(showing(everyThird), sighting)).toBe(true);
  expect(
    await isMoving(
      showing(() => 'old'),
      sighting,
    ),
  ).toBe(false);
});

/** Whether enabling groups made the value that it shows, where an update without a field shows `kept` of it. */
async function isOfEnabling(field: string, sent: unknown, got: unknown, kept?: unknown): Promise<boolean> {
  const request: ApiRequest = { endpoint: 'update-experiment', param: 'e', body: { [field]: sent as string } };
  const session = {
    send: async (one: ApiRequest): Promise<Answer> => ({
      ...givenAnswer({ endpoint: 'update-experiment', value: { message: '', data: { id: 'e', [field]: kept } } }),
      request: one,
    }),
  } as RecordedSession;
  const sighting = {
    suspicion: { kind: 'lost', resource: 'experiment', id: 'e', field, got, expected: [sent] },
    answer: { request: { endpoint: 'enable-groups', param: 'e' } },
  } as unknown as Sighting;
  const cause: Cause = { request, send: async () => undefined };
  return isMadeByShowing(session, sighting, cause, value => value === 'sent before');
}

// biome-ignore format: a table
test.each<[what: string, field: string, sent: unknown, got: unknown, kept: unknown, isMade: boolean]>([
  ['an optional field that an update without it shows as sent',   'duration',   30,     14,            30,        true],
  ['one that such an update shows otherwise',                     'duration',   30,     14,            14,        false],
  ['one that such an update does not show',                       'duration',   30,     14,            undefined, false],
  ['a value that nobody sent',                                    'hypothesis', 'Long', '',            undefined, true],
  ['a value that was sent before',                                'hypothesis', 'Long', 'sent before', undefined, false],
  ['the beginning of what was sent',                              'hypothesis', 'Long', 'lo',          undefined, false],
  ['what was sent, without its line break',                       'hypothesis', 'a\nb', 'a b',        undefined, false],
  ['a number that was rounded',                                   'allocation', 50.46,  50,            undefined, false],
  ['another number',                                              'allocation', 50.46,  42,            undefined, true],
  ['nothing, as an experiment may have held before',              'targetingGateID', 'a', null,        undefined, false],
])('enabling groups made %s: see the last column', async (_what, field, sent, got, kept, isMade) => {
  expect(await isOfEnabling(field, sent, got, kept)).toBe(isMade);
});

test('a contradiction is not shown again if the reading that showed otherwise gets no answer any more', async () => {
  const { send } = showing(() => 'old');
  const session = {
    send: async (request: ApiRequest) => {
      if (request === whole) throw new GivenUp('no answer');
      return send(request);
    },
  } as RecordedSession;
  expect(await isShownAgain(session, sightingAfter(whole as ApiRequest))).toBe(false);
});
