import type { EndpointId } from '../../contracts/endpoints.ts';
import type { LoggedRequest } from './request-log.ts';

/** Which requests of a log are meant; all that is given has to hold. */
export interface LogFilter {
  readonly method?: string;
  /** A part of the path, as it was called; query and all. */
  readonly path?: string;
  /** A status, or a class of them: `404`, `4xx`. */
  readonly status?: string | number;
  readonly endpoint?: EndpointId;
  /** Those after the request of this number. */
  readonly since?: number;
  /** The last so many of those that match. */
  readonly limit?: number;
}

/** What a filter looks at. */
type Filtered = Pick<LoggedRequest, 'number' | 'method' | 'url' | 'status' | 'endpoint'>;

/** Tells whether a request is meant by a filter. */
export const matcherOf =
  ({ method, path, status, endpoint, since = 0 }: LogFilter): ((request: Filtered) => boolean) =>
  request =>
    request.number > since &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (path === undefined || request.url.includes(path)) &&
    (endpoint === undefined || request.endpoint === endpoint) &&
    (status === undefined || isOf(request.status, String(status)));

const isOf = (status: number | null, wanted: string): boolean => {
  const written = String(status ?? 'none');
  return /^[1-5]xx$/i.test(wanted) ? written[0] === wanted[0] && written.length === 3 : written === wanted;
};
