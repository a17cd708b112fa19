import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { type BrokenKeyword, validatorFor } from '../../../contracts/validation.ts';
import { copyOf, type Path, type Place, putAt, valueAt } from './places.ts';
import { type Answered, type Asked, isSuccess, type Mutation, type Value, type Work } from './seam.ts';

/** Mutants that carry out requests that they must refuse, and the interface of operators on requests. */

/** The parameters of a mutation. */
export interface Made {
  readonly endpoint: EndpointId;
  readonly place: Place;
  /** The enum value or bound under test. */
  readonly value?: Json;
  readonly changed: () => void;
}

/** A neutral operator on requests. */
export interface RequestOperator {
  readonly does: string;
  /** Returns the values to apply it with at a place; none if it does not fit, `undefined` for one without a value. */
  readonly at: (place: Place, endpoint: EndpointId) => readonly Value[];
  readonly make: (made: Made) => Mutation;
}

/** Operations whose entities another answer shows. */
export const readable: ReadonlySet<string> = new Set<EndpointId>([
  'update-environments',
  'update-qualifying-event',
  'update-experiment',
  'patch-gate',
  'create-metric',
]);

/** Remembers the last body that each operation accepted; answers as the work does. */
export function remembering(work: Work, accepted: Map<string, JsonObject>) {
  return async (asked: Asked): Promise<Answered> => {
    const answer = await work(asked);
    if (isSuccess(answer)) {
      accepted.set(`${asked.endpoint} ${asked.param}`, asked.body);
      accepted.set(asked.endpoint, asked.body);
    }
    return answer;
  };
}

/** Returns the errors of a body, if all are at a place and of these kinds. */
function onlyProblems(asked: Asked, { path }: Place, keywords: readonly string[]): readonly BrokenKeyword[] {
  const { body } = endpoints[asked.endpoint];
  if (body === null) return [];
  const problems = validatorFor(body)(asked.body);
  const isHere = ({ pointer, keyword }: BrokenKeyword): boolean => {
    const at = steps(pointer);
    const isSame = at.length === path.length && path.every((step, index) => step === '*' || step === at[index]);
    return isSame && keywords.includes(keyword);
  };
  return problems.every(isHere) ? problems : [];
}

/**
 * Carries out requests that are invalid only at the place: works with an earlier accepted value, then stores and shows
 * the sent one. Leaves out a member that was never accepted.
 */
export const unchecked =
  (...keywords: readonly string[]): RequestOperator['make'] =>
  ({ endpoint, place, changed }) => {
    const accepted = new Map<string, JsonObject>();
    let created = 0;
    return async (asked, plainWork) => {
      const work = remembering(plainWork, accepted);
      if (asked.endpoint !== endpoint) return work(asked);
      const problems = onlyProblems(asked, place, keywords);
      if (problems.length === 0) return work(asked);
      const like = accepted.get(`${endpoint} ${asked.param}`) ?? accepted.get(endpoint);
      const right = copyOf(asked.body);
      const wrong: { readonly at: Path; readonly value: Value; readonly instead: Value }[] = [];
      for (const { pointer } of problems) {
        const at = steps(pointer);
        const sent = spotAt(right, at);
        if (sent === undefined) continue;
        const before = like === undefined ? undefined : spotAt(like, at);
        created += 1;
        const instead = creates(place) ? `taken-${created}` : before && valueAt(before);
        wrong.push({ at, value: copyOf(valueAt(sent)), instead });
        putAt(sent, copyOf(instead));
      }
      const restore = (whole: JsonObject): JsonObject => {
        for (const { at, value, instead } of wrong) {
          const spot = spotAt(whole, at);
          if (spot !== undefined) putAt(spot, copyOf(value));
          // The id of a metric contains its name.
          if (creates(place) && typeof whole.id === 'string')
            whole.id = whole.id.replace(String(instead), String(value));
        }
        return whole;
      };
      const isEnvironment = place.path[0] === 'environments';
      const answer = await plainWork({
        ...asked,
        body: right,
        puts: ({ entity }) => ({ own: isEnvironment || !readable.has(endpoint) ? entity : restore(copyOf(entity)) }),
      });
      if (!isSuccess(answer)) return work(asked);
      changed();
      const body = copyOf(answer.body);
      const { data } = body;
      if (typeof data === 'object' && data !== null && !Array.isArray(data)) restore(data);
      return { ...answer, body };
    };
  };

const creates = ({ schema, path }: Place): boolean => path.length === 1 && schema.annotation?.creates === true;

/** Returns the spot at a path with indexes; undefined if its holder is absent. */
function spotAt(whole: Json, at: Path) {
  let holder: Json | undefined = whole;
  for (const step of at.slice(0, -1))
    holder = typeof holder === 'object' && holder !== null ? (holder as Record<string, Json>)[step] : undefined;
  const name = at.at(-1);
  return typeof holder === 'object' && holder !== null && name !== undefined
    ? { holder: holder as Record<string, Json>, name, at }
    : undefined;
}

/** Carries out requests without a required member, with an earlier accepted value of it. */
export const filledIn: RequestOperator['make'] = ({ endpoint, place, changed }) => {
  const accepted = new Map<string, JsonObject>();
  return async (asked, plainWork) => {
    const work = remembering(plainWork, accepted);
    if (asked.endpoint !== endpoint) return work(asked);
    const [problem, ...others] = onlyProblems(asked, place, ['required']);
    const like = accepted.get(`${endpoint} ${asked.param}`) ?? accepted.get(endpoint);
    if (problem === undefined || like === undefined) return work(asked);
    const body = copyOf(asked.body);
    for (const { pointer } of [problem, ...others]) {
      const [from, to] = [spotAt(like, steps(pointer)), spotAt(body, steps(pointer))];
      if (from === undefined || to === undefined || valueAt(from) === undefined) return work(asked);
      putAt(to, copyOf(valueAt(from)));
    }
    const answer = await plainWork({ ...asked, body });
    if (isSuccess(answer)) changed();
    return isSuccess(answer) ? answer : work(asked);
  };
};
