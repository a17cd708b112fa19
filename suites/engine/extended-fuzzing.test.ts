import { describe, expect, test } from 'vitest';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { type ReferenceServerOptions, referenceTarget } from '../../reference-server/index.ts';
import { allUnits } from '../checks/units.ts';
import { checksThat, type RunRecord, recordedRun } from '../proof/testing/reference-run.ts';
import { type ActiveCheck, isNothingToDo } from '../protocol/check.ts';
import { RunStopped } from '../protocol/stop.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import { targetOf } from '../sut/target.ts';
import { mostCreated } from './budget.ts';
import { amountsOf } from './cases.ts';
import type { RunConfig } from './config.ts';
import { extend, type FuzzedUnit } from './lane.ts';

/** Longer than any test takes, so that something else ends the run. */
const endless = 1_000_000_000;

describe('rounds', () => {
  /** Returns a unit that provides this many cases, or fails with an error. */
  const given = (unit: string, draws: 'scenario' | 'fuzz', cases: number | Error): FuzzedUnit<string> => {
    let left = cases;
    const fuzzed = async (count: number) => {
      if (left instanceof Error) throw left;
      const taken = Math.min(count, left);
      left -= taken;
      return taken;
    };
    return { unit, draws, open: { extend: fuzzed } as FuzzedUnit<string>['open'] };
  };

  const portionsOf = async (units: readonly FuzzedUnit<string>[], most = Number.POSITIVE_INFINITY) => {
    const portions: string[] = [];
    const failures: string[] = [];
    const told = units.map(({ unit, draws, open }): FuzzedUnit<string> => {
      const fuzzed = async (count: number) => {
        const taken = await open.extend(count);
        portions.push(`${unit} ${taken}`);
        return taken;
      };
      return { unit, draws, open: { ...open, extend: fuzzed } };
    });
    await extend(told, {
      isTimeUp: () => portions.length >= most,
      onPortion: () => {},
      onFailure: (unit, error) => void failures.push(`${unit} ${(error as Error).message}`),
    });
    return { portions, failures };
  };

  test('take scenarios first, and end when nothing is left', async () => {
    const { portions } = await portionsOf([given('a', 'fuzz', 150), given('b', 'scenario', 25)]);
    expect(portions).toEqual(['b 20', 'a 100', 'b 5', 'a 50', 'b 0', 'a 0']);
  });

  test('end when the time is up', async () => {
    const { portions } = await portionsOf([given('a', 'fuzz', 1e9), given('b', 'fuzz', 1e9)], 3);
    expect(portions).toEqual(['a 100', 'b 100', 'a 100']);
  });

  test('go on without a unit that fails', async () => {
    const { portions, failures } = await portionsOf([given('a', 'fuzz', new Error('broken')), given('b', 'fuzz', 150)]);
    expect(failures).toEqual(['a broken']);
    expect(portions).toEqual(['b 100', 'b 50', 'b 0']);
  });

  test('end with the run', async () => {
    const stopped = new RunStopped('interrupted', 'the run was interrupted');
    const { portions, failures } = await portionsOf([given('a', 'fuzz', stopped), given('b', 'fuzz', 150)]);
    expect({ portions, failures }).toEqual({ portions: [], failures: [] });
  });
});

/** A server that refuses about one metric in a hundred, by its description's length: too rare for a quick run. */
const rarelyBroken: ReferenceServerOptions = {
  decorate: (id, handler) => async (request, store, settings) => {
    const { description } = (request.body ?? {}) as { description?: unknown };
    const isRare = typeof description === 'string' && description.length % 23 === 17;
    return id === 'create-metric' && isRare
      ? { status: 400, body: { status: 400, message: 'no' } }
      : handler(request, store, settings);
  },
};

const combinations = 'create-metric/combinations';
const findingOf = (record: RunRecord) => record.checks.get(combinations)?.findings[0];

