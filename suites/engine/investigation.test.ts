import { describe, expect, test } from 'vitest';
import { membersOf } from '../../contracts/json.ts';
import type { Handler } from '../../reference-server/index.ts';
import { findingsOf } from '../proof/kill-matrix/detection.fixture.ts';
import { recordedRun, type Setting } from '../proof/testing/reference-run.ts';

/** Returns a server that misreports the gate when disabling it, while `isOtherwise` returns true. */
const disabling = (isOtherwise: () => boolean): NonNullable<Setting['server']> => ({
  decorate: (id, handler) => async (request, store, settings) => {
    const response = await handler(request, store, settings);
    if (id !== 'disable-gate' || response.status !== 200 || !isOtherwise()) return response;
    const body = membersOf(response.body);
    return { ...response, body: { ...body, data: { ...membersOf(body.data), idType: 'something else' } } };
  },
});

const found = async (setting: Setting) =>
  findingsOf(await recordedRun({ only: ['disable-gate/*', 'patch-gate/*'], ...setting }));

describe('what no check looked for', () => {
  test('is told by the check that is about the broken requirement, with three exchanges', async () => {
    const findings = await found({ server: disabling(() => true) });
    expect(findings.map(({ requirement, level, pointer }) => [requirement, level, pointer])).toEqual([
      ['state.disable-gate-frame', 'MUST', '/data/idType'],
    ]);
    const [{ unit = '', steps = [], seen, actual = '', expected = '' } = {}] = findings;
    expect(unit).toBe('disable-gate/disables');
    expect([2, 3]).toContain(steps.length);
    expect(seen).toEqual({ times: 2, of: 2 });
    expect([expected, actual]).toEqual([expect.stringContaining('idType of the gate'), '"something else"']);
  });

  test('is found again when its case alone is sent', async () => {
    const [{ counterexample, unit = '' } = {}] = await found({ server: disabling(() => true) });
    const again = await found({
      server: disabling(() => true),
      only: [counterexample?.unit ?? unit],
      run: { path: counterexample?.path },
    });
    expect(again.map(({ requirement }) => requirement)).toContain('state.disable-gate-frame');
  });

  test('is no more than a warning where it does not come again', async () => {
    let times = 0;
    const once = () => {
      times += 1;
      return times === 1;
    };
    const findings = await found({ server: disabling(once) });
    expect(findings.filter(({ level }) => level === 'MUST')).toEqual([]);
  });
});

test('what a patch does to a field that it does not send is told, although the patch that shows it does the same', async () => {
  /** A patch with another `idType` clears the team, which its own answer still shows. */
  const clearing =
    (handler: Handler): Handler =>
    (request, store, settings) => {
      const transaction: typeof store.transaction = work =>
        store.transaction(inner =>
          work({
            ...inner,
            put: async (collection, id, entity) => {
              const before = membersOf(await inner.get(collection, id));
              const after = membersOf(entity);
              const isCleared = collection === 'gates' && before.idType !== after.idType && before.team === after.team;
              await inner.put(collection, id, isCleared ? { ...entity, team: null } : entity);
            },
          }),
        );
      return handler(request, { ...store, transaction }, settings);
    };
  const findings = await found({
    only: ['patch-gate/*'],
    run: { profile: 'standard' },
    server: { decorateOperation: (id, handler) => (id === 'patch-gate' ? clearing(handler) : handler) },
  });
  expect(findings.map(({ requirement, level, pointer }) => [requirement, level, pointer])).toEqual([
    ['state.patch-only-sent', 'MUST', '/data/team'],
  ]);
});

test('what two operations may have broken is told of the one that did, although the other has a defect of its own', async () => {
  const findings = await found({
    run: { profile: 'standard' },
    server: { faults: ['gate-id-type-lost-beside-team', 'disable-shows-other-tags'] },
  });
  expect(findings.map(({ requirement }) => requirement).sort()).toEqual([
    'state.disable-gate-frame',
    'state.patch-every-sent',
  ]);
});

