import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject, type Json } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import type { HandlerRequest, ReferenceServerOptions } from '../../../reference-server/index.ts';

/** True if the place is missing in any of its objects; `*` is every item of a list. */
function isMissing(value: Json | undefined, path: readonly string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return value === undefined;
  if (first === '*') return Array.isArray(value) && value.some(item => isMissing(item, rest));
  if (!isObject(value)) return false;
  return rest.length === 0 ? !Object.hasOwn(value, first) : isMissing((value as Record<string, Json>)[first], rest);
}

/**
 * A sound server that refuses requests of an operation that match `refuses`, without a reason. `onRefused` is called
 * for each.
 */
export const refusing = (
  endpoint: EndpointId,
  refuses: (request: HandlerRequest) => boolean,
  status = 422,
  onRefused: () => void = () => {},
): ReferenceServerOptions => ({
  decorateOperation: (id, handler) =>
    id !== endpoint
      ? handler
      : async (request, store, settings) => {
          if (!refuses(request)) return handler(request, store, settings);
          onRefused();
          return { status, body: { message: 'Invalid request.' } as never };
        },
});

/** A sound server that demands a field, given as a path with `*` for items: `groups.*.description`. */
export const demanding = (
  endpoint: EndpointId,
  field: string,
  status?: number,
  onRefused?: () => void,
): ReferenceServerOptions =>
  refusing(endpoint, ({ body }) => isMissing(body as Json, field.split('.')), status, onRefused);

/** A sound server that answers some operations with 404, like unknown paths, or with 405. */
export const answeringOtherwise = (
  is: (endpoint: EndpointId) => boolean,
  status: 404 | 405,
): ReferenceServerOptions => ({
  decorateListener: inner => (request, response) => {
    const found = operationAt(request.method ?? '', (request.url ?? '').split('?')[0] ?? '')?.endpoint;
    if (found === undefined || !is(found)) return inner(request, response);
    if (status === 404) {
      request.url = '/nowhere';
      return inner(request, response);
    }
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end('{"message":"Method not allowed."}');
  },
});
