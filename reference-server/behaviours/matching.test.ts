import { beforeEach, describe, expect, it } from 'vitest';
import type { BehaviourRequest, Match } from '../../contracts/behaviour.ts';
import { started, testTime } from '../proof/testing/started.ts';
import { askedBy } from './matching.ts';

let time = testTime;
const keys = [{ name: 'reader', key: 'key-of-reader' }];
const { server, send } = await started({ apiKey: 'main', keys, sandboxes: true, now: () => time });
const { behaviours } = server.control;
beforeEach(() => server.control.reset());

const gate = '/console/v1/gates/dark_mode';
const patch = (body: unknown, headers = {}, key = 'main') => send(gate, { method: 'PATCH', body, headers, key });

describe('a match', () => {
  // biome-ignore format: a table
  it.each<[string, Match, () => ReturnType<typeof send>, () => ReturnType<typeof send>]>([
    ['an operation',              { operation: 'patch-gate' },                     () => patch({}), () => send('/console/v1/segments')],
    ['some operations',           { operation: ['disable-gate', 'list-segments'] }, () => send('/console/v1/segments'), () => patch({})],
    ['a method',                  { method: 'PATCH' },                             () => patch({}), () => send('/console/v1/segments')],
    ['the id in the path',        { param: { matches: '^dark' } },                 () => patch({}), () => send('/console/v1/gates/new_checkout', { method: 'PATCH', body: {} })],
    ['a parameter of the query',  { query: { limit: '2', page: { absent: true } } }, () => send('/console/v1/segments?limit=2'), () => send('/console/v1/segments?limit=2&page=1')],
    ['a header',                  { headers: { 'X-Trace': { matches: '^a+$' } } }, () => patch({}, { 'x-trace': 'aaa' }), () => patch({}, { 'x-trace': 'b' })],
    ['a header that is not there', { headers: { 'Idempotency-Key': { absent: true } } }, () => patch({}), () => patch({}, { 'idempotency-key': '1' })],
    ['a value of the body',       { body: { '/isEnabled': true } },                () => patch({ isEnabled: true }), () => patch({ isEnabled: false })],
    ['a list in the body',        { body: { '/tags': { equals: ['a', 'b'] } } },   () => patch({ tags: ['a', 'b'] }), () => patch({ tags: ['b', 'a'] })],
    ['a text in the body',        { body: { '/tags/1': { matches: 'ü' } } },       () => patch({ tags: ['a', 'grün'] }), () => patch({ tags: ['grün'] })],
    ['what the body has not',     { body: { '/description': { absent: true } } },  () => patch({ isEnabled: true }), () => patch({ description: 'x' })],
    ['that the body has it',      { body: { '/description': { absent: false } } }, () => patch({ description: 'x' }), () => patch({ isEnabled: true })],
    ['the name of a key',         { key: 'reader' },                               () => patch({}, {}, 'key-of-reader'), () => patch({})],
  ])('means %s', async (_what, match, meant, other) => {
    await behaviours.add({ match, then: [{ status: 418 }], after: 'repeat' });
    expect([(await other()).status, (await meant()).status, (await other()).status]).toEqual([200, 418, 200]);
  });

  it('of the body lets the operation have the same body, also where a decorator reads it again', async () => {
    await behaviours.add({ id: 'm', match: { body: { '/description': { matches: '.' } } }, then: ['real', 'real'] });
    await behaviours.add({ dialect: 'digits-alone' });
    expect((await patch({ description: 'kept' })).json.data.description).toBe('kept');
    expect((await patch('{"description":"x","unknown":1.0}')).json.message).toBe('Numbers are written in digits.');
    expect(await behaviours.get('m')).toMatchObject({ left: 0, met: 2 });
    expect((await patch('{"description": 7}')).status).toBe(400);
    expect((await patch(`{"description": "${'x'.repeat(1024 * 1024)}"}`)).status).toBe(413);
    expect((await patch('{"description"')).status).toBe(400);
  });

  it('means HEAD too, which is served as GET, and no fragment', async () => {
    await behaviours.add({ match: { method: 'GET', operation: 'list-segments' }, then: [{ status: 418 }] });
    expect((await send('/console/v1/segments', { method: 'HEAD' })).status).toBe(418);
    expect((await send('/console/v1/segments', { method: 'HEAD' })).status).toBe(200);
    const asked = askedBy('GET', '/console/v1/segments?limit=2#x', {}, undefined, 'default');
    expect(asked).toMatchObject({ endpoint: 'list-segments', url: '/console/v1/segments?limit=2' });
  });

  it('of a sandbox puts the behaviour there', async () => {
    await send('/console/v1/segments', { key: 'sandbox_1' });
    const { name } = (await send('/_reference/v1/sandboxes')).json.sandboxes[1];
    const body = { match: { sandbox: name }, then: [{ status: 418 }] };
    expect((await send('/_reference/v1/behaviours', { method: 'POST', body })).status).toBe(200);
    expect((await patch({})).status).toBe(200);
    expect((await patch({}, {}, 'sandbox_1')).status).toBe(418);
    const nowhere = await send('/_reference/v1/behaviours', {
      method: 'POST',
      body: { match: { sandbox: 'nowhere' }, then: [{ status: 418 }] },
    });
    expect([nowhere.status, nowhere.json.errors[0].pointer]).toEqual([400, '/match/sandbox']);
  });
});

