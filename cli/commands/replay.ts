import { existsSync } from 'node:fs';
import type { Report } from '../../contracts/report/report.ts';
import { exitCode } from '../../contracts/report/verdict.ts';
import {
  findingNamed,
  isOnlyUnpaired,
  NoSuchFinding,
  type Replay,
  replayOutcome,
  replayText,
} from '../../reports/replay.ts';
import { NothingSelected, PathNeedsOneCheck, toolVersions } from '../../suites/engine/plan.ts';
import { run } from '../../suites/engine/run.ts';
import type { Target } from '../../suites/protocol/sut.ts';
import { terminalOf } from '../outputs.ts';
import { readReport, reportOfEvents } from '../report-file.ts';
import { chooseTarget, type TargetFlags } from '../target.ts';
import { UsageError } from '../usage-error.ts';
import { interruption } from './run.ts';

/** The flags of `replay`. */
export interface ReplayFlags extends TargetFlags {
  readonly timeout: number;
  readonly settle: number;
}

/** The target of the recorded run, but for what the flags say. */
function targetFlags({ target, options }: Report, { baseUrl, apiKey, config }: ReplayFlags): TargetFlags {
  const chosen = { ...(apiKey === undefined ? {} : { apiKey }), ...(baseUrl === undefined ? {} : { baseUrl }) };
  if (config !== undefined) return { ...chosen, config };
  if (target.embedded) return chosen;
  if (options.config !== undefined && !existsSync(options.config)) {
    throw new UsageError(`the run read ${options.config}, which is not there; name its target file with --config`);
  }
  return { baseUrl: target.baseUrl, ...(options.config === undefined ? {} : { config: options.config }), ...chosen };
}

/** Other versions would generate another case for the same seed. */
function refuseOtherVersions({ tool }: Report, file: string): void {
  const now = toolVersions();
  for (const name of ['version', 'fast-check', 'faker'] as const) {
    if (tool[name] === now[name]) continue;
    const what = name === 'version' ? tool.name : name;
    throw new UsageError(`${file} was made with ${what} ${tool[name]}; ${what} ${now[name]} would send another case`);
  }
}

interface Settings {
  readonly report: Report;
  readonly target: Target;
  readonly embedded: boolean;
  readonly flags: ReplayFlags;
  readonly signal: AbortSignal;
}

async function ran(unit: string, path: string | undefined, settings: Settings): Promise<Report> {
  const { report, target, embedded, flags, signal } = settings;
  const events: Parameters<typeof reportOfEvents>[0][number][] = [];
  const options = {
    target,
    embedded,
    selection: { only: [unit], skip: [] },
    seed: report.seed,
    profile: report.profile,
    timeoutMs: flags.timeout,
    settleMs: flags.settle,
    readOnly: report.options.readOnly,
    strict: report.options.strict,
    path,
    signal,
  };
  try {
    await run(options, event => void events.push(event));
  } catch (error) {
    if (error instanceof NothingSelected || error instanceof PathNeedsOneCheck) throw new UsageError(error.message);
    throw error;
  }
  return reportOfEvents(events);
}

/** A refusal proves nothing where nothing is accepted: then the first case of what must be accepted is sent beside it. */
async function isPlainAccepted({ unit }: Replay, now: Report, settings: Settings): Promise<boolean> {
  const sent = now.endpoints.flatMap(({ checks }) => checks).find(one => one.id === unit);
  if (sent === undefined || !isOnlyUnpaired(sent)) return false;
  const endpoint = unit.slice(0, unit.indexOf('/'));
  const beside = await ran(`${endpoint}/accepts`, '0', settings);
  return beside.endpoints.some(({ checks }) => checks.some(({ stats }) => stats.accepted > 0));
}

function named(report: Report, id: string): Replay {
  try {
    return findingNamed(report, id);
  } catch (error) {
    if (error instanceof NoSuchFinding) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Sends one finding of a report again, with its recorded seed, profile and case, and shows then and now. Exit code 0 when it no longer fails, 1 when it
 * does (for whatever requirement), 3 when that cannot be told, 4 for a fault of the suite, 130 when interrupted.
 */
export async function replayCommand(
  id: string,
  file: string,
  flags: ReplayFlags,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const report = readReport(file);
  const replay = named(report, id);
  refuseOtherVersions(report, file);
  const chosen = await chooseTarget(targetFlags(report, flags), environment);
  const interrupted = interruption();
  try {
    const settings = { report, flags, signal: interrupted.signal, target: chosen.target, embedded: chosen.embedded };
    const now = await ran(replay.unit, replay.path, settings);
    const judged = replayOutcome(replay, now, await isPlainAccepted(replay, now, settings));
    const { colour, columns } = terminalOf(process.stdout, environment);
    const place = { colour, ...(columns === undefined ? {} : { columns }) };
    process.stdout.write(replayText(replay, judged, now, place));
    if (judged.outcome === 'gone') return 0;
    if (judged.outcome !== 'unknown') return 1;
    return now.exitCode > 1 ? now.exitCode : exitCode(['incomplete']);
  } finally {
    interrupted.done();
    await chosen.close();
  }
}
