import { type EndpointId, endpointIds, endpointRow, endpoints } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { alike, copyOf, nameOf, type Path, type Place, placesOf, putAt, spotsOf, typesOf, valueAt } from './places.ts';
import { type Answered, type Asked, isSuccess, type MakeMutation, type Value } from './seam.ts';
import { filledIn, type Made, type RequestOperator, readable, remembering, unchecked } from './unchecked.ts';

/**
 * Mutants that change how one operation treats requests: what it stores, what it refuses, and the table of all
 * operators.
 */

const once: readonly Value[] = [undefined];
const where = (holds: boolean): readonly Value[] => (holds ? once : []);

const refused: Answered = { status: 400, body: { status: 400, message: 'The request is not valid.' } };

/** Returns the path in the stored entity for a place of a request. Each environment is its own entity. */
const kept = (path: Path): Path => (path[0] === 'environments' ? path.slice(2) : path);

/** Stores an entity with the value from `other` at the place. */
const keeping =
  (other: (value: Value, before: Value) => Value): RequestOperator['make'] =>
  ({ endpoint, place, changed }) =>
  (asked, work) => {
    if (asked.endpoint !== endpoint) return work(asked);
    const path = kept(place.path);
    return work({
      ...asked,
      puts({ entity, before }) {
        const own = copyOf(entity);
        const old = new Map(spotsOf(before, path).map(spot => [nameOf(spot.at), valueAt(spot)]));
        for (const spot of [...spotsOf(own, path)].reverse()) {
          const value = valueAt(spot);
          const next = other(value, old.get(nameOf(spot.at)));
          if (value === undefined || alike(next, value)) continue;
          changed();
          putAt(spot, copyOf(next));
        }
        return { own };
      },
    });
  };

/** Refuses requests that match `when`. */
const refusing =
  (when: (asked: Asked, made: Made) => boolean): RequestOperator['make'] =>
  made =>
  async (asked, work) => {
    if (asked.endpoint !== made.endpoint || !when(asked, made)) return work(asked);
    made.changed();
    return refused;
  };

const isAbsent = ({ body }: Asked, { place }: Made): boolean =>
  spotsOf(body, place.path).some(spot => valueAt(spot) === undefined);

const isPresent = ({ body }: Asked, { place }: Made): boolean =>
  spotsOf(body, place.path).some(spot => valueAt(spot) !== undefined);

/** Returns the measure of a value for bounds: its length, or the value itself. */
const measure = (value: Value): Value =>
  typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : value;

const has = ({ body }: Asked, { place, value }: Made): boolean =>
  spotsOf(body, place.path).some(spot => alike(valueAt(spot), value));

const measures = ({ body }: Asked, { place, value }: Made): boolean =>
  spotsOf(body, place.path).some(spot => alike(measure(valueAt(spot)), value));

/** The inclusive bounds of a schema. */
function boundsOf({ schema }: Place): readonly Value[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema as Readonly<Record<string, number>>;
  return [minLength, maxLength, minimum, maximum, minItems, maxItems].filter(bound => bound !== undefined);
}

/** Stores the member at the place even if the body is refused. */
const keptThoughRefused: RequestOperator['make'] = ({ endpoint, place, changed }) => {
  const accepted = new Map<string, JsonObject>();
  return async (asked, plainWork) => {
    const answer = await remembering(plainWork, accepted)(asked);
    const [name = ''] = place.path;
    const sent = asked.body[name];
    if (asked.endpoint !== endpoint || sent === undefined || ![400, 422].includes(answer.status)) return answer;
    const like = endpoint === 'patch-gate' ? {} : accepted.get(`${endpoint} ${asked.param}`);
    if (like === undefined) return answer;
    const own = endpoint === 'create-metric' ? { name: asked.body.name ?? 'no name' } : {};
    // A dry run would store nothing.
    const { dryRun: _, ...kept } = copyOf(like);
    const done = await plainWork({ ...asked, body: { ...kept, ...own, [name]: sent } });
    if (isSuccess(done)) changed();
    return answer;
  };
};

const neighbourToo: RequestOperator['make'] =
  ({ endpoint, place, changed }) =>
  (asked, work) => {
    if (asked.endpoint !== endpoint) return work(asked);
    const [name = ''] = kept(place.path);
    return work({
      ...asked,
      puts({ entity, before, neighbour }) {
        const value = entity[name];
        if (value === undefined || neighbour === undefined || alike(value, before?.[name])) return { own: entity };
        if (alike(neighbour[name], value)) return { own: entity };
        changed();
        return { own: entity, neighbour: { ...neighbour, [name]: value } };
      },
    });
  };

