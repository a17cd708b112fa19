import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { runEvent } from '../../contracts/report/journal.ts';
import { validatorFor } from '../../contracts/validation.ts';
import type { ReferenceServerOptions, Store } from '../../reference-server/index.ts';
import { closedPort } from '../proof/testing/doubles.ts';
import { checksThat, type RunRecord, recordedRun, testKey } from '../proof/testing/reference-run.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';
import { nearMisses } from '../sut/near-miss-keys.ts';
import { targetOf } from '../sut/target.ts';
import type { RunOptions } from './config.ts';
import { NothingSelected, PathNeedsOneCheck } from './plan.ts';
import { run } from './run.ts';

/** A server with faults of several kinds, so that runs have findings to compare. */
const faulty: ReferenceServerOptions = {
  decorate: (id, handler) => async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    if (id === 'create-metric' && answer.status === 200) {
      const body = structuredClone(answer.body) as { data: { tags?: string[]; directionality: string } };
      body.data.directionality = 'up';
      body.data.tags?.reverse();
      return { ...answer, body };
    }
    if (id === 'patch-gate' && answer.status === 400) return { status: 500, body: { key: request.headers } };
    return answer;
  },
};

/** Levels legitimate differences between runs with one seed: times, ports, dates, counters in names, and sizes. */
const leveled = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (key === 'durationMs' || key === 'bytes' ? 0 : member))
      .replace(/conform_test_\d+/g, 'conform_test_N')
      .replace(/("name":"content-length","value":")\d+/g, '$1N')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:N')
      .replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'DATE'),
  );

/** Returns the restorable part of a collection: shown members that existed before, except the last-change stamp. */
function restorable(
  record: RunRecord,
  when: 'before' | 'after',
  collection: 'gates' | 'qualifyingEvents' | 'environments',
) {
  const { data } = endpoints[shownBy[collection]];
  const shown = collection === 'environments' ? null : Object.keys('properties' in data ? (data.properties ?? {}) : {});
  return record[when][collection].map(([id, entity]) => {
    const original = record.before[collection].find(([other]) => other === id)?.[1] ?? {};
    return Object.fromEntries(
      Object.entries(entity).filter(
        ([key, value]) =>
          Object.hasOwn(original, key) &&
          (shown === null || shown.includes(key)) &&
          value !== null &&
          !/^(version|lastModif.*)$/.test(key),
      ),
    );
  });
}

const shownBy = {
  gates: 'patch-gate',
  qualifyingEvents: 'update-qualifying-event',
  environments: 'update-environments',
} as const;

const ends = (record: RunRecord, isMeant = (_id: string): boolean => true): unknown =>
  leveled(Object.fromEntries([...record.checks].filter(([id]) => isMeant(id)).sort()));

