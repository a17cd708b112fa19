import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { asText, isObject, type Members, membersOf, namesInEither } from '../../../contracts/json.ts';
import { anyPosition, join } from '../../../contracts/pointer.ts';
import type { SideOfDifference } from '../../../contracts/report/difference.ts';
import { linkQuery } from '../../judge/page.ts';
import { inWords } from '../../judge/words.ts';
import { count, entryOf } from '../../protocol/entries.ts';
import type { AlignedPair } from '../align/align.ts';
import type { Counterparts } from '../align/counterparts.ts';
import type { RecordedExchange } from '../record/recording.ts';
import type { Origins, OriginsOfRun } from './origins.ts';
import { areEqualScalars, compareValues, type Found, type Located, located, unlessAlike } from './values.ts';

/** The context of a comparison. */
export interface ComparedWith {
  readonly counterparts: Counterparts;
  readonly origins: { readonly a: OriginsOfRun; readonly b: OriginsOfRun };
  /** True if both servers were reset or seeded alike. */
  readonly sameStart: boolean;
  /** True if both recordings are of one server: find values that move by themselves, whoever wrote before. */
  readonly isSelf: boolean;
  /** The members of list items seen so far, compared once all lists are known. */
  readonly pages: ReturnType<typeof createPagesShown>;
}

/** Compares two entities member by member, as far as the origins allow. `at`: the pointer of each in its answer. */
export function compareEntities(
  { a, b, isApart }: AlignedPair,
  ofA: Members,
  ofB: Members,
  at: { readonly a: string; readonly b: string },
  { counterparts, origins: all, sameStart, isSelf }: ComparedWith,
): Found {
  const row = endpointRow(a.endpoint);
  const schema = 'properties' in row.data ? row.data.properties : undefined;
  const origins = { a: all.a.get(`${a.id} ${at.a}`), b: all.b.get(`${b.id} ${at.b}`) };
  const sent = { a: membersOf(a.request.body), b: membersOf(b.request.body) };
  const bodies = { ...sent, shown: undefined, asked: row.body ?? undefined, name: '' };
  const isSentAlike = (): boolean =>
    counterparts.tentatively(() => compareValues(counterparts, bodies, '').length === 0);
  const differences: Located[] = [];
  const start: string[] = [];
  for (const name of namesInEither(ofA, ofB)) {
    // Most members are equal.
    if (name !== 'version' && areEqualScalars(ofA[name], ofB[name])) continue;
    const place = join(at.a, name);
    const both = {
      a: ofA[name],
      b: ofB[name],
      sentA: sent.a[name],
      sentB: sent.b[name],
      shown: schema?.[name],
      asked: row.body?.properties?.[name],
      name,
      entity: `${row.resource} ${a.request.param ?? ''}`,
    };
    const found = compareValues(counterparts, both, place);
    if (name === 'version' && !isApart) differences.push(...versionDifference(origins.a, origins.b, place));
    if (found.length === 0) continue;
    const from = [origins.a?.of(name) ?? 'start', origins.b?.of(name) ?? 'start'];
    const isOfStart = from.every(origin => origin === 'start');
    const isSent = both.sentA !== undefined || both.sentB !== undefined;
    // Requests that differ by each target's own names have differing effects; so may requests of others.
    const isOfOthers = from.includes('sequel') || !(isSent || isSentAlike());
    const isLeft = isApart || from.includes('left') || (!isSelf && isOfOthers);
    // A member that another case wrote and only one server accepted exists only there.
    if (isLeft && origins.a?.isTaken(name) !== origins.b?.isTaken(name)) continue;
    // Cases overlap, so either of the values that both runs wrote may be there.
    if (isLeft && origins.a?.isKnown(name, ofA[name]) && origins.b?.isKnown(name, ofB[name])) continue;
    if (isLeft || (isOfStart && !sameStart)) {
      const isShape = (one: Located): boolean => one.aspect === 'presence' || one.aspect === 'type';
      const shapes = found.filter(one => isShape(one) && one.pointer === anyPosition(place));
      differences.push(...shapes);
      if (!isLeft && shapes.length === 0) start.push(anyPosition(place));
    } else differences.push(...found);
  }
  return { differences, start };
}

/** Compares the increase of the version if both sides count. */
function versionDifference(a: Origins | undefined, b: Origins | undefined, pointer: string): Located[] {
  if (a?.versionStep === undefined || b?.versionStep === undefined) return [];
  const stepInWords = (step: number): string => (step === 0 ? 'it stays' : `it goes on by ${step}`);
  return unlessAlike(pointer, 'value', stepInWords(a.versionStep), stepInWords(b.versionStep));
}

const inEvery = 'a value in every item';
const inNone = 'nothing (in no item)';

/** The number of list items seen, and how many had each member. */
interface ShownOfList {
  items: number;
  readonly members: Map<string, number>;
}

