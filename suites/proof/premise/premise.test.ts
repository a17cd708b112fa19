import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { lastResults } from '../../../contracts/memoized.ts';
import type { HandlerRequest, ReferenceServerOptions } from '../../../reference-server/index.ts';
import { recordedRun } from '../testing/reference-run.ts';
import { demanding, refusing } from './demanding.fixture.ts';
import { type HalfDone, halfDone, notedOfHalfDone, toldOf } from './measured.fixture.ts';

/** An answer from an operation of the reference server. */
interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The rows that every test run measures again, one for each kind of defect. */
const always = [
  'demanded create-metric tags',
  'demanded create-metric percentile',
  'demanded update-qualifying-event timestampAsDay',
  'demanded update-experiment links',
  'demanded patch-gate description',
  'demanded create-prompt-version temperature',
  'demanded create-metric warehouseNative.funnelEvents',
  'demanded update-experiment primaryMetrics.*.hypothesizedValue',
  'demanded update-experiment groups.*.id',
  'demanded update-environments environments.*.requiredReviewGroupID',
  'gone 404 disable-gate',
  'gone 404 patch-gate',
  'gone 405 patch-gate',
  'only list-segments',
  'nothing served',
] as const;

/** Maximum number of additional requests, compared with a sound server, to find and show the defect. */
const mostMore = 40;

/** Runs against a sound server, by their selection. */
const soundRuns = lastResults<ReturnType<typeof recordedRun>>(always.length);

test.each(always)('%s is told as noted, for little more than a sound server takes', async id => {
  const row = halfDone.find(one => one.id === id) as HalfDone;
  const { verdict, told, requests } = await toldOf(row);
  expect({ verdict, told }).toEqual({ verdict: notedOfHalfDone()[id]?.verdict, told: notedOfHalfDone()[id]?.told });
  const only = row.field === undefined ? '*' : `${row.endpoint}/*`;
  const { end } = await soundRuns(only, () => recordedRun({ only: [only] }));
  expect(requests).toBeLessThanOrEqual(end.stats.requests + mostMore);
});

test.each([
  'refused patch-gate tags',
  'refused update-experiment turboMode',
  'refused create-prompt-version temperature',
])('%s is told as noted', async id => {
  const { verdict, told } = await toldOf(halfDone.find(one => one.id === id) as HalfDone);
  expect({ verdict, told }).toEqual({ verdict: notedOfHalfDone()[id]?.verdict, told: notedOfHalfDone()[id]?.told });
});

const failing = (record: Awaited<ReturnType<typeof recordedRun>>): readonly string[] =>
  [...record.checks.values()].filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict)).map(({ id }) => id);

test.each<[EndpointId, string]>([
  ['create-metric', 'tags'],
  ['create-metric', 'team'],
  ['patch-gate', 'description'],
  ['update-experiment', 'tags'],
  // The specification requires this field as well, so requests without it are sent to be refused.
  ['update-experiment', 'description'],
  ['update-qualifying-event', 'description'],
  ['create-prompt-version', 'description'],
])('%s may demand %s where the target file says so', async (endpoint, field) => {
  const record = await recordedRun({
    server: demanding(endpoint, field),
    only: [`${endpoint}/*`],
    file: file => ({ ...file, requires: { [endpoint]: [field] } }),
  });
  expect(failing(record)).toEqual([]);
  expect(record.verdicts.get(endpoint)).toBe('conformant');
});

test.each<[EndpointId, readonly string[]]>([
  ['create-metric', ['tags', 'description']],
  // The value of all fields together may be refused, which says nothing of the others.
  ['update-experiment', ['tags', 'links']],
])('%s wants any of %s: a warning that says so', async (endpoint, fields) => {
  const server = refusing(endpoint, ({ body }) => !fields.some(one => one in (body as object)));
  const record = await recordedRun({ server, only: [`${endpoint}/*`] });
  expect(failing(record)).toEqual([`${endpoint}/accepts`]);
  expect(record.checks.get(`${endpoint}/accepts`)).toMatchObject({
    verdict: 'warn',
    findings: [{ requirement: 'accept.optional-absent', doubt: expect.stringContaining('at least one of several') }],
  });
});

