import type { RunEvent } from '../../contracts/report/journal.ts';
import { counted } from '../../reports/text/page.ts';
import type { RecordedExchange, Recording } from '../../suites/diff/index.ts';
import { runDefaults } from '../../suites/engine/config.ts';
import { createModel } from '../../suites/model/interpret.ts';
import { isFirm } from '../../suites/model/suspicion.ts';
import type { ApiRequest } from '../../suites/protocol/answer.ts';
import { answerOf, exchangesOf } from './rejudge.ts';

/** A request, as far as a recording tells: of another key it says only that it was another one. */
function askedIn({ request: { key, method, path, own = true } }: RecordedExchange, asked: ApiRequest): ApiRequest {
  return {
    ...asked,
    ...(key === 'valid' ? {} : { key: key === 'none' ? { kind: 'none' } : { kind: 'value', value: key } }),
    ...(own ? {} : { method, rawPath: path }),
  };
}

/**
 * Tells the model of the service every exchange of a recording, in the order of the wire. Returns what no innocent cause
 * explains, and the run does not tell of by any name.
 */
function untoldIn(recording: Recording) {
  const model = createModel({ settleMs: runDefaults.settleMs, token: recording.token, isSeeded: true });
  const events = [...exchangesOf(recording).values()].flat().flatMap((exchange, number) => {
    const { id, begunMs, answeredMs } = exchange;
    if (begunMs === undefined || answeredMs === undefined) return [];
    const answer = answerOf(exchange);
    const request = askedIn(exchange, answer.request);
    return [
      { id, kind: 'begun' as const, number, atMs: begunMs, request, sent: answer.sent },
      { id, kind: 'answered' as const, number, atMs: answeredMs, lost: [], answer: { ...answer, request } },
    ];
  });
  // What was sent when an answer came was sent before it was read.
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
 * Holds every answer of a recording against all before it, as the run did. The run asks the server again before it tells
 * of a suspicion, and nobody can from here: so what is suspected is said. It is a contradiction only where the run would
 * have told of it without asking: it is certain, and the run has nothing broken, though nothing ended it early and no
 * answer got lost.
 *
 * @param events of the journal of the run; none where there is no journal
 */
export function remodelled(recording: Recording, events: readonly RunEvent[]) {
  const untold = untoldIn(recording);
  const [start] = events;
  const end = events.find(event => event.event === 'run-end');
  const isWhole =
    start?.event === 'run-start' &&
    start.options.bail === undefined &&
    end?.outcome === 'complete' &&
    end.stats.retries === undefined;
  const sayings = untold.map(({ id, suspicion }) => {
    const what = `${suspicion.resource} ${suspicion.id} ${suspicion.field}`.trim();
    return { suspicion, text: `${id} shows ${what} otherwise than it can be (${suspicion.requirements[0]})` };
  });
  const certain = sayings.filter(({ suspicion }) => suspicion.certainBy !== undefined);
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
