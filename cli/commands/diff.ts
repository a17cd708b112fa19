import { present } from '../../contracts/present.ts';
import { type Shown, vouched } from '../../contracts/redaction/shown.ts';
import { redactorOf } from '../../contracts/redaction/values.ts';
import {
  type DifferenceReport,
  differenceReport as differenceSchema,
  type SideReport,
} from '../../contracts/report/difference.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { type AcknowledgedFile, acknowledgedText, updatedAcknowledged } from '../../reports/difference/acknowledged.ts';
import { type ComparedServers, differenceReport, extentOf } from '../../reports/difference/report.ts';
import { differenceReporters } from '../../reports/difference/reporters.ts';
import { type DiffOutcome, diff, OneBackend } from '../../suites/diff/index.ts';
import { select } from '../../suites/engine/plan.ts';
import { readAcknowledged, readAcknowledgedToUpdate } from '../acknowledged-file.ts';
import { updateText } from '../baseline-file.ts';
import type { DiffFlags } from '../definitions/diff.ts';
import { diffProgress, openJournals, type SideJournals } from '../diff-events.ts';
import { type ChosenServer, type Sides, selectionOf, sidesOf, versionText } from '../diff-sides.ts';
import { refusingFilters } from '../filter-suggestion.ts';
import { type Environment, refusing, UsageError } from '../input.ts';
import { interruption } from '../interruption.ts';
import { knownSecrets, shown as withoutSecrets } from '../known-secrets.ts';
import { openDocuments, reporterChoices, terminalOf, writeDocuments } from '../outputs.ts';
import { claimFolder } from '../run-folder.ts';
import { waitForTarget } from '../waiting.ts';
import { errors, output, writeText } from '../writer.ts';

const shown = ({ maxFailures }: DiffFlags) => present({ maxFailures });

/** What may be shown of a comparison: both servers are known by now. */
const redactedReport = redactorOf<DifferenceReport>(differenceSchema);

/** Throws a `UsageError` for flags that cannot go together. */
function checkFlags({ allow, acknowledge, reason }: DiffFlags): void {
  if (allow !== undefined && acknowledge !== undefined)
    throw new UsageError('--acknowledge reads its file as --allow does, and writes it anew: give one of them');
  if (acknowledge !== undefined && (reason ?? '').trim() === '')
    throw new UsageError('--acknowledge needs --reason: why may be there what is new in it?');
  if (acknowledge === undefined && reason !== undefined)
    throw new UsageError('--reason is of new entries, which --acknowledge FILE writes');
}

/** What a side was, for the report. */
function sideOf(
  name: string,
  isRecording: boolean,
  noiseRuns: number,
  { outcome, because, requests }: DiffOutcome['a'],
  journals: SideJournals | undefined,
): SideReport {
  return {
    name,
    isRecording,
    outcome,
    ...present({ because }),
    requests,
    noiseRuns,
    journals: [...(journals?.files ?? [])],
  };
}

/**
 * Sets two servers side by side, or a server and a recording of another one. Returns the exit code.
 *
 * @param given the flags that were given, by the names of their properties; the others have their defaults
 */
export async function diffTwo(
  a: string | undefined,
  b: string | undefined,
  flags: DiffFlags,
  environment: Environment,
  given: ReadonlySet<string>,
): Promise<number> {
  checkFlags(flags);
  const file =
    flags.acknowledge === undefined
      ? flags.allow === undefined
        ? undefined
        : readAcknowledged(flags.allow)
      : readAcknowledgedToUpdate(flags.acknowledge);
  const sides = await sidesOf(a, b, flags, environment);
  const selection = selectionOf(flags, sides.recorded, given);
  refusingFilters(() => select({ only: selection.only, skip: selection.skip }));
  const note = sides.recorded === undefined ? undefined : versionText(sides.recorded);
  if (note !== undefined) errors.say(withoutSecrets(`${note}\n`));
  const release = await claimFolder(flags.out);
  try {
    return await comparedInto(sides, selection, file, flags, environment);
  } finally {
    release();
  }
}

