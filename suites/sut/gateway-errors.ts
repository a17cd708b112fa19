import { endpointRow } from '../../contracts/endpoints.ts';
import { isGatewayError } from '../client/deferral.ts';
import type { Answer } from '../protocol/answer.ts';
import { Withheld } from '../protocol/stop.ts';
import type { Wire } from './session.ts';

/** So many failures of a gateway in a row, and they are the answer. */
const mostGatewayErrors = 3;

/**
 * Throws where a gateway failed for an operation that works only once: nobody knows whether it was carried out, and it
 * cannot be sent again to find out. Seen each time, it is the answer of the target.
 */
export function refuseUnknowable({ gatewayErrors }: Wire, { request: { endpoint }, status }: Answer): void {
  if (endpointRow(endpoint).oneShot !== true) return;
  const errors = isGatewayError(status) ? (gatewayErrors.get(endpoint) ?? 0) + 1 : 0;
  gatewayErrors.set(endpoint, errors);
  if (errors > 0 && errors < mostGatewayErrors)
    throw new Withheld(`a gateway answered for the target (status ${status}), and ${endpoint} cannot be sent twice`);
}
