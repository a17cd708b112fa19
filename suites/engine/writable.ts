import type { Endpoint, Resource } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow, endpointsWhere } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { takesNull } from '../generators/index.ts';
import type { Obstruction, Target, Writable } from '../protocol/sut.ts';
import { fixtureNames } from '../sut/target.ts';
import { isRestoring } from './residue.ts';

/** Body fields that control the request and are not stored. */
export const transient: ReadonlySet<string> = new Set(['dryRun', 'skip_validation']);

/** Request fields that answers show under another name. */
const shownAs: Readonly<Record<string, string>> = { teamID: 'team' };

/** True if an entity shows that a field is unset: writing null changes nothing. */
export const showsNone = (entity: JsonObject, field: string): boolean =>
  [field, shownAs[field] ?? field].some(name => entity[name] === null);

/** The known fixtures of one resource. */
export interface KnownFixtures {
  /** Each as answers show it; absent if unreadable. The key '' holds a set that is replaced as a whole. */
  readonly entities: ReadonlyMap<string, JsonObject>;
  /** The fixtures that must not be written, and why. */
  readonly obstructions: ReadonlyMap<string, Obstruction>;
  /** The fixtures whose fields can be sent in a dry run. */
  readonly dryRuns: ReadonlySet<string>;
  /** Members whose form in answers differs from the one in requests. */
  readonly leftOut: readonly string[];
}

/** Returns the operation that restores a resource: its body defines the fields. */
const restoringRow = (resource: Resource): Endpoint | undefined =>
  endpointsWhere(row => row.resource === resource && isRestoring(row)).map(endpointRow)[0];

const unread = 'it could not be read before the run, so it could not be put back';
const unknown = 'no answer tells what it is now, so it could not be put back';
const shownAsNull = 'answers show it as null, which no request takes, so it could not be put back';
const otherForm = 'answers show it in another form than requests take, so it could not be put back';

/** Returns what may be written to fixtures: the fields whose present value an answer showed. */
export function writableOf(target: Target, known: ReadonlyMap<Resource, KnownFixtures>): Writable {
  const fixturesWith = (endpoint: EndpointId, name: string): KnownFixtures | undefined => {
    const { resource, fixture, effect, param } = endpointRow(endpoint);
    // An entity that is no fixture does not exist, or is never written to.
    const isFixture = fixture !== null && fixtureNames(target, fixture).includes(name);
    return effect === 'restorable' && param !== null && isFixture ? known.get(resource) : undefined;
  };
  return {
    entity: (endpoint, name = '') => fixturesWith(endpoint, name)?.obstructions.get(name),
    field(endpoint, param, field, value) {
      const name = param ?? '';
      const fixtures = fixturesWith(endpoint, name);
      if (fixtures === undefined) return undefined;
      const restoring = restoringRow(endpointRow(endpoint).resource);
      const schema = restoring?.body?.properties?.[field];
      if (schema === undefined || field === restoring?.param || transient.has(field)) return undefined;
      if (fixtures.leftOut.includes(field)) return otherForm;
      const entity = fixtures.entities.get(name);
      if (entity === undefined) return unread;
      if (value === null && takesNull(schema) && showsNone(entity, field)) return undefined;
      const isShown = Object.hasOwn(entity, field);
      if (isShown && (entity[field] !== null || takesNull(schema))) return undefined;
      return isShown ? shownAsNull : unknown;
    },
    triesDry: (endpoint, name = '') => fixturesWith(endpoint, name)?.dryRuns.has(name) ?? false,
  };
}
