import { type EndpointId, endpointIds, endpoints } from '../contracts/endpoints.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import type { Target } from '../suites/protocol/sut.ts';
import { isBlockedRequest, minimalRequest } from '../suites/sut/minimal-request.ts';
import { apiKey } from './servers.ts';

/** Returns an accepted request for each endpoint that may be sent any number of times. */
export function steadyRequests(target: Target): ReadonlyMap<EndpointId, WireRequest> {
  const discovered = { qualifyingEvents: new Map() };
  const headers = { accept: 'application/json', [target.naming.apiKeyHeader]: apiKey };
  return new Map(
    endpointIds.flatMap(id => {
      const minimal = minimalRequest(target, discovered, id);
      if (isBlockedRequest(minimal)) return [];
      const { method, path } = endpoints[id];
      const body =
        minimal.body === undefined
          ? undefined
          : JSON.stringify(id === 'create-metric' ? { ...minimal.body, dryRun: true } : minimal.body);
      const request: WireRequest = {
        method,
        path: path.replace(/\{\w+\}/, () => encodeURIComponent(minimal.param ?? '')),
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body,
      };
      return [[id, request] as const];
    }),
  );
}
