import { answerSchema, type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import {
  alike,
  copyOf,
  keyOfSpot,
  nameOf,
  type Path,
  type Place,
  placesOf,
  putAt,
  type Spot,
  spotsOf,
  typeOf,
  typesOf,
  valueAt,
} from './places.ts';
import { type Asked, isSuccess, type MakeMutation, type Mutation, type Value } from './seam.ts';

/** Mutants that show one place of the successes of one operation otherwise. */

/** What an operator may look at beside the value. */
interface Here {
  readonly spot: Spot;
  /** The whole answer, as it was. */
  readonly body: JsonObject;
  /** What identifies the entity that is shown. */
  readonly key: string;
  readonly place: Place;
}

/** Gives what is shown in the place of a value; undefined takes it away. */
type Change = (value: Json, here: Here) => Value;

/** A neutral operator on answers. `make` is called once for each server: what it remembers belongs to that one. */
interface AnswerOperator {
  readonly does: string;
  /** The types of the places that it is applied to; any when absent. */
  readonly types?: readonly string[];
  readonly make: (place: Place) => Change;
}

const always =
  (change: (value: Json) => Value): AnswerOperator['make'] =>
  () =>
    change;

const ofNumbers = (change: (value: number) => number) =>
  always(value => (typeof value === 'number' ? change(value) : value));
const ofTexts = (change: (value: string) => string) =>
  always(value => (typeof value === 'string' ? change(value) : value));
const ofLists = (change: (value: Json[]) => Json[]) => always(value => (Array.isArray(value) ? change(value) : value));

function retyped(value: Json): Json {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return /^\d+$/.test(value) ? Number(value) : [value];
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, index) => [String(index), item]));
  return value === null ? '' : Object.entries(value).map(([name, member]) => ({ name, value: member }));
}

/** The value at the same place of the item that stands after this one; of a single entity, that of another one. */
function ofNeighbour(): Change {
  const last = new Map<string, Json>();
  return (value, { spot, body, key, place }) => {
    const [first, index] = spot.at;
    if (first === 'data' && place.path[1] === '*' && Array.isArray(body.data) && body.data.length > 1) {
      const next = (Number(index) + 1) % body.data.length;
      if (place.path.length === 2) return body.data[next];
      const [other] = spotsOf(body.data[next], place.path.slice(2));
      return other === undefined ? value : (valueAt(other) ?? value);
    }
    const other = [...last].findLast(([known]) => known !== key)?.[1];
    last.delete(key);
    last.set(key, value);
    return other ?? value;
  };
}

/** The value of another member of the same object and type: the one that stands next. */
const ofSibling: Change = (value, { spot }) => {
  const names = Object.keys(spot.holder);
  const from = names.indexOf(spot.name);
  const others = [...names.slice(from + 1), ...names.slice(0, from)];
  const type = typeOf(value);
  const sibling = others.find(name => typeOf(spot.holder[name] as Json) === type && !alike(spot.holder[name], value));
  return sibling === undefined ? value : spot.holder[sibling];
};

/** The operators, each with what it does to a place. */
// biome-ignore format: a table
export const answerOperators: Readonly<Record<string, AnswerOperator>> = {
  drop:        { does: 'is left out',                                make: always(() => undefined) },
  null:        { does: 'is null',                                    make: always(() => null) },
  retype:      { does: 'is of another type',                         make: always(retyped) },
  constant:    { does: 'is always what it was first',                make: () => { let first: Value; return value => { first ??= copyOf(value); return first; }; } },
  sibling:     { does: 'shows a sibling of its type',                make: () => ofSibling },
  neighbour:   { does: "shows what is the neighbour's",              make: ofNeighbour },
  'off-by-one':{ does: 'is one more',       types: ['number'],       make: ofNumbers(value => value + 1) },
  round:       { does: 'is rounded',        types: ['number'],       make: ofNumbers(value => Math.round(value)) },
  truncate:    { does: 'is cut after 24 characters', types: ['string'], make: ofTexts(value => value.slice(0, 24)) },
  trim:        { does: 'loses its outer blanks', types: ['string'],  make: ofTexts(value => value.trim()) },
  reorder:     { does: 'comes in the opposite order', types: ['array'], make: ofLists(value => value.toReversed()) },
  shorten:     { does: 'lacks its last item', types: ['array'],      make: ofLists(value => value.slice(0, -1)) },
  double:      { does: 'has its last item twice', types: ['array'],  make: ofLists(value => [...value, ...value.slice(-1)]) },
  empty:       { does: 'is an empty list',  types: ['array'],        make: ofLists(() => []) },
  stale:       { does: 'is what it was one answer before',           make: () => { const last = new Map<string, Json>(); return (value, { key, spot }) => { const at = `${key} ${nameOf(spot.at)}`; const before = last.get(at); last.set(at, copyOf(value)); return before ?? value; }; } },
  flip:        { does: 'is the opposite',   types: ['boolean'],      make: always(value => (typeof value === 'boolean' ? !value : value)) },
};

