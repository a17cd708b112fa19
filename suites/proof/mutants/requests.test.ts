import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { requestMutants, requestMutation, requestOperators } from './requests.ts';
import type { Answered, Work } from './seam.ts';

const endpoint: EndpointId = 'patch-gate';

/** Serves two gates with a name, tags and a type; refuses bodies that match `wrong`. */
function server(operator: string, path: string, value?: Json, wrong: (body: JsonObject) => boolean = () => false) {
  const gates: Record<string, JsonObject> = { 1: { id: '1', name: 'one' }, 2: { id: '2', name: 'two' } };
  let differed = 0;
  const mutation = requestMutation({
    operator,
    endpoint,
    path: path.split('.'),
    ...(value === undefined ? {} : { value }),
  })(() => (differed += 1));
  const work: Work = async ({ param, body, puts }) => {
    if (wrong(body)) return { status: 422, body: {} };
    const before = gates[param] as JsonObject;
    const entity = { ...before, ...body };
    const neighbour = param === '1' ? '2' : '1';
    const decided = puts?.({ entity, before, neighbour: gates[neighbour] }) ?? { own: entity };
    if (decided.own !== undefined) gates[param] = decided.own;
    if (decided.neighbour !== undefined) gates[neighbour] = decided.neighbour;
    return { status: 200, body: { message: 'ok', data: entity } };
  };
  return {
    gates,
    differed: () => differed,
    send: (body: JsonObject, param = '1'): Promise<Answered> => mutation({ endpoint, param, body }, work),
  };
}

const tooLong = { name: 'x'.repeat(101) };

describe('what is kept', () => {
  test('a field that is forgotten is answered, and stays as it was', async () => {
    const { gates, send, differed } = server('forget', 'name');
    expect((await send({ name: 'new', type: 'TEMPORARY' })).body.data).toMatchObject({ name: 'new' });
    expect(gates['1']).toEqual({ id: '1', name: 'one', type: 'TEMPORARY' });
    await send({ name: 'one' });
    expect(differed()).toBe(1);
  });

  test('inside an object, the member alone is forgotten', async () => {
    const { gates, send } = server('forget', 'reviewSettings.requiredReview');
    await send({ reviewSettings: { requiredReview: true, allowedReviewers: [] } });
    expect(gates['1']?.reviewSettings).toEqual({ allowedReviewers: [] });
  });

  test('null is kept in the place of a value', async () => {
    const { gates, send } = server('keep-null', 'name');
    await send({ name: 'new' });
    expect(gates['1']).toEqual({ id: '1', name: null });
  });

  test('the neighbour gets a value that changes, and no other member', async () => {
    const { gates, send, differed } = server('keep-at-neighbour', 'name');
    await send({ name: 'one', type: 'TEMPORARY' });
    expect([gates['2'], differed()]).toEqual([{ id: '2', name: 'two' }, 0]);
    await send({ name: 'new' });
    expect([gates['2'], differed()]).toEqual([{ id: '2', name: 'new' }, 1]);
  });

  test('nothing of a write is kept', async () => {
    const { gates, send } = server('keep-nothing', 'name');
    expect((await send({ name: 'new' })).body.data).toMatchObject({ name: 'new' });
    expect(gates['1']).toEqual({ id: '1', name: 'one' });
  });

  test('a refused request leaves its field', async () => {
    const { gates, send, differed } = server('keep-refused', 'type', undefined, ({ name }) => name === '');
    expect((await send({ name: '', type: 'TEMPORARY' })).status).toBe(422);
    expect([gates['1'], differed()]).toEqual([{ id: '1', name: 'one', type: 'TEMPORARY' }, 1]);
  });
});

describe('what is refused', () => {
  // biome-ignore format: a table
  test.each<[string, string, Json | undefined, JsonObject, JsonObject]>([
    ['demand',        'type', undefined,   { name: 'new' },                  { type: 'TEMPORARY' }],
    ['refuse',        'type', undefined,   { type: 'TEMPORARY' },            { name: 'new' }],
    ['refuse-member', 'type', 'TEMPORARY', { type: 'TEMPORARY' },            { type: 'PERMANENT' }],
    ['refuse-bound',  'name', 3,           { name: 'abc' },                  { name: 'abcd' }],
    ['refuse-null',   'team', null,        { team: null },                   { team: 'x' }],
  ])('%s %s %j', async (operator, path, value, refused, taken) => {
    const { gates, send, differed } = server(operator, path, value);
    expect((await send(refused)).status).toBe(400);
    expect([gates['1'], differed()]).toEqual([{ id: '1', name: 'one' }, 1]);
    expect((await send(taken)).status).toBe(200);
    expect(differed()).toBe(1);
  });
});

describe('what is not checked', () => {
  // biome-ignore format: a table
  test.each<[string, string, JsonObject, JsonObject]>([
    ['take-type',    'name', { name: 7 },           tooLong],
    ['take-bound',   'name', tooLong,               { name: 7 }],
    ['take-pattern', 'name', { name: 'new / one' }, tooLong],
    ['take-member',  'type', { type: 'OTHER' },     { type: 7, name: 7 }],
  ])('%s %s: kept and shown as it was sent, and no other fault with it', async (operator, path, faulty, other) => {
    const isWrong = (body: JsonObject): boolean => JSON.stringify(body).includes(JSON.stringify(Object.values(faulty)[0]));
    const { gates, send, differed } = server(operator, path, undefined, body => isWrong(body) || body.name === 7);
    const answer = await send(faulty);
    expect([answer.status, answer.body.data, gates['1']]).toEqual([200, { id: '1', name: 'one', ...faulty }, { id: '1', name: 'one', ...faulty }]);
    expect(differed()).toBe(1);
    await send({ ...other, ...faulty, tags: 7 });
    expect(differed()).toBe(1);
  });

  test('a required field that is not there is what it was when it was last accepted', async () => {
    const sent: JsonObject[] = [];
    const mutation = requestMutation({ operator: 'take-absent', endpoint: 'create-metric', path: ['type'] })(() => {});
    const work: Work = async ({ body }) => {
      if (body.type === undefined) return { status: 422, body: {} };
      sent.push(body);
      return { status: 200, body: { message: 'ok', data: body } };
    };
    const send = (body: JsonObject) => mutation({ endpoint: 'create-metric', param: '', body }, work);
    await send({ name: 'one', type: 'sum' });
    expect((await send({ name: 'two' })).status).toBe(200);
    expect(sent.at(-1)).toEqual({ name: 'two', type: 'sum' });
  });
});

test('every operator has places', () => {
  const used = new Set(requestMutants().map(({ operator }) => operator));
  expect(used).toEqual(new Set(Object.keys(requestOperators)));
});

test('the requests of other operations are worked on as they are', async () => {
  for (const mutant of requestMutants().filter(one => one.endpoint === endpoint)) {
    const mutation = requestMutation(mutant)(() => {
      throw new Error('it differs');
    });
    const asked = { endpoint: 'disable-gate', param: '1', body: {} } as const;
    await mutation(asked, async given => {
      expect(given.puts).toBeUndefined();
      return { status: 200, body: {} };
    });
  }
});
