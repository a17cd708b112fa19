import { present } from '../../contracts/present.ts';
import type { RunEvent, RunStart } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import { tool } from '../../contracts/report/tool.ts';
import { joinedShards, NotOneRun } from '../../reports/index.ts';
import { counted } from '../../reports/text/page.ts';
import type { Recording } from '../../suites/diff/index.ts';
import { runDefaults } from '../../suites/engine/config.ts';
import { createModel } from '../../suites/model/interpret.ts';
import { isFirm } from '../../suites/model/suspicion.ts';
import { refuse, refusing } from '../input.ts';
import { readBytes, refuseDeep, refuseDeepValues, textOf } from '../input-file.ts';
import { readRecord } from '../record-output.ts';
import { parseJournal, parseReport, reportOfEvents } from '../report-file.ts';
import { contradictionsIn } from './journal-rules.ts';
import { answerOf, contradictionsWith, exchangesOf, type Rejudged, rejudged } from './rejudge.ts';
import { contradictionsBetween, eventsOf } from './result.ts';

/**
 * Replays every exchange of a recording into the model of the service, in the order of the wire. Returns the suspicions
 * without an innocent cause whose requirements the run does not report.
 */
function untoldIn(recording: Recording) {
  const model = createModel({ settleMs: runDefaults.settleMs, token: recording.token, isSeeded: true });
  const events = [...exchangesOf(recording).values()].flat().flatMap((exchange, number) => {
    const { id, begunMs, answeredMs } = exchange;
    if (begunMs === undefined || answeredMs === undefined) return [];
    const answer = answerOf(exchange);
    const { key, method, path, own = true } = exchange.request;
    const request = {
      ...answer.request,
      // Of an invalid key only its kind was recorded.
      ...(key !== 'valid' && { key: key === 'none' ? { kind: key } : { kind: 'value' as const, value: key } }),
      ...(!own && { method, rawPath: path }),
    };
    return [
      { id, kind: 'begun' as const, number, atMs: begunMs, request, sent: answer.sent },
      { id, kind: 'answered' as const, number, atMs: answeredMs, lost: [], answer: { ...answer, request } },
    ];
  });
  // At equal times, a request was sent before the answer was read.
  const inOrder = events.toSorted((one, other) => one.atMs - other.atMs || Number(one.kind < other.kind) - 0.5);
  const sightings = inOrder.flatMap(event =>
    model.interpret(event).suspicions.map(suspicion => ({ id: event.id, suspicion })),
  );
  const told = new Set<string>(recording.breaches.map(({ requirement }) => requirement));
  return sightings.filter(
    ({ suspicion }) => isFirm(suspicion) && !suspicion.requirements.some(requirement => told.has(requirement)),
  );
}

/**
 * Judges every answer of a recording by all before it, as the run did.
 *
 * The run confirms a suspicion by asking the server again, which is impossible here; so suspicions are only noted. One
 * is a contradiction only if the run would have reported it unasked. The suspicion must be certain, the run must report
 * no violation, and nothing may have ended it early or lost an answer.
 *
 * @param events the journal of the run; empty if there is none
 */
function remodelled(recording: Recording, events: readonly RunEvent[]) {
  const untold = untoldIn(recording);
  const [start] = events;
  const end = events.find(event => event.event === 'run-end');
  const isWhole =
    start?.event === 'run-start' &&
    start.options.bail === undefined &&
    end?.outcome === 'complete' &&
    !end.stats.retries;
  const sayings = untold.map(({ id, suspicion }) => {
    const what = `${suspicion.resource} ${suspicion.id} ${suspicion.field}`.trim();
    return { suspicion, text: `${id} shows ${what} otherwise than it can be (${suspicion.requirements[0]})` };
  });
  const certain = sayings.filter(({ suspicion }) => suspicion.certainBy);
  const shown = isWhole && recording.breaches.length === 0 ? certain : [];
  const others = sayings.filter(one => !shown.includes(one));
  const first = others.slice(0, 3).map(({ text }) => text);
  return {
    contradictions: shown.map(({ text }) => `${text}, and the run says nothing of it`),
    note:
      others.length === 0
        ? 'every answer agrees with those before it, but for what the run tells'
        : `${counted(others.length, 'answer')} may not agree with those before, of which the run tells nothing: ${first.join('; ')}`,
  };
}

