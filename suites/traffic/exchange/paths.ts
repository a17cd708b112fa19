import { decoded } from '../../../contracts/decoded.ts';
import { type EndpointId, endpointIds, endpoints } from '../../../contracts/endpoints.ts';

/** Returns the path and query of a request target, which may be an absolute URL (RFC 9112 section 3.2.2). */
export function partsOf(target: string): { path: string; query: URLSearchParams } {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '').split('#')[0] ?? '';
  const at = local.indexOf('?');
  if (at < 0) return { path: local, query: new URLSearchParams() };
  return { path: local.slice(0, at), query: new URLSearchParams(local.slice(at + 1)) };
}

/** Returns the path and query of a URL below a base without trailing slash; undefined if it is not below it. */
export function targetBelow({ origin, pathname, search }: URL, base: string): string | undefined {
  const whole = `${origin}${pathname}`;
  const isBelow = whole === base || whole.startsWith(`${base}/`);
  return isBelow ? `${whole.slice(base.length) || '/'}${search}` : undefined;
}

/** Returns the segments of a path as a lenient router reads them: decoded, without empty and dot segments. */
export function forgivenSegments(path: string): readonly string[] {
  const found: string[] = [];
  for (const part of decoded(path.slice(0, longestRead)).split('/')) {
    if (part === '..') found.pop();
    else if (part !== '' && part !== '.') found.push(part);
  }
  return found;
}

/** Maximum number of characters read of a path. */
const longestRead = 2_000;

/** The segments of the documented paths after `/console/v1`. */
const tails = endpointIds.map(id => endpoints[id].path.split('/').slice(3));

const isTail = (segments: readonly string[]): boolean =>
  tails.some(
    tail =>
      tail.length === segments.length && tail.every((one, index) => one.startsWith('{') || one === segments[index]),
  );

/** Maximum number of segments before a documented path in place of its prefix. */
const mostBefore = 3;

/** Returns the documented end of a path with another prefix, such as `/v1/segments`; undefined if there is none. */
function tailIn(segments: readonly string[]): readonly string[] | undefined {
  for (let from = 0; from <= Math.min(mostBefore, segments.length - 1); from += 1)
    if (isTail(segments.slice(from))) return segments.slice(from);
  return undefined;
}

/**
 * True if a path belongs to the API, whatever its version, the case of its prefix, or extra slashes. A documented path
 * with another prefix counts only with the key of the API: no other server would be meant.
 */
export function isMeantForApi(path: string, hasKey: () => boolean): boolean {
  if (/^\/console\/v\d+(\/|$)/i.test(path)) return true;
  const segments = forgivenSegments(path);
  if (segments[0]?.toLowerCase() === 'console' && /^v\d+$/i.test(segments[1] ?? '')) return true;
  return tailIn(segments) !== undefined && hasKey();
}

/** Returns the length of the common prefix of two texts, as a share of the longer one. */
function alike(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 1;
  let at = 0;
  while (at < one.length && one[at]?.toLowerCase() === other[at]?.toLowerCase()) at += 1;
  return at / longest;
}

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** Returns how near a path is to a route: similar segments in place, minus the difference in length. */
function nearness(path: readonly string[], route: readonly string[]): number {
  let score = 0;
  for (const [index, segment] of route.entries()) {
    const given = path[index];
    if (given === undefined) break;
    score += segment.startsWith('{') ? 0.6 : alike(segment, given);
  }
  return score - Math.abs(path.length - route.length) * 0.4;
}

/** Maximum number of characters compared of a path. */
const mostCompared = 300;

/** Returns the documented operation nearest to a request that matches none. `path` has no query. */
export function nearestOperation(method: string, path: string): EndpointId {
  const given = segmentsOf(path.slice(0, mostCompared));
  const tail = tailIn(forgivenSegments(path));
  // A documented path with another prefix is compared with the correct prefix.
  const meant = tail ? ['console', 'v1', ...tail] : given;
  const scores = endpointIds.map(id => {
    const row = endpoints[id];
    return nearness(meant, segmentsOf(row.path)) + (row.method === method ? 0.2 : 0);
  });
  return endpointIds[scores.indexOf(Math.max(...scores))] ?? endpointIds[0];
}
