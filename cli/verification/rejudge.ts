import { isDeepStrictEqual } from 'node:util';
import { endpointRow } from '../../contracts/endpoints.ts';
import { distinct, grouped } from '../../contracts/grouped.ts';
import { parsedJson } from '../../contracts/json.ts';
import { operationAt } from '../../contracts/operation-at.ts';
import { compact, present } from '../../contracts/present.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { cellsOf } from '../../reports/journal/coverage.ts';
import { endpointIn } from '../../reports/journal/selections.ts';
import { allUnits, type Unit } from '../../suites/checks/units.ts';
import { citedBy } from '../../suites/checks/verified-by.ts';
import { mostExchanges, type RecordedExchange, type Recording } from '../../suites/diff/index.ts';
import { type Answer, replied } from '../../suites/protocol/answer.ts';
import type { Reply } from '../../suites/protocol/reply.ts';
import { clipped } from '../../suites/sut/clipped.ts';
import { evidenceOf, isHidden, partsOf } from './evidence-rules.ts';

const isUnjudged = (exchange: RecordedExchange): boolean =>
  exchange.isTooLong || JSON.stringify([exchange.value, exchange.text, exchange.request]).includes('«');

/** Returns the exchanges of a recording by id, each with its repetitions. */
export const exchangesOf = ({ exchanges, again = [] }: Recording) => grouped([...exchanges, ...again], ({ id }) => id);

/**
 * Returns the sender of an exchange, `endpoint/check`, from its id. Look for the answer of a finding among all
 * exchanges of its check: after shrinking, a case gets its final path and its exchanges new ids.
 */
const senderOf = ({ id }: { readonly id: string }): string => id.split('#')[0] ?? '';

const sizeOf = ({ exchanges, again = [] }: Recording): number => exchanges.length + again.length;

/** True if the run may have sent more than the recording keeps. */
const isFull = (recording: Recording): boolean => sizeOf(recording) >= mostExchanges;

/** Returns the answer of an exchange, as the judges saw it. */
export function answerOf({ id, endpoint, request, status, failure, mediaType, value, text }: RecordedExchange): Answer {
  const { method, path, param, query, body, raw, own = true } = request;
  const reply: Reply = {
    request: { method, path, headers: {} },
    status,
    headers: present({ 'content-type': mediaType }),
    body:
      value !== undefined
        ? { kind: 'json', value, text: JSON.stringify(value) }
        : text === undefined
          ? { kind: 'empty' }
          : { kind: 'broken', why: 'it is no JSON', text },
    bytes: 0,
    failure: failure === undefined ? null : { kind: failure as never, message: failure },
    durationMs: 0,
  };
  return {
    id,
    request: { endpoint, ...present({ param, query, body, raw }) },
    sent: body,
    ...replied(reply, value),
    own,
  };
}

/** True if a request does not match its operation's method and path. */
function isMisnamed({ endpoint, request: { method, path, own = true } }: RecordedExchange): boolean {
  return own && operationAt(method, path.split('?')[0] ?? '')?.endpoint !== endpoint;
}

const unitsOf = (endpoint: string, kind: Unit['check']['kind']): readonly Unit[] =>
  allUnits().filter(unit => unit.endpoint === endpoint && unit.check.kind === kind);

/** Returns the requirements that a single answer can break, and that no active check of the endpoint verifies. */
function shownAlone(id: string): ReadonlySet<string> {
  const cited = (kind: Unit['check']['kind']) =>
    unitsOf(id, kind).flatMap(({ check, endpoint }) => citedBy(check, endpoint));
  const others = new Set<string>(cited('active'));
  return new Set(cited('passive').filter(one => !others.has(one)));
}

/** Judges every answer of a recording again with the passive checks, and compares the violations. */
export function rejudged(recording: Recording) {
  const byId = exchangesOf(recording);
  const endpointOf = (id: string): string => byId.get(id)?.[0]?.endpoint ?? '';
  const told = new Set(
    recording.breaches.flatMap(({ id, requirement }) =>
      [endpointIn(id), endpointOf(id)].map(endpoint => `${endpoint} ${requirement}`),
    ),
  );
  const toldAt = grouped(recording.breaches, ({ id, pointer }) => `${endpointOf(id)} ${pointer}`);
  /**
   * True if the recording reports a violation, perhaps as another requirement of the same check: a body of several
   * values is reported under one value alone.
   */
  const isTold = (requirement: string, pointer: string, { check, endpoint }: Unit): boolean =>
    told.has(`${endpoint} ${requirement}`) ||
    (toldAt.get(`${endpoint} ${pointer}`) ?? []).some(one =>
      citedBy(check, endpoint).some(cited => cited === one.requirement),
    );
  const found = new Set<string>();
  const contradictions: string[] = [];
  let judged = 0;
  // Too long, or redacted.
  let unjudged = 0;
  const all = [...byId.values()].flat();
  for (const exchange of all) {
    if (isMisnamed(exchange)) {
      contradictions.push(`${exchange.id} is said to ask for ${exchange.endpoint}, and asks for something else`);
      continue;
    }
    if (isUnjudged(exchange)) {
      unjudged += 1;
      continue;
    }
    judged += 1;
    const answer = clipped(answerOf(exchange));
    for (const unit of unitsOf(exchange.endpoint, 'passive'))
      for (const { requirement, pointer } of unit.check.kind === 'passive'
        ? unit.check.observe(answer, endpointRow(exchange.endpoint)).violations
        : []) {
        found.add(`${senderOf(exchange)} ${requirement}`);
        if (!isTold(requirement, pointer, unit))
          contradictions.push(
            `${exchange.id} breaks ${requirement} at ${pointer || 'the whole answer'}, and the recording does not say so`,
          );
      }
  }
  // Breaches that a single answer cannot show: they depend on other answers, on the key, or on time.
  let unrepeated = 0;
  for (const { id, requirement } of recording.breaches) {
    const own = byId.get(id);
    if (!own)
      contradictions.push(...(isFull(recording) ? [] : [`${id} broke ${requirement}, and is not in the recording`]));
    else if (own.some(isUnjudged) || !shownAlone(endpointOf(id)).has(requirement)) unrepeated += 1;
    else if (!found.has(`${senderOf({ id })} ${requirement}`))
      contradictions.push(`${id} is said to break ${requirement}, and does not`);
  }
  const numbered = sizeOf(recording);
  if (numbered > recording.requests + 1)
    contradictions.push(`it holds ${numbered} exchanges of ${recording.requests} requests`);
  /** The requests with no key or another key, by its relation to the right one. A recording cannot prove it. */
  const keys = grouped(
    all.filter(({ request }) => request.key !== 'valid'),
    ({ request: { key, presented = key } }) => presented,
  );
  return { contradictions, judged, unjudged, unrepeated, keys };
}

