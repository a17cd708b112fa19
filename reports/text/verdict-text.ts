import { compact } from '../../contracts/present.ts';
import type { CheckReport, EndpointVerdict, Outcome, Report, TrafficReport } from '../../contracts/report/report.ts';
import { isCoverageShort } from '../../contracts/report/verdict.ts';
import { counted, firstOf, tally } from './page.ts';
import { safeText } from './safe-text.ts';

/** How a run ended, as a clause; undefined if it completed. */
export const outcomeTexts = {
  complete: undefined,
  interrupted: 'the run was interrupted',
  unreachable: 'the run could not go on',
  error: 'the run was ended by a fault of the suite',
  truncated: 'the journal was cut off before the end of the run',
} as const satisfies Record<Outcome, string | undefined>;

/** Returns a text with a capital first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the verdict of a run in a sentence or two: how many endpoints conform, and how the run ended. */
export function verdictSentence(report: Report): string {
  const ended = outcomeTexts[report.outcome];
  // The clause already says why a run was interrupted, and a notice need not be repeated.
  const isSaid = report.outcome === 'interrupted' || report.notices.some(({ text }) => text === report.because);
  const because = isSaid ? undefined : report.because;
  const end = ended ? ` ${capitalized(ended)}${because === undefined ? '' : `: ${because}`}.` : '';
  const judged = trafficSentence(report) ?? (isUnjudged(report) ? 'Nothing was tested' : endpointsSentence(report));
  const shardSentence = report.options.shard && 'A shard alone proves only its part: join all of them with `report`.';
  return [`${judged}.${end}`, shardSentence, baselineSentence(report)].filter(Boolean).join(' ');
}

/** Predicates for a side of judged traffic, by verdict. */
const sideTexts = {
  conformant: 'keeps the specification',
  'non-conformant': 'breaks the specification',
  incomplete: 'could not be judged whole',
  'not-applicable': 'was not judged',
} as const satisfies Record<EndpointVerdict, string>;

/** Returns `The server keeps the specification, the client breaks it` for judged traffic. */
function trafficSentence({ traffic, options, exitCode, verdict }: Report): string | undefined {
  if (!traffic) return undefined;
  const { client, server } = traffic.sides;
  if (client === 'not-applicable' && server === 'not-applicable') return 'There was no traffic of the API';
  const failOn = options.traffic?.failOn ?? 'any';
  const isForgiven = verdict === 'non-conformant' && exitCode === 0;
  const only = isForgiven ? `, and only the ${failOn} was to fail: exit 0` : '';
  const never = neverCame({ traffic });
  const rotten =
    never.length === 0
      ? ''
      : `; ${never.length} expected ${never.length === 1 ? 'breach' : 'breaches'} never came: ${never.join(', ')}`;
  return `The server ${sideTexts[server]}, the client ${sideTexts[client]}${only}${rotten}`;
}

/** Returns the expected breaches of a client that never occurred. */
export const neverCame = ({ traffic }: Pick<Report, 'traffic'>): string[] =>
  (traffic?.expected ?? []).flatMap(({ entry, times }) => (times === 0 ? [entry] : []));

/** Returns what to do about an expected breach that never occurred. */
export const neverCameTodo = ({ options }: Report): string =>
  `remove it from ${options.traffic?.expected ?? 'the expected breaches'}`;

/** Returns the shard that a report is of: ` (shard 1 of 3)`; empty for a whole run. */
export function partText({ options: { shard } }: Report): string {
  return shard ? ` (shard ${shard.index} of ${shard.total})` : '';
}

/** Returns how the exit code follows from the baseline; undefined without one. */
function baselineSentence({ baseline, exitCode, verdict }: Report): string | undefined {
  if (!baseline) return undefined;
  const { file, known, fresh, stale } = baseline;
  const failures = known.length + fresh.length;
  const all = failures === 1 ? 'the failure' : failures === 2 ? 'both failures' : `all ${failures} failures`;
  const some = known.length === failures ? all : `${known.length} of ${counted(failures, 'failure')}`;
  const parts = compact([
    failures > 0 && `${some} ${isOrAre(known)} known (${file})`,
    stale.length > 0 && `${counted(stale.length, 'entry')} of ${file} ${isOrAre(stale)} stale`,
  ]);
  if (parts.length === 0) return undefined;
  const isOther = (verdict === 'conformant') !== (exitCode === 0);
  return `${capitalized(parts.join('; '))}${isOther ? `: exit ${exitCode}` : ''}.`;
}

