import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { gate, patch, readGate, tell } from './told.fixture.ts';

/** A model that has read a gate once. */
function known(options: Parameters<typeof tell>[0] = {}) {
  const told = tell(options);
  told.exchange(patch('a'), { data: gate('a') });
  told.wait(10_000);
  return told;
}

describe('what an answer proves', () => {
  test('the answer to a write does not prove that it was stored; another one does', () => {
    const told = known();
    told.exchange(patch('a', { description: 'made up by us' }), { data: gate('a', { description: 'made up by us' }) });
    expect(told.covers).not.toContain('state.patch-every-sent');
    told.exchange(patch('a'), { data: gate('a') });
    expect(told.said()).toEqual(['firm lost a description state.patch-every-sent']);
  });

  test('a write that is shown as it was sent is no suspicion, and covers its requirement', () => {
    const told = known();
    told.exchange(patch('a', { description: 'made up by us' }), { data: gate('a', { description: 'made up by us' }) });
    told.exchange(patch('a'), { data: gate('a', { description: 'made up by us' }) });
    expect(told.said()).toEqual([]);
    expect(told.covers).toContain('state.patch-every-sent');
  });

  test('a value that was there before proves nothing of the write that sends it', () => {
    const told = known();
    told.exchange(patch('a', { type: 'TEMPORARY' }), { data: gate('a') });
    told.exchange(patch('a'), { data: gate('a') });
    expect(told.covers).not.toContain('state.patch-every-sent');
  });

  test('what a patch does not send stays, in its own answer too', () => {
    const told = known({ isSoleWriter: true });
    told.exchange(patch('a', { type: 'PERMANENT' }), { data: gate('a', { type: 'PERMANENT', tags: [] }) });
    expect(told.said()).toEqual(['firm changed a tags state.patch-only-sent']);
  });

  test('what was told once is not told of every answer after it', () => {
    const told = known({ isSoleWriter: true });
    told.exchange(patch('a', { type: 'PERMANENT' }), { data: gate('a', { type: 'PERMANENT', tags: [] }) });
    for (let times = 0; times < 3; times += 1)
      told.exchange(patch('a'), { data: gate('a', { type: 'PERMANENT', tags: [] }) });
    expect(told.said()).toHaveLength(1);
  });
});

describe('what follows from a sent field may change with it', () => {
  const reviewSettings = { requiredReview: true };
  // biome-ignore format: a table
  test.each<readonly [sent: JsonObject, also: JsonObject]>([
    [{ name: 'made up' },       { permalink: '/gates/made%20up' }],
    [{ team: 'Growth' },        { teamID: 't2', reviewSettings }],
    [{ teamID: 't2' },          { team: 'Growth', reviewSettings }],
    [{ creatorEmail: 'a@b.c' }, { creatorID: 'u2', creatorName: 'Bo', owner: { ownerID: 'u2' } }],
  ])('%j', (sent, also) => {
    const shown = { permalink: '/gates/a', reviewSettings: {}, owner: { ownerID: 'u1' }, creatorID: 'u1', ...also };
    const before = { ...shown, permalink: '/gates/a', reviewSettings: {}, owner: { ownerID: 'u1' }, team: 'Core', teamID: 't1' };
    const told = tell({ isSoleWriter: true });
    told.exchange(patch('a'), { data: gate('a', before) });
    told.exchange(patch('a', sent), { data: gate('a', { ...before, ...sent, ...also }) });
    told.exchange(patch('a'), { data: gate('a', { ...before, ...sent, ...also }) });
    expect(told.said()).toEqual([]);
  });

  test('not with another one', () => {
    const told = tell({ isSoleWriter: true });
    told.exchange(patch('a'), { data: gate('a', { permalink: '/gates/a' }) });
    told.exchange(patch('a', { type: 'TEMPORARY' }), { data: gate('a', { type: 'TEMPORARY', permalink: '/gates/b' }) });
    expect(told.said()).toEqual(['firm changed a permalink state.patch-only-sent']);
  });
});

test('what is rolled out gradually is compared with nothing', () => {
  const told = known();
  const rules = (passPercentage: number) => [{ id: 'r', name: 'all', passPercentage }];
  told.exchange(patch('a', { rules: rules(50), gradual_rollout_strategy: {} }), {
    data: gate('a', { rules: rules(10) }),
  });
  told.exchange(patch('a'), { data: gate('a', { rules: rules(50) }) });
  told.exchange(patch('a', { rules: rules(10) }), { data: gate('a', { rules: rules(10) }) });
  told.exchange(patch('a'), { data: gate('a', { rules: rules(20) }) });
  expect(told.said()).toEqual([]);
});

