import { type EndpointId, endpointIds, endpointRow, endpointsWhere } from '../../../contracts/endpoints.ts';
import { steps } from '../../../contracts/pointer.ts';
import type { CheckEnd } from '../../../contracts/report/journal.ts';
import type { ReferenceServerOptions } from '../../../reference-server/index.ts';
import { isOneShot } from '../../checks/units.ts';
import type { Measured } from '../prove/catalogues.ts';
import { type NotedRows, readRows } from '../prove/rows.ts';
import { recordedRun } from '../testing/reference-run.ts';
import { answeringOtherwise, demanding } from './demanding.fixture.ts';
import { policies } from './policies.fixture.ts';

/** A server that is half done, and the operation of which it is. */
export interface HalfDone {
  /** `demanded OPERATION FIELD`, `gone STATUS OPERATION`, `only OPERATION`, `nothing served`, `policy …`. */
  readonly id: string;
  readonly server: ReferenceServerOptions;
  readonly endpoint?: EndpointId;
  /** The field that is demanded. */
  readonly field?: string;
  /** Of a policy: what the target file says is required, if anything. */
  readonly policy?: { readonly requires: readonly string[]; readonly isOneOfSeveral: boolean };
}

/** What a quick run tells of such a server. */
export interface ToldOfHalfDone {
  /** The verdict of the operation; of the run where nothing is served. */
  readonly verdict: string;
  /** What is told first: the requirement that a finding breaks, with the field; an observation; a reason. */
  readonly told: string;
  readonly requests: number;
}

const demanded = endpointsWhere(({ body }) => body !== null)
  .filter(endpoint => !isOneShot(endpoint))
  .flatMap(endpoint => {
    const { body } = endpointRow(endpoint);
    const fields = Object.keys(body?.properties ?? {}).filter(field => body?.required?.includes(field) !== true);
    return fields.map(
      (field): HalfDone => ({
        id: `demanded ${endpoint} ${field}`,
        server: demanding(endpoint, field),
        endpoint,
        field,
      }),
    );
  });

const gone = endpointIds.flatMap(endpoint =>
  ([404, 405] as const).map(
    (status): HalfDone => ({
      id: `gone ${status} ${endpoint}`,
      server: answeringOtherwise(one => one === endpoint, status),
      endpoint,
    }),
  ),
);

const only = endpointIds.map(
  (endpoint): HalfDone => ({
    id: `only ${endpoint}`,
    server: answeringOtherwise(one => one !== endpoint, 404),
    endpoint,
  }),
);

/** Each policy undeclared, and declared where a target file can. */
const ofPolicies = policies.flatMap(({ id, endpoint, server, requires }): HalfDone[] => {
  const isOneOfSeveral = id.includes(' or ');
  const row = (more: string, fields: readonly string[]): HalfDone => ({
    id: `${id}${more}`,
    server: server(),
    endpoint,
    policy: { requires: fields, isOneOfSeveral },
  });
  return [row('', []), ...(requires.length === 0 ? [] : [row(', declared', requires)])];
});

/** Every server that is half done in one of these ways, or demands more than the API does. */
export const halfDone: readonly HalfDone[] = [
  ...demanded,
  ...gone,
  ...only,
  { id: 'nothing served', server: answeringOtherwise(() => true, 404) },
  ...ofPolicies,
];

/** Where it is noted; `npm run prove -- premise` writes it. */
export const premiseFile = new URL('noted.json', import.meta.url);

export const notedOfHalfDone = (): NotedRows<ToldOfHalfDone> => readRows<ToldOfHalfDone>(premiseFile);

/** The findings of checks that fail, or warn where none does, as `REQUIREMENT FIELD`. */
const findingsOf = (checks: readonly CheckEnd[]): readonly string[] =>
  (['fail', 'warn'] as const).flatMap(verdict =>
    checks
      .filter(one => one.verdict === verdict)
      .flatMap(({ findings }) =>
        findings.map(
          ({ requirement, counterexample }) =>
            `${verdict} ${requirement} ${steps(counterexample?.pointer ?? '').join('.')}`,
        ),
      ),
  );

/** Runs the suite against such a server: its operation alone where only a field is at stake. */
export async function toldOf({
  server,
  endpoint,
  field,
  policy,
}: HalfDone): Promise<ToldOfHalfDone & { told: string; all: readonly string[] }> {
  const isAlone = field !== undefined || policy !== undefined;
  const record = await recordedRun({
    server,
    ...(isAlone ? { only: [`${endpoint}/*`] } : {}),
    ...(policy === undefined ? {} : { file: file => ({ ...file, requires: { [endpoint ?? '']: policy.requires } }) }),
  });
  const checks = [...record.checks.values()].filter(one => endpoint === undefined || one.endpoint === endpoint);
  const all = findingsOf(checks);
  const subject = `a request without ${field}`;
  const observed = record.events.some(event => event.event === 'observation' && event.subject === subject);
  const because = checks.find(one => one.check === 'accepts')?.because ?? record.end.because ?? '';
  return {
    verdict: endpoint === undefined ? record.end.outcome : (record.verdicts.get(endpoint) ?? record.end.outcome),
    told: all[0] ?? (observed ? `observed ${field}` : because),
    requests: record.end.stats.requests,
    all,
  };
}

/** Operations of which the specification says what a request must have. */
const judged: readonly EndpointId[] = ['update-qualifying-event', 'update-experiment', 'patch-gate', 'create-metric'];

/** What is wrong with what is told, a line each: another thing is accused, or the server passes for whole. */
function problemsOf(row: HalfDone, { verdict, told, all }: Awaited<ReturnType<typeof toldOf>>): readonly string[] {
  const { id, endpoint, field, policy } = row;
  if (policy !== undefined) return problemsOfPolicy(policy, all);
  const isOther = (one: string): boolean =>
    field === undefined
      ? !/ (service\.route|robust|state) /.test(`${one} `) && one.startsWith('fail ') && id.startsWith('gone')
      : !one.includes(` accept.optional-absent ${field}`) && one.startsWith('fail ');
  const others = all.filter(isOther).map(one => `${one} is accused`);
  const isJudged = endpoint !== undefined && field !== undefined && judged.includes(endpoint);
  const isSilent = isJudged && told === '' && verdict === 'conformant' && !isCarried(endpoint, field);
  const passes = id.startsWith('gone') && verdict === 'conformant';
  return [...others, ...(isSilent ? [`${field} is not named`] : []), ...(passes ? ['it conforms'] : [])];
}

/** A declared policy is no defect; of one that is not the run says one thing, or nothing. */
function problemsOfPolicy({ requires, isOneOfSeveral }: NonNullable<HalfDone['policy']>, all: readonly string[]) {
  const told = [...new Set(all.map(one => one.split(' ').slice(0, 2).join(' ')))];
  if (requires.length > 0) return told;
  const isFailed = isOneOfSeveral && told.some(one => one.startsWith('fail '));
  return told.filter((one, index) => isFailed || index > 0 || !one.endsWith(' accept.optional-absent'));
}

/** Fields that every request of the suite carries: metrics are made over events, and what is listed as required is sent. */
const isCarried = (endpoint: EndpointId, field: string): boolean =>
  (endpoint === 'create-metric' && field === 'metricEvents') ||
  (endpoint === 'update-experiment' && ['status', 'defaultConfidenceInterval'].includes(field));

/** Measures such a server, to be noted. */
export async function measureHalfDone(id: string): Promise<Measured> {
  const row = halfDone.find(one => one.id === id) as HalfDone;
  const found = await toldOf(row);
  const { all: _, ...noted } = found;
  return { noted, problems: problemsOf(row, found) };
}
