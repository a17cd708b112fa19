import type { Schema } from '../../../contracts/dialect.ts';
import { type EndpointId, endpointIds, endpointRow, endpointsWhere } from '../../../contracts/endpoints.ts';
import { steps } from '../../../contracts/pointer.ts';
import type { CheckEnd } from '../../../contracts/report/journal.ts';
import type { ReferenceServerOptions } from '../../../reference-server/index.ts';
import { isOneShot } from '../../checks/units.ts';
import { nodeOf } from '../../generators/node.ts';
import type { Measured } from '../prove/catalogues.ts';
import { type NotedRows, readRows } from '../prove/rows.ts';
import { recordedRun } from '../testing/reference-run.ts';
import { answeringOtherwise, demanding, refusing } from './demanding.fixture.ts';
import { policies } from './policies.fixture.ts';

/** A half-finished server, and the operation concerned. */
export interface HalfDone {
  /** `demanded OPERATION FIELD`, `refused OPERATION FIELD`, `gone STATUS OPERATION`, `only OPERATION`, `nothing served`, `policy …`. */
  readonly id: string;
  /** Creates a server for each run. It calls back for each request that it refuses for a missing field. */
  readonly server: (onRefused?: () => void) => ReferenceServerOptions;
  readonly endpoint?: EndpointId;
  /** The demanded or refused field, dotted from the root of the body, with `*` for list items. */
  readonly field?: string;
  /** For a policy: the fields that the target file declares as required. */
  readonly policy?: { readonly requires: readonly string[]; readonly isOneOfSeveral: boolean };
}

/** What a quick run reports about such a server. */
export interface ToldOfHalfDone {
  /** The verdict of the operation, or of the run if nothing is served. */
  readonly verdict: string;
  /** The first report: the broken requirement of a finding with its field, an observation, or a reason. */
  readonly told: string;
  readonly requests: number;
}

/** The report with what is needed to judge it. */
interface Told extends ToldOfHalfDone {
  /** All findings of the operation. */
  readonly all: readonly string[];
  /** True if a request of the run lacked the demanded field, or carried the refused one. */
  readonly isMissed: boolean;
}

/** Returns the optional members of a schema at every depth, dotted, with `*` for list items. */
function optionalWithin(schema: Schema, above = ''): readonly string[] {
  const node = nodeOf(schema);
  if (node.kind === 'array')
    return node.schema.items === undefined ? [] : optionalWithin(node.schema.items, `${above}*.`);
  if (node.kind !== 'object') return [];
  return Object.entries(node.schema.properties ?? {}).flatMap(([name, member]) => [
    ...(node.schema.required?.includes(name) === true ? [] : [above + name]),
    ...optionalWithin(member, `${above}${name}.`),
  ]);
}

/** The optional fields of all bodies. */
const optional = endpointsWhere(({ body }) => body !== null)
  .filter(endpoint => !isOneShot(endpoint))
  .flatMap(endpoint =>
    optionalWithin(endpointRow(endpoint).body ?? { type: 'object' }).map(field => ({ endpoint, field })),
  );

const demanded = optional.map(
  ({ endpoint, field }): HalfDone => ({
    id: `demanded ${endpoint} ${field}`,
    server: onRefused => demanding(endpoint, field, undefined, onRefused),
    endpoint,
    field,
  }),
);

/** Parts of objects are refused with the whole. */
const refused = optional
  .filter(({ field }) => !field.includes('.'))
  .map(
    ({ endpoint, field }): HalfDone => ({
      id: `refused ${endpoint} ${field}`,
      server: onRefused => refusing(endpoint, ({ body }) => Object.hasOwn(body as object, field), 400, onRefused),
      endpoint,
      field,
    }),
  );

const gone = endpointIds.flatMap(endpoint =>
  ([404, 405] as const).map(
    (status): HalfDone => ({
      id: `gone ${status} ${endpoint}`,
      server: () => answeringOtherwise(one => one === endpoint, status),
      endpoint,
    }),
  ),
);

const only = endpointIds.map(
  (endpoint): HalfDone => ({
    id: `only ${endpoint}`,
    server: () => answeringOtherwise(one => one !== endpoint, 404),
    endpoint,
  }),
);

/** Each policy undeclared, and declared if a target file can declare it. */
const ofPolicies = policies.flatMap(({ id, endpoint, server, requires }): HalfDone[] => {
  const isOneOfSeveral = id.includes(' or ');
  const row = (more: string, fields: readonly string[]): HalfDone => ({
    id: `${id}${more}`,
    server,
    endpoint,
    policy: { requires: fields, isOneOfSeveral },
  });
  return [row('', []), ...(requires.length === 0 ? [] : [row(', declared', requires)])];
});

/** Every half-finished server, and every one that demands more than the API does. */
export const halfDone: readonly HalfDone[] = [
  ...demanded,
  ...refused,
  ...gone,
  ...only,
  { id: 'nothing served', server: () => answeringOtherwise(() => true, 404) },
  ...ofPolicies,
];

/** The file of the results; `npm run prove -- premise` writes it. */
export const premiseFile = new URL('noted.json', import.meta.url);

