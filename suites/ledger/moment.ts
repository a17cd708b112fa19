import type { Endpoint } from '../../contracts/endpoint.ts';
import { type Json, type JsonObject, membersOf } from '../../contracts/json.ts';
import { at } from '../../contracts/pointer.ts';
import { compareEcho } from '../judge/echo.ts';
import type { Attempt } from './attempt.ts';
import type { Cell } from './cells.ts';
import type { History } from './history.ts';
import { type Place, type Placed, placedIn } from './placed.ts';

/** A value that an otherwise valid request carried. */
export interface Sent extends Placed {
  /** The answer to the write, or a later one of another operation, shows it as it was sent. */
  readonly isShown: boolean;
  /** What the same place of the entity showed before. */
  readonly before: Json | undefined;
}

/** One exchange, seen with what was known when its answer came. */
export type Moment = Readonly<ReturnType<typeof momentOf>>;

/** The pointers of what an answer does not show as it was sent, of the fields that are asked for. */
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

/** True of a place whose own value, what holds it and what it holds are none of those that differ. */
const isAmong = (pointer: string, unshown: readonly string[]): boolean =>
  unshown.some(one => one === pointer || one.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`));

const fieldOf = (pointer: string): string => pointer.split('/')[1] ?? '';

/**
 * Looks at an exchange.
 *
 * @param places those of its body, of which what is asked for is looked at; null where there are none
 * @param later the fields that a later answer showed as they were sent; absent: none
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
    isJudged && outcome === 'accepted' && places !== null
      ? unshownIn(row, places, body, shown[0]?.entity ?? null).filter(pointer => !later.has(fieldOf(pointer)))
      : [];
  const placed: ReadonlyMap<string, readonly Placed[]> =
    isJudged && places !== null ? placedIn(places, body) : new Map();
  const unshown = new Set(differing.map(fieldOf));
  const known = new Map<string, readonly Sent[]>();
  return {
    attempt,
    history,
    /** The places at which its body carries something that is asked for. */
    paths: [...placed.keys()],
    has: (path: string): boolean => placed.has(path),
    /** The fields of its body that its answer does not show as they were sent. */
    unshown,
    /** What its body carries at a place; nothing where it breaks its schema, or got no answer that says anything. */
    sent(path: string): readonly Sent[] {
      const before = known.get(path);
      if (before !== undefined) return before;
      const [field = ''] = path.split(/[.[]/);
      // Of most fields nothing differs.
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
 * What one exchange says of a cell. `shown`: what the cell asks for was seen. `constant`: it was shown, and never anything
 * else, so that it may stand there by itself. `accepted`: nothing showed it. `refused`: the target, or for want of an
 * accepted control the ledger, does not take it as shown.
 */
export interface Trial {
  readonly result: 'shown' | 'constant' | 'accepted' | 'refused';
  /** Asked when the run is over, of what other exchanges may still show: true where it then counts as shown. */
  readonly until?: () => boolean;
}

/** What an exchange says of a cell; nothing where it is about something else. */
export type Seen = (here: Moment, cell: Cell) => readonly Trial[];

export const shown: Trial = { result: 'shown' };
export const accepted: Trial = { result: 'accepted' };
export const refused: Trial = { result: 'refused' };
export const none: readonly Trial[] = [];
