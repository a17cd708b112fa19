import { endpointRow } from '../../../contracts/endpoints.ts';
import { isObject } from '../../../contracts/json.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { isCircumstantial } from '../../judge/outcome.ts';
import { reasonIn } from '../../judge/refusal-words.ts';
import type { AlignedPair } from '../align/align.ts';
import { isSwitching } from '../compare/origins.ts';
import { createdName, isAcceptedStatus, isDryRun, type RecordedExchange, type Recording } from '../record/recording.ts';

/**
 * What one side refuses because of its circumstances: a quota, a plan, a lock or a permission. Such a refusal says
 * nothing about the tested field.
 */
export type Circumstances = ReturnType<typeof circumstancesOf>;

/**
 * Returns why two answers cannot be compared; null if they can. A side refuses what it accepted before, or all requests
 * of the kind while the other refuses this one.
 */
export function whyEnough({ a, b }: AlignedPair, ofA: Circumstances, ofB: Circumstances): string | null {
  const sides = [
    ['A', a, b, ofA],
    ['B', b, a, ofB],
  ] as const;
  for (const [side, exchange, other, own] of sides) {
    if (own.hasEnough(exchange)) return `${side} refuses what it accepted before (${refusalWords(exchange)})`;
    if (isRefused(other) && own.isClosed(exchange))
      return `${side} refuses all requests of the kind (${refusalWords(exchange)})`;
  }
  return null;
}

/** Returns the status of a refusal with the target's reason. */
function refusalWords({ status, value }: RecordedExchange): string {
  const reason = reasonIn(value)?.replace(/\s+/g, ' ');
  return `status ${status}${reason === undefined ? '' : `: ${JSON.stringify(clip(reason, longestReason))}`}`;
}

/** Maximum number of characters of a reason that are shown. */
const longestReason = 120;

/** Returns the subject of a refusal: operation, entity, and whether it was a dry run. */
const subjectOf = (exchange: RecordedExchange): string =>
  `${exchange.endpoint} ${exchange.request.param ?? ''} ${isDryRun(exchange)}`;

/** Returns a request with the names that the run created masked. */
const requestOf = (exchange: RecordedExchange): string =>
  `${subjectOf(exchange)} ${JSON.stringify([exchange.request.query, exchange.request.body]).replaceAll(createdName, '«»')}`;

/** True for a documented request with the valid key: only its answer can show circumstances. */
const isOrdinary = ({ request: { own, key, raw } }: RecordedExchange): boolean =>
  own && key === 'valid' && raw === undefined;

const isRefused = ({ status }: RecordedExchange): boolean => status >= 400 && status < 500;

/** Returns the reason of a refusal, with its variable parts masked; null if it has no usable reason. */
function reasonOf({ status, value }: RecordedExchange): string | null {
  const reason = reasonIn(value);
  if (reason === undefined) return isCircumstantial({ status }) ? String(status) : null;
  return `${status} ${reason.replaceAll(createdName, '«»').replaceAll(/\d+/g, '#')}`;
}

const nameOf = ({ request: { body } }: RecordedExchange): string | null =>
  isObject(body) ? JSON.stringify([body.name, body.id]) : null;

/** Learns from all runs of one side what it refuses because of its circumstances. */
export function circumstancesOf(runs: readonly Recording[]) {
  const ordinary = runs.map(({ exchanges }) => exchanges.filter(isOrdinary));
  const all = ordinary.flat();
  const accepted = new Set(all.filter(isAcceptedStatus).map(requestOf));
  const open = new Set(all.filter(isAcceptedStatus).map(subjectOf));
  const enough = new Set<string>();
  for (const exchanges of ordinary) {
    const names = new Set<string>();
    for (const exchange of exchanges) {
      const row = endpointRow(exchange.endpoint);
      // A switched entity may refuse to be switched again, so equal requests may get different answers.
      if (isSwitching(row)) continue;
      const isCreating = row.effect === 'additive' && !isDryRun(exchange);
      const name = `${subjectOf(exchange)} ${nameOf(exchange)}`;
      // Creating something twice is refused for that alone.
      const isRepeated = isCreating && names.has(name);
      if (isCreating) names.add(name);
      const reason = isRefused(exchange) ? reasonOf(exchange) : null;
      if (reason !== null && !isRepeated && accepted.has(requestOf(exchange)))
        enough.add(`${subjectOf(exchange)} ${reason}`);
    }
  }
  const closed = new Set(
    all.flatMap(exchange => {
      const isOfCircumstances = exchange.status !== 404 && isCircumstantial(exchange);
      const isPlain = isOfCircumstances && exchange.request.asks === undefined && !open.has(subjectOf(exchange));
      return isPlain ? `${subjectOf(exchange)} ${reasonOf(exchange)}` : [];
    }),
  );
  return {
    /** True if the side accepted the refused request at another time. */
    hasEnough(exchange: RecordedExchange): boolean {
      const reason = isOrdinary(exchange) && isRefused(exchange) ? reasonOf(exchange) : null;
      return reason !== null && enough.has(`${subjectOf(exchange)} ${reason}`);
    },
    /**
     * True for a refusal by circumstances of a subject that was never accepted. Every request for it gets this answer,
     * whatever it asks.
     */
    isClosed: (exchange: RecordedExchange): boolean =>
      exchange.request.own &&
      exchange.request.key === 'valid' &&
      closed.has(`${subjectOf(exchange)} ${reasonOf(exchange)}`),
  };
}
