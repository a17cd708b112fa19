import { endpointRow } from '../../contracts/endpoints.ts';
import { isGatewayError } from '../client/deferral.ts';
import type { Answer } from '../protocol/answer.ts';
import { Withheld } from '../protocol/stop.ts';
import type { Wire } from './session.ts';

/** Number of consecutive gateway errors that count as the target's answer. */
const mostGatewayErrors = 3;

/**
 * Throws if a gateway failed for a one-shot operation: it may have been carried out, and cannot be sent again to find
 * out. A repeated failure is accepted as the target's answer.
 */
export function refuseUnknowable({ gatewayErrors }: Wire, { request: { endpoint }, status }: Answer): void {
  if (endpointRow(endpoint).oneShot !== true) return;
  const errors = isGatewayError(status) ? (gatewayErrors.get(endpoint) ?? 0) + 1 : 0;
  gatewayErrors.set(endpoint, errors);
  if (errors > 0 && errors < mostGatewayErrors)
    throw new Withheld(`a gateway answered for the target (status ${status}), and ${endpoint} cannot be sent twice`);
}