test('what a disabling did is told of it, although only a later write shows it', async () => {
  const findings = await found({ run: { profile: 'standard' }, server: { faults: ['disable-clears-tags'] } });
  expect(findings.map(({ requirement, unit }) => [requirement, unit])).toEqual([
    ['state.disable-gate-frame', 'disable-gate/disables'],
  ]);
});

// biome-ignore format: a table
test.each([
  ['enable-groups-resets-allocation',      'enable-groups/rest-unchanged'],
  ['enable-groups-clears-hypothesis',      'enable-groups/rest-unchanged'],
  ['experiment-duration-not-stored',       'update-experiment/courses'],
  ['experiment-description-stored-short',  'update-experiment/courses'],
  ['experiment-line-breaks-not-stored',    'update-experiment/courses'],
])('what enabling groups shows of an experiment is told of the operation that made it: %s', async (fault, unit) => {
  const only = ['update-experiment/*', 'enable-groups/*'];
  const findings = await found({ only, run: { profile: 'standard' }, server: { faults: [fault] } });
  expect(findings.map(one => one.unit)).toEqual([unit]);
});

test('what one of many requests without the key did is found, although those to odd paths came last', async () => {
  const findings = await found({
    run: { profile: 'standard' },
    only: ['disable-config/*'],
    server: { faults: ['config-untagged-without-key'] },
  });
  expect(findings.map(({ requirement, unit }) => [requirement, unit])).toEqual([
    ['auth.no-effect', 'disable-config/authentication'],
  ]);
});

test('what two readings of a list contradict each other in is told of them, and of no write', async () => {
  const findings = await found({
    run: { profile: 'standard' },
    only: ['list-qualifying-events/*', 'update-qualifying-event/*'],
    server: { faults: ['fifth-source-shown-with-other-sql', 'source-custom-fields-refused'] },
  });
  const ofState = findings.filter(({ requirement }) => /^state\.|no-trace/.test(requirement));
  expect(ofState.map(({ requirement, unit }) => [requirement, unit])).toEqual([
    ['state.qualifying-event-visible', 'list-qualifying-events/pagination'],
  ]);
});

test('what a refused request left is told of no other request without effect', async () => {
  const findings = await found({ run: { profile: 'standard' }, server: { faults: ['gate-refusal-measures'] } });
  expect(findings.map(({ requirement, unit }) => [requirement, unit])).toEqual([
    ['reject.no-trace', expect.stringMatching(/^patch-gate\//)],
  ]);
});

test('a change that nothing takes back is a warning where two gates show it once each', async () => {
  /** A new description adds a holdout, and no write removes one. */
  const adding =
    (handler: Handler): Handler =>
    async (request, store, settings) => {
      const response = await handler(request, store, settings);
      const gate = await store.get('gates', request.param);
      if (response.status !== 200 || gate === undefined || !Object.hasOwn(membersOf(request.body), 'description'))
        return response;
      const changed = { ...gate, holdoutIDs: ['h9'] };
      await store.put('gates', request.param, changed);
      return { ...response, body: { ...membersOf(response.body), data: changed } };
    };
  const findings = await found({
    only: ['patch-gate/frame'],
    file: file => ({ ...file, fixtures: { ...file.fixtures, gates: file.fixtures?.gates?.slice(0, 2) ?? [] } }),
    server: { decorateOperation: (id, handler) => (id === 'patch-gate' ? adding(handler) : handler) },
  });
  expect(findings.map(({ requirement, pointer, doubt }) => [requirement, pointer, doubt])).toEqual([
    ['state.patch-only-sent', '/data/holdoutIDs', expect.stringContaining('cannot be put back')],
  ]);
});

test('what enabling groups takes away is not told of a request without effect', async () => {
  const findings = await found({
    only: ['update-experiment/courses'],
    server: {
      decorate: (id, handler) => async (request, store, settings) => {
        const response = await handler(request, store, settings);
        const experiment = await store.get('experiments', request.param);
        if (id !== 'enable-groups' || response.status !== 200 || experiment === undefined) return response;
        const { links: _, ...rest } = experiment;
        await store.put('experiments', request.param, rest);
        const { links: _shown, ...data } = membersOf(membersOf(response.body).data);
        return { ...response, body: { ...membersOf(response.body), data } };
      },
    },
  });
  expect(findings.map(({ requirement, fault, pointer }) => [requirement, fault?.kind, pointer])).toEqual([
    ['state.enable-groups-frame', expect.not.stringContaining('trace'), '/data/links'],
  ]);
});

test('two operations with a defect of one field are told apart', async () => {
  const findings = await found({
    run: { profile: 'standard' },
    server: { faults: ['patch-empty-text-ignored', 'disable-shows-other-description'] },
  });
  const failed = findings.filter(({ level }) => level === 'MUST');
  expect(failed.map(({ requirement, pointer }) => `${requirement} ${pointer}`)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^(echo|state\.patch)\S* \/data\/description$/),
      'state.disable-gate-frame /data/description',
    ]),
  );
});

