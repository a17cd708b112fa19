import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { membersOf } from '../../../contracts/json.ts';
import { type Judgement, judgedBy } from '../../proof/testing/judged-by.ts';
import type { Wrong } from '../../proof/testing/model.ts';
import { alive } from './alive.ts';
import { pagination } from './pagination.ts';

type Items = readonly Readonly<Record<string, unknown>>[];

/** A page of a list before it is shown: its items and its total. */
interface Shown {
  items: Items;
  totalItems: number;
}

/** Shows the list as changed by `at` for the n-th request; `cut` changes its pages. */
const listing =
  (
    at: (items: Items, request: number) => Items,
    cut: (page: Shown, items: Items, start: number, request: number) => Shown = page => page,
    most = Number.POSITIVE_INFINITY,
  ): Wrong =>
  model => {
    let requests = 0;
    return (request, body) => {
      const given = model({ ...request, query: { limit: 100_000 } }, body);
      if (given.status !== 200) return given;
      requests += 1;
      const items = at(membersOf(given.value).data as Items, requests);
      const limit = Math.min(most, Number(request.query?.limit ?? 10));
      const number = Number(request.query?.page ?? 1);
      const start = (number - 1) * limit;
      const whole = { items: items.slice(start, start + limit), totalItems: items.length };
      const { items: data, totalItems } = cut(whole, items, start, requests);
      const last = Math.max(1, Math.ceil(totalItems / limit));
      const link = (to: number) =>
        to >= 1 && to <= last ? `/console/v1/events/page_view?page=${to}&limit=${limit}` : null;
      const pagination = {
        itemsPerPage: limit,
        pageNumber: number,
        totalItems,
        nextPage: link(number + 1),
        previousPage: link(number - 1),
        all: '',
      };
      return { ...given, value: { ...membersOf(given.value), data, pagination } };
    };
  };

const more = (items: Items, count: number, member: string): Items =>
  Array.from({ length: count }, (_, index) => ({ ...items[0], [member]: `new ${index}` }));
const every = (requests: number, request: number): number => Math.floor(request / requests);
/** Changes the order with each request. */
const shuffled = (items: Items, request: number): Items =>
  items.map((_, index) => items[(index * 7 + request * 5) % items.length] as Items[number]);

const judge = (wrong: Wrong, endpoint: EndpointId): Promise<Judgement> =>
  judgedBy(pagination, endpoint, wrong, { amounts: { fuzz: 0, walks: 6, creations: 4 } });
const fails = ({ results }: Judgement): readonly string[] => [
  ...new Set(
    results.flatMap(({ violations }) => violations.filter(one => one.doubt === undefined)).map(one => one.requirement),
  ),
];

// biome-ignore format: a table
const living: readonly (readonly [what: string, endpoint: EndpointId, wrong: Wrong])[] = [
  ['grows at its end',                 'list-segments', listing((items, at) => [...items, ...more(items, every(3, at), 'id')])],
  ['grows at its top',                 'list-segments', listing((items, at) => [...more(items, every(3, at), 'id').toReversed(), ...items])],
  ['shrinks',                          'list-segments', listing((items, at) => items.slice(Math.min(20, every(4, at))))],
  ['streams, its total constant',      'list-events',   listing((items, at) => [...more(items, every(2, at), 'value').toReversed(), ...items].slice(0, items.length))],
  ['streams, and has no other total',  'list-events',   listing((items, at) => [...more(items, at, 'value').toReversed(), ...items].slice(0, items.length))],
  ['loses an item and gets another',   'list-segments', listing((items, at) => [...items.slice(1), ...more(items, every(2, at) + 1, 'id').slice(-1)])],
  ['has an item that comes and goes',  'list-segments', listing((items, at) => (at % 2 === 0 ? items : items.slice(1)))],
  ['has one that goes now and then',   'list-segments', listing((items, at) => (at % 3 === 0 ? items : items.slice(1)))],
  ['grows, and caps its pages',        'list-segments', listing((items, at) => [...items, ...more(items, every(3, at), 'id')], page => page, 10)],
];

describe('a list that others change is not accused', () => {
  test.each(living)('it %s', async (_what, endpoint, wrong) => {
    const { found, because, results } = await judge(wrong, endpoint);
    expect(found).toEqual([]);
    expect(because).toContain(alive);
    // Single pages still prove what they show.
    expect(results.find(({ title }) => title === 'the plain listing')).toMatchObject({ proved: true });
  });

  test('a list that was changed once is judged by a walk of another moment', async () => {
    const once = listing((items, at) => (at < 6 ? items : [...items, ...more(items, 1, 'id')]));
    const { found, because } = await judge(once, 'list-segments');
    expect(found).toEqual([]);
    expect(because).not.toContain(alive);
  });
});

// biome-ignore format: a table
test.each([
  [7, 1], [7, 5], [8, 1], [9, 2], [12, 1],
])('a list that others change for a moment fails nothing, though it stands still whenever it is read whole (%i, %i)', async (period, long) => {
  const isMoment = (at: number): boolean => at % period < long;
  for (const change of [(items: Items) => [...more(items, 1, 'id'), ...items], (items: Items) => items.slice(1)]) {
    const wrong = listing((items, at) => (isMoment(at) ? change(items) : items));
    expect(fails(await judge(wrong, 'list-segments'))).toEqual([]);
  }
});

test('a list without an order of its own draws a warning', async () => {
  const judgement = await judge(listing(shuffled), 'list-segments');
  expect(judgement.cited).toEqual(['pagination.complete']);
  expect(fails(judgement)).toEqual([]);
});

/** Begins each page but the first with the last item of the previous one. */
const overlapping = (page: Shown, items: Items, start: number): Shown =>
  start === 0 ? page : { ...page, items: items.slice(start - 1, start - 1 + page.items.length) };

// biome-ignore format: a table
const pretending: readonly (readonly [what: string, endpoint: EndpointId, wrong: Wrong])[] = [
  ['repeats an item at the edge of each page',        'list-segments', listing(items => items, overlapping)],
  ['repeats items while its total flips',             'list-segments', listing(items => items, (page, items, start, at) => ({ ...overlapping(page, items, start), totalItems: items.length + (at % 2) }))],
  ['skips an item between pages while its total flips', 'list-segments', listing(items => items, (page, items, start, at) => ({ items: start === 0 ? page.items : items.slice(start + 1, start + 1 + page.items.length), totalItems: items.length + (at % 2) }))],
  ['skips another item with each page',                 'list-segments', listing(items => items, (page, items, start, at) => (start === 0 ? page : { ...page, items: items.slice(start, start + page.items.length).filter((_, index) => index !== (at * 7) % 5) }))],
  ['repeats records, which have no identity',         'list-events',   listing(items => items, overlapping)],
  ['shows the first page once more in the place of the second', 'list-segments', listing(items => items, (page, items, start) => (start > 0 && page.items.length < items.length ? { ...page, items: items.slice(0, page.items.length) } : page))],
];

test.each(pretending)('a list that %s is found, though it looks alive', async (_what, endpoint, wrong) => {
  expect(fails(await judge(wrong, endpoint))).toContain('pagination.complete');
});

test('a total that only later pages state otherwise is found, though no walk has one total', async () => {
  const wrong = listing(
    items => items,
    (page, items, start) => ({ ...page, totalItems: items.length + (start === 0 ? 0 : 1) }),
  );
  expect(fails(await judge(wrong, 'list-segments'))).toEqual(['pagination.total']);
});
