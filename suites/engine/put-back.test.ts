import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import type { FixtureSnapshot } from '../../contracts/report/journal.ts';
import { onePage } from '../proof/testing/answers.ts';
import type { WireRequest } from '../protocol/reply.ts';
import { openSession } from '../sut/session.ts';
import { putBack } from './put-back.ts';
import { type Answers, runDouble } from './run.fixture.ts';

const put = async (snapshot: FixtureSnapshot, answers: Answers) => {
  const run = runDouble({ answers });
  const left = await putBack(snapshot, openSession(run.wire, 'restore'), { settleMs: 0 });
  return { left, sent: run.sent.map(line => line.replace(/ \/(gates|experiments\/qualifying_events)\S*/, '')) };
};
const parsed = ({ body }: WireRequest): JsonObject => JSON.parse(String(body)) as JsonObject;

describe('a gate', () => {
  const gate = {
    event: 'snapshot',
    endpoint: 'patch-gate',
    param: 'a_gate',
    body: { isEnabled: true, tags: ['a', 'b'], type: 'TEMPORARY', team: null },
  } as const;
  /** Answers for a gate that can be patched, unless `refuses` returns true. */
  const gateNow = (now: JsonObject, refuses: (patch: JsonObject) => boolean = () => false): Answers => {
    let state = now;
    return request => {
      const patch = parsed(request);
      if (refuses(patch)) return { status: 409, value: { message: 'locked' } };
      state = { ...state, ...patch };
      return { value: { data: state } };
    };
  };

  test('that is as it was, sets in another order and nulls left out, is sent nothing', async () => {
    const { left, sent } = await put(gate, gateNow({ isEnabled: true, tags: ['b', 'a'], type: 'TEMPORARY' }));
    expect(left).toBeNull();
    expect(sent).toEqual(['PATCH {}']);
  });

  test('is sent the changed fields only, and read again', async () => {
    const { left, sent } = await put(gate, gateNow({ isEnabled: false, tags: [], type: 'TEMPORARY', team: null }));
    expect(left).toBeNull();
    expect(sent).toEqual(['PATCH {}', 'PATCH {"isEnabled":true,"tags":["a","b"]}', 'PATCH {}']);
  });

  test('that refuses one field is given the others, and what is left is named with the patch that would', async () => {
    const answers = gateNow({ isEnabled: false, tags: [], type: 'TEMPORARY' }, patch => 'tags' in patch);
    const { left } = await put(gate, answers);
    expect(left).toEqual({ fields: ['tags'], why: 'status 409: "locked"', send: { tags: ['a', 'b'] } });
  });

  test('that shows its apps as a list and takes them as a text alone is sent that', async () => {
    const now = gateNow({ targetApps: ['web'] }, ({ targetApps }) => Array.isArray(targetApps));
    const answers: Answers = request => {
      const answer = now(request) as { value: { data: JsonObject } };
      const { targetApps } = answer.value.data ?? {};
      return targetApps === '' ? { value: { data: { targetApps: [] } } } : answer;
    };
    const { left, sent } = await put({ ...gate, body: { targetApps: [] } }, answers);
    expect(left).toBeNull();
    expect([...new Set(sent)]).toEqual(['PATCH {}', 'PATCH {"targetApps":[]}', 'PATCH {"targetApps":""}']);
  });

  describe('whose settings have a member that is not documented', () => {
    const settings = (requiredReview: boolean, more: JsonObject = {}) => ({
      reviewSettings: { requiredReview, allowedReviewers: [], ...more },
    });
    const wanted = '{"reviewSettings":{"requiredReview":false,"allowedReviewers":[]';
    const writes = (sent: readonly string[]) => sent.filter(one => one !== 'PATCH {}');

    test('is sent it where it stands still, since the service may make it anew', async () => {
      const snapshot = { ...gate, body: settings(false, { id: 1 }) };
      const { left, sent } = await put(snapshot, gateNow(settings(true, { id: 1 })));
      expect(left).toBeNull();
      expect(writes(sent)).toEqual([`PATCH ${wanted},"id":1}}`]);
    });

    test('is not sent it where it moves', async () => {
      let readings = 0;
      const now = gateNow(settings(true));
      const moving: Answers = request => {
        const { value } = now(request) as { value: { data: { reviewSettings: JsonObject } } };
        readings += 1;
        return { value: { data: { reviewSettings: { ...value.data.reviewSettings, id: readings } } } };
      };
      const { left, sent } = await put({ ...gate, body: settings(false, { id: 0 }) }, moving);
      expect(left).toBeNull();
      expect(writes(sent)).toEqual([`PATCH ${wanted}}}`]);
    });

    test('is sent the rest where the service refuses it', async () => {
      const answers = gateNow(settings(true, { id: 1 }), patch => JSON.stringify(patch).includes('"id"'));
      const { sent } = await put({ ...gate, body: settings(false, { id: 1 }) }, answers);
      expect(writes(sent).at(-1)).toBe(`PATCH ${wanted}}}`);
    });
  });

  test('that meets a conflict now and then is put back at the next try', async () => {
    let patches = 0;
    const now = gateNow({ isEnabled: false, tags: [], type: 'TEMPORARY' }, patch => {
      patches += Object.keys(patch).length > 0 ? 1 : 0;
      return Object.keys(patch).length > 0 && patches % 3 !== 0;
    });
    const { left, sent } = await put(gate, now);
    expect(left).toBeNull();
    expect(sent).toHaveLength(5);
  });

  test('whose patch is accepted and not kept is not as it was', async () => {
    const { left } = await put(gate, () => ({ value: { data: { ...gate.body, isEnabled: false } } }));
    expect(left).toMatchObject({ fields: ['isEnabled'], why: 'it was accepted and is not shown afterwards' });
  });

  test('that is read from a replica which is behind gets back what was written all the same', async () => {
    const sent: string[] = [];
    const run = runDouble({
      answers: ({ body }) => {
        sent.push(String(body));
        return { value: { data: gate.body } };
      },
    });
    const written = new Set(['type', 'releasePipelineID']);
    expect(await putBack(gate, openSession(run.wire, 'restore'), { written })).toBeNull();
    expect(sent).toEqual(['{}', '{"type":"TEMPORARY"}', '{}']);
  });

  test('that cannot be read is sent everything', async () => {
    const answers: Answers = request => ({ status: request.body === '{}' ? 400 : 200 });
    const { left, sent } = await put(gate, answers);
    expect(left).toBeNull();
    expect(sent).toContain(`PATCH ${JSON.stringify(gate.body)}`);
  });

  test('that cannot be read is sent what is documented first: what the service makes anew may have moved', async () => {
    const settings = { requiredReview: false, allowedReviewers: [] };
    const own = { ...gate, body: { reviewSettings: { ...settings, _etag: 'a' } } };
    const { sent } = await put(own, request => ({ status: request.body === '{}' ? 400 : 200 }));
    expect(sent.filter(one => one !== 'PATCH {}')).toEqual([`PATCH ${JSON.stringify({ reviewSettings: settings })}`]);
  });
});

