import { type EndpointId, endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import type { Comparison, SideOfDifference } from '../../contracts/report/difference.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { caseOf } from './align.ts';
import type { PairDifference } from './differences.ts';
import { isAbout, isOfState, isOfValues, isOfWritten, memberAt } from './explained.ts';
import { anyPosition } from './located.ts';
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

/** Where a breach is, closer than by its operation: the case that showed it, and the place in the answer. */
const closerKeysOf = (one: Broken): string[] => [
  `${keyOf(one)} in ${one.of ?? one.id}`,
  ...(one.pointer.startsWith('/') ? [`${keyOf(one)} at ${anyPosition(one.pointer)}`] : []),
];

const isSporadic = (requirement: string): boolean =>
  isRequirementId(requirement) && requirementById(requirement).sporadic === true;

/** True of a MUST that the run itself warns of alone, as others may have done it. */
const isDoubted = ({ requirement, level }: Broken): boolean =>
  level === 'SHOULD' && isRequirementId(requirement) && requirementById(requirement).level === 'MUST';

/** What one run broke. */
interface RunBroken {
  readonly recording: Recording;
  readonly broken: readonly Broken[];
}

/**
 * What one side breaks in its last run and the other one in none. A warning has to be there each time that the side ran,
 * as what is seen only sometimes may be luck; where the run doubts it, in the same case. Where both break one requirement
 * at one operation, a breach is that of one side where the other was sent the same request and kept it, in a case and a
 * place where it never broke it, and where the breach is there each time: two servers may break one clause in ways that
 * have nothing to do with one another.
 */
function onlyOf(side: SideOfDifference, own: readonly RunBroken[], others: readonly RunBroken[]): OneSided[] {
  const elsewhere = new Set(others.flatMap(({ broken }) => broken.map(keyOf)));
  const closer = new Set(others.flatMap(({ broken }) => broken.flatMap(closerKeysOf)));
  const sentToOther = new Set(others[0]?.recording.exchanges.flatMap(one => (one.failure === undefined ? one.id : [])));
  const each = own.map(({ broken }) => new Set(broken.flatMap(one => [keyOf(one), ...closerKeysOf(one)])));
  const isEachTime = (key: string): boolean => each.every(run => run.has(key));
  const isOfItsOwn = (one: Broken): boolean => {
    const keys = closerKeysOf(one);
    const isElsewhere = keys.some(key => closer.has(key));
    return !isElsewhere && !isSporadic(one.requirement) && sentToOther.has(one.id) && keys.every(isEachTime);
  };
  const isSeen = (one: Broken): boolean =>
    one.level === 'MUST' || (isDoubted(one) ? closerKeysOf(one) : [keyOf(one)]).every(isEachTime);
  return (own[0]?.broken ?? [])
    .filter(one => (elsewhere.has(keyOf(one)) ? isOfItsOwn(one) : isSeen(one)))
    .map(one => ({ ...one, side }));
}

/** What both break: of one requirement at one operation, what is not one side's own. */
function sharedBy(a: readonly Broken[], b: readonly Broken[], oneSided: readonly OneSided[]): Comparison['shared'] {
  const isOwn = (side: SideOfDifference, one: Broken): boolean =>
    oneSided.some(own => own.side === side && own.id === one.id && own.requirement === one.requirement);
  const ofB = new Set(b.filter(one => !isOwn('b', one)).map(keyOf));
  const shared = new Map<string, Set<EndpointId>>();
  for (const one of a) {
    if (!ofB.has(keyOf(one)) || isOwn('a', one)) continue;
    const endpoints = shared.get(one.requirement) ?? new Set();
    shared.set(one.requirement, endpoints.add(one.endpoint));
  }
  return [...shared].map(([requirement, endpoints]) => ({ requirement, endpoints: [...endpoints].sort() }));
}

const gathered = <Key>(breaches: readonly OneSided[], keyOfBreach: (one: OneSided) => Key): Map<Key, OneSided[]> => {
  const all = new Map<Key, OneSided[]>();
  for (const one of breaches) {
    const key = keyOfBreach(one);
    const known = all.get(key);
    if (known === undefined) all.set(key, [one]);
    else known.push(one);
  }
  return all;
};

/** Sets the breaches of both sides against one another; the first recording of each is that of its last run. */
export function breachesOf(a: readonly Recording[], b: readonly Recording[]): Breaches {
  const [ofA, ofB] = [a, b].map(runs => runs.map(recording => ({ recording, broken: brokenIn(recording) })));
  const [runsOfA = [], runsOfB = []] = [ofA, ofB];
  const oneSided = [...onlyOf('b', runsOfB, runsOfA), ...onlyOf('a', runsOfA, runsOfB)];
  const byExchange = gathered(oneSided, one => `${one.side} ${one.id}`);
  const byCase = gathered(
    oneSided.filter(({ of }) => of !== null),
    one => one.of,
  );
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
    shared: sharedBy(
      runsOfA.flatMap(({ broken }) => broken),
      runsOfB.flatMap(({ broken }) => broken),
      oneSided,
    ),
    behind({ endpoint, located, pair }) {
      const row = endpointRow(endpoint);
      const { resource } = row;
      const member = memberAt(located.pointer);
      const ofCase =
        pair === null
          ? []
          : [byExchange.get(`b ${pair.b.id}`), byExchange.get(`a ${pair.a.id}`), byCase.get(pair.of)].flatMap(
              breaches => breaches ?? [],
            );
      return (
        ofCase.find(one => isAbout(one, row, located)) ??
        byEndpoint.get(`${endpoint} ${anyPosition(located.pointer)}`) ??
        (member === undefined ? undefined : byMember.get(`${resource} ${member}`)) ??
        (isOfValues(located) && isOfWritten(row, located) ? byResource.get(resource) : undefined)
      );
    },
  };
}
