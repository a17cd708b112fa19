import { hasDryRun } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { hidden, redactions } from '../../contracts/report/evidence.ts';
import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { specificationNaming } from '../../contracts/target.ts';
import { coveredBy } from '../checks/verified-by.ts';
import { translationFor } from '../client/naming.ts';
import { createSecrets } from '../client/secrets.ts';
import { toolVersions } from '../engine/plan.ts';
import { isDryRun } from '../protocol/answer.ts';
import { clipped } from '../sut/clipped.ts';
import { targetOf } from '../sut/target.ts';
import { createTally } from './bounded.ts';
import { type Breach, clientCheck } from './breach.ts';
import { judgeBody } from './client-body.ts';
import { createLinks } from './client-links.ts';
import { createPace } from './client-pace.ts';
import {
  contentTypeBreaches,
  type KeyUse,
  keyBreaches,
  keyUseOf,
  queryJudgement,
  routeBreaches,
} from './client-request.ts';
import type { ExchangeSink, ObservedExchange } from './exchange.ts';
import { expectBreaches } from './expected-breaches.ts';
import { createNotes } from './notes.ts';
import type { TrafficJudgeOptions } from './options.ts';
import { passiveChecks, trafficPlan } from './plan.ts';
import { outsideOf, type SeenExchange, seenExchange } from './seen.ts';
import { judgePage, pagesCheck } from './server-pages.ts';
import { isGatewayStatus, judgeRefusal, refusedCheck } from './server-refusals.ts';
import { createShadow } from './shadow.ts';
import { shadowCheck } from './shadow-requirements.ts';
import { openTrafficUnit } from './units.ts';
import { createUsage } from './usage.ts';

/** Judges the exchanges that it is given, and tells what it found as the events of a run. */
export interface TrafficJudge extends ExchangeSink {
  /** Judges what still waits for others, and emits the end of every check, the summary and `run-end`. Once. */
  end(outcome?: 'complete' | 'interrupted'): void;
  /** Texts without the keys that were seen until now, for who shows or keeps traffic. */
  redact(text: string): string;
  /** How many entries are remembered of the traffic, all told: bounded, however much of it there is. */
  remembered(): number;
}

const trafficLevel = (requirement: RequirementId): 'MUST' | 'SHOULD' =>
  requirementById(requirement).level === 'MUST' ? 'MUST' : 'SHOULD';

/** So many different keys of clients are redacted wherever they turn up; the key header is redacted anyway. */
const mostKeys = 64;

/** Headers of which the value is a secret, whatever it is. */
const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);

/**
 * Begins to judge: emits `run-start`. Hand it each exchange once; exchanges may come in the order in which they ended.
 * Nothing that an exchange holds makes it throw.
 */