describe('the full entity', () => {
  const disable: ApiRequest = { endpoint: 'disable-gate', param: 'a' };
  const { description: _, ...rest } = gate('a', { isEnabled: false });

  test('has what another operation showed unasked', () => {
    const told = known({ isSoleWriter: true });
    told.exchange(disable, { data: rest });
    expect(told.said()).toEqual(['firm changed a description state.disable-gate-frame']);
  });

  test('need not have what was only an echo, what is blank, or what no answer has settled', () => {
    const told = tell({ isSoleWriter: true });
    told.exchange(patch('a'), { data: { id: 'a', isEnabled: true, version: 1, tags: [] } });
    told.exchange(patch('a', { description: 'made up by us' }), {
      data: { id: 'a', isEnabled: true, version: 2, description: 'made up by us' },
    });
    told.exchange(disable, { data: { id: 'a', isEnabled: false, version: 3 } });
    expect(told.said()).toEqual([]);
  });

  test.each<readonly [what: string, enabled: JsonObject, said: readonly string[]]>([
    ['that shows more than must be there', { sequentialTesting: false }, ['turboMode']],
    ['of what must be there alone', { allocation: 50, version: 3 }, []],
  ])('has what was answered as it was sent, in an answer %s', (_what, enabled, missed) => {
    const update = (body: JsonObject): ApiRequest => ({ endpoint: 'update-experiment', param: 'a', body });
    const enable: ApiRequest = { endpoint: 'enable-groups', param: 'a', body: { group_names: ['Test'] } };
    const told = tell({ isSoleWriter: true });
    told.exchange(update({ turboMode: true, isSidecar: false, duration: 7 }), {
      data: { id: 'a', turboMode: true, isSidecar: false, allocation: 50 },
    });
    told.exchange(enable, { data: { id: 'a', ...enabled } });
    expect(told.said()).toEqual(missed.map(name => `firm lost a ${name} state.enable-groups-frame`));
  });

  test('is asked of a patch only as that operation showed it', () => {
    const told = tell({ isSoleWriter: true });
    told.exchange(disable, { data: gate('a', { isEnabled: false }) });
    told.exchange(patch('a'), { data: rest });
    expect(told.said()).toEqual([]);
  });
});

describe('what is behind', () => {
  const settleMs = 1_000;

  test('an old value soon after a write is excused, and explained when the new one shows', () => {
    const told = known({ settleMs });
    told.exchange(patch('a', { description: 'made up by us' }), { data: gate('a', { description: 'made up by us' }) });
    told.exchange(patch('a'), { data: gate('a') });
    expect(told.said()).toEqual(['lag lost a description state.patch-every-sent']);
    told.exchange(patch('a'), { data: gate('a', { description: 'made up by us' }) });
    expect(told.said()).toEqual(['explained lost a description state.patch-every-sent']);
  });

  test('the excuse falls where the old value is shown when nothing is behind any more', () => {
    const told = known({ settleMs });
    told.exchange(patch('a', { description: 'made up by us' }), { data: gate('a', { description: 'made up by us' }) });
    told.exchange(patch('a'), { data: gate('a') });
    told.wait(settleMs);
    told.exchange(patch('a'), { data: gate('a') });
    expect(told.said()).toEqual(['firm lost a description state.patch-every-sent']);
  });

  test('a value nobody knew that shows soon after our write stands beside it, and replaces nothing', () => {
    const told = tell({ settleMs });
    told.exchange(patch('a', { description: 'made up by us' }), { data: gate('a', { description: 'made up by us' }) });
    told.exchange(patch('a'), { data: gate('a', { description: 'from before' }) });
    told.exchange(patch('a'), { data: gate('a', { description: 'made up by us' }) });
    expect(told.said().filter(one => one.startsWith('firm'))).toEqual([]);
  });

  test('what narrows what is shown now does not narrow what a reading that is behind may show', () => {
    const told = known({ settleMs });
    const one = told.begin(patch('a', { description: 'made up first' }));
    const other = told.begin(patch('a', { description: 'made up second' }));
    told.answer(one, { data: gate('a', { description: 'made up first' }) });
    told.answer(other, { data: gate('a', { description: 'made up second' }) });
    for (const description of ['made up first', 'made up second', 'made up first'])
      told.exchange(patch('a'), { data: gate('a', { description }) });
    expect(told.said().filter(line => line.startsWith('firm'))).toEqual([]);
  });

  test('an operation of which twenty answers in a row were up to date is not excused by being behind', () => {
    const told = known({ settleMs });
    for (let times = 0; times < 20; times += 1) {
      const now = gate('a', { description: `made up by us ${times}` });
      told.exchange(patch('a', { description: `made up by us ${times}` }), { data: now });
      told.exchange(patch('a'), { data: now });
    }
    told.exchange(patch('a', { description: 'not stored' }), { data: gate('a', { description: 'not stored' }) });
    told.exchange(patch('a'), { data: gate('a', { description: 'made up by us 19' }) });
    expect(told.said()).toEqual(['firm lost a description state.patch-every-sent']);
  });
});

