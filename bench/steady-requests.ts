import { type EndpointId, endpointIds, endpoints } from '../contracts/endpoints.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import type { Target } from '../suites/protocol/sut.ts';
import { isBlockedRequest, minimalRequest } from '../suites/sut/minimal-request.ts';
import { apiKey } from './servers.ts';

/** One accepted request per endpoint that may be sent any number of times. */
export function steadyRequests(target: Target): ReadonlyMap<EndpointId, WireRequest> {
  const learned = { qualifyingEvents: new Map() };
  const headers = { accept: 'application/json', [target.naming.apiKeyHeader]: apiKey };
  return new Map(
    endpointIds.flatMap(id => {
      const plain = minimalRequest(target, learned, id);
      if (isBlockedRequest(plain)) return [];
      const { method, path } = endpoints[id];
      const body =
        plain.body === undefined
          ? undefined
          : JSON.stringify(id === 'create-metric' ? { ...plain.body, dryRun: true } : plain.body);
      const request: WireRequest = {
        method,
        path: path.replace(/\{\w+\}/, () => encodeURIComponent(plain.param ?? '')),
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body,
      };
      return [[id, request] as const];
    }),
  );
}