test('an operation that shows what is stored is not told to have changed what another shows wrongly', async () => {
  const findings = await found({ server: { faults: ['gate-measure-always-false'] } });
  const failed = findings.filter(({ level }) => level === 'MUST');
  expect(failed.map(({ requirement }) => requirement)).not.toContain('state.disable-gate-frame');
  expect(failed.map(({ pointer }) => pointer)).toContain('/data/measureMetricLifts');
});

test('what an empty patch takes away is not told of the operation that was sent before it', async () => {
  const findings = await found({ server: { faults: ['patch-always-empties-tags'] } });
  const failed = findings.filter(({ level }) => level === 'MUST');
  expect([...new Set(failed.map(({ requirement }) => requirement))]).toEqual(['state.patch-every-sent']);
});

test('what a request without the key has done is told with that request', async () => {
  const findings = await found({ run: { profile: 'standard' }, server: { faults: ['gate-disabled-without-key'] } });
  const [{ requirement, fault, steps = [], expected } = {}] = findings.filter(({ level }) => level === 'MUST');
  expect([requirement, fault?.kind]).toEqual(['auth.no-effect', 'trace']);
  expect(expected).toContain('because the request had no valid key');
  const keyless = steps.filter(({ exchange: { response } }) => response?.status === 401);
  expect(keyless.map(({ exchange }) => exchange.request.url)).toEqual([expect.stringMatching(/\/disable$/)]);
});

test('a certain sighting is told, although its group was investigated in vain, and has come up too often since', async () => {
  const findings = await found({
    only: ['update-qualifying-event/*'],
    run: { seed: 3 },
    server: { faults: ['source-copies-tags-far-off'] },
  });
  expect(findings.map(({ requirement, level, pointer }) => [requirement, level, pointer])).toEqual([
    ['state.neighbours', 'MUST', expect.stringMatching(/^\/data\/\d+\/tags$/)],
  ]);
});

test('what a list shows wrongly of a metric is found again where the metric that is made anew stands on a later page', async () => {
  const findings = await found({
    only: ['create-metric/*'],
    run: { profile: 'standard' },
    server: {
      decorate: (id, handler) => async (request, store, settings) => {
        if (id !== 'list-event-metrics') return handler(request, store, settings);
        const response = await handler({ ...request, query: { ...request.query, limit: '5' } }, store, settings);
        const text = JSON.stringify(response.body).replace(/"funnelEventList":\[.*?\]/g, '"funnelEventList":[]');
        return { ...response, body: JSON.parse(text) };
      },
    },
  });
  expect(findings.map(({ requirement, level, pointer }) => [requirement, level, pointer])).toEqual([
    ['state.metric-as-created', 'MUST', expect.stringMatching(/^\/data\/\d+\/funnelEventList$/)],
  ]);
});

