import { usualSettleMs } from '../../../contracts/duration.ts';
import { present } from '../../../contracts/present.ts';
import { redactedEvent } from '../../../contracts/redaction/events.ts';
import type { RunEvent, RunStart } from '../../../contracts/report/journal.ts';
import { requirementById } from '../../../contracts/requirements/index.ts';
import { specificationNaming } from '../../../contracts/target.ts';
import { isGatewayError } from '../../client/deferral.ts';
import { translationFor } from '../../client/naming.ts';
import { leftOutNotice } from '../../engine/findings.ts';
import { judgedBy, toolVersions } from '../../engine/plan.ts';
import { targetOf } from '../../sut/target.ts';
import { createClientJudge } from '../client/client.ts';
import { createTally } from '../exchange/bounded.ts';
import { type Breach, clientCheck, sideOf, type Unjudged } from '../exchange/breach.ts';
import type { ExchangeSink, ObservedExchange } from '../exchange/exchange.ts';
import { keyUseOf } from '../exchange/key-use.ts';
import { createRedaction, type TextRedaction } from '../exchange/redaction.ts';
import { outsideOf, type SeenExchange, seenExchange } from '../exchange/seen.ts';
import { createServerJudge } from '../server/server.ts';
import { createStateJudge } from '../server/state.ts';
import { stateCheck } from '../server/state-findings.ts';
import { expectBreaches } from './expected-breaches.ts';
import type { TrafficJudgeOptions } from './options.ts';
import { openTrafficUnit, trafficPlan } from './plan.ts';
import { unclearAnswer, unclearBody, unclearRequest } from './unclear.ts';
import { createNotes, createUsage } from './usage.ts';

/** Judges the exchanges that it is given, and reports findings as the events of a run. */
export interface TrafficJudge extends ExchangeSink {
  /** Counts an exchange as outside the API, for a reason that its request does not show. */
  setAside(exchange: ObservedExchange, because: string): void;
  /**
   * Judges everything that waits for overlapping exchanges. Call it only if no request is under way and the next step
   * needs the verdict.
   */
  settle(): void;
  /** Judges what still waits, and emits the end of every check, the summary and `run-end`. Works once. */
  end(outcome?: 'complete' | 'interrupted'): void;
  /** Removes the secrets seen so far, for callers that show or keep traffic. */
  readonly redaction: TextRedaction;
  /** Returns the total number of remembered entries, which is bounded. */
  remembered(): number;
}

const levelOf = ({ requirement, doubt }: Breach): 'MUST' | 'SHOULD' =>
  !doubt && requirementById(requirement).level === 'MUST' ? 'MUST' : 'SHOULD';

const tooManyKeys = 'it holds one of too many different keys, which could not be taken out of what is kept';
const judgeFailed = 'a fault of the judge';

function startOf(options: TrafficJudgeOptions, plan: RunStart['plan']): RunStart {
  const { baseUrl, sources = [], embedded = false, strict = false, soleWriter = false } = options;
  const { settleMs = usualSettleMs, failOn = 'any' } = options;
  return {
    event: 'run-start',
    ...judgedBy(),
    version: 2,
    tool: toolVersions(),
    target: { baseUrl: baseUrl.href.replace(/\/+$/, ''), embedded },
    seed: 0,
    token: '',
    profile: 'standard',
    options: {
      readOnly: false,
      strict,
      only: [],
      skip: [],
      traffic: {
        sources: [...sources],
        soleWriter,
        settleMs,
        failOn,
        ...present({ expected: options.expectedFile }),
      },
    },
    startedAt: options.startedAt ?? new Date().toISOString(),
    plan,
  };
}