const isOrAre = ({ length }: readonly unknown[]): string => (length === 1 ? 'is' : 'are');

/** Returns true if no check of the run has passed, warned or failed. */
export function isUnjudged({ stats }: Report): boolean {
  const { pass, fail, warn } = stats.checks;
  return pass + fail + warn === 0;
}

/** Returns `2 of 15 endpoints break the specification, 1 could not be fully tested, 12 conform`. */
function endpointsSentence({ endpoints }: Report): string {
  // biome-ignore format: a table
  const parts = ([
    ['non-conformant', 'breaks the specification',     'break the specification'],
    ['incomplete',     'could not be fully tested',    'could not be fully tested'],
    ['conformant',     'conforms',                     'conform'],
    ['not-applicable', 'was not to be run',            'were not to be run'],
  ] as const satisfies readonly (readonly [EndpointVerdict, string, string])[]).flatMap(([verdict, one, several]) => {
    const count = endpoints.filter(endpoint => endpoint.verdict === verdict).length;
    return count > 0 ? [{ count, words: count === 1 ? one : several }] : [];
  });
  const total = counted(endpoints.length, 'endpoint');
  return parts.map(({ count, words }, index) => `${count}${index === 0 ? ` of ${total}` : ''} ${words}`).join(', ');
}

/** Returns the coverage: `57.4 %`, or `98.0 % of this part`; undefined if none was counted. */
export const coverageShareText = ({ coverage }: Report): string | undefined =>
  coverage && `${coverage.percent.toFixed(1)} %${coverage.partial ? ' of this part' : ''}`;

/** Returns the coverage for a headline: `coverage 57.4 %`; undefined if none was counted. */
export function coverageText(report: Report): string | undefined {
  const share = coverageShareText(report);
  return share && `coverage ${share}`;
}

/**
 * Returns the cells by state: `4,939 of 8,511 cells proven, 1,379 not shown, 2,193 not tried`. Where nothing fails, the
 * broken ones are those of warnings.
 */
export function cellsText({ coverage, endpoints }: Report): string | undefined {
  if (!coverage) return undefined;
  const { proven, all, notShown, broken } = coverage;
  const isFailing = endpoints.some(({ verdict }) => verdict === 'non-conformant');
  const others = tally({
    [isFailing ? 'broken' : 'warned']: broken,
    'not shown': notShown,
    'not tried': all - proven - broken - notShown,
  });
  const whole = `${proven.toLocaleString('en')} of ${counted(all, 'cell')} proven`;
  return others === '' ? whole : `${whole}, ${others}`;
}

/** Returns how far a run falls short of the requested coverage; undefined if it does not. */
export function shortCoverageText({ coverage }: Report): string | undefined {
  if (coverage?.min === undefined || !isCoverageShort(coverage)) return undefined;
  return `${coverage.percent.toFixed(1)} % is less than the ${coverage.min} % that this run must reach`;
}

/** Returns the remedies for untried cells, the most effective first: `vocabulary.teams: ["a_team"] (12 cells)`. */
export function remedyTexts({ coverage }: Report, most: number): string[] {
  const { remedies = [] } = coverage ?? {};
  const shown = remedies.slice(0, most).map(({ remedy, cells }) => `${remedy} (${counted(cells, 'cell')})`);
  return remedies.length > most ? [...shown, `${remedies.length - most} more in report.json`] : shown;
}

/** Maximum numbers of untested requirements named for a whole run: of MUSTs alone, and of all. */
const mostUntested = { musts: 6, all: 2 } as const;

/**
 * Returns the requirements that a whole run did not test, the MUSTs first: ` (gate.name, gate.tags and 6 more in
 * report.json)`.
 */
function untestedIn({ requirements, coverage }: Report): string {
  // Traffic, and a part of a run, leave most of them out.
  if (!coverage || coverage.partial) return '';
  const untested = requirements.filter(({ verdict }) => verdict === 'untested');
  const musts = untested.filter(({ level }) => level === 'MUST');
  const ids = [...new Set([...musts, ...untested])].map(({ id }) => id);
  const most = Math.max(mostUntested.all, Math.min(mostUntested.musts, musts.length));
  return ids.length === 0 ? '' : ` (${firstOf(ids, most)}${ids.length > most ? ' in report.json' : ''})`;
}

