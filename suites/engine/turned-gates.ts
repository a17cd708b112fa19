import { isOperation } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type Answer, type ApiRequest, bodyValue, dataObject } from '../protocol/answer.ts';

/** Returns the settings that a request to a gate writes; undefined for a request to something else. */
function writtenTo(request: ApiRequest): JsonObject | undefined {
  const row = endpointRow(request.endpoint);
  if (isOperation(row, 'gate', 'disable')) return { isEnabled: false };
  if (!isOperation(row, 'gate', 'patch')) return undefined;
  const body = bodyValue(request);
  return isObject(body) ? body : {};
}

/** What the run knows of turning gates back to one value of `isEnabled`. */
interface WayBack {
  /** The gates that had this value and were turned, and of each why it was not turned back, if that was tried. */
  readonly turned: Map<string, string | undefined>;
  /** True if a gate was seen turned back. */
  isShown: boolean;
}

const wordOf = (isEnabled: boolean): string => (isEnabled ? 'enabled' : 'disabled');

/**
 * Follows the gates that the run disabled or enabled. A target may refuse to turn a gate back, so a second gate is
 * turned only after the first was seen turned back by an answer to a request that did not send `isEnabled`, and none is
 * after a target has refused.
 *
 * @param gates the gates as they were before the run
 */
export function createTurnedGates(gates: ReadonlyMap<string, JsonObject>) {
  const ways = new Map<unknown, WayBack>(
    [true, false].map(value => [value, { turned: new Map<string, string | undefined>(), isShown: false }]),
  );
  /** Returns what a request to a known gate writes, the value that the gate had, and the way back to it. */
  function subjectOf(request: ApiRequest) {
    const { param = '' } = request;
    const written = writtenTo(request);
    const original = gates.get(param)?.isEnabled;
    const way = ways.get(original);
    return written === undefined || way === undefined ? null : { param, written, original: original === true, way };
  }
  return {
    note(answer: Answer): void {
      const subject = subjectOf(answer.request);
      if (subject === null) return;
      const { param, way, original } = subject;
      const { isEnabled, ...others } = subject.written;
      const { turned } = way;
      if (answer.success && isEnabled === !original) turned.set(param, undefined);
      if (!turned.has(param)) return;
      if (isEnabled === original) {
        // Beside other settings it may have been refused for those.
        if (!answer.success && Object.keys(others).length === 0) turned.set(param, refusalInWords(answer));
      } else if (isEnabled === undefined && answer.success && dataObject(answer).isEnabled === original) {
        turned.delete(param);
        way.isShown = true;
      }
    },
    /** Returns why a request must not turn another gate; undefined if it may, or turns none. */
    obstructionTo(request: ApiRequest): string | undefined {
      const subject = subjectOf(request);
      if (subject === null) return undefined;
      const { param, written, original, way } = subject;
      if (written.isEnabled !== !original || way.turned.has(param)) return undefined;
      const entries = [...way.turned];
      const [other, refusal] = entries.find(([, why]) => why !== undefined) ?? entries[0] ?? [];
      if (other === undefined || (refusal === undefined && way.isShown)) return undefined;
      const [now, before] = [wordOf(!original), wordOf(original)];
      const since =
        refusal === undefined ? `has not been seen ${before} since` : `could not be ${before} again (${refusal})`;
      return `gate ${other} was ${now} and ${since}, so no other gate is ${now}`;
    },
  };
}
