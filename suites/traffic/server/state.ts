import { isClientError } from '../../judge/outcome.ts';
import { createModel } from '../../model/interpret.ts';
import { isFirm, type Suspicion } from '../../model/suspicion.ts';
import { suspectedViolation } from '../../model/words.ts';
import type { NumberedAnswer } from '../../protocol/check.ts';
import { boundedMap } from '../exchange/bounded.ts';
import type { ObservedExchange } from '../exchange/exchange.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import type { SeenExchange } from '../exchange/seen.ts';
import { createArrivals } from './arrivals.ts';
import { becauseOf, createVerdicts, type StateOptions, stepOf, unsettled, withSteps } from './state-findings.ts';
import { createWalks } from './walks.ts';

/** An exchange, and how it carried its key. */
interface Turn {
  readonly seen: SeenExchange;
  readonly use: KeyUse;
}

const undocumented = 'a request that no section documents may have changed anything';
const otherKey = 'several keys are used, and they may see different data';
const neverEnded = 'earlier requests were never seen to end';
const tooMuch = 'there was more to remember than is kept';

/** Maximum number of answers kept as steps of future findings. */
const mostSteps = 500;
/** Maximum number of suspicions that wait for answers that remove their excuses. */
const mostOpen = 200;
/** Maximum number of values known at once; above it, everything is forgotten, and nothing is reported. */
const mostKnown = 100_000;
/** Number of exchanges between two checks of that bound. */
const lookEvery = 500;

/** True if an exchange may have changed something, by its method (RFC 9110 section 9.2.1) and its answer. */
const mayWrite = ({ request, response }: ObservedExchange): boolean =>
  !/^(GET|HEAD|OPTIONS|TRACE)$/i.test(request.method) &&
  !('status' in response && response.status >= 300 && response.status < 500);

/** True for a write whose target neither the body nor the path shows. */
const isBlind = ({ body, row, operation, answer }: SeenExchange): boolean =>
  row.body !== null &&
  row.method !== 'GET' &&
  !isClientError(answer) &&
  body?.kind !== 'json' &&
  (!body || operation?.param === undefined);

/** Returns the approximate size of an exchange in bytes. */
const weightOf = ({ answer: { reply } }: SeenExchange): number => reply.bytes + (reply.request.body?.length ?? 0);

