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

/** Mutants that change what one place shows in the successful answers of one operation. */

/** The context of a value that an operator may use. */
interface Here {
  readonly spot: Spot;
  /** The original answer. */
  readonly body: JsonObject;
  /** The identity of the shown entity. */
  readonly key: string;
  readonly place: Place;
}

/** Returns the value to show instead; undefined removes it. */
type Change = (value: Json, here: Here) => Value;

/** A neutral operator on answers. `make` is called for each server, so that its memory belongs to one. */
interface AnswerOperator {
  readonly does: string;
  /** The types of the places to which it applies; absent: any. */
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

/** Shows the value of the next item at the same place; for a single entity, that of another entity. */
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

/** Shows the value of the next member with the same type in the same object. */
const ofSibling: Change = (value, { spot }) => {
  const names = Object.keys(spot.holder);
  const from = names.indexOf(spot.name);
  const others = [...names.slice(from + 1), ...names.slice(0, from)];
  const type = typeOf(value);
  const sibling = others.find(name => typeOf(spot.holder[name] as Json) === type && !alike(spot.holder[name], value));
  return sibling === undefined ? value : spot.holder[sibling];
};

/** The operators with their effect on a place. */
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

/** A mutant of answers. */
export interface AnswerMutant {
  readonly operator: string;
  readonly endpoint: EndpointId;
  readonly path: Path;
}

const fits = ({ types }: AnswerOperator, { schema }: Place): boolean => {
  const own = typesOf(schema);
  return types === undefined || own.length === 0 || own.some(type => types.includes(type));
};

/** Returns every mutant of answers, for all places of the contract. */
export const answerMutants = (): readonly AnswerMutant[] =>
  endpointIds.flatMap(endpoint =>
    placesOf(answerSchema(endpoint)).flatMap(place =>
      Object.entries(answerOperators)
        .filter(([, operator]) => fits(operator, place))
        .map(([operator]) => ({ operator, endpoint, path: place.path })),
    ),
  );

/** Returns the changes of a mutant to an answer, each with its spot and new value, from the end. */
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

/** Returns the mutation of a mutant of answers. */
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
      // Change from the end, so that removing list items does not move later spots.
      for (const [index, next] of changesOf(change, place, asked, answer.body)) {
        changed();
        putAt(spots[index] as Spot, copyOf(next));
      }
      return { ...answer, body: shown };
    };
  };

/** Records the numbers of the mutants of answers that would differ, on an unchanged server. */
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

/** Returns a sentence that says what a mutant does. */
export const answerTitle = ({ operator, endpoint, path }: AnswerMutant): string =>
  `${endpointRow(endpoint).title}: \`${nameOf(path)}\` of the answer ${answerOperators[operator]?.does}`;
