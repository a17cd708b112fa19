import { decoded } from '../../../contracts/decoded.ts';
import { type EndpointId, endpointIds, endpoints } from '../../../contracts/endpoints.ts';

/** The path and the query of a request, of which the target may be a whole URL (RFC 9112 section 3.2.2). */
export function partsOf(target: string): { path: string; query: URLSearchParams } {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '').split('#')[0] ?? '';
  const at = local.indexOf('?');
  if (at < 0) return { path: local, query: new URLSearchParams() };
  return { path: local.slice(0, at), query: new URLSearchParams(local.slice(at + 1)) };
}

/** The path and the query of a URL below a base, which has no slash at its end; undefined where it is not below it. */
export function targetBelow({ origin, pathname, search }: URL, base: string): string | undefined {
  const whole = `${origin}${pathname}`;
  const isBelow = whole === base || whole.startsWith(`${base}/`);
  return isBelow ? `${whole.slice(base.length) || '/'}${search}` : undefined;
}

/** The segments of a path as a router might read them that forgives: without empty and dot segments, decoded. */
export function forgivenSegments(path: string): readonly string[] {
  const found: string[] = [];
  for (const part of decoded(path.slice(0, longestRead)).split('/')) {
    if (part === '..') found.pop();
    else if (part !== '' && part !== '.') found.push(part);
  }
  return found;
}

/** Longer paths are read by their beginning. */
const longestRead = 2_000;

/** The segments of the documented paths behind `/console/v1`. */
const tails = endpointIds.map(id => endpoints[id].path.split('/').slice(3));

const isTail = (segments: readonly string[]): boolean =>
  tails.some(
    tail =>
      tail.length === segments.length && tail.every((one, index) => one.startsWith('{') || one === segments[index]),
  );

/** So many segments may stand before a documented path in the place of its prefix. */
const mostBefore = 3;

/** Where the part of a path begins that is documented but for its prefix: `/v1/segments`; undefined where none is. */
function tailIn(segments: readonly string[]): readonly string[] | undefined {
  for (let from = 0; from <= Math.min(mostBefore, segments.length - 1); from += 1)
    if (isTail(segments.slice(from))) return segments.slice(from);
  return undefined;
}

/**
 * True of a path of the API, whatever its version, the letter case of its prefix and the slashes in it; and of one that
 * is documented but for its prefix, where the request carries the key of the API: nobody else is meant then.
 */
export function isMeantForApi(path: string, hasKey: () => boolean): boolean {
  if (/^\/console\/v\d+(\/|$)/i.test(path)) return true;
  const segments = forgivenSegments(path);
  if (segments[0]?.toLowerCase() === 'console' && /^v\d+$/i.test(segments[1] ?? '')) return true;
  return tailIn(segments) !== undefined && hasKey();
}

/** How many letters two texts begin with alike, as a share of the longer one. */
function alike(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 1;
  let at = 0;
  while (at < one.length && one[at]?.toLowerCase() === other[at]?.toLowerCase()) at += 1;
  return at / longest;
}

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** How near a path is to a route: alike segments in their places, less what one of the two has more. */
function nearness(path: readonly string[], route: readonly string[]): number {
  let score = 0;
  for (const [index, segment] of route.entries()) {
    const given = path[index];
    if (given === undefined) break;
    score += segment.startsWith('{') ? 0.6 : alike(segment, given);
  }
  return score - Math.abs(path.length - route.length) * 0.4;
}

/** Longer paths are compared by their beginning. */
const mostCompared = 300;

/** The documented operation that is nearest to a request that asks for none. `path` has no query. */
export function nearestOperation(method: string, path: string): EndpointId {
  const given = segmentsOf(path.slice(0, mostCompared));
  const tail = tailIn(forgivenSegments(path));
  // A path that is documented but for its prefix is nearest to the one with it.
  const meant = tail === undefined ? given : ['console', 'v1', ...tail];
  let best: { id: EndpointId; score: number } | undefined;
  for (const id of endpointIds) {
    const row = endpoints[id];
    const score = nearness(meant, segmentsOf(row.path)) + (row.method === method ? 0.2 : 0);
    if (best === undefined || score > best.score) best = { id, score };
  }
  return best?.id ?? endpointIds[0];
}