test('what a list shows wrongly of a metric is found again, although its name is taken when it is made anew', async () => {
  const findings = await found({
    only: ['create-metric/metric-stored'],
    run: { profile: 'standard' },
    server: {
      decorate: (id, handler) => async (request, store, settings) => {
        const response = await handler(request, store, settings);
        if (id !== 'list-event-metrics') return response;
        const text = JSON.stringify(response.body).replaceAll('"isVerified":true', '"isVerified":false');
        return { ...response, body: JSON.parse(text) };
      },
    },
  });
  expect(findings.map(({ requirement, level, pointer }) => [requirement, level, pointer])).toEqual([
    ['state.metric-as-created', 'MUST', expect.stringMatching(/^\/data\/\d+\/isVerified$/)],
  ]);
});

test('a total that is behind the items of its list after a creation is no finding', async () => {
  let behind = 0;
  const findings = await found({
    only: ['create-metric/metric-stored'],
    run: { profile: 'standard', settleMs: 200 },
    server: {
      decorate: (id, handler) => async (request, store, settings) => {
        const response = await handler(request, store, settings);
        if (id === 'create-metric' && response.status < 300 && membersOf(request.body).dryRun !== true) behind = 2;
        if (id !== 'list-event-metrics' || behind === 0) return response;
        behind -= 1;
        const body = membersOf(response.body);
        const { totalItems, ...pagination } = membersOf(body.pagination);
        return { ...response, body: { ...body, pagination: { ...pagination, totalItems: Number(totalItems) - 1 } } };
      },
    },
  });
  expect(findings.map(({ requirement, level }) => `${level} ${requirement}`)).toEqual([]);
});

test('a list of which every second page lacks an item is a failure, whichever page is asked for first', async () => {
  for (const turn of [0, 1]) {
    let pages = turn;
    const findings = await found({
      only: ['list-event-metrics/pagination'],
      run: { profile: 'standard' },
      server: {
        decorate: (id, handler) => async (request, store, settings) => {
          const response = await handler(request, store, settings);
          if (id !== 'list-event-metrics' || response.status !== 200) return response;
          pages += 1;
          const body = membersOf(response.body);
          const data = body.data as readonly unknown[];
          return pages % 2 === 0 ? { ...response, body: { ...body, data: data.slice(0, -1) } } : response;
        },
      },
    });
    expect(findings.map(({ level }) => level)).toContain('MUST');
  }
});

