import type { Endpoint } from '../../contracts/endpoint.ts';
import { endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import { memoized } from '../../contracts/memoized.ts';
import { steps } from '../../contracts/pointer.ts';
import { propertiesOf } from '../judge/compared.ts';
import { anyPosition, type Located } from './located.ts';
import { switched } from './origins.ts';
import type { RecordedBreach } from './recording.ts';

/** A breach as far as it decides which differences come of it. */
type Explaining = Pick<RecordedBreach, 'requirement' | 'pointer'>;

/** The member of an entity that a pointer leads into; undefined where it leads into none. */
export const memberAt = (pointer: string): string | undefined => {
  const [first, ...rest] = steps(pointer);
  return first === 'data' ? rest.find(step => !/^(?:\d+|\*)$/.test(step)) : undefined;
};

/** True of a requirement about what an entity is afterwards, which is seen in whatever reads it. */
export const isOfState = ({ requirement }: Pick<Explaining, 'requirement'>): boolean =>
  /^(?:state|reject|auth)\./.test(requirement);

/** True of a requirement about what was sent: who changes texts, or loses members, does so to more than the one named. */
const isOfSent = ({ requirement }: Pick<Explaining, 'requirement'>): boolean => requirement.startsWith('echo.');

/** True of what an answer shows, as against whether and how it came. */
export const isOfValues = ({ aspect }: Located): boolean =>
  aspect !== 'outcome' && aspect !== 'status' && aspect !== 'answered';

/** The members of a resource that operations write; those that its answers name where no operation names any. */
const writtenMembers = memoized(({ resource }: Endpoint): ReadonlySet<string> => {
  const rows = endpointIds.map(endpointRow).filter(row => row.resource === resource);
  const asked = rows.flatMap(({ body }) => Object.keys(body?.properties ?? {}));
  const shown = rows.flatMap(({ data }) => Object.keys(propertiesOf(data) ?? {}));
  const written = asked.filter(name => shown.includes(name));
  return new Set([...(written.length > 0 ? written : shown), ...switched]);
});

/** True of a place that may look otherwise because an entity is not what it should be: a written member, or a page. */
export function isOfWritten(row: Endpoint, { pointer }: Located): boolean {
  const member = memberAt(pointer);
  if (member !== undefined) return writtenMembers(row).has(member);
  return /^\/(?:data|pagination)(?:\/|$)/.test(pointer);
}

const isWithin = (pointer: string, parent: string): boolean => pointer === parent || pointer.startsWith(`${parent}/`);

/**
 * True where a breach explains a difference of the same case: what is wrong in one place of an answer explains nothing
 * of another one, so that what the two do differently beside it is told, too.
 */
export function isAbout(one: Explaining, row: Endpoint, located: Located): boolean {
  const place = anyPosition(one.pointer);
  const isOfWrites = isOfState(one) || isOfSent(one);
  const isOfPlace = /^\/(?:message|data|pagination)(?:\/|$)/.test(place) && !isOfWrites;
  if (!isOfPlace) return !isOfWrites || !isOfValues(located) || isOfWritten(row, located);
  if (place.startsWith('/pagination') && /^\/(?:data|pagination)(?:\/|$)/.test(located.pointer)) return true;
  const member = memberAt(place);
  return (
    isWithin(located.pointer, place) ||
    isWithin(place, located.pointer) ||
    (member !== undefined && member === memberAt(located.pointer))
  );
}