/** Returns the requirements by verdict: `600 of 612 verified, 4 failed, 8 not (fully) tested (…)`. */
export function requirementsText(report: Report): string {
  const { stats, requirements, endpoints } = report;
  const checks = endpoints.flatMap(one => one.checks).filter(({ verdict }) => verdict === 'pass');
  // One endpoint, or one check, may be all that is left of what thousands of requests have tested.
  const isInPart = ({ id, verdict }: Report['requirements'][number]): boolean =>
    verdict === 'untested' &&
    checks.some(one => one.requirements.includes(id) && one.exercised?.includes(id) !== false);
  const parts = requirements.filter(isInPart).length;
  const { verified, failed, warned, untested, ...others } = stats.requirements;
  return [
    `${verified} of ${verified + failed + warned + untested} verified`,
    tally({ failed, warned }),
    `${untested} not ${parts === 0 ? '' : parts === untested ? 'fully ' : '(fully) '}tested${untestedIn(report)}`,
    tally({
      'not observed': others['not-observed'],
      'not applicable': others['not-applicable'],
      unverifiable: others['not-verifiable'],
    }),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Returns how many of the applicable checks passed: `3 of 4`. */
export function passedText(checks: readonly CheckReport[], between = ' of '): string {
  const passed = checks.filter(({ verdict }) => verdict === 'pass').length;
  return `${passed}${between}${checks.filter(({ verdict }) => verdict !== 'not-applicable').length}`;
}

/** Returns endpoints by name, or their number if there are more than four. */
export function endpointsText(endpoints: Iterable<string>): string {
  const names = [...endpoints];
  return names.length > 4 ? `${names.length} endpoints` : names.join(', ');
}

/** Returns the requirement set by which a run was judged, with its errata, to follow seed and profile. */
export const setText = ({ requirementSet: set }: Report): string =>
  set
    ? `, requirements ${set.name}${set.errata === 0 ? '' : ` with ${set.errata} ${set.errata === 1 ? 'erratum' : 'errata'}`}`
    : '';

type Reasons = TrafficReport['notJudged'];

const sumOf = (reasons: Reasons): number => reasons.reduce((sum, { count }) => sum + count, 0);

/** Returns why some exchanges were not judged: `3 × there was no answer`. */
export const reasonTexts = (reasons: Reasons): string[] =>
  reasons.map(({ because, count }) => `${count.toLocaleString('en')} × ${safeText(because, 160)}`);

/** Returns the sums over the exchanges of some traffic, with none left out. */
export function exchangesText({ exchanges, judged, notJudged, outside }: TrafficReport): string {
  const figures = [
    `${judged.toLocaleString('en')} judged`,
    `${sumOf(notJudged).toLocaleString('en')} not judged`,
    `${sumOf(outside).toLocaleString('en')} outside the API`,
  ];
  return `${counted(exchanges, 'exchange')}: ${figures.join(', ')}`;
}

/** Returns which operations were used, and which never: `4 of 15 operations used; never: list-events, …`. */
export function operationsText({ operations }: TrafficReport, all: readonly string[]): string {
  const used = new Set<string>(operations.map(({ endpoint }) => endpoint));
  const never = all.filter(id => !used.has(id));
  const text = `${used.size} of ${all.length} operations used`;
  return never.length === 0 ? text : `${text}; never: ${never.join(', ')}`;
}

/** Returns how the requests of an operation were answered: `200 × 12, 404 × 1`. */
export const statusesText = ({ statuses }: TrafficReport['operations'][number]): string =>
  statuses
    .map(({ status, count }) => `${status === 0 ? 'no answer' : status} × ${count.toLocaleString('en')}`)
    .join(', ');

/** Returns how many documented fields of the used operations no body had. */
export function fieldsText({ operations }: TrafficReport): string {
  const sent = operations.reduce((sum, { fields }) => sum + fields.length, 0);
  const never = operations.reduce((sum, { neverSent }) => sum + neverSent.length, 0);
  return `${sent} of ${sent + never} documented fields of their bodies sent`;
}