test('a field is demanded of which null is the only value that can be sent', async () => {
  const server = demanding('update-experiment', 'identityResolutionSource');
  const record = await recordedRun({ server, only: ['update-experiment/accepts'] });
  const [finding] = record.checks.get('update-experiment/accepts')?.findings ?? [];
  expect(finding).toMatchObject({
    requirement: 'accept.optional-absent',
    counterexample: { pointer: '/identityResolutionSource' },
  });
  expect(finding?.doubt).toBeUndefined();
});

test.each<readonly [what: string, status: number, isOfOne: boolean, told: readonly string[]]>([
  ['is refused', 400, false, ['fail accept.smallest /sql']],
  ['is understood and not carried out', 422, false, ['warn accept.smallest /sql']],
  ['is refused of one fixture', 400, true, []],
])('sql that the list shows %s (%i) unless its validation is skipped', async (_what, status, isOfOne, told) => {
  let first: string | undefined;
  let refused = 0;
  const server = refusing(
    'update-qualifying-event',
    ({ param, body }) => {
      first ??= param;
      return (!isOfOne || param === first) && (body as { skip_validation?: boolean }).skip_validation !== true;
    },
    status,
    () => {
      refused += 1;
    },
  );
  const record = await recordedRun({ server, only: ['update-qualifying-event/accepts'] });
  const { verdict, findings } = record.checks.get('update-qualifying-event/accepts') ?? { verdict: '', findings: [] };
  expect(findings.map(one => `${verdict} ${one.requirement} ${one.counterexample?.pointer}`)).toEqual(told);
  expect(refused).toBeGreaterThan(0);
});

/** A sound server that answers one operation differently. */
const instead = (
  endpoint: EndpointId,
  answer: (request: HandlerRequest, sound: () => Promise<Reply>) => Reply | Promise<Reply>,
): ReferenceServerOptions => ({
  decorateOperation: (id, handler) =>
    id !== endpoint
      ? handler
      : async (request, ...given) =>
          (await answer(request, async () => (await handler(request, ...given)) as Reply)) as never,
});
const noSuchPrompt: Reply = { status: 404, body: { message: 'no such prompt' } };
const emptied = ({ status, body }: Reply): Reply => {
  const pagination = { ...(body.pagination as object), totalItems: 0, nextPage: null };
  return { status, body: { ...body, data: [], pagination } };
};

test.each<readonly [what: string, server: ReferenceServerOptions, check: string, told: string]>([
  [
    'a list that is always empty',
    instead('list-qualifying-events', async (_request, sound) => emptied(await sound())),
    'update-qualifying-event/accepts',
    'fail state.qualifying-event-visible: ',
  ],
  [
    'a list that demands a page',
    instead('list-segments', ({ query }, sound) => (query.page === undefined ? { status: 409, body: {} } : sound())),
    'list-segments/accepts',
    'fail accept.smallest: a success without a query, as with a page',
  ],
  [
    'an operation that finds no prompt',
    instead('create-prompt-version', () => noSuchPrompt),
    'create-prompt-version/accepts',
    'untested: greeting was not found (status 404: "no such prompt"): it answers as it answers unknown ids',
  ],
])('%s is told so', async (_what, server, check, told) => {
  const record = await recordedRun({ server, only: [check] });
  const { verdict, findings, because } = record.checks.get(check) ?? { verdict: '', findings: [] };
  const [first] = findings;
  const line = first === undefined ? `${verdict}: ${because}` : `${verdict} ${first.requirement}: ${first.expected}`;
  expect(line.startsWith(told), line).toBe(true);
});

test('what one fixture alone refuses is about that fixture', async () => {
  const server = refusing(
    'update-experiment',
    ({ param, body }) => param === 'checkout_flow' && !('tags' in (body as object)),
  );
  const record = await recordedRun({ server, only: ['update-experiment/accepts'] });
  expect(failing(record)).toEqual([]);
});

