import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { forgivenSegments, tailIn } from './paths.ts';

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