describe('what others do', () => {
  test('a value that nobody of ours sent may be theirs; seen once, the field keeps that excuse', () => {
    const told = known();
    told.exchange(patch('a', { type: 'PERMANENT' }), { data: gate('a', { type: 'PERMANENT' }) });
    told.exchange(patch('a'), { data: gate('a', { type: 'PERMANENT', description: 'by Brice' }) });
    told.exchange(patch('a', { description: 'made up by us' }), {
      data: gate('a', { type: 'PERMANENT', description: 'made up by us' }),
    });
    told.exchange(patch('a'), { data: gate('a', { type: 'PERMANENT', description: 'by Brice' }) });
    expect(told.said()).toEqual([
      'others changed a description state.patch-only-sent',
      'others lost a description state.patch-every-sent',
    ]);
  });

  test('booleans, closed sets, nulls and empty lists are nobody’s mark', () => {
    const told = known();
    told.exchange(patch('a', { isEnabled: false, type: 'PERMANENT' }), {
      data: gate('a', { isEnabled: false, type: 'PERMANENT' }),
    });
    told.exchange(patch('a'), { data: gate('a') });
    expect(told.said().sort()).toEqual([
      'others lost a isEnabled state.patch-every-sent',
      'others lost a type state.patch-every-sent',
    ]);
  });

  test('a text that an answer showed before we sent it is nobody’s mark', () => {
    const told = known();
    told.exchange(patch('b'), { data: gate('b') });
    told.exchange(patch('b', { description: 'All about a' }), { data: gate('b', { description: 'All about a' }) });
    told.exchange(patch('c'), { data: gate('c') });
    told.exchange(patch('b'), { data: gate('b', { description: 'All about a' }) });
    told.exchange(patch('c'), { data: gate('c', { description: 'All about a' }) });
    expect(told.said()).toEqual(['others changed c description state.neighbours']);
  });

  test('movement is an operation that differs from itself in a window in which nothing was tried', () => {
    const told = tell();
    told.exchange({ endpoint: readGate, param: 'a' }, { data: gate('a', { description: 'one' }) });
    told.exchange({ endpoint: readGate, param: 'a' }, { data: gate('a', { description: 'two' }) });
    expect(told.said()).toEqual(['moves+others disagree a description state.patch-every-sent']);
  });

  test('what comes back between showings of our text is the doing of nobody else, whatever else moves', () => {
    const settleMs = 1_000;
    const ours = gate('a', { description: 'made up by us' });
    const replicas = (...shown: readonly ReturnType<typeof gate>[]) => {
      const told = known({ settleMs });
      told.exchange(patch('a', { description: 'made up by us' }), { data: ours });
      for (const data of shown) {
        told.wait(settleMs);
        told.exchange(patch('a'), { data });
      }
      return told;
    };
    const certain = replicas(ours, gate('a'), ours);
    expect(certain.said()).toEqual(['firm disagree a description state.patch-every-sent']);
    expect(certain.suspicions.map(one => one.certainBy)).toEqual(['return']);
    // Others may have restored the old value; and a value that others write and take back was never ours.
    for (const told of [
      replicas(ours, gate('a'), gate('a')),
      replicas(ours, gate('a', { description: 'by Brice' }), ours),
    ])
      expect(told.suspicions.some(one => one.certainBy !== undefined)).toBe(false);
    // Another write of the old value may have brought it back, answered or not.
    const again = replicas(ours, gate('a'));
    again.begin(patch('a', { description: 'made up by us' }));
    again.exchange(patch('a'), { data: ours });
    expect(again.suspicions.some(one => one.certainBy !== undefined)).toBe(false);
  });

  describe('a text that we made up and wrote to one entity alone', () => {
    const description = 'made up, and ours';
    /** Tells of two gates, both shown, of which the first was given the text. */
    const stamped = (options: Parameters<typeof tell>[0] = {}) => {
      const told = known({ isSeeded: true, ...options });
      told.exchange(patch('b'), { data: gate('b') });
      told.exchange(patch('a', { description }), { data: gate('a', { description }) });
      return told;
    };
    const certain = ({ suspicions }: ReturnType<typeof tell>) =>
      suspicions.map(({ requirements: [id], certainBy }) => [id, certainBy]);

    test('came to another by the doing of nobody else, even where others write and readings are behind', () => {
      const told = stamped({ settleMs: 1_000 });
      for (const shown of ['by Brice', description]) {
        told.wait(10_000);
        told.exchange(patch('b'), { data: gate('b', { description: shown }) });
      }
      expect(certain(told)).toEqual([
        ['state.neighbours', undefined],
        ['state.neighbours', 'mark'],
      ]);
      expect(told.said().at(-1)).toBe('firm changed b description state.neighbours');
    });

    test('may be anybody’s without the token of the run', () => {
      const told = stamped({ token: 'another' });
      told.exchange(patch('b'), { data: gate('b', { description }) });
      expect(certain(told)).toEqual([['state.neighbours', undefined]]);
    });

    test('may be what a request that cannot be read brought to the other', () => {
      const told = stamped();
      told.exchange({ endpoint: 'patch-gate', param: 'b', raw: '{' }, { status: 500 });
      told.exchange(patch('b'), { data: gate('b', { description }) });
      expect(certain(told).map(([, by]) => by)).toEqual([undefined]);
    });

    test('may be mixed up where two writes met', () => {
      const told = known({ isSeeded: true });
      told.exchange(patch('b'), { data: gate('b') });
      const first = told.begin(patch('a', { description }));
      told.exchange(patch('a', { description: 'ours as well' }), { data: gate('a', { description: 'ours as well' }) });
      told.answer(first, { data: gate('a', { description }) });
      told.exchange(patch('b'), { data: gate('b', { description }) });
      expect(certain(told).map(([, by]) => by)).toEqual([undefined]);
    });
  });

  test('a read operation that is asked by another method is over when it is answered', () => {
    const told = tell();
    told.exchange({ endpoint: readGate, param: 'a', method: 'DELETE' }, { status: 405 });
    for (const description of ['one', 'two'])
      told.exchange({ endpoint: readGate, param: 'a' }, { data: gate('a', { description }) });
    expect(told.said()).toEqual(['moves+others disagree a description state.patch-every-sent']);
  });

  test('a stored refusal is no movement: it was tried', () => {
    const told = tell({ isSoleWriter: true });
    told.exchange({ endpoint: readGate, param: 'a' }, { data: gate('a') });
    told.exchange(patch('a', { description: 'made up by us', type: 'NONE' }), { status: 400 });
    told.exchange({ endpoint: readGate, param: 'a' }, { data: gate('a', { description: 'made up by us' }) });
    expect(told.said()).toEqual(['firm trace a description reject.no-trace']);
  });
});

