import { hasDryRun } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type Answer, type ApiRequest, bodyValue, dataObject } from '../protocol/answer.ts';
import type { Arrival } from '../sut/observer.ts';

/** Returns the fields, and their values, that an accepted request to one fixture writes. */
export function writtenFields(request: ApiRequest): JsonObject {
  const row = endpointRow(request.endpoint);
  if (row.action === 'disable') return { isEnabled: false };
  const body = bodyValue(request);
  return isObject(body) && !(hasDryRun(row) && body.dryRun === true) ? body : {};
}

/** What the run knows of turning gates back to one value of `isEnabled`. */
interface WayBack {
  /** The gates that had this value and were turned, and of each why it is not turned back, if that was tried. */
  readonly turned: Map<string, string | undefined>;
  /** The gates that were answered as turned back, and when (milliseconds of the run's clock). */
  readonly back: Map<string, number>;
  /** True if any gate ever was. */
  isShown: boolean;
}

const wordOf = (isEnabled: boolean): string => (isEnabled ? 'enabled' : 'disabled');

/**
 * Follows the gates that the run disabled or enabled. A target may refuse to turn a gate back: no other gate is turned
 * once it has refused that, or shows afterwards that it was not carried out. A second gate is disabled only after the
 * first was answered as enabled again.
 *
 * @param gates the gates as they were before the run
 * @param settleMs how long after a write an answer may still show what was before
 */
export function createTurnedGates(gates: ReadonlyMap<string, JsonObject>, settleMs: number) {
  const untouched = (): WayBack => ({ turned: new Map(), back: new Map(), isShown: false });
  const ways = new Map<unknown, WayBack>([
    [true, untouched()],
    [false, untouched()],
  ]);
  /** Returns what a request to a known gate writes, the value that the gate had, and the way back to it. */
  function subjectOf(request: ApiRequest) {
    const { param = '' } = request;
    const original = gates.get(param)?.isEnabled;
    const way = ways.get(original);
    if (way === undefined || endpointRow(request.endpoint).resource !== 'gate') return null;
    return { param, written: writtenFields(request), original: original === true, way };
  }
  /** True if an answer belongs to a request that was sent when a write answered at `sinceMs` must have taken effect. */
  const hasSettled = ({ reply }: Answer, atMs: number, sinceMs = Number.POSITIVE_INFINITY): boolean =>
    atMs - reply.durationMs >= sinceMs + settleMs;
  return {
    note(answer: Answer, { atMs }: Arrival): void {
      const subject = subjectOf(answer.request);
      // What another method or path is answered with says nothing: OPTIONS to a disable disables nothing.
      if (subject === null || !answer.own) return;
      const { param, way, original } = subject;
      const { isEnabled, ...others } = subject.written;
      const { turned, back } = way;
      if (!answer.success) {
        // Beside other settings it may have been refused for those.
        const isAlone = isEnabled === original && Object.keys(others).length === 0;
        if (isAlone && turned.has(param))
          turned.set(param, `could not be ${wordOf(original)} again (${refusalInWords(answer)})`);
        return;
      }
      const shown = dataObject(answer).isEnabled;
      if (isEnabled === !original) {
        turned.set(param, undefined);
        back.delete(param);
      } else if (shown === original && turned.delete(param)) {
        back.set(param, atMs);
        way.isShown = true;
      } else if (isEnabled === undefined && shown === !original && hasSettled(answer, atMs, back.get(param))) {
        back.delete(param);
        turned.set(param, `is not shown as ${wordOf(original)}, although that was accepted`);
      }
    },
    /** Returns why a request must not turn another gate; undefined if it may, or turns none. */
    obstructionTo(request: ApiRequest): string | undefined {
      const subject = subjectOf(request);
      if (subject === null) return undefined;
      const { param, written, original, way } = subject;
      if (written.isEnabled !== !original || way.turned.has(param)) return undefined;
      const entries = [...way.turned];
      const [other, why] = entries.find(([, known]) => known !== undefined) ?? entries[0] ?? [];
      // A gate that was found disabled may stay enabled until the end of the run, when it is put back.
      if (other === undefined || (why === undefined && (way.isShown || !original))) return undefined;
      const [now, before] = [wordOf(!original), wordOf(original)];
      return `gate ${other} was ${now} and ${why ?? `has not been ${before} since`}, so no other gate is ${now}`;
    },
  };
}