/** The result of judging a recording again. */
export type Rejudged = ReturnType<typeof rejudged>;

/** Members whose names follow the specification in a recording, but the target in a finding. */
const named = /"(?:sql|idTypeMapping)":/;

/** Returns contradictions between a recording and the journal of the same run. */
export function contradictionsWith(recording: Recording, events: readonly RunEvent[]): readonly string[] {
  const { start, end, ends: ended } = partsOf(events);
  // The last end of a check counts, because extended fuzzing may end it again.
  const ends = [...new Map(ended.map(one => [one.id, one])).values()];
  const same: Readonly<Record<string, readonly [recorded: unknown, run: unknown]>> = {
    token: [recording.token, start.token],
    seed: [recording.seed, start.seed],
    profile: [recording.profile, start.profile],
    target: [recording.baseUrl.replace(/\/+$/, ''), start.target.baseUrl],
    version: [recording.tool, start.tool.version],
    'count of requests': [recording.requests, end?.stats.requests],
    'read-only': [recording.readOnly, start.options.readOnly],
    selection: [recording.only.join(' '), start.options.only.join(' ')],
    'part left out': [recording.skip.join(' '), start.options.skip.join(' ')],
    outcome: [recording.outcome, end?.outcome],
  };
  const broken = levelsIn(recording.breaches);
  const found = levelsIn(ends.flatMap(({ findings }) => findings));
  const exchanges = exchangesOf(recording);
  const sentBy = grouped([...exchanges.values()].flat(), senderOf);
  const wrong = ends.flatMap(({ id, findings, stats, verdict }) => {
    const sent = sentBy.get(id)?.length ?? 0;
    const isUntested = Object.hasOwn(recording.untested, id);
    return [
      ...findings.flatMap(evidenceOf).flatMap(({ id: shown, request, response }) => {
        if (!exchanges.has(shown) || !response) return [];
        // The check may have sent it under another id, see `senderOf`.
        const own = sentBy.get(senderOf({ id: shown })) ?? [];
        const { status, body } = response;
        const isSent =
          isHidden(request.url) ||
          own.some(
            one => one.request.method === request.method && start.target.baseUrl + one.request.path === request.url,
          );
        const isWhole = !body.truncated && !isHidden(body.text) && !named.test(body.text);
        const value = isWhole ? parsedJson(body.text) : undefined;
        const isSame = value === undefined || own.some(one => isUnjudged(one) || isDeepStrictEqual(one.value, value));
        return [
          !own.some(one => one.status === status) &&
            `${id} shows status ${status} of ${shown}, and the recording ${own[0]?.status}`,
          !isSent && `${id} shows another request of ${shown} than the recording`,
          !isSame && `${id} shows another answer of ${shown} than the recording`,
        ];
      }),
      !isFull(recording) &&
        sent < stats.requests &&
        `${id} sent ${stats.requests} requests, and the recording has ${sent} of them`,
      isUntested !== (verdict === 'untested' || verdict === 'error') &&
        `${id} is ${verdict}, and the recording says that it ${isUntested ? 'could not' : 'could'} be tested`,
    ];
  });
  const shownBy = cellsOf(events.filter(event => event.event === 'cells')).flatMap(({ by }) => by ?? []);
  return compact([
    ...Object.entries(same).map(
      ([what, [one, other]]) => one !== other && `the ${what} of the recording is ${one}, that of the run ${other}`,
    ),
    ...[...broken].map(([id, level]) =>
      found.has(id)
        ? level === 'MUST' &&
          found.get(id) !== 'MUST' &&
          `the recording has ${id} broken beyond doubt, and the run doubts it`
        : `the recording has ${id} broken, and the run found nothing of it`,
    ),
    ...[...found.keys()].map(
      id => !broken.has(id) && `the run found ${id} broken, and the recording has nothing of it`,
    ),
    ...wrong,
    ...distinct(shownBy).map(
      id =>
        !isFull(recording) && !exchanges.has(id) && `${id} is said to show what it covers, and is not in the recording`,
    ),
  ]);
}

/** Returns the broken requirements, each with its firmest level. */
const levelsIn = (broken: readonly Pick<Finding, 'requirement' | 'level'>[]): ReadonlyMap<string, string> =>
  new Map(
    [...grouped(broken, one => one.requirement)].map(([id, own]) => [
      id,
      own.some(one => one.level === 'MUST') ? 'MUST' : 'SHOULD',
    ]),
  );
