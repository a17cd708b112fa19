import { Agent, request } from 'node:http';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { collectionNames } from '../entities.ts';
import { accepted, experimentBody, sourceBody } from '../proof/testing/accepted.ts';
import { pathOf, testTime } from '../proof/testing/started.ts';
import { createReferenceServer } from '../server.ts';
import { dialectOf } from './dialect.ts';
import { dialectNamed, dialects, livingDialects } from './index.ts';
import { raceDialects } from './living-races.ts';

describe('the rows', () => {
  it('name checks of operations, and collections of the store', () => {
    const named = dialects.flatMap(({ untested = [], mayBeUntested }) => [
      ...untested,
      ...(mayBeUntested?.checks ?? []),
    ]);
    for (const check of named) expect(endpointIds).toContain(check.split('/')[0]);
    const collections = dialects.flatMap(({ changes = [] }) => changes).map(path => path.split('/')[0]);
    for (const collection of collections) expect([...collectionNames, '*']).toContain(collection);
  });

  it('have ids of their own', () => {
    expect(new Set(dialects.map(({ id }) => id)).size).toBe(dialects.length);
  });

  it('break SHOULD rows only', () => {
    for (const row of dialects.flatMap(({ warns = [] }) => warns)) expect(requirementById(row).level).toBe('SHOULD');
  });

  it('are found by id, and nothing else is', () => {
    expect(dialects.map(({ id }) => dialectNamed(id))).toEqual(dialects);
    expect(() => createReferenceServer({ dialects: ['no-such'] })).toThrow(RangeError);
  });
});

interface Step {
  readonly id: EndpointId;
  readonly param?: string;
  readonly body?: unknown;
  /** Text after the path: a query, a slash. */
  readonly after?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as sent, if it is not the plain JSON of `body`. */
  readonly raw?: string;
}

const listing = (id: EndpointId, after: string, param = accepted[id].param): Step => ({
  id,
  after,
  ...(param !== undefined && { param }),
});
const gate = (body: unknown, more: Partial<Step> = {}): Step => ({
  id: 'patch-gate',
  param: 'dark_mode',
  body,
  ...more,
});
const source = (body: object, param = 'purchases_daily'): Step => ({
  id: 'update-qualifying-event',
  param,
  body: { ...sourceBody, ...body },
});
const metric = accepted['create-metric'].body;