/** The files handed in as the result of one run. */
interface Handed {
  readonly journals: { readonly name: string; readonly events: readonly RunEvent[]; readonly bytes: Buffer }[];
  readonly reports: { readonly name: string; readonly report: Report }[];
  readonly recordings: { readonly name: string; readonly recording: Recording }[];
}

/** Reads the files handed in, each once, as it may be a pipe; their content tells the kind of each. */
export function handedIn(files: readonly string[]): Handed {
  const handed: Handed = { journals: [], reports: [], recordings: [] };
  for (const name of files) {
    const bytes = readBytes(name, 'result');
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      const recording = readRecord(name, bytes);
      const { exchanges, again = [] } = recording;
      refuseDeepValues(
        name,
        [...exchanges, ...again].flatMap(({ value, request }) => [value, request]),
      );
      handed.recordings.push({ name, recording });
    } else {
      const text = textOf(bytes);
      refuseDeep(name, text);
      if (/^\s*\{\s*"event"/.test(text)) handed.journals.push({ name, events: parseJournal(name, text), bytes });
      else handed.reports.push({ name, report: parseReport(name, text) });
    }
  }
  return handed;
}

/** Refuses a file of another major version, whose rules this version lacks. */
function refuseOtherMajor(file: string, made: Pick<RunStart['tool'], 'name' | 'version'>): void {
  const major = (version: string): string => version.split('.')[0] ?? '';
  if (major(made.version) !== major(tool.version))
    refuse(
      `${file} was made by ${made.name} ${made.version}; this is ${tool.version}: verify it with a ${major(made.version)}.x`,
    );
}

const keysText = (keys: Rejudged['keys']): string =>
  keys.size === 0
    ? ''
    : `; which key a request had is taken as the recording says (${[...keys].map(([what, { length }]) => `${what}: ${length}`).join(', ')})`;

const rejudgedText = ({ judged, unjudged, unrepeated, keys }: Rejudged): string =>
  `${counted(judged, 'answer')} judged again${unjudged > 0 ? `, ${unjudged} were cut or hold something redacted` : ''}; ${counted(unrepeated, 'finding')} only compared, because one answer alone does not show ${unrepeated === 1 ? 'it' : 'them'}${keysText(keys)}`;

/**
 * Finds what contradicts a result, each once; `notes` are lines on what could not be verified, or only in part. The
 * report is absent if only a recording was handed in. Throws a `UsageError` if the input is no result, or has another
 * major version.
 */
export async function verified({ journals, reports, recordings }: Handed) {
  const notes: string[] = [];
  let events = await refusing([NotOneRun], () => joinedShards(journals));
  const report = reports[0]?.report;
  if (events.length === 0 && report) events = [...eventsOf(report)];
  const contradictions: string[] = [];
  if (events.length > 0) {
    refuseOtherMajor((journals[0] ?? reports[0])?.name ?? '', (events[0] as RunStart).tool);
    if (journals.length === 0) {
      contradictions.push(...contradictionsIn(events, true));
      notes.push('journal    none: the report was compared with itself alone');
    }
    for (const journal of journals) contradictions.push(...contradictionsIn(journal.events));
    const asked = (events[0] as RunStart).options.minCoverage;
    for (const { report: one } of reports) {
      contradictions.push(...contradictionsBetween(one, events, journals.length === 0));
      const { minCoverage } = one.options;
      if (minCoverage !== undefined && minCoverage !== asked)
        notes.push(
          `report     it asks for a coverage of ${minCoverage} %, and the run ${asked === undefined ? 'for none' : `for ${asked} %`}`,
        );
    }
  }
  for (const { name, recording } of recordings) {
    refuseOtherMajor(name, { name: tool.name, version: recording.tool });
    const again = rejudged(recording);
    const model = remodelled(recording, events);
    contradictions.push(...again.contradictions, ...model.contradictions);
    if (events.length > 0) contradictions.push(...contradictionsWith(recording, events));
    notes.push(`recording  ${rejudgedText(again)}`, `           ${model.note}`);
  }
  if (recordings.length === 0) notes.push('recording  none: what no finding shows was not judged again');
  const result = report ?? (events.length > 0 ? reportOfEvents(events) : undefined);
  return {
    contradictions: [...new Set(contradictions)],
    notes,
    ...present({ report: result }),
  };
}
