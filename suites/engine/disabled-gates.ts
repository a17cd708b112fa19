import { isOperation } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { type Answer, type ApiRequest, bodyValue, dataObject } from '../protocol/answer.ts';

/** Returns the settings that a request to a gate writes. */
function writtenTo(request: ApiRequest): JsonObject {
  const row = endpointRow(request.endpoint);
  if (isOperation(row, 'gate', 'disable')) return { isEnabled: false };
  const body = isOperation(row, 'gate', 'patch') ? bodyValue(request) : undefined;
  return isObject(body) ? body : {};
}

/**
 * Follows the gates that the run disabled. A target may refuse to enable a gate again, so a second gate is disabled only
 * after the first was seen enabled again.
 *
 * @param gates the gates as they were before the run
 */
export function createDisabledGates(gates: ReadonlyMap<string, JsonObject>) {
  const disabled = new Set<string>();
  let refusal: string | undefined;
  let isShown = false;
  return {
    note(answer: Answer): void {
      const { request, success } = answer;
      const { param = '' } = request;
      const { isEnabled, ...others } = writtenTo(request);
      if (success && isEnabled === false && gates.get(param)?.isEnabled === true) disabled.add(param);
      if (isEnabled !== true || !disabled.has(param)) return;
      if (!success) {
        // Beside other settings it may have been refused for those.
        if (Object.keys(others).length === 0) refusal = refusalInWords(answer);
      } else if (dataObject(answer).isEnabled === true) {
        disabled.delete(param);
        isShown = true;
      }
    },
    /** Returns why a request must not disable another gate; undefined if it may, or disables none. */
    obstructionTo(request: ApiRequest): string | undefined {
      const { param = '' } = request;
      const [other] = disabled;
      if (isShown || other === undefined || disabled.has(param)) return undefined;
      if (writtenTo(request).isEnabled !== false || gates.get(param)?.isEnabled !== true) return undefined;
      const since = refusal === undefined ? 'has not been enabled since' : `could not be enabled again (${refusal})`;
      return `gate ${other} was disabled and ${since}, so no other gate is disabled`;
    },
  };
}
