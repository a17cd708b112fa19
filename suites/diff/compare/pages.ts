import { endpointRow } from '../../../contracts/endpoints.ts';
import { asText, isObject, type Members, membersOf } from '../../../contracts/json.ts';
import { anyPosition, join } from '../../../contracts/pointer.ts';
import { linkQuery } from '../../judge/page.ts';
import { inWords } from '../../judge/words.ts';
import type { AlignedPair } from '../align/align.ts';
import type { Counterparts } from '../align/counterparts.ts';
import type { RecordedExchange } from '../record/recording.ts';
import { type Found, type Located, located } from './located.ts';
import type { Origins } from './origins.ts';
import { compareValues } from './values.ts';

/** What entities are compared with. */
interface EntitiesInput {
  readonly counterparts: Counterparts;
  readonly originsA: ReadonlyMap<string, Origins>;
  readonly originsB: ReadonlyMap<string, Origins>;
  /** Both were reset or seeded alike. */
  readonly sameStart: boolean;
  /** Both are of one server: what moves by itself is looked for, whoever wrote before. */
  readonly isSelf: boolean;
}

/** Two answers to the same request. */
type AnsweredPair = Pick<AlignedPair, 'a' | 'b' | 'isApart'>;

/** Compares two entities member by member, each as far as its origin allows. */
export function compareEntities(
  { a, b, isApart }: AnsweredPair,
  ofA: Members,
  ofB: Members,
  pointer: string,
  { counterparts, originsA, originsB, sameStart, isSelf }: EntitiesInput,
): Found {
  const row = endpointRow(a.endpoint);
  const schema = 'properties' in row.data ? row.data.properties : undefined;
  const origins = { a: originsA.get(`${a.id} ${pointer}`), b: originsB.get(`${b.id} ${pointer}`) };
  const sent = { a: membersOf(a.request.body), b: membersOf(b.request.body) };
  const bodies = { a: sent.a, b: sent.b, shown: undefined, asked: row.body ?? undefined, name: '' };
  const isSentAlike = (): boolean =>
    counterparts.tentatively(() => compareValues(counterparts, bodies, '').length === 0);
  const differences: Located[] = [];
  const start: string[] = [];
  for (const name of new Set([...Object.keys(ofA), ...Object.keys(ofB)])) {
    const place = join(pointer, name);
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
    if (name === 'version' && !isApart) differences.push(...versionDifference(origins, place));
    if (found.length === 0) continue;
    const from = [origins.a?.of(name) ?? 'start', origins.b?.of(name) ?? 'start'];
    const isOfStart = from.every(origin => origin === 'start');
    const isSent = both.sentA !== undefined || both.sentB !== undefined;
    // What comes of requests that differ, by the names that each target has, differs too; so may what comes of others.
    const isOfOthers = from.includes('sequel') || !(isSent || isSentAlike());
    const isLeft = isApart || from.includes('left') || (!isSelf && isOfOthers);
    // What another case wrote, and one server alone took, is there at that one alone.
    if (isLeft && origins.a?.isTaken(name) !== origins.b?.isTaken(name)) continue;
    // Cases overlap, so which of the values that both runs wrote is there may differ.
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

/** By how much each side counts the version on, where both count. */
function versionDifference(
  { a, b }: { readonly a: Origins | undefined; readonly b: Origins | undefined },
  pointer: string,
): Located[] {
  const [one, other] = [a?.versionStep, b?.versionStep];
  if (one === undefined || other === undefined || one === other) return [];
  const inSteps = (step: number): string => (step === 0 ? 'it stays' : `it goes on by ${step}`);
  return [located(pointer, 'value', inSteps(one), inSteps(other))];
}

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