/** Counts which members the items of lists show. */
export function createPagesShown() {
  const lists = new Map<EndpointId, Readonly<Record<SideOfDifference, ShownOfList>>>();
  return {
    /** Counts the members of the items of a page. */
    note(side: SideOfDifference, endpoint: EndpointId, items: readonly unknown[]): void {
      const newlyShown = (): ShownOfList => ({ items: 0, members: new Map() });
      const shown = entryOf(lists, endpoint, () => ({ a: newlyShown(), b: newlyShown() }))[side];
      shown.items += items.length;
      for (const item of items) for (const name of Object.keys(membersOf(item))) count(shown.members, name);
    },
    /** Returns the members that every item of one side has and no item of the other, whichever the items are. */
    differences: (): { readonly endpoint: EndpointId; readonly located: Located }[] =>
      [...lists].flatMap(([endpoint, { a, b }]) => {
        if (a.items === 0 || b.items === 0) return [];
        const isOfAll = (one: ShownOfList, other: ShownOfList, name: string): boolean =>
          one.members.get(name) === one.items && !other.members.has(name);
        return [...new Set([...a.members.keys(), ...b.members.keys()])].flatMap(name => {
          const pointer = `/data/*${join('', name)}`;
          if (isOfAll(a, b, name)) return { endpoint, located: located(pointer, 'presence', inEvery, inNone, 'b') };
          if (isOfAll(b, a, name)) return { endpoint, located: located(pointer, 'presence', inNone, inEvery, 'a') };
          return [];
        });
      }),
  };
}

/** Returns the comparable part of a link: its path and the names in its query. */
function linkShape(link: unknown): string {
  if (typeof link !== 'string') return link === null ? 'null' : inWords(link);
  const path = (link.split('?')[0] ?? '').replace(/^https?:\/\/[^/]*/, 'scheme and host, ');
  const names = Object.keys(linkQuery(link)).sort().join(', ');
  return names === '' ? path : `${path} with ${names}`;
}

/** Compares two pages: their pagination, and the items that correspond. */
export function pageDifferences(pair: AlignedPair, input: ComparedWith): Found {
  const { a, b } = pair;
  const { counterparts, pages, sameStart } = input;
  const items = { a: itemsOn(a), b: itemsOn(b) };
  pages.note('a', a.endpoint, items.a);
  pages.note('b', a.endpoint, items.b);
  const differences = pagingDifferences(a, b, sameStart);
  const start: string[] = [];
  const [itemKey] = endpointRow(a.endpoint).itemKey;
  if (itemKey === undefined) return { differences, start };
  const keyOf = (item: unknown): unknown => membersOf(item)[itemKey];
  const isSame = (one: unknown, other: unknown): boolean =>
    typeof one === 'string' && typeof other === 'string' ? counterparts.sameName(one, other) : one === other;
  for (const [index, item] of items.a.entries()) {
    const at = items.b.findIndex(other => isSame(keyOf(item), keyOf(other)));
    const other = items.b[at];
    if (!isObject(item) || !isObject(other)) continue;
    const found = compareEntities(pair, item, other, { a: `/data/${index}`, b: `/data/${at}` }, input);
    differences.push(...found.differences);
    start.push(...found.start);
  }
  // Items left behind by earlier runs have no counterpart.
  const keysOf = (side: SideOfDifference): unknown[] =>
    items[side].map(keyOf).filter(key => !counterparts.isLeftBehind(asText(key), side));
  if (sameStart) differences.push(...setDifferences(keysOf('a'), keysOf('b'), isSame));
  return { differences, start };
}

/** Compares pages of servers that started alike by item keys: missing items, or another order. */
function setDifferences(
  a: readonly unknown[],
  b: readonly unknown[],
  isSame: (one: unknown, other: unknown) => boolean,
): Located[] {
  const matched = a.map(key => b.findIndex(other => isSame(key, other))).filter(at => at >= 0);
  const isWhole = matched.length === a.length && matched.length === b.length;
  const isInOrder = matched.every((at, index) => index === 0 || at > (matched[index - 1] ?? 0));
  if ((isWhole && isInOrder) || a.length + b.length === 0) return [];
  return [located('/data', isWhole ? 'order' : 'value', inWords(a), inWords(b))];
}

const paginationOf = ({ value }: RecordedExchange): Members => membersOf(membersOf(value).pagination);

/** Returns the items of a page; none if the answer is not a page. */
export const itemsOn = ({ value }: RecordedExchange): readonly unknown[] => {
  const { data } = membersOf(value);
  return Array.isArray(data) ? data : [];
};

/** The query parameter that determines each member of the pagination. */
const askedBy: Readonly<Record<string, string>> = { itemsPerPage: 'limit', pageNumber: 'page' };

function pagingDifferences(one: RecordedExchange, other: RecordedExchange, sameStart: boolean): Located[] {
  const [a, b] = [paginationOf(one), paginationOf(other)];
  const isAsAsked = (name: string): boolean =>
    [one, other].every(exchange => {
      const asked = exchange.request.query?.[askedBy[name] ?? ''];
      return asked !== undefined && Number(asked) === paginationOf(exchange)[name];
    });
  return namesInEither(a, b).flatMap((name): Located[] => {
    const pointer = join('/pagination', name);
    const shape = name.endsWith('Page') || name === 'all' ? linkShape : inWords;
    const [left, right] = [shape(a[name]), shape(b[name])];
    if (!(name in a) || !(name in b)) return [located(pointer, 'presence', left, right, name in a ? 'b' : 'a')];
    if (isAsAsked(name)) return [];
    // The length of a list, and so its neighbouring pages, depends on what was there before.
    const isOfStart = name === 'totalItems' || a[name] === null || b[name] === null || name === 'all';
    return isOfStart && !sameStart ? [] : unlessAlike(pointer, 'value', left, right);
  });
}