describe('a script', () => {
  const statuses = async (count: number) => {
    const seen: number[] = [];
    for (let sent = 0; sent < count; sent += 1) seen.push((await patch({})).status);
    return seen;
  };

  it('spends no step on what its rate limit refuses', async () => {
    await behaviours.add({ rateLimit: { requests: 1, seconds: 60 }, then: [{ status: 500 }, { status: 503 }] });
    expect(await statuses(3)).toEqual([500, 429, 429]);
    time += 60_000;
    expect(await statuses(2)).toEqual([503, 200]);
    time = testTime;
  });

  // biome-ignore format: a table
  it.each<[string, BehaviourRequest, number[]]>([
    ['what people test most',        { then: [{ status: 500 }, { status: 503 }, { status: 429 }, 'real'] },  [500, 503, 429, 200, 200]],
    ['repeats the last',             { then: [{ status: 500 }, { status: 503 }], after: 'repeat' },         [500, 503, 503, 503, 503]],
    ['starts over',                  { then: [{ status: 500 }, 'real'], after: 'restart' },                 [500, 200, 500, 200, 500]],
    ['skips',                        { then: [{ status: 500 }], skip: 2 },                                  [200, 200, 500, 200, 200]],
    ['ends after so many',           { then: [{ status: 500 }], after: 'repeat', times: 2 },                [500, 500, 200, 200, 200]],
    ['ends before all were met',     { then: [{ status: 500 }, { status: 503 }], times: 1 },                [500, 200, 200, 200, 200]],
    ['the older form: the next two', { error: { status: 500 }, next: 2 },                                   [500, 500, 200, 200, 200]],
  ])('%s', async (_what, behaviour, expected) => {
    await behaviours.add(behaviour);
    expect(await statuses(5)).toEqual(expected);
  });

  it('of the newest behaviour decides, and it alone is spent', async () => {
    for (const status of [500, 503, 429]) await behaviours.add({ next: 1, error: { status } });
    expect(await statuses(4)).toEqual([429, 503, 500, 200]);
  });

  it('stands beside latency, a rate limit, a fault and a dialect, which are one upon the other', async () => {
    await behaviours.add({ then: [{ status: 500, effect: 'before' }, 'real', 'real'] });
    await behaviours.add({ dialect: 'refusals-422' });
    await behaviours.add({ rateLimit: { requests: 3, seconds: 60 } });
    await behaviours.add({ latency: { ms: 0 } });
    const seen = [];
    for (let sent = 0; sent < 4; sent += 1) seen.push((await patch({ description: 7 })).status);
    expect(seen).toEqual([500, 422, 422, 429]);
    // The request that the rate limit refused did not spend a step.
    expect((await behaviours.list())[0]).toMatchObject({ left: 0 });
  });

  it('ends by the clock of the world', async () => {
    await behaviours.add({ until: new Date(testTime + 1000).toISOString(), then: [{ status: 500 }], after: 'repeat' });
    expect(await statuses(1)).toEqual([500]);
    time += 1000;
    expect(await statuses(1)).toEqual([200]);
    await server.control.clock.change({ advance: -1 });
    expect(await statuses(1)).toEqual([500]);
    time = testTime;
  });

  it('is explained for a request that is given, and not spent', async () => {
    await behaviours.add({ id: 'old', then: [{ status: 500 }] });
    await behaviours.add({ id: 'new', match: { body: { '/isEnabled': true } }, then: [{ status: 503 }] });
    await behaviours.add({ id: 'slow', latency: { ms: 0 }, skip: 1 });
    await behaviours.add({ id: 'other', match: { operation: 'list-segments' }, latency: { ms: 0 } });
    const explain = async (body: unknown) => {
      const { json } = await send('/_reference/v1/behaviours/explain', {
        method: 'POST',
        body: { method: 'PATCH', url: gate, body },
      });
      return json.behaviours;
    };
    const skipped = { id: 'slow', meets: false, why: expect.stringContaining('skips'), answers: false };
    const lists = { id: 'other', meets: false, why: 'the request has another operation', answers: false };
    for (let time = 0; time < 2; time += 1)
      expect(await explain({ isEnabled: true })).toEqual([
        lists,
        skipped,
        { id: 'new', meets: true, why: 'answers: {"status":503}', answers: true },
        { id: 'old', meets: false, why: 'a newer one makes the answer', answers: false },
      ]);
    expect((await explain({})).slice(2)).toMatchObject([{ meets: false }, { id: 'old', meets: true, answers: true }]);
    expect((await behaviours.list()).map(({ left }) => left)).toEqual([1, 1, undefined, undefined]);
  });
});