describe('what is open', () => {
  test('an accepted breach opens the broken field alone', () => {
    const told = known();
    const shown = gate('a', { type: 'PERMANENT', description: 'made up by us' });
    told.exchange(patch('a', { type: 'permanent', description: 'made up by us' }), { data: shown });
    told.exchange(patch('a'), { data: gate('a', { type: 'PERMANENT' }) });
    expect(told.said()).toEqual(['firm lost a description state.patch-every-sent']);
  });

  test('a setting that others may override is open until it is shown as it was sent, and stays from then on', () => {
    const sent = { requiredReview: false, allowedReviewers: ['one'] };
    const set = (told: ReturnType<typeof known>, shown: JsonObject) => {
      told.exchange(patch('a', { reviewSettings: sent }), { data: gate('a', { reviewSettings: shown }) });
      told.exchange(patch('a'), { data: gate('a', { reviewSettings: shown }) });
    };
    const lost = { requiredReview: false, allowedReviewers: [] };
    const overridden = known({ settleMs: 2_000 });
    set(overridden, lost);
    expect(overridden.said()).toEqual([]);
    const told = known({ settleMs: 2_000, isSoleWriter: true });
    set(told, sent);
    told.wait(10_000);
    told.exchange(
      { endpoint: 'disable-gate', param: 'a' },
      { data: gate('a', { isEnabled: false, reviewSettings: lost }) },
    );
    expect(told.said()).toEqual(['firm changed a reviewSettings state.disable-gate-frame']);
  });

  test('members of a body that no section documents say nothing, whatever they are called', () => {
    const told = known();
    const body = JSON.parse('{"constructor":1,"__proto__":{"tags":[]},"toString":"x","tags":["made up by us 1"]}');
    told.exchange(patch('a', body), { data: gate('a', { tags: ['made up by us 1'] }) });
    told.exchange(patch('a'), { data: gate('a', { tags: ['made up by us 1'] }) });
    told.exchange({ endpoint: 'update-experiment', param: 'an_exp', body }, { data: { id: 'an_exp' } });
    expect(told.said()).toEqual([]);
  });

  test('members that go by two names open together', () => {
    const told = known({ isSoleWriter: true });
    told.exchange(patch('a', { type: 'TEMPORARY' }), { data: gate('a', { team: 'growth' }) });
    told.exchange(patch('a', { teamID: 'team-2' }), { data: gate('a', { team: 'growth' }) });
    told.exchange(patch('a'), { data: gate('a', { team: 'payments' }) });
    expect(told.said()).toEqual([]);
  });

  test('a write whose answer was lost may have been carried out, or not', () => {
    const told = known({ isSoleWriter: true });
    const lost = told.begin(patch('a', { description: 'lost on the way' }));
    const again = told.begin(patch('a', { tags: ['again'] }));
    told.answer(again, { data: gate('a', { tags: ['again'] }) }, [lost]);
    told.exchange(patch('a'), { data: gate('a', { tags: ['again'], description: 'lost on the way' }) });
    expect(told.said()).toEqual([]);
  });
});

