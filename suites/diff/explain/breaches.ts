import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { grouped } from '../../../contracts/grouped.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { anyPosition, isWithin } from '../../../contracts/pointer.ts';
import type { Comparison, SideOfDifference } from '../../../contracts/report/difference.ts';
import { isRequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { propertiesOf } from '../../judge/compared.ts';
import { entryOf } from '../../protocol/entries.ts';
import type { PairDifference } from '../compare/differences.ts';
import { switched } from '../compare/origins.ts';
import { isOfAnswer, type Located, memberAt } from '../compare/values.ts';
import { caseOf, type RecordedBreach, type Recording } from '../record/recording.ts';

/** The parts of a breach that decide which differences it explains. */
type Explaining = Pick<RecordedBreach, 'requirement' | 'pointer'>;

/** True for a requirement on the resulting state of an entity, which shows in every read. */
const isOfState = ({ requirement }: Explaining): boolean => /^(?:state|reject|auth)\./.test(requirement);

/** True for a requirement on echoes: a server that alters or loses one sent value probably does so to more. */
const isOfSent = ({ requirement }: Explaining): boolean => requirement.startsWith('echo.');

/** Returns the members of a resource that operations write; if there are none, those that its answers show. */
const writtenMembers = memoized(({ resource }: Endpoint): ReadonlySet<string> => {
  const rows = endpointIds.map(endpointRow).filter(row => row.resource === resource);
  const asked = rows.flatMap(({ body }) => Object.keys(body?.properties ?? {}));
  const shown = rows.flatMap(({ data }) => Object.keys(propertiesOf(data) ?? {}));
  const written = asked.filter(name => shown.includes(name));
  return new Set([...(written.length > 0 ? written : shown), ...switched]);
});

/** True if a wrong entity can cause a difference here: at a written member, or at a page. */
function isOfWritten(row: Endpoint, { pointer }: Located): boolean {
  const member = memberAt(pointer);
  if (member !== undefined) return writtenMembers(row).has(member);
  return isInPage(pointer);
}

const isInPage = (pointer: string): boolean => isWithin(pointer, '/data') || isWithin(pointer, '/pagination');

/**
 * True if a breach explains a difference of the same case. A fault at one place of an answer explains no other place,
 * so other differences beside it are still reported.
 */
function isAbout(one: Explaining, row: Endpoint, located: Located): boolean {
  const place = anyPosition(one.pointer);
  const isOfWrites = isOfState(one) || isOfSent(one);
  const isOfPlace = (isInPage(place) || isWithin(place, '/message')) && !isOfWrites;
  if (!isOfPlace) return !isOfWrites || isOfAnswer(located) || isOfWritten(row, located);
  if (place.startsWith('/pagination') && isInPage(located.pointer)) return true;
  const member = memberAt(place);
  return (
    isWithin(located.pointer, place) ||
    isWithin(place, located.pointer) ||
    (member !== undefined && member === memberAt(located.pointer))
  );
}

/** A breach of one side of a requirement that the other keeps, as one exchange shows it. */
export interface OneSided extends RecordedBreach {
  readonly side: SideOfDifference;
  readonly endpoint: EndpointId;
  /** The case of the exchange; null if no case sent it. */
  readonly of: string | null;
}

type Broken = Omit<OneSided, 'side'>;

/** Returns the breaches of a recording, each with its operation. */
function brokenIn(recording: Recording): Broken[] {
  const exchanges = new Map(recording.exchanges.map(one => [one.id, one]));
  return recording.breaches.flatMap(breach => {
    const exchange = exchanges.get(breach.id);
    // The failed last request of an aborted run is no breach.
    if (recording.outcome !== 'complete' && exchange?.failure !== undefined) return [];
    const endpoint = exchange?.endpoint ?? endpointIds.find(id => breach.id.startsWith(`${id}/`));
    return endpoint ? { ...breach, endpoint, of: caseOf(breach.id, recording) } : [];
  });
}

const keyOf = ({ requirement, endpoint }: Broken): string => `${requirement} ${endpoint}`;

/** Returns keys narrower than the operation: by the case, and by the place in the answer. */
const closerKeysOf = (one: Broken): string[] => [
  `${keyOf(one)} in ${one.of ?? one.id}`,
  ...(one.pointer.startsWith('/') ? [`${keyOf(one)} at ${anyPosition(one.pointer)}`] : []),
];

const isSporadic = (requirement: string): boolean =>
  isRequirementId(requirement) && requirementById(requirement).sporadic === true;

/** True for a MUST that the run itself reports only as a warning, because others may be the cause. */
const isDoubted = ({ requirement, level }: Broken): boolean =>
  level === 'SHOULD' && isRequirementId(requirement) && requirementById(requirement).level === 'MUST';

/** The breaches of one run. */
interface RunBroken {
  readonly recording: Recording;
  readonly broken: readonly Broken[];
}

/**
 * Returns the breaches in the last run of one side that no run of the other has. A warning must recur in every run of
 * the side, because one sighting may be chance; a doubted one must recur in the same case. If both servers break the
 * requirement at one operation, blame one only when the other kept it for the same request and never broke it at this
 * place. The breach must then recur in every run, because two servers may break one clause in unrelated ways.
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

/** Returns the requirements that both sides break at the same operation, without one-sided breaches. */
function sharedBy(a: readonly Broken[], b: readonly Broken[], oneSided: readonly OneSided[]): Comparison['shared'] {
  const isOwn = (side: SideOfDifference, one: Broken): boolean =>
    oneSided.some(own => own.side === side && own.id === one.id && own.requirement === one.requirement);
  const ofB = new Set(b.filter(one => !isOwn('b', one)).map(keyOf));
  const shared = new Map<string, Set<EndpointId>>();
  for (const one of a) {
    if (!ofB.has(keyOf(one)) || isOwn('a', one)) continue;
    entryOf(shared, one.requirement, () => new Set()).add(one.endpoint);
  }
  return [...shared].map(([requirement, endpoints]) => ({ requirement, endpoints: [...endpoints].sort() }));
}

/** Compares the breaches of both sides; the first recording of each side is its last run. */
export function breachesOf(a: readonly Recording[], b: readonly Recording[]) {
  const brokenBy = (runs: readonly Recording[]): RunBroken[] =>
    runs.map(recording => ({ recording, broken: brokenIn(recording) }));
  const [runsOfA, runsOfB] = [brokenBy(a), brokenBy(b)];
  const oneSided = [...onlyOf('b', runsOfB, runsOfA), ...onlyOf('a', runsOfA, runsOfB)];
  const byExchange = grouped(oneSided, one => `${one.side} ${one.id}`);
  const byCase = grouped(oneSided, one => one.of);
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
    /** Returns the breach that explains a difference; undefined if none does. */
    behind({ endpoint, located, pair }: PairDifference): OneSided | undefined {
      const row = endpointRow(endpoint);
      const { resource } = row;
      const member = memberAt(located.pointer);
      const ofCase = pair && [byExchange.get(`b ${pair.b.id}`), byExchange.get(`a ${pair.a.id}`), byCase.get(pair.of)];
      return (
        ofCase?.flatMap(breaches => breaches ?? []).find(one => isAbout(one, row, located)) ??
        byEndpoint.get(`${endpoint} ${anyPosition(located.pointer)}`) ??
        (member === undefined ? undefined : byMember.get(`${resource} ${member}`)) ??
        (!isOfAnswer(located) && isOfWritten(row, located) ? byResource.get(resource) : undefined)
      );
    },
  };
}
