import { createPublicKey } from 'node:crypto';
import {
  type Envelope,
  envelopeSchema,
  openedBy,
  statementOf,
  statementSchema,
} from '../../contracts/report/attestation.ts';
import type { RunEvent, RunStart } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import { tool } from '../../contracts/report/tool.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { joinedShards, NotOneRun } from '../../reports/index.ts';
import { counted } from '../../reports/text/page.ts';
import type { Recording } from '../../suites/diff/index.ts';
import { subjectOf } from '../attestation-file.ts';
import type { VerifyFlags } from '../definitions/documents.ts';
import { refusing, UsageError } from '../input.ts';
import { parseJson, readBytes, readInput } from '../input-file.ts';
import { shown } from '../known-secrets.ts';
import { readRecord } from '../record-output.ts';
import { parseJournal, parseReport, reportOfEvents } from '../report-file.ts';
import { type Contradiction, contradictionsIn } from '../verification/journal-rules.ts';
import { contradictionsWith, type Rejudged, rejudged } from '../verification/rejudge.ts';
import { contradictionsBetween, eventsOf, limitsOf } from '../verification/result.ts';
import { output } from '../writer.ts';

/** What somebody handed in as the result of one run. */
interface Handed {
  readonly journals: readonly { readonly name: string; readonly events: readonly RunEvent[]; readonly bytes: Buffer }[];
  readonly reports: readonly Report[];
  readonly recordings: readonly Recording[];
}

/** Reads what was handed in, each file by what it holds. */
function handedIn(files: readonly string[]): Handed {
  const handed = { journals: [], reports: [], recordings: [] } as { [Part in keyof Handed]: Handed[Part][number][] };
  for (const name of files) {
    const bytes = readBytes(name, 'result');
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) handed.recordings.push(readRecord(name));
    else {
      const text = readInput(name, 'result');
      const isJournal = /^\s*\{\s*"event"/.test(text);
      if (isJournal) handed.journals.push({ name, events: parseJournal(name, text), bytes });
      else handed.reports.push(parseReport(name, text));
    }
  }
  return handed;
}

/** Refuses what another major version made: it is judged by rules that this one does not have. */
function refuseOtherMajor({ tool: made }: Pick<RunStart, 'tool'>): void {
  const major = (version: string): string => version.split('.')[0] ?? '';
  if (major(made.version) !== major(tool.version))
    throw new UsageError(
      `it was made by ${made.name} ${made.version}, and this is ${tool.version}: verify it by a version ${major(made.version)}.x`,
    );
}

/** What an attestation says beside the result that was handed in with it. */
function attested(flags: VerifyFlags, report: Report, journal: Buffer | undefined): readonly Contradiction[] {
  if (flags.attestation === undefined) return [];
  if (journal === undefined) throw new UsageError('--attestation is about a journal.ndjson: hand that in too');
  const file = flags.attestation;
  let text = readInput(file, 'attestation');
  const value = parseJson(file, text);
  if (validatorFor(envelopeSchema)(value).length === 0) {
    if (flags.key === undefined) throw new UsageError(`${file} is signed: give the public key with --key`);
    const opened = openedBy(value as Envelope, publicKey(flags.key));
    if (opened === null) return [`${file} was not signed by the key of ${flags.key}`];
    text = opened;
  } else if (flags.key !== undefined) return [`${file} is not signed`];
  const problem = validatorFor(statementSchema)(parseJson(file, text))[0];
  if (problem !== undefined) return [`${file} is no test result (${problem.pointer || 'it'} ${problem.message})`];
  const said = JSON.parse(text) as ReturnType<typeof statementOf>;
  const [subject] = said.subject;
  const asked = flags.subject === undefined ? undefined : subjectOf(flags.subject);
  const named = subject === undefined ? undefined : { name: subject.name, sha256: subject.digest.sha256 };
  const made = statementOf(report, asked ?? named ?? { name: '', sha256: '' }, journal);
  return JSON.stringify(said) === JSON.stringify(made) ? [] : [`${file} attests something else than this result shows`];
}

function publicKey(file: string) {
  try {
    return createPublicKey(readInput(file, 'key'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--key ${file} holds no public key`);
  }
}

const unshown =
  'Not shown: that these answers came from the server that is named. Who made up a whole server made up its answers;\na run of your own, with a seed that nobody could prepare for (--seed), shows that.';

const rejudgedText = ({ judged, unjudged, unrepeated }: Rejudged): string =>
  `${counted(judged, 'answer')} judged again${unjudged > 0 ? `, ${unjudged} were cut or hold something redacted` : ''}; ${counted(unrepeated, 'breach')} rest on several answers, on the key or on time, and were compared and not judged again`;

/**
 * Carries out `verify`. Returns the exit code: 0 where nothing contradicts what the result says, else 1. Throws a
 * `UsageError` for what is no result, or that of another major version.
 */
export async function verifyCommand(files: readonly string[], flags: VerifyFlags): Promise<number> {
  const { journals, reports, recordings } = handedIn(files);
  const lines: string[] = [];
  let events = await refusing([NotOneRun], () => joinedShards(journals));
  const [report] = reports;
  if (events.length === 0 && report !== undefined) events = [...eventsOf(report)];
  const contradictions: Contradiction[] = [];
  if (events.length > 0) {
    refuseOtherMajor(events[0] as RunStart);
    if (journals.length === 0) contradictions.push(...contradictionsIn(events));
    for (const journal of journals) contradictions.push(...contradictionsIn(journal.events));
    for (const one of reports) contradictions.push(...contradictionsBetween(one, events, journals.length === 0));
    const result = report ?? reportOfEvents(events);
    contradictions.push(...attested(flags, result, journals[0]?.bytes));
    if (journals.length === 0) lines.push('journal    none: its coverage was not computed again');
    lines.push(
      `result     ${result.verdict}, exit code ${result.exitCode}, of ${result.target.baseUrl}`,
      ...limitsOf(result).map(limit => `           ${limit}`),
    );
  }
  for (const recording of recordings) {
    refuseOtherMajor({ tool: { name: tool.name, version: recording.tool } as RunStart['tool'] });
    const again = rejudged(recording);
    contradictions.push(...again.contradictions, ...(events.length > 0 ? contradictionsWith(recording, events) : []));
    lines.push(`recording  ${rejudgedText(again)}`);
  }
  if (recordings.length === 0) lines.push('recording  none: what no finding shows was not judged again');
  const found = [...new Set(contradictions)];
  const verdict = found.length === 0 ? '✓ consistent' : `✗ ${counted(found.length, 'contradiction')}`;
  const told = [verdict, ...found.slice(0, 50).map(line => `  ${line}`), ...lines, unshown];
  output.say(shown(`${told.join('\n')}\n`));
  return found.length === 0 ? 0 : 1;
}
