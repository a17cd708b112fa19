import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Learned, RunEvent } from '../../contracts/report/journal.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { TargetFile } from '../../contracts/target.ts';
import type { ReferenceServerOptions } from '../../reference-server/index.ts';
import { foldJournal } from '../../reports/index.ts';
import { type RunRecord, recordedRun, type Setting } from '../proof/testing/reference-run.ts';

/** Returns the target file with only its fixtures and naming. */
const fixturesOnly = ({ fixtures, naming }: TargetFile): TargetFile => ({
  ...(fixtures === undefined ? {} : { fixtures }),
  ...(naming === undefined ? {} : { naming }),
});

const requestsOf = ({ seen }: RunRecord) =>
  seen.map(({ endpoint, param, body }) => JSON.stringify([endpoint, param, body]));

const learnedOf = ({ events }: Pick<RunRecord, 'events'>): Learned[] => reportOf(events).learned ?? [];

function reportOf(events: readonly RunEvent[]) {
  const fold = foldJournal({ endpoints, requirements });
  for (const event of events) fold.add(event);
  return fold.report();
}

const ran = (setting: Setting = {}): Promise<RunRecord> =>
  recordedRun({ file: fixturesOnly, ...setting, run: { concurrency: 1, ...setting.run } });

/** Returns a server that refuses one person as a creator. */
const refusing = (status: number): ReferenceServerOptions => ({
  decorate: (id, handler) => (request, store, settings) =>
    id === 'patch-gate' && (request.body as { creatorID?: unknown } | undefined)?.creatorID === 'user-ada'
      ? Promise.resolve({ status, body: { message: 'no such user' } })
      : handler(request, store, settings),
});

/** Shared runs by status; whole if it is the usual status for a refused value. */
const refusals = new Map<number, Promise<RunRecord>>();
function refusedWith(status: number): Promise<RunRecord> {
  const only = status === 422 ? ['patch-gate'] : ['patch-gate/{accepts,combinations}'];
  const record = refusals.get(status) ?? ran({ only, server: refusing(status), run: { profile: 'standard' } });
  refusals.set(status, record);
  return record;
}

/**
 * In percent of cells: a standard run reaches 64.5. The rest are legal values that a run of this length omits; more
 * vocabulary would not add them.
 */
const leastCoverage = 64;