describe('against a conforming server', () => {
  const whole = recordedRun();

  test('every endpoint conforms, and every check that was planned ended, once', async () => {
    const record = await whole;
    expect([...record.verdicts].filter(([, verdict]) => verdict !== 'conformant')).toEqual([]);
    expect(record.verdicts.size).toBe(endpointIds.length);
    expect(record.end.outcome).toBe('complete');
    const ended = record.events.flatMap(event => (event.event === 'check-end' ? [event.id] : []));
    expect([...ended].sort()).toEqual(record.start.plan.map(({ id }) => id).sort());
  });

  test('every event is one of the journal', async () => {
    const valid = validatorFor(runEvent);
    for (const event of (await whole).events) expect(valid(JSON.parse(JSON.stringify(event)))).toEqual([]);
  });

  test('gates, qualifying events and environments are afterwards what they were before', async () => {
    for (const collection of ['gates', 'qualifyingEvents', 'environments'] as const) {
      expect(restorable(await whole, 'after', collection)).toEqual(restorable(await whole, 'before', collection));
    }
  });

  test('what is left behind is told, and is nothing that the API could put back', async () => {
    const left = (await whole).events.filter(event => event.event === 'left-behind');
    expect(new Set(left.map(({ kind }) => kind))).toEqual(
      new Set(['experiment', 'dynamic config', 'metric', 'prompt version']),
    );
  });

  test('what is created is counted as it is, and is no more than was told before the first request', async () => {
    const { events, before, after } = await whole;
    const told = events.flatMap(event => (event.event === 'planned-effects' ? event.effects : []));
    const mostOf = (kind: string): number => told.find(one => one.effect === 'created' && one.kind === kind)?.most ?? 0;
    const leftOf = (kind: string): number =>
      events.reduce((sum, one) => sum + (one.event === 'left-behind' && one.kind === kind ? (one.count ?? 1) : 0), 0);
    const metrics = after.metrics.length - before.metrics.length;
    expect(leftOf('metric')).toBe(metrics);
    expect(metrics).toBeLessThanOrEqual(mostOf('metric'));
    const versions = (when: RunRecord['before']) => when.prompts.reduce((sum, [, { count }]) => sum + count, 0);
    expect(leftOf('prompt version')).toBe(versions(after) - versions(before));
    expect(leftOf('prompt version')).toBeLessThanOrEqual(mostOf('prompt version'));
  });

  test('fields of which no answer tells what they are, are not written', async () => {
    const { seen } = await whole;
    const written = (endpoint: string) =>
      seen.flatMap(({ endpoint: id, body }) =>
        id === endpoint && membersOf(body).dryRun !== true ? Object.keys(membersOf(body)) : [],
      );
    expect(written('patch-gate')).not.toContain('releasePipelineID');
    expect(written('update-qualifying-event')).not.toContain('all_columns');
    expect(seen.some(({ body }) => membersOf(body).all_columns !== undefined)).toBe(true);
  });

  test('what it was before stands in the journal before the first write', async () => {
    const { events, seen, before } = await whole;
    const snapshot = events.filter(event => event.event === 'snapshot');
    expect(events[1]?.event).toBe('planned-effects');
    expect(events.slice(2, 2 + snapshot.length)).toEqual(snapshot);
    const written = seen.filter(({ endpoint, body }) => endpoint === 'patch-gate' && JSON.stringify(body) !== '{}');
    const existing = new Set(before.gates.map(([id]) => id));
    const told = new Set(snapshot.map(({ param }) => param));
    const gates = [...new Set(written.map(({ param }) => param))].filter(id => existing.has(id));
    expect(gates.length).toBeGreaterThan(1);
    expect(gates.filter(id => !told.has(id))).toEqual([]);
  });

  test('a filtered run sends the same data for the same check', async () => {
    const only = [
      'create-metric/violations',
      'update-qualifying-event/combinations',
      'patch-gate/rejects',
      'update-experiment/rejects',
    ];
    const filtered = await recordedRun({ only });
    const bodies = ({ seen }: RunRecord) =>
      seen.map(({ endpoint, body }) => JSON.stringify(leveled([endpoint, body ?? null])));
    const left = new Map<string, number>();
    for (const body of bodies(await whole)) left.set(body, (left.get(body) ?? 0) + 1);
    expect(filtered.seen.length).toBeGreaterThan(100);
    expect(bodies(filtered).filter(body => !left.has(body))).toEqual([]);
  });
});

describe('one seed', () => {
  test('shows the same ends of checks, whatever the concurrency', async () => {
    const only = ['create-metric', 'patch-gate', 'list-*'];
    const one = await recordedRun({ server: faulty, only, run: { concurrency: 1 } });
    const eight = await recordedRun({ server: faulty, only, run: { concurrency: 8 } });
    expect(checksThat(one, 'fail')).toContain('create-metric/schema');
    // Serial requests cannot race, and the number of answers with two overlapping writes may vary.
    const shown = (record: RunRecord): unknown =>
      ends({
        ...record,
        checks: new Map(
          [...record.checks].flatMap(([id, end]) =>
            id.endsWith('/races') ? [] : [[id, id.endsWith('/echo') ? { ...end, stats: undefined as never } : end]],
          ),
        ),
      });
    expect(shown(eight)).toEqual(shown(one));
  });

  test('another seed sends other data', async () => {
    const only = ['create-metric/combinations'];
    const sent = async (seed: number) => {
      const { seen } = await recordedRun({ only, run: { seed } });
      return seen.map(({ body }) => leveled(body ?? null));
    };
    expect(await sent(2)).not.toEqual(await sent(1));
  });

  test('shards of it together show what the whole shows', async () => {
    const whole = await recordedRun({ run: { selection: { only: ['list-*', '*/message'], skip: [] } } });
    const parts = await Promise.all(
      [1, 2, 3].map(index =>
        recordedRun({ run: { selection: { only: ['list-*', '*/message'], skip: [], shard: { index, total: 3 } } } }),
      ),
    );
    const ids = parts.flatMap(part => [...part.checks.keys()]);
    expect(ids.sort()).toEqual([...whole.checks.keys()].sort());
    expect(parts.flatMap(part => checksThat(part, 'pass')).sort()).toEqual([...checksThat(whole, 'pass')].sort());
  });
});