/** Requests to which every dialect responds differently at least once. The order gives each the state that it needs. */
// biome-ignore format: a table
const steps: readonly Step[] = [
  ...endpointIds.flatMap(id => [{ id, ...accepted[id] }, { id, ...accepted[id] }]),
  gate({}), gate({ tags: ['B', 'a'] }), gate({}), gate({ teamID: 'growth', creatorID: 'user-ada' }), gate({}),
  gate({ name: 'express_shipping' }), gate({ isEnabled: true, type: 'TEMPORARY', idType: 'userID' }), gate({ description: 1 }), gate({ description: null }), gate({ unknown: 1 }), gate(undefined),
  gate({}, { headers: { 'content-type': 'text/plain' } }), gate({}, { headers: { 'SERVICE-API-KEY': 'wrong' } }), gate({}, { after: '/' }),
  gate({ description: '/é😀' }), gate({}, { param: 'no_such_gate' }),
  listing('list-segments', '?limit=25'), listing('list-segments', '?limit=9&page=2'), listing('list-segments', '?limit=9&page=9'), listing('list-segments', '?limit=0'),
  listing('list-events', '?limit=5'), listing('list-events', '', 'no_such_event'), listing('list-events', '', 'no such event'), listing('list-config-versions', '', 'legacy_limits'), listing('list-config-versions', '', 'LEGACY_LIMITS'),
  source({ sql: 'SELECT a FROM t' }), source({ dryRun: true }), source({ skip_validation: true, all_columns: ['a'], column_types: ['text'] }), source({}, 'no_such_source'),
  source({ idTypeMapping: ['userID', 'stableID'].map(serviceUnitID => ({ serviceUnitID, column: 'user_id' })) }), { id: 'list-qualifying-events' },
  { id: 'create-metric', body: { ...metric, name: 'Another', dryRun: true, team: 'growth' } }, source({ team: 'growth', teamID: 'payments' }),
  { id: 'update-experiment', param: 'checkout_button', body: { ...experimentBody, duration: 30, scheduledReloadDays: null } }, { id: 'update-experiment', param: 'checkout_button', body: experimentBody },
  { id: 'update-experiment', param: 'checkout_button', body: { ...experimentBody, primaryMetrics: [{ name: 'page_view' }] } },
  { id: 'create-prompt-version', param: 'greeting', body: { prompts: [{ role: 'clown', content: '' }] } },
  { id: 'create-prompt-version', param: 'greeting', body: { temperature: 7 } }, { id: 'create-prompt-version', param: 'greeting', body: { temperature: 0 } }, source({ description: 'two  blanks' }),
  ...['a <b>bold</b> word', 'a\u0007bell', 'zero\u200bwidth', '{{name}}', 'x'.repeat(1_100)].map(description => source({ description })),
  source({ tags: Array.from({ length: 120 }, (_, index) => `tag ${index}`) }), { id: 'create-prompt-version', param: 'greeting', body: { ...(accepted['create-prompt-version'].body as object), max_tokens: 1e12, frequency_penalty: -1 } },
  gate({}, { raw: '{"description":"In chunks."}', headers: { 'transfer-encoding': 'chunked' } }),
  { id: 'update-experiment', param: 'checkout_button', raw: JSON.stringify(experimentBody).replace('{', '{"duration":21.0,') },
  { id: 'update-experiment', param: 'checkout_button', raw: JSON.stringify(experimentBody).replaceAll('"size":', '"parameterValues":{"constructor":1},"size":') },
  { ...listing('list-segments', ''), body: {} }, { id: 'create-metric', body: { ...(metric as object), name: 'No kind', metricEvents: [{ name: 'page_view' }] } },
  { id: 'update-experiment', param: 'checkout_button', body: { ...experimentBody, cohortedMetricsMatureAfterEnd: true } }, { id: 'create-metric', body: { ...(metric as object), name: 'Both', dryRun: true, warehouseNative: {} } },
];

const experiment = (body: object, param = 'checkout_button_size'): Step => ({
  id: 'update-experiment',
  param,
  body: { ...experimentBody, ...body },
});
const prompt = (body: object): Step => ({ id: 'create-prompt-version', param: 'triage', body });
const created = (name: string, body: object): Step => ({
  id: 'create-metric',
  body: { ...(metric as object), name, ...body },
});
const environment = (id: string, body: object): Step => ({
  id: 'update-environments',
  body: { environments: [{ id, ...body }] },
});
const sized = (...groups: readonly (readonly [name: string, size: number])[]) => ({
  groups: groups.map(([name, size]) => ({ name, size, parameterValues: {} })),
});
const saying = (...roles: readonly string[]) => ({ prompts: roles.map(role => ({ role, content: role })) });

