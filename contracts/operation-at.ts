import { decoded } from './decoded.ts';
import { type EndpointId, endpointIds, endpoints } from './endpoints.ts';

/** The operation of a request: the endpoint, and the value of its path parameter, if it has one. */
export interface OperationAt {
  readonly endpoint: EndpointId;
  readonly param: string | undefined;
}

const routes = endpointIds.map(endpoint => {
  const { method, path } = endpoints[endpoint];
  return { endpoint, method, pattern: new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`) };
});

/**
 * Returns the operation of section 4 that a request addresses; undefined for any other request. `path` has no query.
 */
export function operationAt(method: string, path: string): OperationAt | undefined {
  for (const { endpoint, method: own, pattern } of routes) {
    const found = own === method ? pattern.exec(path) : null;
    if (found !== null) return { endpoint, param: found[1] === undefined ? undefined : decoded(found[1]) };
  }
  return undefined;
}
