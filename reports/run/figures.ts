import { grouped } from '../../contracts/grouped.ts';
import { compact } from '../../contracts/present.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';
import { isRemedy } from '../../contracts/report/remedies.ts';
import type { EndpointVerdict, Report, TrafficReport } from '../../contracts/report/report.ts';
import { type Figure, type Pair, pairsIn } from '../document/document.ts';
import { thingsIn } from '../journal/selections.ts';
import { counted, firstOf, tally } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { timeText } from '../text/time-text.ts';
import {
  cellsText,
  exchangesText,
  fieldsText,
  operationsText,
  outcomeTexts,
  reasonTexts,
  remedyTexts,
  requirementsText,
  setText,
  shortCoverageText,
} from '../text/verdict-text.ts';

/** Maximum number of learned names, and of remedies: if less was tried than asked for, and otherwise. */
const most = { learned: 3, remedies: { short: 8, otherwise: 3 } } as const;

/** Returns how many endpoints conform, and how the run ended. */
export function headlineOf({ endpoints, outcome }: Report): string {
  const of = (verdict: EndpointVerdict) => endpoints.filter(one => one.verdict === verdict).length;
  const tested = endpoints.length - of('not-applicable');
  const counts = `${of('conformant')} of ${counted(tested, 'endpoint')} conform`;
  const ended = outcomeTexts[outcome];
  return ended ? `${counts}; ${ended}` : counts;
}

/** Returns the results of the run in figures, and what it lacks. */
export function figuresOf(report: Report): Figure[] {
  const { stats, options, profile, seed, exitCode, traffic, leftBehind, endpoints } = report;
  const all = Object.values(stats.checks).reduce((sum, count) => sum + count, 0);
  const { pass, fail: failed, warn: warned, untested, error } = stats.checks;
  const others = tally({
    failed,
    warned,
    'not tested': untested,
    'ended by a fault of the suite': error,
    'not applicable': stats.checks['not-applicable'],
  });
  const checks =
    pass === all ? `${counted(all, 'check')} passed` : `${pass} of ${counted(all, 'check')} passed, ${others}`;
  const short = shortCoverageText(report);
  const remedies = remedyTexts(report, short === undefined ? most.remedies.otherwise : most.remedies.short);
  const how = traffic ? '' : `, seed ${seed}, ${profile}${setText(report)}`;
  const extended =
    options.timeMs !== undefined &&
    stats.extended !== undefined &&
    `${counted(stats.extended, 'random case')} more than profile ${profile} has, in a time of ${timeText(options.timeMs)}`;
  // biome-ignore format: a table
  const figures: Readonly<Record<string, readonly (string | undefined | false)[]>> = {
    ...(traffic && trafficFigures(traffic, endpoints.map(({ id }) => id))),
    Requirements:  [requirementsText(report)],
    Run:           [`${checks}; ${counted(stats.requests, 'request')}, ${(stats.durationMs / 1000).toFixed(1)} s${how}, exit ${exitCode}`],
    Coverage:      [short, cellsText(report), ...remedies.map(text => `→ ${text}`)],
    Extended:      [extended],
    'Not sent':    [notExercisedText(report)],
    Learned:       [learnedText(report)],
    'Left behind': [leftBehindText(leftBehind)],
  };
  return Object.entries(figures).flatMap(([name, lines]) => {
    const own = compact(lines);
    return own.length === 0 ? [] : [{ name, lines: own }];
  });
}

/** Returns the figures of judged traffic: what passed, and what was judged. */
const trafficFigures = (traffic: TrafficReport, ids: readonly string[]) => ({
  Traffic: [
    exchangesText(traffic),
    ...reasonTexts(traffic.notJudged).map(text => `not judged: ${text}`),
    ...reasonTexts(traffic.outside).map(text => `outside: ${text}`),
  ],
  State: reasonTexts(traffic.stateNotJudged).map(text => `not judged: ${text}`),
  Used: [operationsText(traffic, ids)],
  Fields: [fieldsText(traffic)],
});

/**
 * True if the target file could supply a word or capability for a field. Other fields are locked, or kept as they are.
 */
const isWanting = ({ remedy, capability }: NotExercised): boolean => capability !== undefined || isRemedy(remedy);

function notExercisedText({ endpoints }: Report): string | undefined {
  const left = endpoints.flatMap(one => one.checks.flatMap(check => check.notExercised.map(field => ({ one, field }))));
  const named = (some: typeof left) => new Set(some.map(({ one, field }) => `${one.id} ${field.field}`)).size;
  const count = named(left);
  const wanting = named(left.filter(({ field }) => isWanting(field)));
  const share = wanting === count ? '' : wanting === 0 ? 'none of them ' : `${wanting} of them `;
  return count === 0
    ? undefined
    : `${counted(count, 'field')}, ${share}for want of a target-file line (checks[].notExercised)`;
}

/** Returns the learned names that the target refuses. Accepted ones are not worth reporting. */
function learnedText({ learned = [] }: Report): string | undefined {
  const refused = learned.filter(({ refusedBy }) => refusedBy);
  if (refused.length === 0) return undefined;
  const names = refused.map(({ kind, value }) => `${kind} ${safeText(JSON.stringify(value), 60)}`);
  return `${counted(learned.length, 'name')}, ${refused.length} refused: ${firstOf(names, most.learned)} (see learned)`;
}

function leftBehindText(leftBehind: Report['leftBehind']): string | undefined {
  const kinds = [...grouped(leftBehind, ({ kind }) => kind)].map(([kind, own]) => {
    const perhaps = own.reduce((sum, { perhaps: some = 0 }) => sum + some, 0);
    return `${kind} × ${thingsIn(own)}${perhaps > 0 ? ` (perhaps ${perhaps} more)` : ''}`;
  });
  return kinds.length === 0 ? undefined : `${kinds.join(', ')} (see leftBehind)`;
}

/** Returns the settings of the run. */
export function factsOf(report: Report): Pair[] {
  const { tool, target, seed, profile, options, token, startedAt, exitCode } = report;
  const { shard } = options;
  // biome-ignore format: a table
  return pairsIn({
    Target:              target.baseUrl,
    Started:             startedAt,
    Seed:                String(seed),
    Profile:             profile,
    Requirements:        setText(report).replace(/^.*requirements /, ''),
    'Exit code':         String(exitCode),
    Configuration:       options.config,
    Only:                options.only.join(', '),
    'Skipped by choice': options.skip.join(', '),
    Time:                options.timeMs === undefined ? undefined : timeText(options.timeMs),
    'Read-only':         options.readOnly ? 'yes' : undefined,
    Strict:              options.strict ? 'yes' : undefined,
    Shard:               shard && `${shard.index} of ${shard.total}`,
    'Token in names':    token,
    [tool.name]:         tool.version,
    'Node.js':           tool.node,
    'fast-check':        tool['fast-check'],
    faker:               tool.faker,
  });
}