describe('where writes overlap', () => {
  test('a reading that meets a write may show it, or not', () => {
    const told = known({ isSoleWriter: true });
    for (const description of ['made up by us', 'All about a']) {
      const write = told.begin(patch('a', { description: 'made up by us' }));
      told.exchange({ endpoint: readGate, param: 'a' }, { data: gate('a', { description }) });
      told.answer(write, { data: gate('a', { description: 'made up by us' }) });
      told.exchange(patch('a', { description: 'All about a' }), { data: gate('a') });
      told.exchange(patch('a'), { data: gate('a') });
    }
    expect(told.said()).toEqual([]);
  });

  test('of two that send the same field one is left, and either may be', () => {
    for (const left of ['made up first', 'made up second', 'torn']) {
      const told = known({ isSoleWriter: true });
      const one = told.begin(patch('a', { description: 'made up first' }));
      const other = told.begin(patch('a', { description: 'made up second' }));
      told.answer(one, { data: gate('a', { description: 'made up first' }) });
      told.answer(other, { data: gate('a', { description: 'made up second' }) });
      told.exchange(patch('a'), { data: gate('a', { description: left }) });
      expect(told.suspicions.map(({ requirements }) => requirements.includes('state.concurrent-values'))).toEqual(
        left === 'torn' ? [true] : [],
      );
    }
  });
});

