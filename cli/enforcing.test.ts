import { expect, test } from 'vitest';
import { type GivenExchange, givenExchange, gatePatch as patch } from '../suites/proof/testing/exchanges.ts';
import { createTrafficJudge } from '../suites/traffic/index.ts';
import { gateBefore } from './enforcing.ts';

const options = { baseUrl: new URL('http://api.invalid'), soleWriter: true, settleMs: 0 };

/** Sends exchanges to a wall in sequence. Each is refused with its requirement, or passes. */
function walled(given: readonly GivenExchange[], more: Partial<Parameters<typeof gateBefore>[1]> = {}): string[] {
  const gate = gateBefore(() => ({ sink: judge, settle: judge.settle }), { ...options, ...more });
  const judge = createTrafficJudge({
    ...options,
    ...more,
    emit: () => {},
    onBreach: gate.breach,
    onUnjudged: gate.unjudged,
  });
  return given.map((one, index) => {
    const exchange = givenExchange({ sentAtMs: index * 1_000, ...one }, index + 1);
    const asked = gate.request(exchange.request, exchange.sentAtMs);
    const unasked = asked.breaches[0]?.requirement ?? asked.unjudged;
    if (unasked !== undefined) {
      gate.exchange({ ...exchange, response: { failure: 'the request was not passed on' } }, true);
      return `400 ${unasked}`;
    }
    const answered = gate.exchange(exchange, true);
    const unsaid = answered.breaches[0]?.requirement ?? answered.unjudged;
    return unsaid === undefined ? 'passes' : `502 ${unsaid}`;
  });
}

const changed = { description: 'second' };
const busy: GivenExchange = {
  status: 429,
  answer: { message: 'Wait.' },
  answerHeaders: [
    ['content-type', 'application/json'],
    ['retry-after', '5'],
  ],
};
const page = (number: number, ids: readonly string[]): GivenExchange => ({
  target: `/console/v1/segments?limit=1&page=${number}`,
  answer: {
    message: 'Segments listed successfully.',
    data: ids.map(id => ({ id })),
    pagination: { itemsPerPage: 5, pageNumber: number, totalItems: 1, nextPage: null, previousPage: null, all: '' },
  },
});

// biome-ignore format: a table
test.each<readonly [what: string, exchanges: readonly GivenExchange[], verdicts: readonly string[]]>([
  ['what is right',                            [patch({}), patch(changed, changed), patch({}, changed)],             ['passes', 'passes', 'passes']],
  ['a request to no operation',                [{ target: '/console/v1/gate' }],                                     ['400 client.path']],
  ['a request without its key',                [{ ...patch({}), headers: { 'SERVICE-API-KEY': null } }],             ['400 client.key-header']],
  ['a body that breaks a constraint',          [patch({ name: 'ab' })],                                              ['400 client.body-constraint']],
  ['a wrong type, which is a warning',         [patch({ description: 1 }, {}, { status: 400, answer: { message: 'No.' } })], ['passes']],
  ['coming back before the time',              [patch({}, {}, busy), patch({}), patch({}, {}, { sentAtMs: 9_000 })], ['passes', '400 client.retry-after', 'passes']],
  ['an echo that differs',                     [patch(changed, {})],                                                 ['502 echo.sent-field']],
  ['an answer of another shape',               [patch({}, { isEnabled: 'yes' })],                                    ['502 gate.isEnabled']],
  ['a 500',                                    [patch({}, {}, { status: 500, answer: { message: 'Oops.' } })],       ['502 robust.never-5xx']],
  ['a page that is too long',                  [page(1, ['a', 'b'])],                                                ['502 pagination.limit-obeyed']],
  ['a write that is lost, seen by a later one', [patch({}), patch(changed, changed), patch({})],                     ['passes', 'passes', '502 state.patch-every-sent']],
  ['what a write changes beside',              [patch({}), patch(changed, { ...changed, tags: [] })],                ['passes', '502 state.patch-only-sent']],
])('the wall and %s', (_what, exchanges, verdicts) => {
  expect(walled(exchanges)).toEqual(verdicts);
});

test('the wall lets expected breaches pass', () => {
  const expected = [{ requirement: 'client.body-constraint' }];
  expect(walled([patch({ name: 'ab' }, {}, { status: 400, answer: { message: 'No.' } })], { expected })).toEqual([
    'passes',
  ]);
});
