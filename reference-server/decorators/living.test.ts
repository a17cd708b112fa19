import { describe, expect, it, vi } from 'vitest';
import { specificationNaming } from '../../contracts/target.ts';
import type { Handler, HandlerRequest } from '../api/request.ts';
import { refusal } from '../api/response.ts';
import { fixtures } from '../fixtures/index.ts';
import { createMemoryBackend } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import type { Decorator } from './layers.ts';
import { enoughAfter, isDry, othersAct, othersMove } from './living.ts';
import { everyNth, insteadOfWork } from './operations.ts';
import { lateByReads, replicasInTurn } from './past-store.ts';

const server = { apiKey: 'k', naming: specificationNaming, endpoints: undefined };
const settings = { naming: specificationNaming, now: () => 0 };
const stored = (): Store => createMemoryBackend().worldNow('', fixtures(specificationNaming)).store;
const request = (body: unknown = {}): HandlerRequest =>
  ({ endpoint: 'create-metric', method: 'POST', path: '', param: '', query: {}, headers: {}, body }) as HandlerRequest;
const done: Handler = async () => ({ status: 200, body: {} });
const refused = refusal(402, 'No more.');

/** Sends requests one after another and returns their statuses. */
async function statuses(decorator: Decorator, bodies: readonly unknown[], handler = done): Promise<number[]> {
  const hooks = decorator(server);
  const inner = hooks.decorateOperation?.('create-metric', handler) ?? handler;
  const whole = hooks.decorate?.('create-metric', inner) ?? inner;
  const store = stored();
  const found: number[] = [];
  for (const body of bodies) found.push((await whole(request(body), store, settings)).status);
  return found;
}

describe('a service that has enough', () => {
  const dry = { dryRun: true };

  it('counts what it did, and refuses the rest', async () => {
    expect(await statuses(enoughAfter(2, refused), [{}, {}, {}, {}])).toEqual([200, 200, 402, 402]);
  });

  it('counts neither refusals nor what does not count', async () => {
    const counts = (one: HandlerRequest): boolean => !isDry(one);
    expect(await statuses(enoughAfter(1, refused, counts), [dry, dry, {}, {}, dry])).toEqual([200, 200, 200, 402, 200]);
    let first = true;
    const failing: Handler = async () => {
      const status = first ? 400 : 200;
      first = false;
      return { status, body: {} };
    };
    expect(await statuses(enoughAfter(1, refused), [{}, {}, {}], failing)).toEqual([400, 200, 402]);
  });

  it('refuses every n-th request', async () => {
    expect(
      await statuses(
        everyNth(3, () => refused, insteadOfWork),
        [{}, {}, {}, {}, {}, {}],
      ),
    ).toEqual([200, 200, 402, 200, 200, 402]);
  });
});

describe('others', () => {
  it('act before every n-th request', async () => {
    const act = vi.fn(async () => undefined);
    await statuses(othersAct(2, act), [{}, {}, {}, {}, {}]);
    expect(act.mock.calls.map((call: unknown[]) => call[1])).toEqual([1, 2]);
  });

  it('move one list, and no other', async () => {
    const lengths: number[] = [];
    const handler: Handler = async (_request, store) => {
      lengths.push((await store.list('segments')).length, (await store.list('gates')).length);
      return { status: 200, body: {} };
    };
    await statuses(
      othersMove('segments', (list, seen) => list.slice(seen)),
      [{}, {}],
      handler,
    );
    expect(lengths).toEqual([29, 12, 28, 12]);
  });
});

describe('replicas', () => {
  const enabled = async (store: Store): Promise<boolean | undefined> =>
    (await store.get('gates', 'dark_mode'))?.isEnabled;
  const disable = (store: Store): Promise<void> =>
    store.put('gates', 'dark_mode', { id: 'dark_mode', isEnabled: false, version: 1 });
  const through = (decorator: Decorator): Store => decorator(server).decorateStore?.(stored()) ?? stored();

  it('catch up after so many readings', async () => {
    const store = through(lateByReads(2, 1_000_000, ['gates']));
    await disable(store);
    expect([await enabled(store), await enabled(store), await enabled(store)]).toEqual([true, true, false]);
  });

  it('answer in turn, one of them from the past until it has caught up', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const store = through(replicasInTurn(500, ['gates']));
      await disable(store);
      expect([await enabled(store), await enabled(store), await enabled(store)]).toEqual([false, true, false]);
      now.mockReturnValue(501);
      expect([await enabled(store), await enabled(store)]).toEqual([false, false]);
    } finally {
      now.mockRestore();
    }
  });
});