describe('whose doing it is', () => {
  test('a text made up for another entity accuses its request', () => {
    const told = known();
    told.exchange(patch('b', { description: 'made up for b' }), { data: gate('b', { description: 'made up for b' }) });
    told.exchange(patch('a'), { data: gate('a', { description: 'made up for b' }) });
    expect(told.said()).toEqual(['firm changed a description state.neighbours']);
  });

  test('what only reads others hides no write that reached a neighbour', () => {
    const told = known({ isSoleWriter: true });
    for (const id of ['b', 'c', 'd']) told.exchange(patch(id), { data: gate(id) });
    told.exchange(patch('a', { type: 'PERMANENT' }), { data: gate('a', { type: 'PERMANENT' }) });
    for (const id of ['c', 'd']) told.exchange(patch(id), { data: gate(id) });
    told.exchange(patch('b'), { data: gate('b', { type: 'PERMANENT' }) });
    expect(told.said()).toEqual(['firm changed b type state.neighbours']);
    expect(told.suspicions[0]?.culprits).toEqual([5]);
  });

  test('of the last writes to neighbours the one that sent the value is told first', () => {
    const told = known({ isSoleWriter: true });
    for (const id of ['b', 'c', 'd']) told.exchange(patch(id), { data: gate(id) });
    told.exchange(patch('a', { type: 'PERMANENT' }), { data: gate('a', { type: 'PERMANENT' }) });
    for (const id of ['c', 'd']) told.exchange(patch(id, { tags: [] }), { data: gate(id, { tags: [] }) });
    told.exchange(patch('b'), { data: gate('b', { type: 'PERMANENT' }) });
    expect(told.suspicions.map(({ culprits: [first] }) => first)).toEqual([5]);
  });

  test('the last write by another operation is suspected, however many entities were written since', () => {
    const told = known({ isSoleWriter: true });
    const others = ['c', 'd', 'e', 'f', 'g'];
    for (const id of ['b', ...others]) told.exchange(patch(id), { data: gate(id) });
    told.exchange({ endpoint: 'disable-gate', param: 'a' }, { data: gate('a', { isEnabled: false }) });
    for (const id of others) told.exchange(patch(id, { tags: [] }), { data: gate(id, { tags: [] }) });
    told.exchange(patch('b'), { data: gate('b', { type: 'PERMANENT' }) });
    expect(told.suspicions.map(({ culprits }) => culprits)).toEqual([[13, 12, 11, 10, 8]]);
  });

  test('a write that sent the very text is told before a later one, and before a request without the key', () => {
    const told = known({ isSoleWriter: true });
    told.exchange(patch('b'), { data: gate('b') });
    told.exchange(patch('a', { description: 'short' }), { data: gate('a', { description: 'short' }) });
    told.exchange({ ...patch('b', { tags: [] }), key: { kind: 'none' } }, { status: 401 });
    told.exchange(patch('a', { tags: [] }), { data: gate('a', { description: 'short', tags: [] }) });
    told.exchange(patch('b'), { data: gate('b', { description: 'short' }) });
    expect(told.said()).toEqual(['firm changed b description state.neighbours']);
    expect(told.suspicions[0]?.culprits).toEqual([3, 4, 5]);
  });

  test('an answer that shows another entity is judged as a whole', () => {
    const told = known();
    told.exchange(patch('b'), { data: gate('b') });
    told.exchange(patch('a'), { data: { ...gate('b'), id: 'a' } });
    expect(told.said()).toEqual(['firm swapped a state.concurrent-answers']);
  });

  test('an old state that another entity has as well is not taken for that entity', () => {
    const told = tell({ isSoleWriter: true });
    const alike = { description: 'alike in both', tags: ['alike'] };
    told.exchange(patch('a'), { data: gate('a', alike) });
    told.exchange(patch('b'), { data: gate('b', alike) });
    const sent = { description: 'sent to the first', tags: ['sent'] };
    told.exchange(patch('a', sent), { data: gate('a', sent) });
    told.exchange(patch('a'), { data: gate('a', alike) });
    expect(told.said().some(one => one.includes(' a description'))).toBe(true);
    expect(told.said().filter(one => one.includes('swapped'))).toEqual([]);
  });

  test('what somebody else writes to all entities at once is not taken for another entity', () => {
    const told = known();
    const bulk = { description: 'reviewed by all', tags: ['reviewed'] };
    told.exchange(patch('b'), { data: gate('b') });
    told.exchange(patch('a'), { data: gate('a') });
    told.exchange(patch('b'), { data: gate('b', bulk) });
    told.exchange(patch('a'), { data: gate('a', bulk) });
    expect(told.said().filter(one => one.includes('swapped'))).toEqual([]);
    expect(told.said().filter(one => one.startsWith('firm'))).toEqual([]);
  });

  test('a request without the key, or a dry run, must not have an effect', () => {
    const told = known();
    told.exchange({ ...patch('a', { description: 'made up, no key' }), key: { kind: 'none' } }, { status: 401 });
    told.exchange(patch('a'), { data: gate('a', { description: 'made up, no key' }) });
    expect(told.said()).toEqual(['firm trace a description auth.no-effect']);
  });

  test('a text of a refused request that shows up with a later write accuses the request that carried it', () => {
    const told = known();
    told.exchange({ ...patch('a', { description: 'made up, no key' }), key: { kind: 'none' } }, { status: 401 });
    told.exchange(patch('a'), { data: gate('a') });
    told.exchange(patch('a', { type: 'PERMANENT' }), { data: gate('a', { type: 'PERMANENT' }) });
    told.exchange(patch('a'), { data: gate('a', { type: 'PERMANENT', description: 'made up, no key' }) });
    expect(told.said()).toEqual(['firm trace a description auth.no-effect']);
  });

  test('where texts are made of a seed, one without the token may be left of an earlier run', () => {
    for (const [text, excuse] of [
      ['made up, no key', 'others'],
      ['made up, no key, ours', 'firm'],
    ] as const) {
      const told = known({ isSeeded: true });
      told.exchange({ ...patch('a', { description: text }), key: { kind: 'none' } }, { status: 401 });
      told.exchange(patch('a'), { data: gate('a', { description: text }) });
      expect(told.said()).toEqual([`${excuse} trace a description auth.no-effect`]);
    }
  });

  test('what went through without the key may be carried out: that it did is the finding, not what it changed', () => {
    const told = known();
    const keyless = { ...patch('a', { description: 'made up, no key' }), key: { kind: 'none' } } as const;
    told.exchange(keyless, { data: gate('a', { description: 'made up, no key' }) });
    told.exchange(patch('a'), { data: gate('a', { description: 'made up, no key' }) });
    expect(told.said()).toEqual([]);
  });

  test('an answer to a write that shows another entity than was written says nothing of what is known', () => {
    const told = known();
    const body = { name: 'ours 1', type: 'event_user', description: 'made up by us' };
    told.exchange({ endpoint: 'create-metric', body }, { data: { ...body, id: 'ours 1:event_user' } });
    told.exchange({ endpoint: 'create-metric', body }, { data: { ...body, id: 'ours 1:event_user', name: 'other' } });
    expect(told.said()).toEqual([]);
  });

  test('names the exchange that last showed what is known', () => {
    const told = known();
    const number = told.begin(patch('a', { type: 'PERMANENT' }));
    told.answer(number, { data: gate('a', { type: 'PERMANENT', tags: [] }) });
    expect(told.suspicions.map(({ known: last, culprits, shown }) => [last, culprits, shown])).toEqual([
      [1, [number], number],
    ]);
  });
});