export const notedOfHalfDone = (): NotedRows<ToldOfHalfDone> => readRows<ToldOfHalfDone>(premiseFile);

/** Returns the findings of failed checks, or of warnings if none failed, as `REQUIREMENT FIELD`. */
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

/** Runs the suite against such a server. If only a field is concerned, runs only its operation. */
export async function toldOf({ server, endpoint, field, policy }: HalfDone): Promise<Told> {
  const isAlone = field !== undefined || policy !== undefined;
  let isMissed = false;
  const record = await recordedRun({
    server: server(() => {
      isMissed = true;
    }),
    ...(isAlone ? { only: [`${endpoint}/*`] } : {}),
    ...(policy === undefined ? {} : { file: file => ({ ...file, requires: { [endpoint ?? '']: policy.requires } }) }),
  });
  const checks = [...record.checks.values()].filter(one => endpoint === undefined || one.endpoint === endpoint);
  const all = findingsOf(checks);
  const name = field?.replaceAll('*.', '');
  const subject = `a request without ${name}`;
  const observed = record.events.some(event => event.event === 'observation' && event.subject === subject);
  const because = checks.find(one => one.check === 'accepts')?.because ?? record.end.because ?? '';
  return {
    verdict: endpoint === undefined ? record.end.outcome : (record.verdicts.get(endpoint) ?? record.end.outcome),
    told: all[0] ?? (observed ? `observed ${name}` : because),
    requests: record.end.stats.requests,
    all,
    isMissed,
  };
}

/** Operations for which the specification states required members. */
const judged: readonly EndpointId[] = ['update-qualifying-event', 'update-experiment', 'patch-gate', 'create-metric'];

/** Returns the problems, one line each: a wrong accusation, or a defect that goes unreported. */
function problemsOf(row: HalfDone, { verdict, told, all, isMissed }: Told): readonly string[] {
  const { id, endpoint, field, policy } = row;
  if (policy !== undefined) return problemsOfPolicy(policy, all);
  if (id.startsWith('refused ')) {
    const isTold = all.some(one => !one.endsWith(' ')) || verdict !== 'conformant' || !isMissed;
    return isTold || silent.has(id) ? [] : [`${field} is not told`];
  }
  // No section states which parts an object must have, so a server that demands one is not accused.
  if (field?.includes('.')) {
    const isNamed = told.includes(field.replaceAll('*.', '')) || ofManualBaseline.test(field);
    return [...all.map(one => `${one} is accused`), ...(isMissed && !isNamed ? [`${field} is not named`] : [])];
  }
  const isOther = (one: string): boolean =>
    field === undefined
      ? !/ (service\.route|robust|state) /.test(`${one} `) && one.startsWith('fail ') && id.startsWith('gone')
      : !one.includes(` accept.optional-absent ${field}`) && one.startsWith('fail ');
  const others = all.filter(isOther).map(one => `${one} is accused`);
  const isJudged = endpoint !== undefined && field !== undefined && judged.includes(endpoint);
  const isSilent = isJudged && told === '' && verdict === 'conformant' && isMissed;
  const passes = id.startsWith('gone') && verdict === 'conformant';
  return [...others, ...(isSilent ? [`${field} is not named`] : []), ...(passes ? ['it conforms'] : [])];
}

/** Refused fields of which a quick run tells nothing. */
const silent: ReadonlySet<string> = new Set([
  // Whether they may be set is open: dry runs alone carry them.
  'refused update-qualifying-event isReadOnly',
  'refused update-qualifying-event isVerified',
  'refused create-metric isReadOnly',
  'refused create-metric isVerified',
  // Only a name that an answer showed is sent.
  'refused update-experiment controlGroupID',
  // A standard run sends them alone.
  'refused update-qualifying-event dryRun',
  'refused update-experiment sprtMDESettings',
  'refused create-metric funnelCountDistinct',
  'refused create-metric metricComponentMetrics',
  'refused create-metric percentile',
]);

/** The fields that section 2.5 requires of a manual baseline. Only requests that must be refused lack them. */
const ofManualBaseline = /^sprtMDESettings\..*\.(mean|stdDev)$/;

/** A declared policy is no defect. For an undeclared one the run reports one thing, or nothing. */
function problemsOfPolicy({ requires, isOneOfSeveral }: NonNullable<HalfDone['policy']>, all: readonly string[]) {
  const told = [...new Set(all.map(one => one.split(' ').slice(0, 2).join(' ')))];
  if (requires.length > 0) return told;
  const isFailed = isOneOfSeveral && told.some(one => one.startsWith('fail '));
  return told.filter((one, index) => isFailed || index > 0 || !one.endsWith(' accept.optional-absent'));
}

/** Measures such a server and returns the results to note. */
export async function measureHalfDone(id: string): Promise<Measured> {
  const row = halfDone.find(one => one.id === id) as HalfDone;
  const found = await toldOf(row);
  const { all: _, isMissed: __, ...noted } = found;
  return { noted, problems: problemsOf(row, found) };
}