describe('a run with time', () => {
  const only = ['patch-gate/sequences', combinations, 'create-metric/schema', 'update-environments/violations'];

  test('goes on beyond its profile, and every check that went on tells how it ended once more', async () => {
    const more = [...only, 'create-metric/violations', 'create-metric/echo'];
    const record = await recordedRun({ only: more, run: { timeMs: endless, maxRequests: 1_500 } });
    const { stats, outcome } = record.end;
    expect(outcome).toBe('complete');
    expect(stats.extended).toBeGreaterThan(400);
    expect(stats.requests).toBeLessThan(1_600);
    expect(record.notices.filter(({ severity }) => severity === 'warning')).toEqual([]);
    expect([...checksThat(record, 'pass')].sort()).toEqual([...more].sort());
    for (const id of more) {
      const ends = record.events.filter(event => event.event === 'check-end' && event.id === id);
      expect(ends.map(end => end.event === 'check-end' && end.replaces === true)).toEqual([false, true]);
    }
    expect(record.checks.get(combinations)?.stats.cases).toBeGreaterThan(amountsOf.quick.fuzz + 100);
  });

  test('begins nothing beyond the plan before every lane has carried out its own', async () => {
    // A long lane beside a short one, which would otherwise have continued long before.
    const record = await recordedRun({
      only: ['patch-gate/sequences', 'update-qualifying-event/{accepts,rejects,violations}'],
      run: { timeMs: endless, maxRequests: 1_000, concurrency: 2 },
    });
    const { events } = record;
    const planned = new Set(record.start.plan.map(({ id }) => id));
    const lastPlanned = events.findLastIndex(event => event.event === 'check-end' && event.replaces !== true);
    expect(events.findIndex(event => event.event === 'progress')).toBeGreaterThan(lastPlanned);
    expect(
      new Set(events.slice(0, lastPlanned + 1).flatMap(event => (event.event === 'check-end' ? [event.id] : []))),
    ).toEqual(planned);
    expect(record.end.stats.extended).toBeGreaterThan(0);
  });

  test('sends what the profile sends, and then more of the same', async () => {
    const bodies = ({ seen }: RunRecord) => seen.map(({ endpoint, body }) => JSON.stringify([endpoint, body]));
    const scenarios = ['patch-gate/sequences'];
    const plain = await recordedRun({ only: scenarios, run: { profile: 'standard' } });
    const timed = await recordedRun({
      only: scenarios,
      run: { profile: 'standard', timeMs: endless, maxRequests: plain.seen.length + 50 },
    });
    const [sent, again] = [bodies(plain), bodies(timed)];
    const other = sent.findIndex((body, index) => body !== again[index]);
    expect(other).toBeGreaterThan(60);
    // After the profile's cases the plain run reads and restores the gates; the timed run does so later.
    const gates = new Map<string, object>(plain.before.gates);
    for (const { endpoint, param, body } of plain.seen.slice(other)) {
      expect(endpoint).toBe('patch-gate');
      expect(gates.get(param)).toMatchObject(membersOf(body));
    }
  });

  test('finds what is rare, and --path sends it again', async () => {
    const run = { timeMs: endless, maxRequests: 1_000 } as const;
    expect(findingOf(await recordedRun({ only: [combinations], server: rarelyBroken }))).toBeUndefined();
    const finding = findingOf(await recordedRun({ only: [combinations], server: rarelyBroken, run }));
    expect(finding?.requirement).toBe('accept.combination');
    expect(finding?.seen).toEqual({ times: 3, of: 3 });
    const path = finding?.counterexample?.path ?? '';
    expect(Number(path.split(':')[0])).toBeGreaterThanOrEqual(amountsOf.quick.fuzz);
    const again = findingOf(await recordedRun({ only: [combinations], server: rarelyBroken, run: { path } }));
    expect(again?.counterexample?.sent).toEqual(finding?.counterexample?.sent);
  });

  test('walks with every size of pages, whatever the profile, and --path walks with that size again', async () => {
    const only = ['list-segments/pagination'];
    const server: ReferenceServerOptions = {
      decorate: (id, handler) => async (request, store, settings) => {
        const answer = await handler(request, store, settings);
        const isWrong = id === 'list-segments' && request.query.limit === '7' && answer.status === 200;
        return isWrong ? { ...answer, body: { ...(answer.body as object), data: [] } } : answer;
      },
    };
    const found = async (run: object) => {
      const { checks } = await recordedRun({ only, server, run });
      return checks.get('list-segments/pagination')?.findings[0]?.counterexample;
    };
    expect(await found({})).toBeUndefined();
    const counterexample = await found({ timeMs: endless });
    expect(counterexample?.title).toMatch(/seven items/);
    expect((await found({ path: counterexample?.path }))?.title).toBe(counterexample?.title);
  });

  test('replays a case of its plan as it was sent: what was created is created again', async () => {
    const only = ['create-metric/accepts'];
    const isCreation = ({ body }: RunRecord['seen'][number]) => (body as { dryRun?: boolean }).dryRun !== true;
    const path = 'isPermanent-true';
    const { seen } = await recordedRun({ only, run: { path } });
    expect(seen.filter(({ endpoint }) => endpoint === 'create-metric').filter(isCreation)).toHaveLength(2);
  });

  test('creates no metric beyond its plan, and no more than its profile may', async () => {
    const count = { created: 0, planned: 0 };
    const record = await recordedRun({
      only: ['create-metric/{accepts,combinations,violations}'],
      run: { timeMs: endless, maxRequests: 800 },
      server: {
        decorate: (id, handler) => async (request, store, settings) => {
          const before = (await store.list('metrics')).length;
          const answer = await handler(request, store, settings);
          if (id === 'create-metric') count.created += (await store.list('metrics')).length - before;
          return answer;
        },
      },
      onEvent: event => {
        // The first progress event means that the plan was carried out.
        if (event.event === 'progress' && count.planned === 0) count.planned = count.created;
      },
    });
    expect(record.end.stats.extended).toBeGreaterThan(100);
    expect(count.planned).toBeGreaterThan(0);
    expect(count.created).toBe(count.planned);
    expect(count.created).toBeLessThanOrEqual(
      mostCreated('create-metric', { target, profile: 'quick' } as RunConfig) ?? 0,
    );
  });

  test('creates as many prompt versions as the thorough profile at most, and then ends', async () => {
    const { seen, end } = await recordedRun({ only: ['create-prompt-version/combinations'], run: { timeMs: endless } });
    expect(end.outcome).toBe('complete');
    expect(end.stats.extended).toBe(amountsOf.thorough.fuzz - amountsOf.quick.fuzz);
    expect(seen.length).toBeLessThan(amountsOf.thorough.fuzz + 50);
  });

  test('does not go on where an operation works only once', async () => {
    const record = await recordedRun({ only: ['archive-config'], run: { timeMs: endless } });
    expect(record.end).toMatchObject({ outcome: 'complete', stats: { extended: 0 } });
    expect(record.notices.map(({ text }) => text)).toEqual([expect.stringMatching(/no random cases/)]);
  });

  test('that is too short leaves untested what it did not reach, and says so', async () => {
    let requests = 0;
    const record = await recordedRun({
      only: ['patch-gate'],
      server: {
        decorateListener: listener => (request, response) => {
          requests += 1;
          listener(request, response);
        },
      },
      run: { timeMs: 200, clock: () => requests },
    });
    expect(checksThat(record, 'pass')).toContain('patch-gate/frame');
    expect(checksThat(record, 'untested')).toContain('patch-gate/odd-requests');
    expect(record.notices).toEqual([
      expect.objectContaining({
        severity: 'warning',
        text: 'the time given with --time was up',
        remedy: expect.any(String),
      }),
    ]);
    expect(record.end).toMatchObject({ outcome: 'complete', because: 'the time given with --time was up' });
    expect(record.verdicts.get('patch-gate' as EndpointId)).toBe('incomplete');
  });

  test('that is up with the plan says nothing of random cases, of which there would be', async () => {
    let ended = false;
    const record = await recordedRun({
      only: ['patch-gate/sequences'],
      run: { timeMs: 10, clock: () => (ended ? 10 : 0) },
      onEvent: event => {
        ended ||= event.event === 'check-end';
      },
    });
    expect(record.end).toMatchObject({ outcome: 'complete', stats: { extended: 0 } });
    expect(record.notices).toEqual([]);
  });

  test('counts the cases that were begun, not those that were drawn', async () => {
    let requests = 0;
    const record = await recordedRun({
      only: ['patch-gate/violations'],
      server: {
        decorateListener: listener => (request, response) => {
          requests += 1;
          listener(request, response);
        },
      },
      run: { timeMs: 140, clock: () => requests, concurrency: 1 },
    });
    const { cases } = record.checks.get('patch-gate/violations')?.stats ?? { cases: 0 };
    expect(record.end.stats.extended).toBeGreaterThan(0);
    expect(record.end.stats.extended).toBe(cases - amountsOf.quick.fuzz);
  });

  test('that is interrupted beyond its profile is incomplete, and puts the gates back', async () => {
    const controller = new AbortController();
    const record = await recordedRun({
      only: ['patch-gate/sequences'],
      run: { timeMs: endless, signal: controller.signal },
      onEvent: event => event.event === 'progress' && controller.abort(),
    });
    expect(record.end.outcome).toBe('interrupted');
    expect(record.checks.get('patch-gate/sequences')?.verdict).toBe('pass');
    const told = ({ gates }: RunRecord['before']) => gates.map(([id, gate]) => [id, gate.description, gate.isEnabled]);
    expect(told(record.after)).toEqual(told(record.before));
  });
});

const target = targetOf(referenceTarget(), new URL('http://127.0.0.1:9'), 'a-key');
const discovered = { qualifyingEvents: new Map() };

test.each(allUnits().filter(({ check }) => check.kind === 'active'))('$id says whether its cases are random', unit => {
  const { endpoint } = unit;
  const check = unit.check as unknown as ActiveCheck<unknown>;
  const plain = minimalRequest(target, discovered, endpoint);
  if (isBlockedRequest(plain)) throw new Error(plain.because);
  const plan = check.plan({
    endpoint,
    row: endpoints[endpoint],
    target,
    discovered,
    minimal: plain,
    // With these amounts every check has a plan.
    amounts: amountsOf.thorough,
    token: 'test',
    oneShot: false,
    seed: 1,
    settleMs: 0,
    readOnly: false,
  });
  const isRandom = !isNothingToDo(plan) && plan.arbitrary !== undefined;
  expect(check.draws !== undefined).toBe(isRandom);
});
