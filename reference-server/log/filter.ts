import type { EndpointId } from '../../contracts/endpoints.ts';
import type { LoggedRequest } from './request-log.ts';

/** A filter on logged requests; all given members must match. */
export interface LogFilter {
  readonly method?: string;
  /** A part of the path or query, as sent. */
  readonly path?: string;
  /** A status, or a class of them: `404`, `4xx`. */
  readonly status?: string | number;
  readonly endpoint?: EndpointId;
  /** Only requests with higher numbers. */
  readonly since?: number;
  /** Only the last `limit` matches. */
  readonly limit?: number;
}

/** The members that a filter reads. */
type Filtered = Pick<LoggedRequest, 'number' | 'method' | 'url' | 'status' | 'endpoint'>;

/** Returns a predicate for a filter. */
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
