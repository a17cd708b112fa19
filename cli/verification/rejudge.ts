import { endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import type { RunEvent, RunStart } from '../../contracts/report/journal.ts';
import { allUnits, type Unit } from '../../suites/checks/units.ts';
import { citedBy } from '../../suites/checks/verified-by.ts';
import type { RecordedExchange, Recording } from '../../suites/diff/index.ts';
import { type Answer, replied } from '../../suites/protocol/answer.ts';
import type { ParsedBody, Reply } from '../../suites/protocol/reply.ts';
import { clipped } from '../../suites/sut/clipped.ts';
import type { Contradiction } from './journal-rules.ts';

/** What judging a recording again came to. */
export interface Rejudged {
  readonly contradictions: readonly Contradiction[];
  /** How many answers were judged again, and how many could not be: too long, or with something taken out. */
  readonly judged: number;
  readonly unjudged: number;
  /** Breaches that one answer alone does not show: they rest on others, on the key, or on time. */
  readonly unrepeated: number;
  /** How often a request had no key, or another one, by what that is to the right one. Nobody can tell from here. */
  readonly keys: ReadonlyMap<string, number>;
}

const isHidden = (exchange: RecordedExchange): boolean =>
  exchange.isTooLong === true || JSON.stringify([exchange.value, exchange.text, exchange.request]).includes('«');

/** The answer of an exchange, as the judges saw it. */
function answerOf({ id, endpoint, request, status, failure, mediaType, value, text }: RecordedExchange): Answer {
  const { method, path, param, query, body, raw, own = true } = request;
  const parsed: ParsedBody =
    value !== undefined
      ? { kind: 'json', value, text: JSON.stringify(value) }
      : text === undefined
        ? { kind: 'empty' }
        : { kind: 'broken', why: 'it is no JSON', text };
  const reply: Reply = {
    request: { method, path, headers: {} },
    status,
    headers: mediaType === undefined ? {} : { 'content-type': mediaType },
    body: parsed,
    bytes: 0,
    failure: failure === undefined ? null : { kind: failure as never, message: failure },
    durationMs: 0,
  };
  return {
    id,
    request: {
      endpoint,
      ...(param === undefined ? {} : { param }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body }),
      ...(raw === undefined ? {} : { raw }),
    },
    sent: body,
    ...replied(reply, value),
    data: membersOf(value).data,
    own,
  };
}

const passiveOf = (endpoint: string): readonly Unit[] =>
  allUnits().filter(unit => unit.endpoint === endpoint && unit.check.kind === 'passive');

/** The requirements that one answer alone shows to be broken, and no other check of the endpoint does. */
function shownAlone(endpoint: string): ReadonlySet<string> {
  const cited = (kind: 'passive' | 'active') =>
    allUnits()
      .filter(unit => unit.endpoint === endpoint && unit.check.kind === kind)
      .flatMap(unit => citedBy(unit.check, unit.endpoint));
  const others = new Set<string>(cited('active'));
  return new Set(cited('passive').filter(id => !others.has(id)));
}

/** Judges every answer of a recording again by the checks that judge one answer, and compares what they say. */
export function rejudged(recording: Recording): Rejudged {
  const byId = new Map<string, RecordedExchange[]>();
  for (const one of [...recording.exchanges, ...(recording.again ?? [])])
    byId.set(one.id, [...(byId.get(one.id) ?? []), one]);
  const told = new Set(recording.breaches.map(({ id, requirement }) => `${id.split('/')[0]} ${requirement}`));
  for (const { id, requirement } of recording.breaches) told.add(`${byId.get(id)?.[0]?.endpoint ?? ''} ${requirement}`);
  const found = new Set<string>();
  const contradictions: Contradiction[] = [];
  const keys = new Map<string, number>();
  let judged = 0;
  let unjudged = 0;
  for (const exchange of [...byId.values()].flat()) {
    const { key, presented = key } = exchange.request;
    if (key !== 'valid') keys.set(presented, (keys.get(presented) ?? 0) + 1);
    if (isHidden(exchange)) {
      unjudged += 1;
      continue;
    }
    judged += 1;
    const answer = clipped(answerOf(exchange));
    for (const unit of passiveOf(exchange.endpoint))
      for (const { requirement, pointer } of unit.check.kind === 'passive'
        ? unit.check.observe(answer, endpointRow(exchange.endpoint)).violations
        : []) {
        found.add(`${exchange.id} ${requirement}`);
        if (!told.has(`${exchange.endpoint} ${requirement}`))
          contradictions.push(
            `${exchange.id} breaks ${requirement} at ${pointer || 'the whole answer'}, and the recording does not say so`,
          );
      }
  }
  let unrepeated = 0;
  for (const { id, requirement } of recording.breaches) {
    const own = byId.get(id);
    if (own === undefined) contradictions.push(`${id} broke ${requirement}, and is not in the recording`);
    else if (own.some(isHidden) || !shownAlone(own[0]?.endpoint ?? '').has(requirement)) unrepeated += 1;
    else if (!found.has(`${id} ${requirement}`))
      contradictions.push(`${id} is said to break ${requirement}, and does not`);
  }
  const numbered = recording.exchanges.length + (recording.again?.length ?? 0);
  if (numbered > recording.requests + 1)
    contradictions.push(`it holds ${numbered} exchanges of ${recording.requests} requests`);
  return { contradictions, judged, unjudged, unrepeated, keys };
}

/** What a recording and the journal of the same run have to say alike. */
export function contradictionsWith(recording: Recording, events: readonly RunEvent[]): readonly Contradiction[] {
  const start = events[0] as RunStart;
  const end = events.find(event => event.event === 'run-end');
  const ends = events.filter(event => event.event === 'check-end');
  const same: readonly (readonly [string, unknown, unknown])[] = [
    ['token', recording.token, start.token],
    ['seed', recording.seed, start.seed],
    ['profile', recording.profile, start.profile],
    ['target', recording.baseUrl.replace(/\/+$/, ''), start.target.baseUrl],
    ['version', recording.tool, start.tool.version],
    ['count of requests', recording.requests, end?.stats.requests],
    ['read-only', recording.readOnly, start.options.readOnly],
    ['outcome', recording.outcome, end?.outcome],
  ];
  const broken = new Set(recording.breaches.map(({ requirement }) => requirement));
  const found = new Set(ends.flatMap(({ findings }) => findings.map(({ requirement }) => requirement)));
  const byId = new Map(recording.exchanges.map(one => [one.id, one]));
  const again = new Map((recording.again ?? []).map(one => [one.id, one]));
  const wrong = ends.flatMap(({ id, findings }) =>
    findings.flatMap(({ exchange }) => {
      const own =
        exchange === undefined ? [] : [byId.get(exchange.id), again.get(exchange.id)].filter(one => one !== undefined);
      const status = exchange?.response?.status;
      return own.length === 0 || status === undefined || own.some(one => one.status === status)
        ? []
        : [`${id} shows status ${status} of ${exchange?.id}, and the recording ${own[0]?.status}`];
    }),
  );
  return [
    ...same.flatMap(([what, one, other]) =>
      one === other ? [] : [`the ${what} of the recording is ${one}, that of the run ${other}`],
    ),
    ...[...broken].flatMap(id =>
      found.has(id) ? [] : [`the recording has ${id} broken, and the run found nothing of it`],
    ),
    ...[...found].flatMap(id =>
      broken.has(id) ? [] : [`the run found ${id} broken, and the recording has nothing of it`],
    ),
    ...wrong,
  ];
}