test('--path sends exactly the counterexample again, and nothing else of the check', async () => {
  const only = ['create-metric/combinations'];
  const server: ReferenceServerOptions = {
    decorateValidate: (id, validate) => request => {
      const { body } = request as { body: Record<string, unknown> | undefined };
      if (id === 'create-metric' && body?.description !== undefined)
        return [{ property: 'description', errorMessage: 'not here' }];
      return validate(request);
    },
  };
  const found = await recordedRun({ server, only, run: { profile: 'standard' } });
  const counterexample = found.checks.get('create-metric/combinations')?.findings[0]?.counterexample;
  expect(counterexample?.pointer).toMatch(/description|^$/);
  const path = counterexample?.path ?? '';
  const replayed = await recordedRun({ server, only, run: { path, profile: 'standard' } });
  const finding = replayed.checks.get('create-metric/combinations')?.findings[0];
  expect(leveled(finding?.counterexample?.sent)).toEqual(leveled(counterexample?.sent));
  const bodies = new Set(
    replayed.seen
      .filter(({ endpoint }) => endpoint === 'create-metric')
      .map(({ body }) => JSON.stringify(leveled(body))),
  );
  // The minimal request, which is the control, and the case.
  expect(bodies.size).toBe(2);
});

test('the key is in no event, nor any near miss of it, though the target echoes all it is sent', async () => {
  const echoing: ReferenceServerOptions = {
    decorate: (_id, handler) => async (request, store, settings) => {
      const answer = await handler(request, store, settings);
      const given = String(request.headers['service-api-key'] ?? '');
      const echo = {
        given,
        query: request.query,
        base64: Buffer.from(given).toString('base64'),
        url: encodeURIComponent(given),
      };
      const padding = 'x'.repeat(4090);
      return answer.status === 200
        ? { status: 200, body: { message: `${given} was welcome`, padding, echo, data: given } }
        : { status: 500, body: { echo, padding, headers: request.headers, body: request.body } };
    },
  };
  const record = await recordedRun({ server: echoing, only: ['list-segments', 'patch-gate', 'create-prompt-version'] });
  expect(record.events.some(event => JSON.stringify(event).includes('«the API key»'))).toBe(true);
  const secrets = [testKey, ...nearMisses(testKey).map(([secret]) => secret)];
  const forms = secrets.flatMap(secret => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]);
  const journal = record.events.map(event => JSON.stringify(event)).join('\n');
  expect(forms.filter(form => journal.includes(form))).toEqual([]);
});

test('without fixtures what needs them is untested, and says what to add', async () => {
  const record = await recordedRun({ file: () => ({}) });
  expect(checksThat(record, 'fail')).toEqual([]);
  expect(record.verdicts.get('list-segments')).toBe('conformant');
  expect(record.verdicts.get('list-qualifying-events')).toBe('conformant');
  for (const [endpoint, verdict] of record.verdicts) {
    if (endpoint === 'list-segments' || endpoint === 'list-qualifying-events') continue;
    expect([endpoint, verdict]).toEqual([endpoint, 'incomplete']);
    const ended = [...record.checks.values()].filter(check => check.endpoint === endpoint);
    expect(new Set(ended.map(({ verdict: one }) => one))).toEqual(new Set(['untested']));
    for (const check of ended) expect(check.remedy).toMatch(/^(fixtures|vocabulary)\./);
  }
});