describe('a run with fixtures alone in its target file', () => {
  test('exercises what its vocabulary would have let it exercise', async () => {
    const { events } = await ran({ run: { profile: 'standard', concurrency: 8 } });
    const { coverage, endpoints: judged, requirements: rows } = reportOf(events);
    expect(judged.filter(({ verdict }) => verdict !== 'conformant')).toEqual([]);
    expect(rows.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned')).toEqual([]);
    expect(coverage?.percent).toBeGreaterThanOrEqual(leastCoverage);
    const untested = rows.filter(({ verdict }) => verdict === 'untested');
    expect(untested.length).toBeGreaterThan(0);
    expect(untested.filter(({ remedy }) => remedy === undefined)).toEqual([]);
    expect(rows.find(({ id }) => id === 'promptVersion.provider')).toMatchObject({
      remedy: 'vocabulary.providers: ["a_provider"]',
    });
    expect(rows.find(({ id }) => id === 'warehouseNative.cap')?.verdict).toBe('not-applicable');
  });

  test('tells a name before it sends a request that was planned with it', async () => {
    const { events } = await ran({ only: ['patch-gate/accepts'] });
    const last = events.findLastIndex(({ event }) => event === 'learned');
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(events.findIndex(({ event }) => event === 'check-start'));
  });

  test('sends what it sent before, given what it learned then', async () => {
    const only = ['{update-experiment,patch-gate}/{accepts,combinations,rejects}'];
    const first = await ran({ only });
    const learned = learnedOf(first);
    const again = await ran({ only, run: { learned } });
    const ofLanes = ({ events }: RunRecord) => events.filter(({ event }) => event === 'learned');
    expect(ofLanes(again)).toEqual(ofLanes(first));
    const sent = requestsOf(again);
    // Only the requests of learning are missing; the rest is the same.
    const asked = requestsOf(first).length - sent.length;
    expect(asked).toBeGreaterThan(0);
    const counts = (lines: readonly string[]) =>
      [...new Set(lines)].sort().map(line => [line, lines.filter(one => one === line).length]);
    const before = new Map(counts(requestsOf(first)) as [string, number][]);
    for (const [line, times] of counts(sent) as [string, number][])
      expect(before.get(line) ?? 0).toBeGreaterThanOrEqual(times);
    expect(requestsOf(await ran({ only, run: { learned } }))).toEqual(sent);
  });

  test('asks for nothing where the target file forbids it, whatever is named there', async () => {
    const without = await recordedRun({ file: file => ({ ...file, learn: false }), only: ['patch-gate/accepts'] });
    const endpointsSeen = new Set(without.seen.map(({ endpoint }) => endpoint));
    expect([...endpointsSeen].sort()).toEqual(['list-qualifying-events', 'list-segments', 'patch-gate']);
    expect(learnedOf(without)).toEqual([]);
  });
});

describe('a name that was learned and is refused', () => {
  test.each([400, 404, 409, 422])('with %i is dropped and told, and nobody is accused', async status => {
    const record = await refusedWith(status);
    const accused = [...record.checks.values()].filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    expect(
      accused.flatMap(({ id, findings }) => findings.map(({ requirement, actual }) => [id, requirement, actual])),
    ).toEqual([]);
    const refused = learnedOf(record).filter(({ refusedBy }) => refusedBy !== undefined);
    expect(refused.map(({ value, refusedBy }) => [value, refusedBy])).toEqual([
      [{ id: 'user-ada', email: 'ada.okafor@example.com' }, ['patch-gate/accepts']],
    ]);
  });

  test('is a defect where the target file names it', async () => {
    const file = (whole: TargetFile): TargetFile => ({
      ...fixturesOnly(whole),
      vocabulary: { users: [{ id: 'user-ada', email: 'ada.okafor@example.com' }] },
    });
    const record = await ran({
      only: ['patch-gate/accepts'],
      server: refusing(422),
      file,
      run: { profile: 'standard' },
    });
    expect(record.checks.get('patch-gate/accepts')?.findings.map(({ requirement }) => requirement)).toEqual([
      'accept.plain-value',
    ]);
  });

  test('is still answered rightly where it is accepted: what comes back is judged', async () => {
    const server: ReferenceServerOptions = {
      decorate: (id, handler) => async (request, store, settings) => {
        const answer = await handler(request, store, settings);
        const sent = request.body as { creatorID?: unknown } | undefined;
        if (id !== 'patch-gate' || typeof sent?.creatorID !== 'string' || answer.status !== 200) return answer;
        const body = answer.body as { data: object };
        return { ...answer, body: { ...body, data: { ...body.data, creatorID: 'somebody else' } } };
      },
    };
    const record = await ran({ only: ['patch-gate'], server });
    expect([...record.checks.values()].some(({ verdict }) => verdict === 'fail')).toBe(true);
  });

  test('is not sent to units planned after the one that it was refused to, in a replay too', async () => {
    const first = await refusedWith(422);
    // Requests that restore gates carry creators too, but other descriptions.
    const sends = ({ seen }: RunRecord) =>
      seen.some(({ body }) => {
        const { creatorID, description } = (body ?? {}) as { creatorID?: unknown; description?: unknown };
        return creatorID === 'user-ada' && description === 'Updated by a conformance run';
      });
    const learned = learnedOf(first);
    expect(sends(first)).toBe(true);
    expect(sends(await ran({ only: ['patch-gate/combinations'], run: { learned, profile: 'standard' } }))).toBe(false);
    expect(sends(await ran({ only: ['patch-gate/accepts'], run: { learned, profile: 'standard' } }))).toBe(true);
  });
});