/** One such mutant. */
export interface AnswerMutant {
  readonly operator: string;
  readonly endpoint: EndpointId;
  readonly path: Path;
}

const fits = ({ types }: AnswerOperator, { schema }: Place): boolean => {
  const own = typesOf(schema);
  return types === undefined || own.length === 0 || own.some(type => types.includes(type));
};

/** Every mutant of answers that the contract has places for. */
export const answerMutants = (): readonly AnswerMutant[] =>
  endpointIds.flatMap(endpoint =>
    placesOf(answerSchema(endpoint)).flatMap(place =>
      Object.entries(answerOperators)
        .filter(([, operator]) => fits(operator, place))
        .map(([operator]) => ({ operator, endpoint, path: place.path })),
    ),
  );

/** How a mutant would change an answer: each spot with what is shown there then, from the end. */
function changesOf(
  change: Change,
  place: Place,
  { endpoint, param }: Asked,
  body: JsonObject,
): readonly (readonly [index: number, next: Value])[] {
  const changes = [...spotsOf(body, place.path).entries()].flatMap(([index, spot]) => {
    const value = valueAt(spot);
    if (value === undefined) return [];
    const next = change(value, { spot, body, key: keyOfSpot(endpoint, param, body, spot), place });
    return alike(next, value) ? [] : [[index, next] as const];
  });
  return changes.reverse();
}

const placeOf = ({ endpoint, path }: AnswerMutant): Place =>
  placesOf(answerSchema(endpoint)).find(one => one.path === path || nameOf(one.path) === nameOf(path)) as Place;

const changeOf = (mutant: AnswerMutant, place: Place): Change =>
  answerOperators[mutant.operator]?.make(place) as Change;

/** The change of a mutant of answers. */
export const answerMutation =
  (mutant: AnswerMutant): MakeMutation =>
  changed => {
    const place = placeOf(mutant);
    const change = changeOf(mutant, place);
    return async (asked, work) => {
      const answer = await work(asked);
      if (asked.endpoint !== mutant.endpoint || !isSuccess(answer)) return answer;
      const shown = copyOf(answer.body);
      const spots = spotsOf(shown, place.path);
      // From the end, so that what is taken out of a list moves nothing that is still to come.
      for (const [index, next] of changesOf(change, place, asked, answer.body)) {
        changed();
        putAt(spots[index] as Spot, copyOf(next));
      }
      return { ...answer, body: shown };
    };
  };

/** Notes, by their number in the list, the mutants of answers that would differ of a server that nobody changes. */
export function watchDiffering(found: Set<number>): Mutation {
  const left = new Map(
    endpointIds.map(id => [
      id,
      new Map(
        [...answerMutants().entries()]
          .filter(([, { endpoint }]) => endpoint === id)
          .map(([number, mutant]) => {
            const place = placeOf(mutant);
            return [number, { place, change: changeOf(mutant, place) }] as const;
          }),
      ),
    ]),
  );
  return async (asked, work) => {
    const answer = await work(asked);
    const own = left.get(asked.endpoint);
    if (isSuccess(answer))
      for (const [number, { place, change }] of own ?? []) {
        if (changesOf(change, place, asked, answer.body).length === 0) continue;
        found.add(number);
        own?.delete(number);
      }
    return answer;
  };
}

/** What a mutant does, as a sentence. */
export const answerTitle = ({ operator, endpoint, path }: AnswerMutant): string =>
  `${endpointRow(endpoint).title}: \`${nameOf(path)}\` of the answer ${answerOperators[operator]?.does}`;