test('a key that is refused everywhere ends the run at once, with the reason', async () => {
  const record = await recordedRun({ apiKey: 'another-key' });
  expect(record.end).toMatchObject({ outcome: 'unreachable', because: expect.stringContaining('refused everywhere') });
  expect(record.notices).toEqual([expect.objectContaining({ remedy: expect.stringContaining('SERVICE-API-KEY') })]);
  expect(record.end.stats.requests).toBeLessThan(5);
  expect(record.checks.size).toBe(0);
});

test('nobody there is unreachable, at once', async () => {
  const { end } = await recordedRun({ run: { target: targetOf({}, await closedPort(), testKey) } });
  expect(end).toMatchObject({ outcome: 'unreachable', because: expect.stringContaining('ECONNREFUSED') });
});

test('a target that goes away during the run ends it, and what could not be tested is untested', async () => {
  let requests = 0;
  const { end, checks } = await recordedRun({
    only: ['list-segments', 'list-events'],
    server: {
      decorateListener: listener => (request, response) => {
        requests += 1;
        if (requests > 40) request.socket.destroy();
        else listener(request, response);
      },
    },
  });
  expect(end.outcome).toBe('unreachable');
  expect([...checks.values()].some(({ verdict }) => verdict === 'untested')).toBe(true);
});

type Listening = (request: IncomingMessage, response: ServerResponse) => void;

const drop: Listening = request => void request.socket.destroy();
const unavailable: Listening = (_request, response) => void response.writeHead(503).end('<h1>503</h1>');

/** Runs the suite for one operation against a target that goes away once, until it was looked at so often. */
async function runWithOutage(
  away: Listening,
  mostLooks: number,
  more: { readonly begins?: () => void; readonly run?: Partial<RunOptions> } = {},
) {
  onTestFinished(skipWaits());
  let requests = 0;
  let isGone = false;
  let looks = 0;
  return recordedRun({
    only: ['patch-gate'],
    run: { timeoutMs: longest, ...more.run },
    server: {
      decorateListener: listener => (request, response) => {
        requests += 1;
        if (requests === 100) {
          isGone = true;
          more.begins?.();
        }
        // The looks at a target that is gone read the segments.
        if (isGone && request.url?.includes('/segments') === true) looks += 1;
        if (looks > mostLooks) isGone = false;
        if (isGone) away(request, response);
        else listener(request, response);
      },
    },
  });
}

describe('a target that is unavailable behind its gateway for a while', () => {
  test('is waited for, and is not accused', async () => {
    const { end, checks, notices } = await runWithOutage(unavailable, 3);
    expect(end.outcome).toBe('complete');
    expect([...checks.values()].flatMap(({ findings }) => findings)).toEqual([]);
    expect(notices).toContainEqual(expect.objectContaining({ text: expect.stringContaining('was away once') }));
  });

  test('and longer than the run waits, ends it, and is not accused', async () => {
    const record = await runWithOutage(unavailable, 20);
    expect(record.end).toMatchObject({ outcome: 'unreachable', because: expect.stringContaining('went away') });
    expect([...record.checks.values()].flatMap(({ findings }) => findings)).toEqual([]);
    expect(restorable(record, 'after', 'gates')).toEqual(restorable(record, 'before', 'gates'));
    expect(record.notices.filter(({ text }) => text.includes('put back'))).toEqual([]);
  });
});

test.each([
  ['drops what is sent', drop],
  ['is unavailable behind its gateway', unavailable],
])('a target that %s is not accused where the run is interrupted meanwhile', async (_what, away) => {
  const controller = new AbortController();
  const begins = (): void => controller.abort();
  const { end, checks } = await runWithOutage(away, 3, { begins, run: { signal: controller.signal } });
  expect(end.outcome).toBe('interrupted');
  expect([...checks.values()].flatMap(({ findings }) => findings)).toEqual([]);
});

test('what a target that drops all requests has been sent is put back when it is there again', async () => {
  const record = await runWithOutage(drop, 20);
  expect(record.end.outcome).toBe('unreachable');
  expect(restorable(record, 'after', 'gates')).toEqual(restorable(record, 'before', 'gates'));
  expect(record.notices.filter(({ text }) => text.includes('put back'))).toEqual([]);
});