describe('lists of metrics', () => {
  const pagination = {
    itemsPerPage: 10,
    pageNumber: 1,
    totalItems: 1,
    nextPage: null,
    previousPage: null,
    all: '/console/v1/metrics',
  };
  const list = { endpoint: 'list-event-metrics', param: 'page_view' } as const;
  const body = { name: 'ours 1', type: 'event_user' };
  const metric = { ...body, id: 'ours 1::event_user', lineage: { events: ['page_view'], metrics: [] } };
  const create = { endpoint: 'create-metric', body } as const;
  const dry = { endpoint: 'create-metric', body: { ...body, dryRun: true } } as const;

  test('a creation without a type has an id of its own, which nobody else wrote to', () => {
    const strange = (sent: JsonObject, answer: object): readonly string[] => {
      const told = tell();
      told.exchange({ endpoint: 'create-metric', body: sent }, answer);
      told.exchange(list, { data: [metric], pagination });
      return told.said().filter(one => one.includes(' name '));
    };
    expect(strange({ name: 'ours 1' }, { data: metric })).toEqual([]);
    expect(strange({ name: 'ours 1' }, { status: 400 })).toEqual([
      'firm trace ours 1::event_user name reject.no-trace',
    ]);
    expect(strange({ name: 'ours 1', type: 'ratio' }, { data: metric })).not.toEqual([]);
  });

  test('a lineage that lacks the event may be filled a moment later, and not for ever', () => {
    const settleMs = 1_000;
    const empty = { ...metric, lineage: { events: [], metrics: [] } };
    const told = tell({ settleMs });
    told.exchange(list, { data: [empty], pagination });
    told.exchange(list, { data: [empty], pagination });
    expect(told.said()).toEqual(['lag present ours 1::event_user state.lineage-truth']);
    told.wait(settleMs);
    told.exchange(list, { data: [empty], pagination });
    expect(told.said()).toEqual(['firm present ours 1::event_user state.lineage-truth']);
    const filled = tell({ settleMs });
    filled.exchange(list, { data: [empty], pagination });
    filled.exchange(list, { data: [metric], pagination });
    expect(filled.said()).toEqual(['explained present ours 1::event_user state.lineage-truth']);
    expect(filled.covers).toContain('state.lineage-truth');
  });

  test('a metric of an earlier page is followed, one of an earlier walk is not', () => {
    const of = (id: string, events: readonly string[], metrics: readonly string[]) => ({
      ...metric,
      id,
      lineage: { events, metrics },
    });
    const page = (pageNumber: number) => ({ ...pagination, itemsPerPage: 1, pageNumber, totalItems: 2 });
    const told = tell();
    told.exchange(list, { data: [of('a', ['purchase', 'page_view'], [])], pagination: page(1) });
    told.exchange(list, { data: [of('b', [], ['a'])], pagination: page(2) });
    told.exchange(list, { data: [of('c', [], ['b'])], pagination: page(1) });
    expect(told.said()).toEqual([]);
    told.exchange(list, { data: [of('d', ['purchase'], ['c'])], pagination: page(2) });
    expect(told.said()).toEqual([]);
    told.exchange(list, { data: [of('e', ['purchase'], [])], pagination: page(1) });
    told.exchange(list, { data: [of('f', [], ['e'])], pagination: page(2) });
    expect(told.suspicions.map(({ id }) => id)).toEqual(['e', 'f']);
  });

  test('a creation that was refused, dry or not, and is listed, left a trace', () => {
    for (const request of [create, dry]) {
      const told = tell();
      told.exchange(request, { status: 400 });
      told.exchange(list, { data: [metric], pagination });
      expect(told.said()).toContain('firm present ours 1::event_user reject.no-trace');
    }
  });

  test('a dry run that was accepted, and is listed, is no dry run', () => {
    const told = tell();
    told.exchange(dry, { data: metric });
    told.exchange(list, { data: [metric], pagination });
    expect(told.said()).toContain('firm present ours 1::event_user state.dry-run-metric');
  });

  test('what was answered under another id is not missed under it', () => {
    const told = tell();
    told.exchange(create, { data: { ...metric, id: 'ours 1:event_user' } });
    told.exchange(list, { data: [], pagination: { ...pagination, totalItems: 0 } });
    expect(told.said()).toEqual([]);
  });

  test('a lineage that is no list of names is judged by its type alone', () => {
    const told = tell();
    const lineage = { events: [{ name: 'page_view' }], metrics: [] };
    told.exchange(list, { data: [{ ...metric, lineage }], pagination });
    expect(told.said()).toEqual([]);
  });
});