describe('a source', () => {
  const original = {
    sql: 'SELECT old',
    timestampColumn: 'ts',
    idTypeMapping: [{ serviceUnitID: 'userID', column: 'id' }],
    description: 'old',
    tags: ['old'],
  };
  const source: FixtureSnapshot = {
    event: 'snapshot',
    endpoint: 'update-qualifying-event',
    param: 'a_source',
    body: original,
  };
  /** Answers for a source whose update replaces or merges; dry runs are refused like the update. */
  const sourceNow = (now: JsonObject, options: { merges: boolean; refuses?: (body: JsonObject) => boolean }) => {
    let state: JsonObject = now;
    const answers: Answers = request => {
      if (request.method === 'GET') return { value: onePage([{ ...state, name: 'a_source' }]) };
      const { dryRun, ...body } = parsed(request);
      if (options.refuses?.(body) === true) return { status: 422, value: { error: 'no such column' } };
      const next = options.merges ? { ...state, ...body } : body;
      if (dryRun !== true) state = next;
      return { value: { data: { ...next, name: 'a_source' } } };
    };
    return { answers, state: () => state };
  };
  const changed = { ...original, sql: 'SELECT new', description: 'new', tags: [] };

  test.each([true, false])('is sent the whole, tried dry first (an update merges: %s)', async merges => {
    const { answers, state } = sourceNow(changed, { merges });
    const { left, sent } = await put(source, answers);
    expect(left).toBeNull();
    expect(state()).toEqual(original);
    expect(sent.filter(line => line.startsWith('POST'))).toEqual([
      `POST ${JSON.stringify({ ...original, dryRun: true })}`,
      `POST ${JSON.stringify(original)}`,
    ]);
  });

  test.each([
    ['an optional field', (body: JsonObject) => body.description === 'old', ['description']],
    ['a required field', (body: JsonObject) => body.sql === 'SELECT old', ['sql']],
    ['two of them', (body: JsonObject) => body.sql === 'SELECT old' || 'tags' in body, ['sql', 'tags']],
  ])('that refuses its own old value of %s gets all the others back', async (_what, refuses, fields) => {
    const { answers, state } = sourceNow(changed, { merges: true, refuses });
    const { left } = await put(source, answers);
    expect(left).toEqual({ fields, why: 'status 422: "no such column"', send: original });
    const expected = { ...original, ...Object.fromEntries(fields.map(name => [name, changed[name as 'sql']])) };
    expect(state()).toEqual(expected);
  });
});

describe('the environments', () => {
  const set = [
    { id: 'e1', name: 'development', isProduction: false, requiresReview: false },
    { id: 'e2', name: 'production', isProduction: true, requiresReview: true },
  ];
  const snapshot: FixtureSnapshot = { event: 'snapshot', endpoint: 'update-environments', body: { environments: set } };
  /** Answers in which these flags of the first environment cannot be turned off. */
  const oneWay = (flags: readonly string[]): Answers => {
    let state: JsonObject[] = [{ ...set[0], isProduction: true, requiresReview: true }, { ...set[1] }];
    return request => {
      const sent = parsed(request).environments as JsonObject[];
      if (flags.some(flag => state[0]?.[flag] === true && sent[0]?.[flag] === false))
        return { status: 403, value: { message: 'ask an administrator' } };
      state = state.map((one, index) => ({ ...one, ...sent[index] }));
      return { value: { data: { environments: state } } };
    };
  };

  test('are sent as a whole, and the answer says what came of it', async () => {
    expect((await put(snapshot, oneWay([]))).left).toBeNull();
    const { left } = await put(snapshot, () => ({ value: { data: { environments: [] } } }));
    expect(left?.fields).toHaveLength(4);
  });

  test('of which one flag is refused get the others back, and it is named', async () => {
    const { left } = await put(snapshot, oneWay(['isProduction']));
    expect(left).toEqual({
      fields: ['isProduction of development'],
      why: 'status 403: "ask an administrator"',
      send: { environments: set },
    });
  });

  test('are never sent less than the set', async () => {
    const { left, sent } = await put(snapshot, () => ({ status: 400 }));
    expect(left?.fields).toEqual(['the whole set']);
    for (const line of sent) expect(line).toMatch(/development.*production/);
  });
});