test.each([
  ['drops two requests', 2],
  ['drops all requests until it was looked at', Number.POSITIVE_INFINITY],
])('what was written is put back although the target %s when that begins', async (_what, most) => {
  let isOver = false;
  let dropped = 0;
  const record = await recordedRun({
    only: ['patch-gate'],
    onEvent(event) {
      if (event.event === 'check-end' && event.id === 'patch-gate/frame') isOver = true;
    },
    run: { concurrency: 1 },
    server: {
      decorateListener: listener => (request, response) => {
        if (isOver && request.url?.includes('/segments') === true) dropped = most;
        if (!isOver || dropped >= most) return listener(request, response);
        dropped += 1;
        request.socket.destroy();
      },
    },
  });
  expect(dropped).toBeGreaterThan(1);
  expect(restorable(record, 'after', 'gates')).toEqual(restorable(record, 'before', 'gates'));
  expect(record.notices.filter(({ text }) => text.includes('put back'))).toEqual([]);
});

test('a gate that drops its connections when it is to be put back keeps no other changed', async () => {
  let isOver = false;
  const record = await recordedRun({
    only: ['patch-gate', 'disable-gate'],
    onEvent(event) {
      if (event.event === 'check-end' && event.id === 'patch-gate/neighbours') isOver = true;
    },
    run: { concurrency: 1 },
    server: {
      decorateListener: listener => (request, response) => {
        if (isOver && request.url?.endsWith('/gates/new_checkout') === true) request.socket.destroy();
        else listener(request, response);
      },
    },
  });
  const before = restorable(record, 'before', 'gates');
  const changed = restorable(record, 'after', 'gates').filter((gate, index) => !isDeepStrictEqual(gate, before[index]));
  expect(changed).toHaveLength(1);
  expect(record.notices.filter(({ text }) => text.includes('put back')).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^gate new_checkout could not be put back: no answer/),
  ]);
});

test('of gates that cannot be enabled again one alone is disabled', async () => {
  const disabled = new Set<string>();
  const record = await recordedRun({
    only: ['patch-gate', 'disable-gate'],
    server: {
      decorateOperation:
        (id, handler) =>
        async (request, ...more) => {
          const { isEnabled } = membersOf(request.body);
          if (id === 'patch-gate' && isEnabled === true && disabled.has(request.param))
            return { status: 422, body: { message: 'No way back.' } };
          if (id === 'disable-gate' || isEnabled === false) disabled.add(request.param);
          return handler(request, ...more);
        },
    },
  });
  const enabled = (when: 'before' | 'after') =>
    restorable(record, when, 'gates').filter(gate => membersOf(gate).isEnabled === true).length;
  expect(enabled('before')).toBeGreaterThan(2);
  expect(enabled('after')).toBe(enabled('before') - 1);
  expect(record.checks.get('disable-gate/neighbours')).toMatchObject({
    verdict: 'untested',
    because: expect.stringContaining('could not be enabled again (status 422: "No way back.")'),
  });
});

test('an interrupted run puts the gates back and ends every check that was planned', async () => {
  const controller = new AbortController();
  let started = 0;
  const record = await recordedRun({
    only: ['patch-gate', 'disable-gate'],
    run: { signal: controller.signal },
    onEvent: event => {
      if (event.event === 'check-start') started += 1;
      if (started === 4) controller.abort();
    },
  });
  expect(record.end.outcome).toBe('interrupted');
  expect([...record.checks.keys()].sort()).toEqual(record.start.plan.map(({ id }) => id).sort());
  expect(checksThat(record, 'untested').length).toBeGreaterThan(0);
  expect(restorable(record, 'after', 'gates')).toEqual(restorable(record, 'before', 'gates'));
});