/** Requests that only services with rules of their own refuse, and writes that some services show late. */
// biome-ignore format: a table
const meaningful: readonly Step[] = [
  gate({ measureMetricLifts: true }), gate({ description: 'Legacy' }), gate({ tags: ['Core', 'b'] }), gate({ rules: [] }), gate({ description: 'read' }), gate({}), gate({}),
  experiment({ sequentialTesting: true, analyticsType: 'bayesian' }), experiment({ tags: ['b', 'a', 'c'] }), experiment({ tags: ['b', 'a', 'c'] }), experiment({ enabledNonProdEnvironments: ['testing', 'development'] }),
  experiment({ secondaryIDType: 'userID', idType: 'userID' }), experiment({ identifierMappingMode: 'strictOneToOne' }), experiment({ benjaminiHochbergPerVariant: true, bonferroniCorrection: true }),
  experiment({ benjaminiHochbergPerVariant: true, bonferroniCorrection: false }), experiment({ benjaminiPrimaryMetricsOnly: true }), experiment({ bonferroniCorrectionPerMetric: true, bonferroniCorrection: false }),
  experiment({ duration: 7, targetExposures: 100 }), experiment({ isAnalysisOnly: true, analysisEndTime: '2025-01-01T00:00:00.000Z' }), experiment({ decisionReason: 'Because.' }), experiment({ preComputedUserDimensions: [{ name: 'country', propertySource: 'nowhere' }] }),
  experiment({ groups: [{ name: 'A', size: 50, parameterValues: { a: 1 } }, { name: 'B', size: 50, parameterValues: {} }] }), experiment({ isSidecar: true }), experiment({ status: 'abandoned' }),
  experiment({ status: 'active' }, 'signup_steps'), experiment({ status: 'active', ...sized(['Control', 60], ['Two steps', 40]) }, 'signup_steps'), experiment({ status: 'active', ...sized(['X', 50], ['Y', 50]) }, 'signup_steps'),
  prompt(saying('system', 'system')), prompt(saying('user', 'system')), prompt({ ...saying('user'), name: 'Same', id: 'same' }), prompt({ ...saying('user'), name: 'Same', id: 'same' }),
  source({ sourceType: 'query', tableName: 'warehouse.t' }), source({ datePartitionColumn: 'day', sourceType: 'query' }), source({ sql: 'SELECT x FROM y' }), source({ sql: 'SELECT x FROM y', dryRun: true }), source({ timestampColumn: 'x' }), source({ customFieldMapping: [{ key: 'a-b', formula: 'a' }] }),
  source({ customFieldMapping: [{ key: 'a', formula: 'a' }, { key: 'b', formula: 'b' }] }),
  created('Direction', { directionality: 'decrease' }), created('Once', {}), created('Once', { type: 'event_user' }), created('ONCE', {}), created('Base', { warehouseNative: { logTransformBase: 10 } }), created('Window', { rollupTimeWindow: 'custom' }), created('Ratio', { type: 'ratio' }), created('Parts', { type: 'composite' }),
  ...['dry a', 'dry b', 'dry c', 'dry d'].map(name => created(name, { dryRun: true })),
  source({ isVerified: true }), source({ isReadOnly: true }), source({ description: 'Locked.' }), experiment({ status: 'archived' }), experiment({ hypothesis: 'None any more.' }),
  experiment({ groups: [{ id: 'a', name: 'A', size: 100, parameterValues: {} }], launchedGroupID: 'a', status: 'setup' }), environment('testing', { name: 'trial' }),
  environment('staging', { requiresReleasePipeline: true }), environment('production', { isProduction: false }),
  experiment({ analyticsType: 'sprt', sprtMDESettings: [{ metricKey: 'page_view', groupSettings: ['Control', 'Large'].map(groupKey => ({ groupKey })) }] }),
  created('Parts', { type: 'composite', metricComponentMetrics: [{ name: 'page_view', type: 'event_count' }], directionality: 'decrease' }),
  prompt({ ...saying('user'), temperature: 0.5, top_p: 0.5, workflow_headers: ['x-a', 'x-b'].map(name => ({ name, value: 'v' })) }),
];

/** More requests, for changes by others and for counters: over 250 in all. */
const moreSteps: readonly Step[] = [
  ...steps,
  ...meaningful,
  ...Array.from({ length: 32 }, (_, round): readonly Step[] => [
    listing('list-segments', '?limit=100'),
    listing('list-qualifying-events', '?limit=100'),
    listing('list-event-metrics', '?limit=100'),
    { id: 'create-metric', body: { ...metric, name: `Another ${round}` } },
    { id: 'create-prompt-version', param: 'summary', body: { prompts: [{ role: 'system', content: `${round}` }] } },
    ...['dark_mode', 'audit_log'].map(param => gate(round === 31 ? {} : { description: `${round}` }, { param })),
  ]).flat(),
];

/**
 * Sends a step and returns the response byte for byte, except the date: interim responses, status, headers as spelled,
 * body.
 */
