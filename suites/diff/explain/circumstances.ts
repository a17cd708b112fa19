import { endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, membersOf } from '../../../contracts/json.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { isCircumstantial } from '../../judge/outcome.ts';
import { reasonIn } from '../../judge/refusal-words.ts';
import type { AlignedPair } from '../align/align.ts';
import { createdName, isAcceptedStatus, type RecordedExchange, type Recording } from '../record/recording.ts';

/**
 * What one side refuses for its circumstances: a quota, a plan, a lock, a permission. Such a refusal says nothing of the
 * field that a case is about.
 */
export type Circumstances = ReturnType<typeof circumstancesOf>;

/**
 * Why two answers cannot be compared: one side had enough, or refuses all of the kind where the other one refuses this
 * request; null where they can.
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

/** A refusal with the target's own reason. */
function refusalWords({ status, value }: RecordedExchange): string {
  const reason = reasonIn(value)?.replace(/\s+/g, ' ');
  return `status ${status}${reason === undefined ? '' : `: ${JSON.stringify(clip(reason, longestReason))}`}`;
}

/** Characters of a reason that are shown. */
const longestReason = 120;

const isDry = ({ request: { body } }: RecordedExchange): boolean => membersOf(body).dryRun === true;

/** What a refusal is of: the operation, the entity, and whether it was only tried. */
const subjectOf = (exchange: RecordedExchange): string =>
  `${exchange.endpoint} ${exchange.request.param ?? ''} ${isDry(exchange)}`;

/** A request without the names that the run created in it. */
const requestOf = (exchange: RecordedExchange): string =>
  `${subjectOf(exchange)} ${JSON.stringify([exchange.request.query, exchange.request.body]).replaceAll(createdName, '«»')}`;

/** True of a request as its operation has it, with the key: what another one is answered says nothing of circumstances. */
const isOrdinary = ({ request: { own, key, raw } }: RecordedExchange): boolean =>
  own && key === 'valid' && raw === undefined;

const isRefused = ({ status }: RecordedExchange): boolean => status >= 400 && status < 500;

/** The reason that a refusal gives, without what differs from one to the next; null where it gives none to go by. */
function reasonOf({ status, value }: RecordedExchange): string | null {
  const reason = reasonIn(value);
  if (reason === undefined) return isCircumstantial({ status }) ? String(status) : null;
  return `${status} ${reason.replaceAll(createdName, '«»').replaceAll(/\d+/g, '#')}`;
}

const switching: ReadonlySet<string> = new Set(['disable', 'enable', 'archive']);

const nameOf = ({ request: { body } }: RecordedExchange): string | null =>
  isObject(body) ? JSON.stringify([body.name, body.id]) : null;

/** What one side refuses for its circumstances, by all of its runs. */
export function circumstancesOf(runs: readonly Recording[]) {
  const ordinary = runs.map(({ exchanges }) => exchanges.filter(isOrdinary));
  const all = ordinary.flat();
  const accepted = new Set(all.filter(isAcceptedStatus).map(requestOf));
  const open = new Set(all.filter(isAcceptedStatus).map(subjectOf));
  const enough = new Set<string>();
  for (const exchanges of ordinary) {
    const names = new Set<string>();
    for (const exchange of exchanges) {
      const { action, effect } = endpointRow(exchange.endpoint);
      // What is switched may refuse to be switched again: the same request is another one then.
      if (switching.has(action)) continue;
      const isCreating = effect === 'additive' && !isDry(exchange);
      const name = `${subjectOf(exchange)} ${nameOf(exchange)}`;
      // What is created twice is refused for that.
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
    /** True of a refusal of what the side accepted at another time. */
    hasEnough(exchange: RecordedExchange): boolean {
      const reason = isOrdinary(exchange) && isRefused(exchange) ? reasonOf(exchange) : null;
      return reason !== null && enough.has(`${subjectOf(exchange)} ${reason}`);
    },
    /**
     * True of a refusal for circumstances at an operation of which the side accepted nothing that was sent to it.
     * Whatever else is asked there, the answer is that of all requests.
     */
    isClosed: (exchange: RecordedExchange): boolean =>
      exchange.request.own &&
      exchange.request.key === 'valid' &&
      closed.has(`${subjectOf(exchange)} ${reasonOf(exchange)}`),
  };
}
