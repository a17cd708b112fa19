import { isObject, membersOf } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { at } from '../../../contracts/pointer.ts';
import { compareEcho } from '../../judge/echo.ts';
import { placedIn } from './placed.ts';
import type { Seen, Trial } from './trial.ts';
import type { Attempt } from './tried.ts';

/** What must be seen of answers, of fixtures and of whole operations. */

/** What the answers of an operation showed of each place: the first two values that differ, and two items of one list. */
interface Shown {
  readonly values: Map<string, { readonly by: string; readonly text: string }[]>;
  readonly twice: Map<string, string>;
}

const shownBy = memoized((all: readonly Attempt[] & object): Shown => {
  const values: Shown['values'] = new Map();
  const twice: Shown['twice'] = new Map();
  for (const { id, row, shown } of all) {
    const counts = new Map<string, number>();
    for (const { entity } of shown)
      for (const [path, places] of placedIn(row.data, entity)) {
        counts.set(path, (counts.get(path) ?? 0) + 1);
        const known = values.get(path) ?? [];
        for (const { value } of known.length < 2 ? places : []) {
          const text = JSON.stringify(value);
          if (known.length < 2 && known.every(one => one.text !== text)) known.push({ by: id, text });
        }
        values.set(path, known);
      }
    for (const [path, count] of counts) if (count > 1 && !twice.has(path)) twice.set(path, id);
  }
  return { values, twice };
});

/** A field that answers showed with two values. */
export const varied: Seen = (tried, { endpoint, node }) =>
  (shownBy(tried.attempts(endpoint)).values.get(node?.path ?? '') ?? []).map(({ by }, index) => ({
    by,
    result: index === 0 ? 'constant' : 'shown',
  }));

/** A field that two items of one page carried. */
export const twiceInOne: Seen = (tried, { endpoint, node }) => {
  const by = shownBy(tried.attempts(endpoint)).twice.get(node?.path ?? '');
  return by === undefined ? [] : [{ by, result: 'shown' }];
};

/** What was written is shown, later, by another operation. */
export const readBack: Seen = (tried, { endpoint, node, variant, row }) =>
  tried.sent(endpoint, node?.path ?? '').flatMap(({ attempt, pointer, value }): readonly Trial[] => {
    if (attempt.outcome !== 'accepted') return [];
    const later = tried
      .sightings(attempt.shown[0]?.key ?? '')
      .find(one => one.order > attempt.order && one.endpoint === variant);
    if (later === undefined) return [];
    const field = row.body?.properties?.[node?.path ?? ''];
    const got = at(later.entity, pointer);
    const isShown = got !== undefined && compareEcho(value, got, field, '').length === 0;
    return [{ by: later.id, result: isShown ? 'shown' : 'accepted' }];
  });

/** True of a request that names a fixture, in its path or in its body. */
const names = ({ param, body }: Pick<Attempt, 'param' | 'body'>, fixture: string): boolean =>
  param === '' ? JSON.stringify(body).includes(JSON.stringify(fixture)) : param === fixture;

/** The operation was carried out on the fixture. */
export const carriedOut: Seen = (tried, { endpoint, variant }) =>
  tried
    .attempts(endpoint)
    .filter(one => one.problems.length === 0 && names(one, variant))
    .map(({ id, outcome }) => ({ by: id, result: outcome === 'accepted' ? 'shown' : 'refused' }));

/** Another entity of the kind was shown before a write to the fixture, and after it. */
export const neighbours: Seen = (tried, { endpoint, variant, row }) => {
  const writes = tried.attempts(endpoint).filter(one => one.outcome === 'accepted' && one.param === variant);
  const others = tried.entities(row.resource).filter(key => key !== `${row.resource}/${variant}`);
  return writes.flatMap(({ id, order }): readonly Trial[] => {
    const isRead = others.some(key => {
      const seen = tried.sightings(key);
      return (seen[0]?.order ?? order) < order && (seen.at(-1)?.order ?? order) > order;
    });
    return [{ by: id, result: isRead ? 'shown' : 'accepted' }];
  });
};

/** Requests with no key, or with another one, for a fixture with which the key's own succeeds. */
export const keyless =
  (key: 'none' | 'other'): Seen =>
  (tried, { endpoint, variant }) => {
    const isTaken = tried
      .attempts(endpoint)
      .some(one => one.outcome === 'accepted' && (variant === '' || names(one, variant)));
    return tried.exchanges
      .filter(({ endpoint: own, request }) => own === endpoint && request.own && request.key === key)
      .filter(
        ({ request: { param = '', body } }) =>
          variant === '' || names({ param, body: isObject(body) ? body : {} }, variant),
      )
      .map(({ id, status }) => ({
        by: id,
        result: status >= 400 && status < 500 && isTaken ? 'shown' : status < 300 ? 'accepted' : 'refused',
      }));
  };

/** What a page of a list says of itself. */
interface PageShown {
  readonly limit: number;
  readonly page: number;
  readonly isLast: boolean;
  readonly items: number;
}

/** A page that has items, of which something holds. */
export const page =
  (holds: Readonly<Record<string, (one: PageShown) => boolean>>): Seen =>
  (tried, { endpoint, variant }) =>
    tried.attempts(endpoint).flatMap(({ id, value, outcome, shown, query }): readonly Trial[] => {
      if (outcome !== 'accepted') return [];
      const { itemsPerPage, pageNumber, nextPage } = membersOf(membersOf(value).pagination);
      const one = {
        limit: Number(query.limit ?? itemsPerPage),
        page: Number(pageNumber),
        isLast: nextPage === null,
        items: shown.length,
      };
      return shown.length > 0 && holds[variant]?.(one) === true ? [{ by: id, result: 'shown' }] : [];
    });