/** Compares and writes what came of it into the folder of `--out`. Returns the exit code. */
async function comparedInto(
  sides: Sides,
  selection: ReturnType<typeof selectionOf>,
  file: AcknowledgedFile | undefined,
  flags: DiffFlags,
  environment: Environment,
): Promise<number> {
  const journals = {
    a: sides.a === undefined ? undefined : openJournals(flags.out, 'a', flags.noiseRuns),
    b: openJournals(flags.out, 'b', flags.noiseRuns),
  };
  const taken = [...(journals.a?.files ?? []), ...journals.b.files];
  const documents = openDocuments(reporterChoices(flags, differenceReporters), taken);
  const outcome = await compared(sides, selection, journals, flags, environment);
  const servers: ComparedServers = {
    comparison: outcome.comparison,
    reports: { a: journals.a?.report(), b: journals.b.report() },
    a: sideOf(
      sides.recorded?.name ?? sides.a?.target.baseUrl.href ?? '',
      sides.recorded !== undefined,
      sides.recorded === undefined ? flags.noiseRuns : 0,
      outcome.a,
      journals.a,
    ),
    b: sideOf(sides.b.target.baseUrl.href, false, flags.noiseRuns, outcome.b, journals.b),
    seed: selection.seed,
    profile: selection.profile,
    options: {
      failOn: flags.failOn,
      sameStart: flags.sameStart ?? false,
      readOnly: selection.readOnly,
      only: [...selection.only],
      skip: [...selection.skip],
    },
  };
  const report = redactedReport(acknowledged(servers, file, flags), knownSecrets());
  const others = [journals.a, journals.b].flatMap(one => one?.files[0] ?? []);
  await writeDocuments(
    documents,
    { ...terminalOf(output, environment), ...shown(flags), others },
    async (name, display) => vouched(await differenceReporters[name].text(report, display)),
  );
  return report.exitCode;
}

/** Compares, in step, with journals and progress. Puts both back when it is interrupted. */
async function compared(
  { a, b, recorded }: Sides,
  { seed, profile, only, skip, readOnly }: ReturnType<typeof selectionOf>,
  journals: { readonly a: SideJournals | undefined; readonly b: SideJournals },
  flags: DiffFlags,
  environment: Environment,
): Promise<DiffOutcome> {
  const interrupted = interruption();
  const progress = diffProgress(errors, environment);
  let full: Error | undefined;
  const emitTo = (own: SideJournals) => (event: Shown<RunEvent>, run: number) => {
    try {
      if (full === undefined) own.event(event, run);
    } catch (error) {
      full = error as Error;
      interrupted.stop();
    }
    progress.event(event);
  };
  const serverOfDiff = (server: ChosenServer, own: SideJournals) => ({
    target: server.target,
    emit: emitTo(own),
    config: server.config,
  });
  try {
    for (const server of [a, b])
      if (server !== undefined) await waitForTarget(server.target, flags, interrupted.signal);
    const first = a === undefined || journals.a === undefined ? recorded?.recording : serverOfDiff(a, journals.a);
    if (first === undefined) throw new UsageError('which server is A?');
    const outcome = await refusing([OneBackend], () =>
      diff({
        a: first,
        b: serverOfDiff(b, journals.b),
        run: {
          selection: { only, skip },
          seed,
          profile,
          readOnly,
          concurrency: flags.concurrency,
          timeoutMs: flags.timeout,
          settleMs: flags.settle,
          rate: flags.rate,
          maxRequests: flags.maxRequests,
          signal: interrupted.signal,
        },
        noiseRuns: flags.noiseRuns,
        sameStart: flags.sameStart ?? false,
        onPhase: progress.phase,
      }),
    );
    if (full !== undefined) throw full;
    return outcome;
  } finally {
    progress.stop();
    interrupted.done();
    await a?.close();
    await b.close();
    journals.a?.close();
    journals.b.close();
  }
}

/** Judges by the acknowledged differences, which are written anew before where that is asked for. */
function acknowledged(
  servers: ComparedServers,
  file: AcknowledgedFile | undefined,
  flags: DiffFlags,
): DifferenceReport {
  const today = new Date().toISOString().slice(0, 10);
  if (file === undefined) return differenceReport(servers);
  if (flags.acknowledge === undefined) return differenceReport(servers, { file, today });
  const extent = extentOf(servers);
  if (!extent.isComplete) {
    errors.say(withoutSecrets(`${file.name} stays as it was: the comparison did not come to its end\n`));
    return differenceReport(servers, { file, today });
  }
  const { reason = '', failOn } = flags;
  const update = updatedAcknowledged(file.acknowledged, servers.comparison.places, extent, { reason, failOn });
  writeText(file.name, withoutSecrets(acknowledgedText(update.acknowledged)));
  errors.say(withoutSecrets(updateText(file.name, update)));
  return differenceReport(servers, { file: { ...file, acknowledged: update.acknowledged }, today });
}