describe('metrics that are listed under half the name of an event', () => {
  const events = ['page_view', 'purchase'];
  const listing = (eventOf: (asked: string) => string | undefined): NonNullable<Setting['server']> => ({
    decorate: (id, handler) => (request, store, settings) =>
      handler(
        id === 'list-event-metrics' ? { ...request, param: eventOf(request.param) ?? request.param } : request,
        store,
        settings,
      ),
  });
  const lineages = async (eventOf: (asked: string) => string | undefined) => {
    const findings = await found({
      only: ['list-event-metrics/*'],
      run: { profile: 'standard' },
      server: listing(eventOf),
    });
    return findings.filter(({ requirement }) => requirement === 'state.lineage-truth').map(({ level }) => level);
  };

  test('are a failure where names are found by their beginning', async () => {
    expect(await lineages(asked => events.find(name => name.startsWith(asked)))).toEqual(['MUST']);
  });

  test.each([
    [
      'letter case and signs do not count',
      (asked: string) => events.find(name => name.replace(/\W|_/g, '') === asked.toLowerCase().replace(/\W|_/g, '')),
    ],
    ['the half name is an old name of the event', (asked: string) => (asked === 'page_vie' ? 'page_view' : undefined)],
  ])('are none where %s', async (_what, eventOf) => {
    expect(await lineages(eventOf)).toEqual([]);
  });

  test('are none where the half is another event of the same metrics', async () => {
    const server = listing(asked => (asked === 'page_vie' || asked === 'page' ? 'page_view' : undefined));
    const withPage: NonNullable<Setting['server']> = {
      decorate: (id, handler) => {
        const decorated = server.decorate?.(id, handler) ?? handler;
        return async (request, store, settings) => {
          const response = await decorated(request, store, settings);
          const text = JSON.stringify(response.body).replace(
            /("lineage":\{"events":\[)"page_view"/g,
            '$1"page_view","page"',
          );
          return id === 'list-event-metrics' ? { ...response, body: JSON.parse(text) } : response;
        };
      },
    };
    const findings = await found({ only: ['list-event-metrics/*'], run: { profile: 'standard' }, server: withPage });
    expect(findings.map(({ requirement }) => requirement)).not.toContain('state.lineage-truth');
  });
});

test.each([
  [2, 0, 'patch-gate/courses'],
  [2, 1, 'disable-gate/*'],
  [4, 2, 'disable-gate/*'],
])(
  'a member that one of %i answers leaves out is no effect of a write (begun at %i, with %s)',
  async (period, offset, only) => {
    let shown = offset;
    const findings = await found({
      run: { profile: 'standard' },
      only: ['patch-gate/courses', only],
      server: {
        decorate: (id, handler) => async (request, store, settings) => {
          const response = await handler(request, store, settings);
          if (!['patch-gate', 'disable-gate'].includes(id) || response.status !== 200) return response;
          shown += 1;
          if (shown % period !== 0) return response;
          const { data, ...body } = membersOf(response.body);
          const { owner: _, ...rest } = membersOf(data);
          return { ...response, body: { ...body, data: rest } };
        },
      },
    });
    expect(findings.map(({ requirement, level }) => `${level} ${requirement}`)).toEqual([]);
  },
);

test('a put-back that is accepted and not stored is a violation', async () => {
  let isDeaf = false;
  /** Answers as if it had stored the request, without storing it. */
  const deaf =
    (handler: Handler): Handler =>
    (request, store, settings) => {
      const transaction: typeof store.transaction = work =>
        store.transaction(inner => work(isDeaf ? { ...inner, put: async () => {} } : inner));
      return handler(request, { ...store, transaction }, settings);
    };
  const record = await recordedRun({
    only: ['patch-gate/frame'],
    server: { decorateOperation: (id, handler) => (id === 'patch-gate' ? deaf(handler) : handler) },
    run: {
      watch: {
        answer: () => {},
        sent: () => {},
        beforeRestore: async () => {
          isDeaf = true;
        },
      },
    },
  });
  const findings = findingsOf(record);
  expect(findings.map(({ unit, requirement, level }) => [unit, requirement, level])).toContainEqual([
    'patch-gate/frame',
    'state.patch-every-sent',
    'MUST',
  ]);
});

describe('what cannot be tried again', () => {
  test('is a warning that says why where nothing innocent explains it', async () => {
    let isHanging = false;
    const decorate = disabling(() => true).decorate;
    const record = await recordedRun({
      only: ['disable-gate/*', 'patch-gate/*'],
      hangs: true,
      server: {
        decorate: (id, handler) => async (request, store, settings) => {
          if (isHanging) await new Promise(() => {});
          return decorate?.(id, handler)(request, store, settings) ?? handler(request, store, settings);
        },
      },
      run: {
        watch: {
          answer: () => {},
          sent: () => {},
          begun: ({ id }) => {
            isHanging = id.startsWith('investigation');
          },
        },
      },
    });
    expect(findingsOf(record).map(({ requirement, level, doubt }) => [requirement, level, doubt])).toEqual([
      ['state.disable-gate-frame', 'SHOULD', expect.stringContaining('could not be tried again')],
    ]);
  });

  test('is no pass, and what was proven before is told, where the run is interrupted', async () => {
    const interruption = new AbortController();
    let isWrong = false;
    /** Once the last check has begun, patches change every other gate, and their answers show another id type. */
    const wrong: NonNullable<Setting['server']>['decorate'] = (id, handler) => async (request, store, settings) => {
      const response = await handler(request, store, settings);
      const body = membersOf(response.body);
      const data = membersOf(body.data);
      const isReading = Object.keys(membersOf(request.body)).length === 0;
      if (!isWrong || id !== 'patch-gate' || response.status !== 200 || isReading) return response;
      await store.transaction(async inner => {
        for (const gate of await inner.list('gates'))
          if (gate.id !== data.id) await inner.put('gates', gate.id, { ...gate, tags: [...(gate.tags ?? []), 'more'] });
      });
      return { ...response, body: { ...body, data: { ...data, idType: 'something else' } } };
    };
    const { end, checks } = await recordedRun({
      only: ['patch-gate/frame', 'patch-gate/neighbours'],
      onEvent: event => {
        isWrong ||= event.event === 'check-start' && event.id === 'patch-gate/neighbours';
      },
      server: { decorate: wrong },
      run: {
        signal: interruption.signal,
        watch: {
          answer: () => {},
          sent: () => {},
          begun: ({ id }) => {
            if (id === 'investigation#2') interruption.abort();
          },
        },
      },
    });
    expect(end.outcome).toBe('interrupted');
    const told = [...checks.values()].map(({ id, verdict, because, findings }) => [
      id,
      verdict,
      because ?? findings.map(({ requirement }) => requirement).join(),
    ]);
    expect(told).toEqual([
      ['patch-gate/frame', 'fail', 'state.patch-only-sent'],
      ['patch-gate/neighbours', 'untested', expect.stringContaining('could not be investigated')],
    ]);
  });
});

test('an answer that shows what is stored instead of what was sent is told, although that is mostly the same', async () => {
  const findings = await found({
    run: { profile: 'standard' },
    only: ['patch-gate/*'],
    server: { faults: ['patch-drops-email-beside-id'] },
  });
  expect(findings.map(({ requirement, pointer, doubt }) => [requirement, pointer, doubt])).toEqual([
    ['echo.sent-field', '/data/creatorEmail', undefined],
  ]);
});

/** Returns a server whose first reading after each of these writes of a source is one write behind. */
const behindAfter = (...texts: readonly string[]): NonNullable<Setting['server']> => {
  const left = new Set(texts);
  let past: readonly unknown[] | undefined;
  return {
    decorate: (id, handler) => async (request, store, settings) => {
      if (id === 'update-qualifying-event') {
        const due = texts.find(text => left.has(text) && String(membersOf(request.body).description).endsWith(text));
        past = due === undefined ? undefined : await store.list('qualifyingEvents');
        left.delete(due ?? '');
      }
      if (id !== 'list-qualifying-events' || past === undefined) return handler(request, store, settings);
      const list = past;
      past = undefined;
      const replica = {
        ...store,
        list: async (name: never) => (name === 'qualifyingEvents' ? list : store.list(name)),
      };
      return handler(request, replica as typeof store, settings);
    },
  };
};

describe('a lost write that is not lost again', () => {
  test.each([
    ['a warning where one reading shows it, which may have lagged', ['visible 4'], 'warn'],
    ['a failure where two writes are lost', ['visible 2', 'visible 4'], 'fail'],
  ])('is %s', async (_what, texts, verdict) => {
    const only = ['update-qualifying-event/*', 'list-qualifying-events/*'];
    const { checks } = await recordedRun({ only, server: behindAfter(...texts), run: { settleMs: 300 } });
    const told = [...checks.values()].flatMap(check =>
      (check.findings ?? []).map(({ requirement }) => [requirement, check.verdict]),
    );
    expect(told).toEqual([['state.qualifying-event-visible', verdict]]);
  });
});
