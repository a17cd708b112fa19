import { endpointRow } from '../../../contracts/endpoints.ts';
import { asText, isObject, type Members, membersOf } from '../../../contracts/json.ts';
import { join } from '../../../contracts/pointer.ts';
import { linkQuery } from '../../judge/page.ts';
import { inWords } from '../../judge/words.ts';
import type { RecordedExchange } from '../record/recording.ts';
import { type AnsweredPair, compareEntities, type EntitiesInput } from './entities.ts';
import { type Found, type Located, located } from './located.ts';

const inEvery = 'a value in every item';
const inNone = 'nothing (in no item)';

/** How often the items of a list showed each of their members. */
export class PagesShown {
  readonly #items = { a: new Map<string, number>(), b: new Map<string, number>() };
  readonly #members = { a: new Map<string, Map<string, number>>(), b: new Map<string, Map<string, number>>() };

  /** Notes what the items of a page show. */
  note(side: 'a' | 'b', endpoint: string, items: readonly unknown[]): void {
    const members = this.#members[side].get(endpoint) ?? new Map<string, number>();
    this.#members[side].set(endpoint, members);
    this.#items[side].set(endpoint, (this.#items[side].get(endpoint) ?? 0) + items.length);
    for (const item of items)
      for (const name of Object.keys(membersOf(item))) members.set(name, (members.get(name) ?? 0) + 1);
  }

  /** Members that every item of one side shows, and none of the other: what differs although the items do. */
  differences(): { readonly endpoint: string; readonly located: Located }[] {
    return [...this.#members.a].flatMap(([endpoint, ofA]) => {
      const ofB = this.#members.b.get(endpoint) ?? new Map<string, number>();
      const items = { a: this.#items.a.get(endpoint) ?? 0, b: this.#items.b.get(endpoint) ?? 0 };
      if (items.a === 0 || items.b === 0) return [];
      return [...new Set([...ofA.keys(), ...ofB.keys()])].flatMap(name => {
        const shown = { a: ofA.get(name) ?? 0, b: ofB.get(name) ?? 0 };
        const isOfA = shown.a === items.a && shown.b === 0;
        const isOfB = shown.b === items.b && shown.a === 0;
        if (!isOfA && !isOfB) return [];
        const [a, b] = isOfA ? [inEvery, inNone] : [inNone, inEvery];
        return [{ endpoint, located: located(`/data/*${join('', name)}`, 'presence', a, b, isOfA ? 'b' : 'a') }];
      });
    });
  }
}

/** What of a link may be compared: its path, and the names that its query carries. */
function linkShape(link: unknown): string {
  if (typeof link !== 'string') return link === null ? 'null' : inWords(link);
  const path = (link.split('?')[0] ?? '').replace(/^https?:\/\/[^/]*/, 'scheme and host, ');
  const names = Object.keys(linkQuery(link)).sort().join(', ');
  return names === '' ? path : `${path} with ${names}`;
}

/** What answers are compared with. */
export interface AnswersInput extends EntitiesInput {
  /** What the items of lists show, which is compared when all lists were seen. */
  readonly pages: PagesShown;
}