const notKept: RequestOperator['make'] =
  ({ endpoint, changed }) =>
  (asked, work) =>
    work(
      asked.endpoint !== endpoint
        ? asked
        : {
            ...asked,
            puts() {
              changed();
              return {};
            },
          },
    );

const isTop = ({ path }: Place): boolean => path.length === 1 || (path[0] === 'environments' && path.length === 3);
const isItem = ({ path }: Place): boolean => path.at(-1) === '*';
const canBeRead = (endpoint: EndpointId): boolean => readable.has(endpoint);
const keywordsOf = ({ schema }: Place): readonly string[] => Object.keys(schema);
const enumOf = ({ schema }: Place): readonly Json[] => ('enum' in schema ? [...(schema.enum ?? [])] : []);
const bounds = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
];

/** The operators with what they do. */
// biome-ignore format: a table
export const requestOperators: Readonly<Record<string, RequestOperator>> = {
  forget:              { does: 'is answered and not kept',               at: (place, id) => where(canBeRead(id) && !isItem(place)), make: keeping((_value, before) => before) },
  'keep-null':         { does: 'is kept as null',                        at: (place, id) => where(canBeRead(id) && !isItem(place)), make: keeping(() => null) },
  'keep-refused':      { does: 'of a refused request is kept',           at: (place, id) => where(canBeRead(id) && place.path.length === 1), make: keptThoughRefused },
  'keep-at-neighbour': { does: "is kept at the neighbour's too",         at: (place, id) => where(canBeRead(id) && isTop(place)), make: neighbourToo },
  'keep-nothing':      { does: 'and all else is answered and not kept',  at: ({ path }, id) => where(path.length === 1 && path[0] === Object.keys(endpoints[id].body?.properties ?? {})[0]), make: notKept },
  demand:              { does: 'is demanded',                            at: place => where(!place.isRequired && !isItem(place)), make: refusing(isAbsent) },
  refuse:              { does: 'is refused',                             at: place => where(!place.isRequired && !isItem(place)), make: refusing(isPresent) },
  'refuse-member':     { does: 'is refused where it is',                 at: place => enumOf(place), make: refusing(has) },
  'refuse-bound':      { does: 'is refused where it measures',           at: place => boundsOf(place), make: refusing(measures) },
  'refuse-null':       { does: 'is refused where it is',                 at: place => (typesOf(place.schema).includes('null') ? [null] : []), make: refusing(has) },
  'take-type':         { does: 'is taken in any type',                   at: place => where(typesOf(place.schema).length > 0), make: unchecked('type', 'anyOf') },
  'take-absent':       { does: 'need not be there',                      at: place => where(place.isRequired && !isItem(place)), make: filledIn },
  'take-bound':        { does: 'is taken beyond its bounds',             at: place => where(keywordsOf(place).some(one => bounds.includes(one))), make: unchecked(...bounds) },
  'take-pattern':      { does: 'is taken with any signs',                at: place => where(keywordsOf(place).includes('pattern')), make: unchecked('pattern') },
  'take-member':       { does: 'is taken outside its closed set',        at: place => where(enumOf(place).length > 0), make: unchecked('enum', 'const') },
};

/** A mutant of requests. */
export interface RequestMutant {
  readonly operator: string;
  readonly endpoint: EndpointId;
  readonly path: Path;
  readonly value?: Json;
}

/** Returns every mutant of requests, for all places of the contract. */
export const requestMutants = (): readonly RequestMutant[] =>
  endpointIds.flatMap(endpoint => {
    const { body } = endpoints[endpoint];
    return placesOf(body ?? { type: 'object' }).flatMap(place =>
      Object.entries(requestOperators).flatMap(([operator, { at }]) =>
        at(place, endpoint).map(value => ({
          operator,
          endpoint,
          path: place.path,
          ...(value === undefined ? {} : { value }),
        })),
      ),
    );
  });

/** Returns the mutation of a mutant of requests. */
export const requestMutation =
  ({ operator, endpoint, path, value }: RequestMutant): MakeMutation =>
  changed => {
    const { body } = endpoints[endpoint];
    const place = placesOf(body ?? { type: 'object' }).find(one => nameOf(one.path) === nameOf(path)) as Place;
    const made: Made = { endpoint, place, changed, ...(value === undefined ? {} : { value }) };
    return (requestOperators[operator] as RequestOperator).make(made);
  };

/** Returns a sentence that says what a mutant does. */
export const requestTitle = ({ operator, endpoint, path, value }: RequestMutant): string =>
  `${endpointRow(endpoint).title}: \`${nameOf(path)}\` ${requestOperators[operator]?.does}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`;