const sent = (base: string, { id, param, body, after = '', headers, raw }: Step, agent: Agent): Promise<string> =>
  new Promise(resolve => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const isChunked = headers?.['transfer-encoding'] !== undefined;
    const given = {
      'SERVICE-API-KEY': 'reference-key',
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(text !== undefined && !isChunked && { 'content-length': Buffer.byteLength(text) }),
      ...headers,
    };
    const interim: number[] = [];
    const options = { method: endpoints[id].method, headers: given, agent, maxHeaderSize: 65_536 };
    const call = request(base + pathOf(id, param) + after, options);
    call.on('information', ({ statusCode }) => interim.push(statusCode));
    call.on('response', answer => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { statusCode, rawHeaders } = answer;
        const lasting = rawHeaders.filter((_, index) => rawHeaders[index - (index % 2)] !== 'Date');
        resolve(JSON.stringify([interim, statusCode, lasting, Buffer.concat(chunks).toString('latin1')]));
      });
    });
    call.on('error', () => resolve('no answer'));
    call.end(text);
  });

/** Returns the answers of a server with these dialects to steps sent in turn, until `isEnough` holds. */
const spoken = async (
  ids: readonly string[],
  asked = steps,
  isEnough: (answer: string, index: number) => boolean = () => false,
): Promise<readonly string[]> => {
  const server = createReferenceServer({ dialects: ids, now: () => testTime });
  const agent = new Agent({ keepAlive: true });
  try {
    const { url } = await server.listen();
    const answers: string[] = [];
    for (const [index, step] of asked.entries()) {
      const answer = await sent(url, step, agent);
      answers.push(answer);
      if (isEnough(answer, index)) break;
    }
    return answers;
  } finally {
    agent.destroy();
    await server.close();
  }
};

const plain = new Map<readonly Step[], Promise<readonly string[]>>();
const spokenPlainly = (asked: readonly Step[]): Promise<readonly string[]> => {
  const known = plain.get(asked) ?? spoken([], asked);
  plain.set(asked, known);
  return known;
};

// `slow` changes only the order of responses. The race dialects change only the results of concurrent requests.
const raced = raceDialects.map(row => dialectOf(row).id);

test.each(dialects.filter(({ id }) => id !== 'slow' && !raced.includes(id)))('$id shows', async dialect => {
  const { id } = dialect;
  const asked = livingDialects.includes(dialect) ? moreSteps : steps;
  const usual = await spokenPlainly(asked);
  // Stop the clock, so that lagging state never catches up, however long the steps take.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const isOther = (answer: string, index: number): boolean => answer !== usual[index];
  expect((await spoken([id], asked, isOther)).some(isOther)).toBe(true);
});

test('the same requests are answered alike by two servers of no dialect', async () => {
  expect(await spoken([])).toEqual(await spoken([]));
});

test('slow lets the eleventh answer overtake the tenth', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let met = (): void => undefined;
  const server = createReferenceServer({
    dialects: ['slow'],
    decorateListener: listener => (incoming, response) => {
      listener(incoming, response);
      met();
    },
  });
  const agent = new Agent({ keepAlive: true });
  try {
    const { url } = await server.listen();
    const order: number[] = [];
    const ask = (number: number): Promise<unknown> =>
      sent(url, { id: 'list-segments' }, agent).then(() => order.push(number));
    for (let number = 1; number < 10; number++) await ask(number);
    const isMet = new Promise<void>(resolve => {
      met = resolve;
    });
    const tenth = ask(10);
    await isMet;
    await ask(11);
    vi.advanceTimersByTime(40);
    await tenth;
    expect(order.slice(-2)).toEqual([11, 10]);
  } finally {
    agent.destroy();
    await server.close();
  }
});

test('several dialects are spoken at once', async () => {
  const both = await spoken(['created-201', 'json-pretty']);
  expect(both.some(answer => answer.includes(',201,') && answer.includes('\\n  \\"message\\"'))).toBe(true);
});
