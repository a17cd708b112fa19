import { type EndpointId, endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import { steps } from '../../contracts/pointer.ts';
import type { Comparison, SideOfDifference } from '../../contracts/report/difference.ts';
import { caseOf } from './align.ts';
import type { PairDifference } from './differences.ts';
import { anyPosition, type Located } from './located.ts';
import type { RecordedBreach, Recording } from './recording.ts';

/** A requirement that one side breaks and the other one keeps, as one exchange shows it. */
export interface OneSided extends RecordedBreach {
  readonly side: SideOfDifference;
  readonly endpoint: EndpointId;
  /** The case whose exchange it is; null where no case sent it. */
  readonly of: string | null;
}

/** Which requirements only one side breaks, and which differences come of that. */
export interface Breaches {
  readonly oneSided: readonly OneSided[];
  readonly shared: Comparison['shared'];
  /** The breach of which a difference comes; undefined where none explains it. */
  behind(difference: PairDifference): OneSided | undefined;
}

type Broken = Omit<OneSided, 'side'>;

const known = new Set<string>(endpointIds);

/** The breaches of a recording, each with the operation that it is of. */
function brokenIn(recording: Recording): Broken[] {
  const exchanges = new Map(recording.exchanges.map(one => [one.id, one]));
  return recording.breaches.flatMap(breach => {
    const named = breach.id.slice(0, breach.id.indexOf('/'));
    const exchange = exchanges.get(breach.id);
    // A side that died broke nothing by it.
    if (recording.outcome !== 'complete' && exchange?.failure !== undefined) return [];
    const endpoint = exchange?.endpoint ?? (known.has(named) ? (named as EndpointId) : undefined);
    return endpoint === undefined ? [] : [{ ...breach, endpoint, of: caseOf(breach.id, recording) }];
  });
}

const keyOf = ({ requirement, endpoint }: Broken): string => `${requirement} ${endpoint}`;

/**
 * What one side breaks in its last run and the other one in none. A warning has to be there each time that the side ran:
 * what is seen only sometimes may be luck.
 */
function onlyOf(
  side: SideOfDifference,
  own: readonly (readonly Broken[])[],
  others: readonly (readonly Broken[])[],
): OneSided[] {
  const elsewhere = new Set(others.flat().map(keyOf));
  const each = own.map(one => new Set(one.map(keyOf)));
  const [last = []] = own;
  return last
    .filter(one => !elsewhere.has(keyOf(one)))
    .filter(one => one.level === 'MUST' || each.every(run => run.has(keyOf(one))))
    .map(one => ({ ...one, side }));
}

function sharedBy(a: readonly Broken[], b: readonly Broken[]): Comparison['shared'] {
  const ofB = new Set(b.map(keyOf));
  const shared = new Map<string, Set<EndpointId>>();
  for (const one of a) {
    if (!ofB.has(keyOf(one))) continue;
    const endpoints = shared.get(one.requirement) ?? new Set();
    shared.set(one.requirement, endpoints.add(one.endpoint));
  }
  return [...shared].map(([requirement, endpoints]) => ({ requirement, endpoints: [...endpoints].sort() }));
}

/** The member of an entity that a pointer leads into; undefined where it leads into none. */
const memberAt = (pointer: string): string | undefined => {
  const [first, ...rest] = steps(pointer);
  return first === 'data' ? rest.find(step => !/^(?:\d+|\*)$/.test(step)) : undefined;
};

/** True of a requirement about what an entity is afterwards, which is seen in whatever reads it. */
const isOfState = ({ requirement }: OneSided): boolean => /^(?:state|reject|auth)\./.test(requirement);

const isOfValues = ({ aspect }: Located): boolean =>
  aspect !== 'outcome' && aspect !== 'status' && aspect !== 'answered';

/** Sets the breaches of both sides against one another; the first recording of each is that of its last run. */
export function breachesOf(a: readonly Recording[], b: readonly Recording[]): Breaches {
  const [ofA, ofB] = [a.map(brokenIn), b.map(brokenIn)];
  const oneSided = [...onlyOf('b', ofB, ofA), ...onlyOf('a', ofA, ofB)];
  const byExchange = new Map(oneSided.map(one => [`${one.side} ${one.id}`, one]));
  const byCase = new Map(oneSided.map(one => [one.of, one]));
  const byMember = new Map<string, OneSided>();
  const byEndpoint = new Map<string, OneSided>();
  const byResource = new Map<string, OneSided>();
  for (const one of oneSided) {
    const { resource } = endpointRow(one.endpoint);
    const member = memberAt(one.pointer);
    if (member !== undefined) byMember.set(`${resource} ${member}`, one);
    byEndpoint.set(`${one.endpoint} ${anyPosition(one.pointer)}`, one);
    if (isOfState(one)) byResource.set(resource, one);
  }
  return {
    oneSided,
    shared: sharedBy(ofA.flat(), ofB.flat()),
    behind({ endpoint, located, pair }) {
      const { resource } = endpointRow(endpoint);
      const member = memberAt(located.pointer);
      const own = pair === null ? undefined : (byExchange.get(`b ${pair.b.id}`) ?? byExchange.get(`a ${pair.a.id}`));
      return (
        own ??
        (pair === null ? undefined : byCase.get(pair.of)) ??
        byEndpoint.get(`${endpoint} ${anyPosition(located.pointer)}`) ??
        (member === undefined ? undefined : byMember.get(`${resource} ${member}`)) ??
        (isOfValues(located) ? byResource.get(resource) : undefined)
      );
    },
  };
}