describe('what is no script', () => {
  // biome-ignore format: a table
  it.each<[string, unknown, string[]]>([
    ['a status that ends nothing',        { then: [{ status: 100 }] },                                     ['/then/0/status']],
    ['two bodies',                        { then: [{ status: 200, text: 'a', body: 1 }] },                 ['/then/0/text']],
    ['a body of the operation\'s answer', { then: ['real', { text: 'a' }] },                               ['/then/1/text']],
    ['a body of a 204',                   { then: [{ status: 204, text: 'a' }] },                          ['/then/0/text']],
    ['a header that HTTP cannot carry',   { then: [{ status: 200, headers: { 'a b': 'c' } }] },            ['/then/0/headers']],
    ['no answer at all',                  { then: [{ effect: 'none' }] },                                  ['/then/0/effect']],
    ['an early answer that is real',      { then: [{ wire: 'early-answer' }] },                            ['/then/0/wire', '/then/0/effect']],
    ['an early answer by the body',       { match: { body: { '/a': 1 } }, then: [{ status: 413, wire: 'early-answer' }] }, ['/then/0/wire']],
    ['a wire that there is not',          { then: [{ wire: 'cut' }] },                                     ['/then/0/wire']],
    ['a drip that is cut',                { then: [{ wire: 'reset', bytesPerSecond: 1 }] },                ['/then/0/bytesPerSecond']],
    ['a latency the wrong way round',     { then: [{ delay: { fromMs: 2, toMs: 1 } }] },                   ['/then/0/delay/toMs']],
    ['a script beside an error',          { then: ['real'], error: { status: 500 } },                      ['/then']],
    ['what comes after nothing',          { latency: { ms: 1 }, after: 'end' },                            ['/after']],
    ['no regular expression',             { match: { param: { matches: '(' } }, then: ['real'] },          ['/match/param/matches']],
    ['no pointer',                        { match: { body: { a: 1 } }, then: ['real'] },                   ['/match/body/a']],
    ['no time',                           { until: 'tomorrow', then: ['real'] },                           ['/until']],
    ['a body of what has none',           { match: { operation: 'list-segments', body: { '/a': 1 } }, then: ['real'] }, ['/match/body']],
    ['an id of what has none',            { match: { operation: 'create-metric', param: 'a' }, then: ['real'] }, ['/match/param']],
    ['two ways to say operations',        { match: { operation: 'patch-gate' }, operations: ['list-segments'], then: ['real'] }, ['/match/operation']],
    ['an operation that there is not',    { match: { operation: 'patch' }, then: ['real'] },               ['/match/operation']],
    ['one of several',                    { behaviours: [{ then: ['real'] }, { then: [] }] },              ['/behaviours/1/then']],
  ])('is refused with a pointer: %s', async (_what, body, pointers) => {
    const { status, json } = await send('/_reference/v1/behaviours', { method: 'POST', body });
    expect([status, json.errors?.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([400, pointers]);
    expect(await behaviours.list()).toEqual([]);
  });
});
