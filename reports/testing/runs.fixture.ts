import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { type Exchange, redactions } from '../../contracts/report/evidence.ts';
import type { CheckEnd, PlannedCheck, RunEnd, RunEvent, RunStart, Verdict } from '../../contracts/report/journal.ts';
import type { CellsEvent } from '../../contracts/report/ledger.ts';
import type { Report } from '../../contracts/report/report.ts';
import { type ReporterName, reporters } from '../index.ts';
import { type ApiMetadata, foldJournal } from '../journal/fold.ts';
import type { Output, Reporter } from '../journal/reporter.ts';

/** Builds runs for the tests of the reporters; `examples.fixture.ts` has whole ones. */

/** The target of the examples. */
export const baseUrl = 'https://staging.example.test';

/** The real endpoints, and a few requirements. */
export const api: ApiMetadata = {
  endpoints,
  // biome-ignore format: a table
  requirements: [
    { id: 'envelope.message',           section: '1',   level: 'MUST',   statement: 'A successful answer carries `message`, a string.' },
    { id: 'gate.description.maxLength', section: '2.3', level: 'MUST',   statement: 'A gate description has at most 1000 characters.' },
    { id: 'gate.isEnabled.type',        section: '2.3', level: 'MUST',   statement: 'The `isEnabled` of a gate is a boolean.' },
    { id: 'answer.content-type',        section: '1',   level: 'SHOULD', statement: 'A successful answer names a JSON content type.' },
    { id: 'pagination.walk',            section: '2.1', level: 'MUST',   statement: 'A walk over the pages of a list meets each item exactly once.' },
    { id: 'auth.required',              section: '5',   level: 'MUST',   statement: 'A request without the key is not a success.' },
    { id: 'auth.refusal-status',        section: '5',   level: 'OPEN',   statement: 'The answer to a missing or wrong key is not shown.' },
    { id: 'errors.body',                section: '7',   level: 'OPEN',   statement: 'The shape of an error body is not shown.' },
    { id: 'sql.executed',               section: '2.6', level: 'MUST',   statement: 'The query of a qualifying event extracts its data.', unverified: 'the data behind a query cannot be seen through this API' },
  ],
};

/** The four checks that each endpoint of the examples has. */
// biome-ignore format: a table
const checks = [
  { check: 'envelope', level: 'MUST',   title: 'a successful answer has a message and data',  requirements: ['envelope.message', 'gate.isEnabled.type'] },
  { check: 'reject',   level: 'MUST',   title: 'what breaks a stated constraint is refused',  requirements: ['gate.description.maxLength'] },
  { check: 'auth',     level: 'MUST',   title: 'no request succeeds without the key',         requirements: ['auth.required'] },
  { check: 'headers',  level: 'SHOULD', title: 'a successful answer says that it is JSON',    requirements: ['answer.content-type'] },
] as const;

/** The endpoints of the examples: a fixed number, so that the output of the reporters can be pinned. */
export const exampleEndpoints: readonly EndpointId[] = endpointIds.slice(0, 15);

/** Returns every check of some endpoints, as planned. */
export function planOf(ids: readonly EndpointId[]): PlannedCheck[] {
  return ids.flatMap(endpoint =>
    checks.map(row => ({
      ...row,
      id: `${endpoint}/${row.check}`,
      endpoint,
      requirements: [...row.requirements],
      lane: endpoints[endpoint].collection,
    })),
  );
}

/** Returns the start of a run with a plan. */
export function start(plan: PlannedCheck[], options: Partial<RunStart['options']> = {}): RunStart {
  return {
    event: 'run-start',
    version: 2,
    tool: { name: 'console-conformance', version: '0.1.0', node: 'v20.20.0', 'fast-check': '4.10.2', faker: '10.6.0' },
    target: { baseUrl, embedded: false },
    seed: 42,
    token: 'k3x9',
    profile: 'standard',
    options: { readOnly: false, strict: false, only: [], skip: [], config: 'conform.config.json', ...options },
    startedAt: '2025-03-01T12:00:00.000Z',
    plan,
  };
}

/** Returns the end of a check with usual values, except the given ones. */
export function checkEnd(plan: PlannedCheck, verdict: Verdict, rest: Partial<CheckEnd> = {}): CheckEnd {
  const { id, endpoint, check, level } = plan;
  const ran = verdict !== 'untested' && verdict !== 'not-applicable';
  const stats = ran
    ? { cases: 12, requests: 14, accepted: 9, refused: 5, durationMs: 37 }
    : { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };
  return { event: 'check-end', id, endpoint, check, level, verdict, findings: [], notExercised: [], stats, ...rest };
}