/** Creates a judge and emits `run-start`. Takes each exchange once, in order of begin or end. None makes it throw. */
export function createTrafficJudge(options: TrafficJudgeOptions): TrafficJudge {
  const naming = { ...specificationNaming, ...options.naming };
  const target = targetOf({ naming }, options.baseUrl, options.apiKey ?? '', { headers: {}, tls: {}, proxy: null });
  const translation = translationFor(naming);
  const redaction = createRedaction(naming.apiKeyHeader, options.apiKey);
  const { secrets } = redaction;
  const emit = (event: RunEvent): void => options.emit(redactedEvent(event, secrets));
  const plan = trafficPlan();
  const units = new Map(plan.map(one => [one.id, openTrafficUnit(one)]));
  const expected = expectBreaches(options.expected ?? []);
  const { apiKeyHeader } = naming;
  const clients = createClientJudge(apiKeyHeader);
  const judgeServer = createServerJudge();
  const notes = createNotes();
  const usage = createUsage();
  const tallies = { outside: createTally(), notJudged: createTally(), state: createTally() };
  const counts = { exchanges: 0, judged: 0, requests: 0, gateway: 0 };
  const time = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  let fault: string | undefined;
  let isEnded = false;

  const unitOf = ({ endpoint }: SeenExchange, check: string) => units.get(`${endpoint}/${check}`);

  function tell(check: string, breach: Breach, seen: SeenExchange): void {
    const { requirement, pointer } = breach;
    const { endpoint, exchange } = seen;
    const side = sideOf(check);
    if (side === 'client' && expected.take(requirement, endpoint, pointer)) return;
    const shown = redaction.evidence(breach);
    unitOf(seen, check)?.add(shown, seen);
    const text = `${pointer}: expected ${shown.expected}, and it is ${shown.actual}`;
    const { number } = exchange;
    options.onBreach?.({ side, requirement, level: levelOf(breach), number, text: secrets.redact(text) });
  }

  const state = createStateJudge({
    isSoleWriter: options.soleWriter === true,
    settleMs: options.settleMs ?? usualSettleMs,
    tell: (breach, seen) => tell(stateCheck, breach, seen),
    cover: (seen, requirements) => unitOf(seen, stateCheck)?.cover(requirements),
    notJudged: tallies.state,
  });

  /** Reports a side that was not judged. Finds the reason only if somebody listens. */
  function tellUnjudged({ number }: ObservedExchange, side: Unjudged['side'], why: () => string | undefined): void {
    const because = options.onUnjudged ? why() : undefined;
    if (because) options.onUnjudged?.({ side, number, because: secrets.redact(because) });
  }

  /** Counts an exchange in which neither side was judged. */
  function passOver(exchange: ObservedExchange, because: string): void {
    tallies.notJudged.add(because);
    for (const side of ['client', 'server'] as const) tellUnjudged(exchange, side, () => because);
  }

  /** Counts an exchange outside the API. */
  function leaveOutside(exchange: ObservedExchange, because: string): void {
    redaction.learn(exchange);
    tallies.outside.add(because);
    state.skip(exchange);
  }

  function judge(exchange: ObservedExchange): void {
    const elsewhere = outsideOf(exchange, apiKeyHeader);
    tellUnjudged(exchange, 'client', () => unclearRequest(exchange.request, elsewhere, apiKeyHeader));
    if (elsewhere) {
      leaveOutside(exchange, elsewhere);
      return;
    }
    const whole = seenExchange(exchange, translation);
    const use = keyUseOf(whole, apiKeyHeader, options.apiKey, options.keysSeen !== false);
    const seen = redaction.shown(whole, use);
    counts.requests += 1;
    usage.note(whole);
    if (!seen) {
      passOver(exchange, tooManyKeys);
      state.skip(exchange);
      return;
    }
    tellUnjudged(exchange, 'client', () => unclearBody(seen));
    tellUnjudged(exchange, 'server', () => unclearAnswer(seen));
    const client = clients.judge(seen, use);
    const judgements = [client, ...judgeServer(seen, client.body, use, client.isOpenPage)];
    counts.gateway += Number(isGatewayError(seen.answer.status));
    // Count each exchange once per operation.
    unitOf(seen, clientCheck)?.count(seen.answer.success);
    for (const { check, breaches, covers } of judgements) {
      for (const breach of breaches) tell(check, breach, seen);
      unitOf(seen, check)?.cover(covers);
    }
    for (const note of client.notes) notes.add(seen.endpoint, note);
    if (options.judgesState !== false) state.note(seen, use);
    if (!seen.unreadable || !seen.operation) counts.judged += 1;
    else tallies.notJudged.add(seen.unreadable);
  }

  function summarize(): void {
    const ends = [...units.values()].map(({ end }) => end(target, secrets, usage.isUsed));
    for (const end of ends) emit(end);
    for (const { id, leftOut } of ends)
      if (leftOut !== undefined) emit(leftOutNotice(id, 'mend what it shows, then judge the traffic again'));
    for (const note of notes.all()) emit(note);
    const { gateway, requests } = counts;
    if (gateway > 0)
      emit({
        event: 'notice',
        severity: gateway * 200 > requests ? 'warning' : 'info',
        text: `${gateway} of ${requests} requests were answered 502, 503 or 504: that a gateway could not ask the server is not judged`,
      });
    if (options.keysSeen === false && requests > 0)
      emit({
        event: 'notice',
        severity: 'info',
        text: 'no request of the recording shows a key, which recorders take out: whether the client sends one is not judged',
      });
    emit({
      event: 'traffic',
      exchanges: counts.exchanges,
      judged: counts.judged,
      notJudged: tallies.notJudged.counts(),
      outside: tallies.outside.counts(),
      stateNotJudged: tallies.state.counts(),
      operations: usage.all(),
      expected: expected.counts(),
    });
  }

  function arrive({ sentAtMs, answeredAtMs }: ObservedExchange): void {
    counts.exchanges += 1;
    time.first = Math.min(time.first, sentAtMs);
    time.last = Math.max(time.last, answeredAtMs);
  }

  function settle(): void {
    try {
      state.settle();
    } catch (error) {
      fault ??= (error as Error).message;
    }
  }

  emit(startOf(options, plan));
  return {
    settle: () => (isEnded ? undefined : settle()),
    setAside(exchange, because) {
      if (isEnded) return;
      arrive(exchange);
      leaveOutside(exchange, because);
    },
    redaction: redaction.texts,
    remembered: () => [clients, notes, state, redaction, usage].reduce((sum, one) => sum + one.size(), 0),
    observe(exchange) {
      if (isEnded) return;
      arrive(exchange);
      try {
        judge(exchange);
      } catch (error) {
        // A fault must not stop the traffic; the run ends as an error of the suite.
        fault ??= `exchange ${exchange.number}: ${(error as Error).message}`;
        passOver(exchange, judgeFailed);
      }
    },
    end(outcome = 'complete') {
      if (isEnded) return;
      settle();
      isEnded = true;
      summarize();
      const durationMs = counts.exchanges === 0 ? 0 : Math.max(0, time.last - time.first);
      emit({
        event: 'run-end',
        outcome: fault === undefined ? outcome : 'error',
        ...present({ because: fault }),
        stats: { requests: counts.requests, cases: counts.requests, durationMs },
      });
    },
  };
}