describe('a read operation that is new', () => {
  const read = { endpoint: readGate, param: 'a' } as const;
  const constant = gate('a', { name: 'Some gate', description: 'Some gate', tags: [] });

  test('is judged by its row alone: right, nothing is suspected', () => {
    const told = tell();
    for (const description of ['made up first', 'made up second', 'made up third']) {
      told.exchange(patch('a', { description }), { data: gate('a', { description }) });
      told.exchange(read, { data: gate('a', { description }) });
      told.exchange(patch('a'), { data: gate('a', { description }) });
    }
    expect(told.said()).toEqual([]);
    expect(told.covers).toContain('state.patch-every-sent');
  });

  test('constant values are firm, although an empty patch shows others in between', () => {
    const told = tell();
    for (const description of ['made up first', 'made up second', 'made up third', 'made up fourth']) {
      told.exchange(patch('a', { description }), { data: gate('a', { description }) });
      told.exchange(read, { data: constant });
      told.exchange(patch('a'), { data: gate('a', { description }) });
      told.exchange(read, { data: constant });
    }
    const firm = told.said().filter(one => one.startsWith('firm'));
    expect(firm).toContain('firm disagree a description state.patch-every-sent');
  });
});

test('what was replaced or shown long ago is forgotten, however much there is', () => {
  const told = known({ settleMs: 100 });
  const sizes: number[] = [];
  for (let times = 0; times < 1_600; times += 1) {
    const [description, id] = [`made up by us ${times}`, `gate ${times}`];
    told.exchange(patch('a', { description }), { data: gate('a', { description }) });
    told.exchange(patch('a'), { data: gate('a') });
    told.exchange(patch(id), { data: gate(id) });
    told.exchange({ endpoint: 'create-metric', body: { name: id, type: 'event_user' } }, { status: 400 });
    told.begin(patch(times % 2 === 0 ? id : 'a', { tags: ['never answered'] }));
    told.wait(10_000);
    if (times % 20 === 0) sizes.push(told.size());
  }
  // Ten minutes have some sixty rounds; texts are kept up to three times as long.
  expect(Math.max(...sizes.slice(20))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 20)));
});