/** Returns the cells of an operation: half of them are proven, one less if the operation fails. */
export const cellsEvent = (endpoint: EndpointId, isFailing: boolean): CellsEvent => ({
  event: 'cells',
  endpoint,
  relations: [
    {
      relation: 'accepted',
      what: 'the field at an ordinary value',
      tenths: 30,
      groups: [
        { state: isFailing ? 'broken' : 'proven', by: `${endpoint}/accepts#1`, cells: ['name'] },
        { state: 'proven', by: `${endpoint}/accepts#2`, cells: ['description'] },
        { state: 'not shown', by: `${endpoint}/accepts#3`, cells: ['dryRun'] },
        { state: 'not tried', reason: 'vocabulary', line: 'vocabulary.teams: ["a_team"]', cells: ['team'] },
      ],
    },
    {
      relation: 'wrong-type',
      what: 'a value of each other type',
      tenths: 5,
      groups: [
        { state: 'not tried', reason: 'budget', cells: ['name number', 'name array'] },
        { state: 'not tried', reason: 'capability', line: 'capabilities: ["enterprise"]', cells: ['owner number'] },
      ],
    },
  ],
});

/** Returns the end of a run. */
export function end(outcome: RunEnd['outcome'] = 'complete', because?: string): RunEnd {
  const stats = { requests: 840, cases: 720, durationMs: 2_345 };
  return { event: 'run-end', outcome, ...(because === undefined ? {} : { because }), stats };
}

/** Returns a run in which every check passes except those named, by id. */
export function run(
  odd: Readonly<Record<string, readonly [verdict: Verdict, rest?: Partial<CheckEnd>]>>,
  options: Partial<RunStart['options']> = {},
  ids: readonly EndpointId[] = exampleEndpoints,
): RunEvent[] {
  const plan = planOf(ids);
  const ends = plan.flatMap((check): RunEvent[] => {
    const [verdict, rest] = odd[check.id] ?? ['pass'];
    return [{ event: 'check-start', id: check.id }, checkEnd(check, verdict, rest)];
  });
  const failing = plan.filter(({ id }) => odd[id]?.[0] === 'fail').map(({ endpoint }) => endpoint);
  const cells = ids.map(id => cellsEvent(id, failing.includes(id)));
  return [start(plan, options), ...ends, ...cells, end()];
}

/** Returns the output of a reporter for a run. */
export function written(reporter: Reporter, events: readonly RunEvent[], out: Partial<Output> = {}): string {
  const texts: string[] = [];
  const write = (text: string) => void texts.push(text);
  const reporting = reporter({ write, columns: 100, colour: false, interactive: false, ...out });
  for (const event of events) reporting.event?.(event);
  void reporting.end(reportOf(events));
  return texts.join('');
}

/** Returns the output of a reporter named in the table. */
export async function writtenBy(name: ReporterName, events: readonly RunEvent[]): Promise<string> {
  const texts: string[] = [];
  const write = (text: string) => void texts.push(text);
  const reporting = await reporters[name].create({ write, columns: 100, colour: false, interactive: false });
  for (const event of events) reporting.event?.(event);
  await reporting.end(reportOf(events));
  return texts.join('');
}

/** Returns the report of some events. */
export function reportOf(events: readonly RunEvent[]): Report {
  const fold = foldJournal(api);
  for (const event of events) fold.add(event);
  return fold.report();
}

/** Returns an exchange about a gate. */
export function exchange(sent: string, status: number, answer: string): Exchange {
  return {
    id: 'patch-gate/reject#17',
    request: {
      method: 'PATCH',
      url: `${baseUrl}/console/v1/gates/a_gate`,
      headers: [
        { name: 'SERVICE-API-KEY', value: redactions.key },
        { name: 'content-type', value: 'application/json' },
      ],
      body: { text: sent, bytes: Buffer.byteLength(sent), truncated: false },
    },
    response: {
      status,
      headers: [{ name: 'content-type', value: 'application/json; charset=utf-8' }],
      body: { text: answer, bytes: Buffer.byteLength(answer), truncated: false },
    },
    durationMs: 12.4,
  };
}