test('a fault of the suite between two checks puts the gates back all the same, and is thrown', async () => {
  const isEnabled = async (store: Store) => (await store.list('gates')).map(({ id, isEnabled: own }) => [id, own]);
  let stored: Store | undefined;
  let before: unknown;
  const record = recordedRun({
    only: ['disable-gate/*'],
    server: {
      decorate: (id, handler) => async (request, store, settings) => {
        stored = store;
        before ??= await isEnabled(store);
        const response = await handler(request, store, settings);
        const body = membersOf(response.body);
        const data = { ...membersOf(body.data), idType: 'something else' };
        return id === 'disable-gate' && response.status === 200 ? { ...response, body: { ...body, data } } : response;
      },
    },
    run: {
      watch: {
        answer: ({ id }) => {
          if (id.startsWith('investigation')) throw new Error('nobody expected that');
        },
        sent: () => {},
      },
    },
  });
  await expect(record).rejects.toThrow('nobody expected that');
  expect(await isEnabled(stored as Store)).toEqual(before);
});

test('read-only sends GET and nothing else; what writes is not applicable', async () => {
  const methods = new Set<string | undefined>();
  const record = await recordedRun({
    run: { readOnly: true },
    server: {
      decorateListener: listener => (request, response) => {
        methods.add(request.method);
        listener(request, response);
      },
    },
  });
  expect([...methods]).toEqual(['GET']);
  expect(record.after).toEqual(record.before);
  for (const [endpoint, verdict] of record.verdicts) {
    const { effect } = endpoints[endpoint];
    expect([endpoint, verdict]).toEqual([endpoint, effect === 'read' ? 'conformant' : 'not-applicable']);
  }
});

test('another header and another unit-id field are used on the wire', async () => {
  const naming = {
    apiKeyHeader: 'ACME-KEY',
    unitIdField: 'acmeUnitID',
    startDatePlaceholder: '{acme_start}',
    endDatePlaceholder: '{acme_end}',
  };
  const record = await recordedRun({ server: { naming }, only: ['update-qualifying-event', 'list-qualifying-events'] });
  expect(checksThat(record, 'fail')).toEqual([]);
  expect([...record.verdicts.values()]).toEqual(['conformant', 'conformant']);
});

test('a selection that cannot be run is the mistake of the caller', async () => {
  await expect(recordedRun({ only: ['nowhere'] })).rejects.toThrow(NothingSelected);
  await expect(recordedRun({ only: ['patch-gate'], run: { path: '0' } })).rejects.toThrow(PathNeedsOneCheck);
});

test('run alone needs nothing but a target', async () => {
  const events: string[] = [];
  const target = targetOf({}, await closedPort(), testKey);
  const selection = { only: ['list-segments'], skip: [] };
  const amounts = { seed: 1, profile: 'quick', concurrency: 1, timeoutMs: 1000, settleMs: 0 } as const;
  await run({ target, selection, embedded: false, readOnly: false, strict: false, ...amounts }, ({ event }) => {
    events.push(event);
  });
  // The end of the run, with a remedy and the open cells of the one operation.
  expect(events).toEqual(['run-start', 'notice', 'cells', 'run-end']);
});

// With these seeds each random case of the profile carries a field that the target file does not state.
test.each([
  [5, 'update-environments/violations'],
  [6, 'update-environments/combinations'],
])('with seed %i random cases are drawn until one of %s may be sent', async (seed, unit) => {
  const { checks } = await recordedRun({ only: [unit], run: { seed } });
  expect(checks.get(unit)?.verdict).toBe('pass');
});

test('where only so much may be left behind, what is found is confirmed before anything new is sent', async () => {
  const lax = ['model', 'top_p', 'provider', 'max_tokens'];
  const { checks } = await recordedRun({
    server: {
      decorateValidate: (_id, validate) => request => validate(request).filter(one => !lax.includes(one.property)),
    },
    only: ['create-prompt-version/rejects', 'create-prompt-version/schema'],
    file: file => ({ ...file, limits: { promptVersions: 12 } }),
    run: { profile: 'standard' },
  });
  const findings = checks.get('create-prompt-version/schema')?.findings ?? [];
  for (const { requirement, level, seen } of findings) {
    expect([requirement, level]).toEqual(['reject.well-typed-if-accepted', 'MUST']);
    expect(seen).toEqual({ times: seen?.of, of: seen?.of });
  }
  expect(findings[0]?.seen).toEqual({ times: 3, of: 3 });
});