/** Compares two pages: how they are paged, and the items as far as they can be set against one another. */
export function pageDifferences(pair: AnsweredPair, input: AnswersInput): Found {
  const { a, b } = pair;
  const { counterparts, pages, sameStart } = input;
  const items = { a: itemsOn(a), b: itemsOn(b) };
  pages.note('a', a.endpoint, items.a);
  pages.note('b', a.endpoint, items.b);
  const paging = pagingDifferences(a, b, sameStart);
  const { itemKey } = endpointRow(a.endpoint);
  if (itemKey.length === 0) return { differences: paging, start: [] };
  const keyOf = (item: unknown): unknown => membersOf(item)[itemKey[0] ?? ''];
  const isSame = (one: unknown, other: unknown): boolean =>
    typeof one === 'string' && typeof other === 'string' ? counterparts.sameName(one, other) : one === other;
  const differences = [...paging];
  const start: string[] = [];
  const matched: number[] = [];
  for (const [index, item] of items.a.entries()) {
    const at = items.b.findIndex(other => isSame(keyOf(item), keyOf(other)));
    if (at < 0) continue;
    matched.push(at);
    const found = compareItems(pair, item, items.b[at], [index, at], input);
    differences.push(...found.differences);
    start.push(...found.start);
  }
  // What earlier runs left behind has no counterpart.
  const ofThisRun = (side: 'a' | 'b'): readonly unknown[] =>
    items[side].filter(item => !counterparts.isLeftBehind(asText(keyOf(item)), side));
  const known = { a: ofThisRun('a'), b: ofThisRun('b') };
  if (sameStart && known.a.length + known.b.length > 0) differences.push(...setDifferences(known, matched, keyOf));
  return { differences, start };
}

function compareItems(
  pair: AnsweredPair,
  ofA: unknown,
  ofB: unknown,
  at: readonly [number, number],
  input: AnswersInput,
): Found {
  if (!isObject(ofA) || !isObject(ofB)) return { differences: [], start: [] };
  // Origins are known by the position that an item has on its own page.
  const origins = input.originsB.get(`${pair.b.id} /data/${at[1]}`);
  const originsB = new Map(origins === undefined ? [] : [[`${pair.b.id} /data/${at[0]}`, origins]]);
  return compareEntities(pair, ofA, ofB, `/data/${at[0]}`, { ...input, originsB });
}

/** Of two pages of servers that started alike: items that only one shows, and another order. */
function setDifferences(
  items: { readonly a: readonly unknown[]; readonly b: readonly unknown[] },
  matched: readonly number[],
  keyOf: (item: unknown) => unknown,
): Located[] {
  const keys = (list: readonly unknown[]): string => inWords(list.map(keyOf));
  const isWhole = matched.length === items.a.length && matched.length === items.b.length;
  const isInOrder = matched.every((at, index) => index === 0 || at > (matched[index - 1] ?? 0));
  if (isWhole && isInOrder) return [];
  return [located('/data', isWhole ? 'order' : 'value', keys(items.a), keys(items.b))];
}

const paginationOf = ({ value }: RecordedExchange): Members => membersOf(membersOf(value).pagination);

/** The items of a page; none of another answer. */
export const itemsOn = ({ value }: RecordedExchange): readonly unknown[] => {
  const { data } = membersOf(value);
  return Array.isArray(data) ? data : [];
};

/** The query parameters that say what a member of the pagination is to be. */
const askedBy: Readonly<Record<string, string>> = { itemsPerPage: 'limit', pageNumber: 'page' };

function pagingDifferences(one: RecordedExchange, other: RecordedExchange, sameStart: boolean): Located[] {
  const [a, b]: readonly [Members, Members] = [paginationOf(one), paginationOf(other)];
  const isAsAsked = (name: string): boolean =>
    [one, other].every(exchange => {
      const asked = exchange.request.query?.[askedBy[name] ?? ''];
      return asked !== undefined && Number(asked) === paginationOf(exchange)[name];
    });
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name): Located[] => {
    const pointer = join('/pagination', name);
    const shown = [a[name], b[name]].map(value =>
      name.endsWith('Page') || name === 'all' ? linkShape(value) : inWords(value),
    );
    const [left = '', right = ''] = shown;
    if (!(name in a) || !(name in b)) return [located(pointer, 'presence', left, right, name in a ? 'b' : 'a')];
    if (left === right || isAsAsked(name)) return [];
    // How long a list is, and which pages are beside this one, follows from what was there before.
    const isOfStart = name === 'totalItems' || a[name] === null || b[name] === null || name === 'all';
    return isOfStart && !sameStart ? [] : [located(pointer, 'value', left, right)];
  });
}