export function createTrafficJudge(options: TrafficJudgeOptions): TrafficJudge {
  const naming = { ...specificationNaming, ...options.naming };
  const header = naming.apiKeyHeader;
  const target = targetOf({ naming }, options.baseUrl, options.apiKey ?? '', { headers: {}, tls: {}, proxy: null });
  const translation = translationFor(naming);
  const secrets = createSecrets();
  if (options.apiKey !== undefined) secrets.add(options.apiKey, redactions.key);
  const keys = new Set<string>();
  const plan = trafficPlan();
  const units = new Map(plan.map(one => [one.id, openTrafficUnit(one)]));
  const expected = expectBreaches(options.expected ?? []);
  const pace = createPace();
  const links = createLinks();
  const notes = createNotes();
  const usage = createUsage();
  const outside = createTally();
  const notJudged = createTally();
  const stateNotJudged = createTally();
  const counts = { exchanges: 0, judged: 0, requests: 0, gateway: 0 };
  let fault: string | undefined;
  let isEnded = false;
  let firstMs: number | undefined;
  let lastMs = 0;

  const tell = (breach: Breach, seen: SeenExchange): void => {
    const { requirement, pointer, expected: due, actual, doubt } = breach.violation;
    const isExpected = breach.side === 'client' && expected.take({ requirement, endpoint: seen.endpoint, pointer });
    if (isExpected) return;
    units.get(`${seen.endpoint}/${breach.check}`)?.add(breach, seen);
    options.onBreach?.({
      side: breach.side,
      requirement,
      level: doubt === undefined ? trafficLevel(requirement) : 'SHOULD',
      number: seen.exchange.number,
      text: secrets.redact(`${pointer}: expected ${due}, and it is ${actual}`),
    });
  };
  const shadow = createShadow({
    isSoleWriter: options.soleWriter === true,
    settleMs: options.settleMs ?? 2_000,
    tell,
    cover: (seen, requirements) => units.get(`${seen.endpoint}/${shadowCheck}`)?.cover(requirements),
    notJudged: stateNotJudged,
  });

  /** Keys go into no evidence, wherever they stand. */
  function hide({ headers }: SeenExchange, { values }: KeyUse): void {
    for (const value of values) {
      if (keys.has(value) || keys.size >= mostKeys) continue;
      keys.add(value);
      secrets.add(value, redactions.key);
    }
    for (const [name, own] of headers ?? []) {
      if (!secretHeaders.has(name)) continue;
      for (const value of own) {
        if (keys.has(value) || keys.size >= mostKeys) continue;
        keys.add(value);
        secrets.add(value, hidden.header);
      }
    }
  }

  /** The same exchange with the values of secret headers left out of what evidence shows. */
  function withoutSecrets(exchange: ObservedExchange): ObservedExchange {
    const own = (headers: ObservedExchange['request']['headers']) =>
      headers === 'not recorded'
        ? headers
        : headers.map(([name, value]) => {
            const key = name.toLowerCase();
            const isKey = key === header.toLowerCase() && value.trim() !== '';
            return [name, isKey ? redactions.key : secretHeaders.has(key) ? hidden.header : value] as const;
          });
    const { request, response } = exchange;
    return {
      ...exchange,
      request: { ...request, headers: own(request.headers) },
      response: 'failure' in response ? response : { ...response, headers: own(response.headers) },
    };
  }

  function judgeServer(seen: SeenExchange, body: ReturnType<typeof judgeBody>, use: KeyUse, isOpenPage: boolean): void {
    const { endpoint, row, answer, unreadable, operation, exchange } = seen;
    if (operation === undefined) return;
    const refusal = judgeRefusal(seen, body.problems, use);
    for (const breach of refusal.breaches) tell(breach, seen);
    units.get(`${endpoint}/${refusedCheck}`)?.cover(refusal.covers);
    if (unreadable !== undefined) return;
    const judgedAnswer = clipped(answer);
    const areHeadersKnown = !('failure' in exchange.response) && exchange.response.headers !== 'not recorded';
    // A dry run says what it likes; whether this was one is not known.
    const maybeDry = seen.body === undefined && hasDryRun(row);
    for (const check of passiveChecks) {
      if (!check.appliesTo(row) || (check.id === 'message' && (maybeDry || isDryRun(answer)))) continue;
      const result = check.observe(judgedAnswer, endpoints[endpoint]);
      if (!result.proved) continue;
      const unit = units.get(`${endpoint}/${check.id}`);
      for (const violation of result.violations)
        if (areHeadersKnown || !violation.pointer.startsWith('header '))
          tell({ side: 'server', check: check.id, violation }, seen);
      const covers = [...coveredBy(check, endpoint, result)];
      unit?.cover(areHeadersKnown ? covers : covers.filter(id => id !== 'envelope.content-type'));
    }
    const page = judgePage(seen, isOpenPage);
    for (const breach of page.breaches) tell(breach, seen);
    units.get(`${endpoint}/${pagesCheck}`)?.cover(page.covers);
  }

  function judgeClient(seen: SeenExchange, use: KeyUse): { body: ReturnType<typeof judgeBody>; isOpenPage: boolean } {
    const client = units.get(`${seen.endpoint}/${clientCheck}`);
    const isFollowed = seen.operation === undefined && links.wasOffered(seen);
    if (isFollowed)
      notes.add(seen.endpoint, {
        requirement: 'client.followed-link',
        subject: 'the path of a link',
        value: 'followed',
      });
    const body = seen.operation === undefined ? judgeBody({ ...seen, body: undefined }) : judgeBody(seen);
    const query = queryJudgement(seen);
    const waited = pace.judge(seen, use.values[0] ?? '');
    const breaches = [
      ...(isFollowed ? [] : routeBreaches(seen)),
      ...keyBreaches(seen, use, header),
      ...contentTypeBreaches(seen),
      ...query.breaches,
      ...body.breaches,
      ...waited.breaches,
    ];
    for (const breach of breaches) tell(breach, seen);
    client?.cover([
      'client.path',
      'client.method',
      ...(use.isKnown ? (['client.key-header'] as const) : []),
      'client.key-not-in-query',
      ...(seen.body === undefined ? [] : (['client.key-not-in-body'] as const)),
      ...(seen.query.size > 0 ? (['client.query-type'] as const) : []),
      ...(seen.headers !== undefined && seen.body !== undefined && seen.body.kind !== 'empty'
        ? (['client.content-type'] as const)
        : []),
      ...(waited.covers ? (['client.retry-after'] as const) : []),
      ...body.covers,
    ]);
    const linked = links.note(seen);
    for (const note of [...query.notes, ...body.notes, ...linked]) notes.add(seen.endpoint, note);
    return { body, isOpenPage: linked.length > 0 };
  }

  function judge(exchange: ObservedExchange): void {
    const outsideBecause = outsideOf(exchange);
    if (outsideBecause !== undefined) {
      outside.add(outsideBecause);
      shadow.skip(exchange);
      return;
    }
    const plainSeen = seenExchange(exchange, translation);
    const use = keyUseOf(plainSeen, header, options.apiKey, options.keysSeen !== false);
    hide(plainSeen, use);
    const shown = withoutSecrets(exchange);
    const seen = shown === exchange ? plainSeen : withShownHeaders(plainSeen, shown);
    counts.requests += 1;
    usage.note(seen);
    const { body, isOpenPage } = judgeClient(seen, use);
    judgeServer(seen, body, use, isOpenPage);
    if (isGatewayStatus(seen.answer.status)) counts.gateway += 1;
    for (const one of plan) if (one.endpoint === seen.endpoint) units.get(one.id)?.count(seen.answer.success);
    shadow.note(seen, use, body.problems.length > 0 || body.breaches.length > 0);
    if (seen.unreadable === undefined || seen.operation === undefined) counts.judged += 1;
    else notJudged.add(seen.unreadable);
  }

  options.emit({
    event: 'run-start',
    version: 2,
    tool: toolVersions(),
    target: { baseUrl: options.baseUrl.href.replace(/\/+$/, ''), embedded: options.embedded === true },
    seed: 0,
    token: '',
    profile: 'standard',
    options: {
      readOnly: false,
      strict: options.strict === true,
      only: [],
      skip: [],
      traffic: {
        sources: [...(options.sources ?? [])],
        soleWriter: options.soleWriter === true,
        settleMs: options.settleMs ?? 2_000,
        failOn: options.failOn ?? 'any',
        ...(options.expectedFile === undefined ? {} : { expected: options.expectedFile }),
      },
    },
    startedAt: options.startedAt ?? new Date().toISOString(),
    plan,
  });

  return {
    redact: secrets.redact,
    remembered: () => pace.size() + links.size() + notes.size() + shadow.size() + keys.size + usage.size(),
    observe(exchange) {
      if (isEnded) return;
      counts.exchanges += 1;
      firstMs ??= exchange.sentAtMs;
      lastMs = Math.max(lastMs, exchange.answeredAtMs);
      try {
        judge(exchange);
      } catch (error) {
        // Whoever passes traffic on goes on with it; the run ends as a fault of the suite.
        fault ??= `exchange ${exchange.number}: ${(error as Error).message}`;
        notJudged.add('a fault of the judge');
      }
    },
    end(outcome = 'complete') {
      if (isEnded) return;
      isEnded = true;
      try {
        shadow.end();
      } catch (error) {
        fault ??= (error as Error).message;
      }
      for (const { plan: one, end } of units.values()) options.emit(end(target, secrets, usage.isUsed(one.endpoint)));
      for (const observation of notes.all())
        options.emit({
          ...observation,
          subject: secrets.redact(observation.subject),
          value: secrets.redact(observation.value),
        });
      if (counts.gateway > 0)
        options.emit({
          event: 'notice',
          severity: counts.gateway * 200 > counts.requests ? 'warning' : 'info',
          text: `${counts.gateway} of ${counts.requests} requests were answered 502, 503 or 504: a gateway could not ask the server, and that is not judged`,
        });
      options.emit({
        event: 'traffic',
        exchanges: counts.exchanges,
        judged: counts.judged,
        notJudged: notJudged.counts(),
        outside: outside.counts(),
        stateNotJudged: stateNotJudged.counts(),
        operations: usage.all(),
        expected: expected.counts(),
      });
      options.emit({
        event: 'run-end',
        outcome: fault === undefined ? outcome : 'error',
        ...(fault === undefined ? {} : { because: secrets.redact(fault) }),
        stats: {
          requests: counts.requests,
          cases: counts.requests,
          durationMs: Math.max(0, lastMs - (firstMs ?? lastMs)),
        },
      });
    },
  };
}

/** What was seen, with the headers of evidence in the place of those that were sent. */
function withShownHeaders(seen: SeenExchange, shown: ObservedExchange): SeenExchange {
  const named = (headers: ObservedExchange['request']['headers']): Record<string, string> =>
    headers === 'not recorded' ? {} : Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const { reply } = seen.answer;
  const response = 'failure' in shown.response ? {} : named(shown.response.headers);
  return {
    ...seen,
    answer: {
      ...seen.answer,
      reply: {
        ...reply,
        request: { ...reply.request, headers: named(shown.request.headers) },
        headers: {
          ...reply.headers,
          ...('set-cookie' in reply.headers ? { 'set-cookie': response['set-cookie'] ?? '' } : {}),
        },
      },
    },
  };
}