/** Compares answers with what the model of the service knows from earlier ones. */
export function createStateJudge(options: StateOptions) {
  const { isSoleWriter, settleMs, tell, cover, notJudged } = options;
  const fresh = () => createModel({ settleMs, isSoleWriter, isWatching: true });
  let model = fresh();
  const walks = createWalks(options);
  const steps = boundedMap<number, NumberedAnswer>(mostSteps);
  /** Suspicions that have an excuse, with the answer that raised each and the reason for not judging it. */
  const open = boundedMap<Suspicion, { readonly seen: SeenExchange; readonly because: string }>(mostOpen);
  const verdicts = createVerdicts(isSoleWriter);
  let lastKey: string | undefined;
  let count = 0;
  /** When the last write was answered, and until when writes from before a reset may still come to show. */
  let writtenMs = Number.NEGATIVE_INFINITY;
  let unsettledMs = Number.NEGATIVE_INFINITY;
  /** The number of the last exchange sent before `unsettledMs`. */
  let lastUnsettled = Number.NEGATIVE_INFINITY;

  function begin({ seen, use }: Turn): void {
    const { answer, body } = seen;
    const { number, sentAtMs: atMs } = seen.exchange;
    const isKeyless = (use.isKnown && !use.inHeader) || answer.status === 401;
    const request = {
      ...answer.request,
      ...(isKeyless ? { key: { kind: 'none' } as const } : {}),
      ...(body ? {} : { raw: '' }),
    };
    model.interpret({ kind: 'begun', number, atMs, request, sent: answer.sent });
    walks.begun(seen);
  }

  /** Resets the model. Keeps only open writes, whose effect may still come; open reads show the old state. */
  function forget(because: string): void {
    notJudged.add(because);
    model = fresh();
    unsettledMs = writtenMs + settleMs;
    walks.forget();
    for (const turn of arrivals.underWay()) if (turn.seen.row.method !== 'GET') begin(turn);
  }

  function accuse(suspicion: Suspicion, seen: SeenExchange): void {
    const { requirements, known, culprits, shown } = suspicion;
    const [requirement] = requirements;
    if (requirement === undefined) return;
    const unclear = known !== undefined && known <= lastUnsettled ? unsettled : verdicts.unclear(suspicion);
    if (unclear) {
      notJudged.add(unclear);
      return;
    }
    const numbers = [...new Set([known, culprits[0]])].filter(one => one !== undefined && one !== shown);
    const before = numbers.sort((one = 0, other = 0) => one - other).map(number => steps.get(number ?? 0));
    const last = stepOf(seen);
    const one = suspectedViolation(suspicion, last.answer, requirement);
    const doubt = verdicts.doubtful(suspicion);
    tell(withSteps(doubt ? { ...one, doubt } : one, [...before, last]), seen);
  }

  function suspect(suspicion: Suspicion, seen: SeenExchange): void {
    const [excuse] = suspicion.excuses;
    if (isFirm(suspicion) || !excuse) {
      accuse(suspicion, seen);
      return;
    }
    const because = becauseOf[excuse];
    notJudged.add(because);
    open.set(suspicion, { seen, because }, weightOf(seen));
  }

  /** Accuses waiting suspicions whose excuses later answers removed. */
  function look(): void {
    if (open.size === 0) return;
    for (const one of open.keys()) {
      const held = isFirm(one) ? open.get(one) : undefined;
      if (held) {
        notJudged.add(held.because, -1);
        accuse(one, held.seen);
      }
      if (held || one.isExplained) open.delete(one);
    }
  }

  function end(turn: Turn, atMs: number): void {
    const { seen, use } = turn;
    const { answer, exchange } = seen;
    const { number } = exchange;
    if (!isClientError(answer)) {
      if (lastKey !== undefined && lastKey !== use.key) {
        forget(otherKey);
        begin(turn);
      }
      lastKey = use.key;
    }
    count += 1;
    if (count % lookEvery === 0 && model.size() > mostKnown) {
      forget(tooMuch);
      begin(turn);
    }
    steps.set(number, stepOf(seen), weightOf(seen));
    if (exchange.sentAtMs < unsettledMs) lastUnsettled = Math.max(lastUnsettled, number);
    if (seen.row.method !== 'GET') writtenMs = Math.max(writtenMs, atMs);
    const { suspicions, covers } = model.interpret({ kind: 'answered', number, lost: [], atMs, answer });
    cover(
      seen,
      [...covers.values()].flatMap(all => [...all]),
    );
    for (const one of suspicions) suspect(one, seen);
    look();
    walks.ended(seen);
  }

  const arrivals = createArrivals<Turn>({
    begun: begin,
    ended: end,
    disturbed: () => forget(undocumented),
    lost: () => forget(neverEnded),
  });

  /** Takes a write that may have changed anything. Its effect, too, may show late. */
  function disturb(exchange: ObservedExchange): void {
    writtenMs = Math.max(writtenMs, exchange.answeredAtMs);
    arrivals.disturb(exchange);
  }

  function skip(exchange: ObservedExchange): void {
    if (mayWrite(exchange)) disturb(exchange);
    else arrivals.skip(exchange);
  }

  return {
    /** Takes an exchange of the API. */
    note(seen: SeenExchange, use: KeyUse): void {
      const { exchange, operation } = seen;
      if (!operation) skip(exchange);
      else if (isBlind(seen)) disturb(exchange);
      else arrivals.take(exchange, { seen, use });
    },
    /** Takes an exchange outside the API: it may reset the service. */
    skip,
    /** Judges everything that waits for overlapping exchanges. Call it only if no request is under way. */
    settle: arrivals.settle,
    size: (): number => model.size() + walks.size() + steps.size + open.size + arrivals.size(),
  };
}
