import type { Endpoint } from '../../contracts/endpoint.ts';
import { type Json, type JsonObject, membersOf } from '../../contracts/json.ts';
import { at, isWithin } from '../../contracts/pointer.ts';
import { compareEcho } from '../judge/echo.ts';
import type { Attempt } from './attempt.ts';
import type { Cell } from './cells.ts';
import type { History } from './history.ts';
import { type Place, type Placed, placedIn } from './placed.ts';

/** A value in an otherwise valid request. */
export interface Sent extends Placed {
  /** True if the answer to the write, or a later one of another operation, shows it as sent. */
  readonly isShown: boolean;
  /** The value that the entity showed there before. */
  readonly before: Json | undefined;
}

/** One exchange, with the knowledge at the time of its answer. */
export type Moment = Readonly<ReturnType<typeof momentOf>>;

/** Returns the pointers, within the wanted fields, at which an answer does not show what was sent. */
function unshownIn({ body: schema }: Endpoint, { members }: Place, body: JsonObject, entity: Json): readonly string[] {
  const found: string[] = [];
  const answered = membersOf(entity);
  for (const { name, place } of members) {
    if (place.wanted === 0 || !Object.hasOwn(body, name)) continue;
    const [value, got] = [body[name] as Json, answered[name] as Json | undefined];
    const field = schema?.properties?.[name];
    if (field?.annotation?.compare === 'never' || (got === undefined && value !== null)) found.push(`/${name}`);
    else if (value !== got)
      for (const { kind, pointer } of compareEcho(value, got, field, `/${name}`))
        if (kind !== 'soft') found.push(pointer);
  }
  return found;
}

/** True if a place, something around it or something within it is not shown as sent. */
const isAmong = (pointer: string, unshown: readonly string[]): boolean =>
  unshown.some(one => isWithin(one, pointer) || isWithin(pointer, one));

const fieldOf = (pointer: string): string => pointer.split('/')[1] ?? '';

/**
 * Prepares an exchange for the cells.
 *
 * @param places the places of its body, of which the wanted ones are read; null if there are none
 * @param later the fields that a later answer showed as sent
 */
export function momentOf(
  attempt: Attempt,
  history: History,
  places: Place | null,
  later: ReadonlySet<string> = new Set(),
) {
  const { row, body, outcome, problems, shown } = attempt;
  const isJudged = row.body !== null && problems.length === 0 && outcome !== 'other' && attempt.key === 'valid';
  const differing =
    isJudged && outcome === 'accepted' && places
      ? unshownIn(row, places, body, shown[0]?.entity ?? null).filter(pointer => !later.has(fieldOf(pointer)))
      : [];
  const placed: ReadonlyMap<string, readonly Placed[]> = isJudged && places ? placedIn(places, body) : new Map();
  const unshown = new Set(differing.map(fieldOf));
  const known = new Map<string, readonly Sent[]>();
  return {
    attempt,
    history,
    /** The wanted places at which the body has a value. */
    paths: [...placed.keys()],
    has: (path: string): boolean => placed.has(path),
    /** The fields of the body that the answer does not show as sent. */
    unshown,
    /** Returns the values of the body at a place; none if the body breaks its schema or the answer tells nothing. */
    sent(path: string): readonly Sent[] {
      const before = known.get(path);
      if (before) return before;
      const [field = ''] = path.split(/[.[]/);
      // Most fields are shown as sent, so skip the comparison for them.
      const mayDiffer = outcome === 'accepted' && unshown.size > 0 && (path === '' || unshown.has(field));
      const made = (placed.get(path) ?? []).map(({ pointer, value }) => ({
        pointer,
        value,
        isShown: outcome === 'accepted' && !(mayDiffer && isAmong(pointer, differing)),
        get before() {
          return attempt.before === undefined ? undefined : at(attempt.before, pointer);
        },
      }));
      known.set(path, made);
      return made;
    },
  };
}

/**
 * The evidence of one exchange for a cell. `shown`: the wanted thing was seen. `constant`: it was seen, but never
 * anything else, so it may have been there anyway. `accepted`: no answer showed it. `refused`: the target did not
 * accept it, or a refusal lacks an accepted control.
 */
export interface Trial {
  readonly result: 'shown' | 'constant' | 'accepted' | 'refused';
  /** Called after the run, because later exchanges may show more: true if the trial then counts as shown. */
  readonly until?: () => boolean;
}

/** Returns the evidence of an exchange for a cell; none if it concerns something else. */
export type Seen = (here: Moment, cell: Cell) => readonly Trial[];

export const shown: Trial = { result: 'shown' };
export const accepted: Trial = { result: 'accepted' };
export const refused: Trial = { result: 'refused' };
export const none: readonly Trial[] = [];
