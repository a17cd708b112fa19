import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { type Judgement, judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, type Model, type Wrong } from '../../proof/testing/model.ts';
import { skipWaits } from '../../proof/testing/skip-waits.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { eventStored } from '../stimuli/event-stored.ts';
import { sequences } from './sequences.ts';

let resume = (): void => {};
beforeAll(() => {
  resume = skipWaits();
});
afterAll(() => resume());

type Write = readonly [endpoint: EndpointId, param: string, body: (count: number) => JsonObject];

/** Somebody else writes between requests: before every n-th one. */
const somebody =
  (every: number, ...[endpoint, param, body]: Write): Wrong =>
  model => {
    let requests = 0;
    return (request, sent) => {
      requests += 1;
      if (requests % every === 0) model({ endpoint, param }, body(requests));
      return model(request, sent);
    };
  };

const isRead = (body: Json | undefined): boolean => JSON.stringify(body) === '{}';

/** Gates are read from a replica that is so many readings behind each write. */
const behind =
  (readings: number): Wrong =>
  model => {
    const old = new Map<string, { shown: ReturnType<Model>; left: number }>();
    return (request, body) => {
      const { endpoint, param = '' } = request;
      const isGate = endpoint === 'patch-gate' || endpoint === 'disable-gate';
      if (!isGate) return model(request, body);
      const stale = old.get(param);
      if (isRead(body) && stale !== undefined && stale.left > 0) {
        stale.left -= 1;
        return stale.shown;
      }
      if (!isRead(body)) old.set(param, { shown: model({ endpoint: 'patch-gate', param }, {}), left: readings });
      return model(request, body);
    };
  };

/** Every set in another order with each answer. */
const turning = (endpoint: EndpointId): Wrong => {
  let answers = 0;
  const turn = (value: unknown): unknown =>
    Array.isArray(value) ? (answers % 2 === 0 ? value : value.toReversed()) : value;
  return answering(endpoint, data => {
    answers += 1;
    const show = (one: JsonObject): object => ({
      ...one,
      tags: turn(one.tags ?? ['a', 'b', 'c']),
      ...('holdoutIDs' in one ? { holdoutIDs: turn(['h', 'i']) } : {}),
    });
    return Array.isArray(data) ? (data as JsonObject[]).map(show) : show(data);
  });
};

interface Case {
  readonly check: ActiveCheck<never>;
  readonly endpoint: EndpointId;
}

const checksOfGates = [{ check: sequences, endpoint: 'patch-gate' }] as unknown as readonly Case[];

const fails = ({ results }: Judgement): readonly string[] => [
  ...new Set(
    results.flatMap(({ violations }) => violations.filter(one => one.doubt === undefined)).map(one => one.requirement),
  ),
];

const described = (param: string, every: number): Wrong =>
  somebody(every, 'patch-gate', param, count => ({ description: `by somebody, ${count}` }));

// biome-ignore format: a table
const livingGates: readonly (readonly [what: string, wrong: Wrong])[] = [
  ['a neighbour is edited now and then',      described('gate_b', 11)],
  ['a neighbour is edited often',             described('gate_b', 5)],
  ['the gate itself is edited now and then',  described('gate_a', 17)],
  ['the last gate is edited now and then',    described('gate_c', 13)],
  ['tags are edited',                         somebody(7, 'patch-gate', 'gate_a', count => ({ tags: [`by somebody ${count}`] }))],
  ['a job moves states',                      model => somebody(2, 'patch-gate', 'gate_a', count => ({ status: count % 4 === 0 ? 'Launched' : 'In Progress', typeReason: `${count}` }))(model)],
  ['readings are behind',                     behind(3)],
];

describe.each(checksOfGates)('$check.id of $endpoint accuses nobody of what others do', ({ check, endpoint }) => {
  test.each(livingGates)('while %s', async (_what, wrong) => {
    expect(await judgedBy(check, endpoint, wrong, { settleMs: 2_000 })).toMatchObject({ found: [] });
  });
});

test('sets in another order with each answer are no change', async () => {
  const listed = turning('list-qualifying-events');
  expect((await judgedBy(eventStored, 'update-qualifying-event', listed)).suspected).toEqual([]);
});

/** Does something more with every n-th write to the endpoint, or something else. */
const everyNth =
  (n: number, endpoint: EndpointId, also: (model: Model, param: string, body: JsonObject) => JsonObject): Wrong =>
  model => {
    let writes = 0;
    return (request, body) => {
      if (request.endpoint !== endpoint || isRead(body)) return model(request, body);
      writes += 1;
      const sent = (body ?? {}) as JsonObject;
      return model(request, writes % n === 1 % n ? also(model, request.param ?? '', sent) : body);
    };
  };

// biome-ignore format: a table
const faults: readonly (readonly [what: string, check: unknown, endpoint: EndpointId, wrong: Wrong, requirement: string])[] = [
  ['loses one write of three in sequences',       sequences,   'patch-gate',              everyNth(3, 'patch-gate', () => ({})),                                                    'state.patch-every-sent'],
];

test.each(faults)('a server that %s is found', async (_what, check, endpoint, wrong, requirement) => {
  expect(fails(await judgedBy(check as ActiveCheck<never>, endpoint, wrong))).toContain(requirement);
});