test.each([
  ['one experiment', 1, 'it could be seen of checkout_button only'],
  ['two experiments', 2, undefined],
])('what a target file with %s shows to be demanded is a warning unless two show it', async (_what, number, doubt) => {
  const record = await recordedRun({
    server: demanding('update-experiment', 'tags'),
    only: ['update-experiment/accepts'],
    file: file => ({
      ...file,
      fixtures: { ...file.fixtures, experiments: (file.fixtures?.experiments ?? []).slice(0, number) },
      disposable: {},
    }),
  });
  const findings = [...record.checks.values()].flatMap(one => one.findings);
  expect(findings.map(one => [one.requirement, one.doubt])).toEqual([['accept.optional-absent', doubt]]);
});

test.each([402, 403, 409, 423])('a plan or a permission (%i) that asks for a field is no defect', async status => {
  const record = await recordedRun({
    server: demanding('create-metric', 'description', status),
    only: ['create-metric/*'],
  });
  expect(failing(record)).toEqual([]);
  expect(record.verdicts.get('create-metric')).toBe('incomplete');
});

test('a refusal that goes away unaided is none', async () => {
  let refused = 0;
  const isClosed = (): boolean => {
    refused += 1;
    return refused <= 3;
  };
  const record = await recordedRun({ server: refusing('create-metric', isClosed), only: ['create-metric/*'] });
  expect(failing(record)).toEqual([]);
  expect(record.verdicts.get('create-metric')).toBe('conformant');
});

test('an operation that accepts nothing gets 40 requests at most', async () => {
  const record = await recordedRun({ server: refusing('create-metric', () => true), only: ['create-metric/*'] });
  expect(failing(record)).toEqual([]);
  expect(record.seen.filter(({ endpoint }) => endpoint === 'create-metric').length).toBeLessThanOrEqual(40);
  expect(record.notices.slice(0, 3)).toContainEqual(
    expect.objectContaining({
      text: expect.stringMatching(/^create-metric: (\d+) of \1 requests .* whatever they carried, .*Invalid request/),
      remedy: expect.stringContaining('mend the operation'),
    }),
  );
});

test('a name that the target file misspells is none, and is told', async () => {
  const record = await recordedRun({
    run: { profile: 'quick', settleMs: 50 },
    only: ['update-experiment/accepts'],
    file: file => ({ ...file, vocabulary: { ...file.vocabulary, idTypes: ['noSuchID', 'userID', 'stableID'] } }),
  });
  expect([...record.verdicts.values()]).not.toContain('non-conformant');
  const text =
    'update-experiment: idType "noSuchID" of the target file is refused, and "userID" taken, which was sent instead';
  expect(record.notices.find(notice => notice.text === text)).toMatchObject({
    severity: 'warning',
    remedy: 'see whether vocabulary.idTypes names what is there',
  });
});

describe('a metric that is refused with its event and accepted without', () => {
  const only = ['create-metric/accepts'];
  const run = { profile: 'quick', settleMs: 50 } as const;

  test('accuses nobody of an event that no list shows: the target file may misspell it', async () => {
    const events = ['page_veiw', 'add_to_cart'];
    const record = await recordedRun({
      run,
      only,
      file: file => ({ ...file, fixtures: { ...file.fixtures, events } }),
    });
    expect(failing(record)).toEqual([]);
    expect(record.notices).toContainEqual(
      expect.objectContaining({
        text: expect.stringMatching(
          /^create-metric: metricEvents .*page_veiw.* of the target file is refused, and the request without it taken/,
        ),
        remedy: 'see whether fixtures.events names what is there',
      }),
    );
  });

  test('is a violation where a list shows the event', async () => {
    const server = refusing('create-metric', ({ body }) => Object.hasOwn(body as object, 'metricEvents'), 400);
    expect(failing(await recordedRun({ server, run, only }))).toContain('create-metric/accepts');
  });
});
