import type { HandlerRequest } from '../../api/request.ts';
import {
  evenBackwards,
  onLinks,
  onPagination,
  onQuery,
  overlaps,
  paged,
  perServer,
  showsData,
  to,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const limitOf = (limit: string | string[] | undefined): number =>
  Number(Array.isArray(limit) ? limit[0] : (limit ?? 10));
const page = (link: string, change: (number: number) => number) =>
  link.replace(/page=(\d+)/, (_, number) => `page=${change(Number(number))}`);
const limit = (link: string, change: (number: number) => number | string) =>
  link.replace(/limit=(\d+)/, (_, number) => `limit=${change(Number(number))}`);

const pageAloneIgnored = onQuery(({ page, ...query }) => (query.limit === undefined ? query : { page, ...query }));
/** Takes a parameter that a request leaves out from the last request that had it. */
const remembered = (name: 'page' | 'limit') =>
  perServer(() => {
    let last: HandlerRequest['query'] = {};
    return onQuery(query => {
      if (query[name] !== undefined) last = { [name]: query[name] };
      return { ...last, ...query };
    });
  });

/** The requirements that a wrong page also breaks. */
const elsewhere = [
  'pagination.complete',
  'pagination.link-page',
  'pagination.next-null',
  'pagination.page-size',
  'pagination.previous-null',
  'pagination.total',
] as const;

/** Pages of lists (sections 2.1, 4.11, 4.12, 4.15 and 8). */
// biome-ignore format: a table
export const paginationFaults: FaultTable = [
  ['segments-next-absolute',         'list-segments',          'pagination.relative-link',   'The link to the next page names scheme and host.',                                     onLinks((link, _list, { headers }) => `http://${headers.host}${link}`, ['nextPage'])],
  ['segments-default-20',            'list-segments',          'pagination.default-limit',   'Without a limit a page has 20 items.',                                                 onQuery(query => ({ limit: '20', ...query }))],
  ['sources-default-9',              'list-qualifying-events', 'pagination.default-limit',   'Without a limit a page has 9 items.',                                                  onQuery(query => ({ limit: '9', ...query }))],
  ['segments-default-page-2',        'list-segments',          'pagination.default-page',    'Without a page number the second page comes.',                                         onQuery(query => ({ page: '2', ...query })), ...elsewhere, 'pagination.page-number'],
  ['sources-default-last-page',      'list-qualifying-events', 'pagination.default-page',    'Without a page number the last page comes.',                                           onQuery(query => ({ page: '3', ...query })), ...elsewhere, 'pagination.page-number'],
  ['segments-limit-remembered',      'list-segments',          'pagination.default-limit',   'A request without a limit has that of the last one.',                                  remembered('limit'), ...elsewhere],
  ['sources-page-remembered',        'list-qualifying-events', 'pagination.default-page',    'A request without a page number has that of the last one.',                            remembered('page'), ...elsewhere, 'pagination.page-number'],
  ['segments-page-from-0',           'list-segments',          'pagination.page-number',     '`pageNumber` counts from 0.',                                                          paged('pageNumber', page => Number(page) - 1), 'pagination.default-page'],
  ['config-versions-page-always-1',  'list-config-versions',   'pagination.page-number',     '`pageNumber` is always 1.',                                                            paged('pageNumber', to(1))],
  ['sources-limit-ignored',          'list-qualifying-events', 'pagination.limit-obeyed',    'The limit is ignored: pages always have ten items.',                                   onQuery(({ limit: _, ...query }) => query), 'standard'],
  ['segments-limit-one-more',        'list-segments',          'pagination.limit-obeyed',    'A page has one item more than its limit.',                                             showsData(({ all, page, limit }) => all.slice((page - 1) * limit, page * limit + 1)), 'pagination.page-size', 'pagination.complete', 'pagination.total'],
  ['segments-limit-small-refused',   'list-segments',          'pagination.limit-obeyed',    'Limits below 5 are raised to 5.',                                                      onQuery(query => (limitOf(query.limit) < 5 ? { ...query, limit: '5' } : query)), 'standard'],
  ['sources-cap-not-told',           'list-qualifying-events', 'pagination.page-size',       'Pages are capped at 10, and `itemsPerPage` says what was asked for.',                  showsData(({ data }) => data.slice(0, 10)), 'pagination.total', 'pagination.complete'],
  ['segments-skip-one-by-threes',    'list-segments',          'pagination.complete',        'With a limit of 3 the second page lacks its first item.',                             showsData(({ page, limit, data }) => limit === 3 && page === 2 && data.slice(1)), 'pagination.page-size'],
  ['segments-page-short',            'list-segments',          'pagination.page-size',       'Every page lacks its last item.',                                                      showsData(({ data }) => data.slice(0, -1)), 'pagination.total', 'pagination.complete'],
  ['config-versions-overlap',        'list-config-versions',   'pagination.complete',        'Each page begins with the last item of the one before.',                               showsData(overlaps)],
  ['segments-gap',                   'list-segments',          'pagination.complete',        'The first item after a page boundary is skipped, and the last page filled up with the first item.', showsData(({ all, page, limit, last }) => page > 1 && [...all.slice((page - 1) * limit + 1, page * limit + 1), ...(page === last ? [all[0]] : [])])],
  ['events-overlap',                 'list-events',            'pagination.complete',        'Each page begins with the last event of the one before.',                              showsData(overlaps)],
  ['event-metrics-unstable-order',   'list-event-metrics',     'pagination.complete',        'The order of the list depends on the page.',                                           showsData(evenBackwards)],
  ['segments-offset-by-items',       'list-segments',          'pagination.complete',        'The page number is taken for an offset.',                                              showsData(({ all, page, data }) => page > 1 && all.slice(page - 1, page - 1 + data.length))],
  ['sources-same-page',              'list-qualifying-events', 'pagination.complete',        'Every full page shows the first one.',                                                 showsData(({ all, page, limit, last }) => page < last && all.slice(0, limit)), 'standard'],
  ['segments-total-of-page',         'list-segments',          'pagination.total',           '`totalItems` counts the items of the page.',                                           paged('totalItems', (_total, { data }) => data.length), 'pagination.next-null'],
  ['sources-total-one-more',         'list-qualifying-events', 'pagination.total',           '`totalItems` is one too many.',                                                        paged('totalItems', total => Number(total) + 1), 'pagination.next-null', 'pagination.page-size'],
  ['event-metrics-total-later',      'list-event-metrics',     'pagination.total',           'From the second page on `totalItems` counts one more.',                                paged('totalItems', (total, { page }) => Number(total) + (page > 1 ? 1 : 0))],
  ['event-metrics-total-is-pages',   'list-event-metrics',     'pagination.total',           '`totalItems` counts the pages.',                                                       paged('totalItems', (_total, { last }) => last), 'pagination.next-null', 'pagination.page-size'],
  ['segments-next-on-last',          'list-segments',          'pagination.next-null',       'The last page has a next one.',                                                        paged('nextPage', (next, { page, limit }) => next ?? `/console/v1/segments?page=${page + 1}&limit=${limit}`)],
  ['sources-next-null-early',        'list-qualifying-events', 'pagination.next-null',       'The page before the last has no next one.',                                            paged('nextPage', (next, { page, last }) => (page >= last - 1 ? null : next))],
  ['events-next-on-full-page',       'list-events',            'pagination.next-null',       'A full last page has a next one, which is empty.',                                     paged('nextPage', (next, { data, page, limit }) => next ?? (data.length === limit ? `/console/v1/events/page_view?page=${page + 1}&limit=${limit}` : null))],
  ['segments-next-empty-text',       'list-segments',          'pagination.next-null',       '`nextPage` is the empty text on the last page.',                                       paged('nextPage', next => next ?? '')],
  ['config-versions-previous-first', 'list-config-versions',   'pagination.previous-null',   'The first page has a previous one.',                                                   paged('previousPage', (previous, { limit }) => previous ?? `/console/v1/x?page=0&limit=${limit}`)],
  ['sources-previous-always-null',   'list-qualifying-events', 'pagination.previous-null',   '`previousPage` is always null.',                                                       paged('previousPage', to(null))],
  ['segments-previous-null-on-last', 'list-segments',          'pagination.previous-null',   '`previousPage` is null on the last page.',                                             paged('previousPage', (previous, { page, last }) => (page === last ? null : previous))],
  ['segments-link-same-page',        'list-segments',          'pagination.link-page',       'The links lead to the page that they stand on.',                                       onLinks((link, list) => page(link, () => list.page))],
  ['events-link-page-from-0',        'list-events',            'pagination.link-page',       'Pages in links count from 0.',                                                         onLinks(link => page(link, number => number - 1))],
  ['sources-link-offset',            'list-qualifying-events', 'pagination.link-page',       'Links carry an offset instead of a page.',                                             onLinks((link, list) => link.replace(/page=(\d+)/, (_, number) => `offset=${(Number(number) - 1) * list.limit}`))],
  ['segments-link-limit-default',    'list-segments',          'pagination.link-limit',      'Links always carry a limit of 10.',                                                    onLinks(link => limit(link, () => 10)), 'pagination.complete', 'pagination.total', 'pagination.limit-obeyed'],
  ['sources-link-without-limit',     'list-qualifying-events', 'pagination.link-limit',      'Links carry no limit.',                                                                onLinks(link => link.replace(/&limit=\d+/, ''))],
  ['event-metrics-link-limit-total', 'list-event-metrics',     'pagination.link-limit',      'Links carry the total for a limit.',                                                   onLinks((link, list) => limit(link, () => list.all.length)), 'pagination.complete', 'pagination.limit-obeyed'],
  ['events-link-to-metrics',         'list-events',            'pagination.event-link-path', 'Links of logged events lead to /console/v1/event_values.',                             onLinks(link => link.replace(/^[^?]*/, '/console/v1/event_values'))],
  ['events-all-link-elsewhere',      'list-events',            'pagination.event-link-path', 'The `all` link of logged events leads to all events.',                                 paged('all', to('/console/v1/events'))],
  ['segments-total-as-text',         'list-segments',          'pagination.totalItems',      '`totalItems` is a text.',                                                              paged('totalItems', String)],
  ['sources-all-null',               'list-qualifying-events', 'pagination.all',             '`all` is null.',                                                                       paged('all', to(null))],
  ['events-next-left-out',           'list-events',            'presence.must',              '`nextPage` is left out on the last page.',                                             onPagination(pagination => { if (pagination.nextPage === null) delete pagination.nextPage; })],
  ['event-metrics-next-number',      'list-event-metrics',     'pagination.nextPage',        '`nextPage` is a number.',                                                              paged('nextPage', (next, { page }) => (next === null ? null : page + 1))],
  ['config-versions-per-page-text',  'list-config-versions',   'pagination.itemsPerPage',    '`itemsPerPage` is a text.',                                                            paged('itemsPerPage', String)],

  ['segments-page-alone-ignored',    'list-segments',          'pagination.page-number',     'Without a limit the page number is ignored.',                                          pageAloneIgnored, ...elsewhere],
  ['sources-page-alone-ignored',     'list-qualifying-events', 'pagination.page-number',     'Sources are paged only where a limit is sent too.',                                    pageAloneIgnored, ...elsewhere],
  ['segments-first-parameter-alone', 'list-segments',          'pagination.limit-obeyed',    'Of two parameters the first counts.',                                                  onQuery(query => Object.fromEntries(Object.entries(query).slice(0, 1))), ...elsewhere, 'pagination.page-number', 'pagination.link-limit'],
  ['sources-last-parameter-alone',   'list-qualifying-events', 'pagination.limit-obeyed',    'Of two parameters the last counts.',                                                   onQuery(query => Object.fromEntries(Object.entries(query).slice(-1))), ...elsewhere, 'pagination.page-number', 'pagination.link-limit'],
  ['segments-limit-alone-ignored',   'list-segments',          'pagination.limit-obeyed',    'Without a page number the limit is ignored.',                                          onQuery(({ limit: size, ...query }) => (query.page === undefined ? query : { limit: size, ...query })), 'pagination.complete', 'pagination.total'],
  ['sources-limit-1-is-10',          'list-qualifying-events', 'pagination.limit-obeyed',    'A limit of 1 is taken for none.',                                                      onQuery(query => (query.limit === '1' ? { ...query, limit: '10' } : query))],
  ['segments-limit-2-is-20',         'list-segments',          'pagination.limit-obeyed',    'A limit of 2 is read as 20.',                                                          onQuery(query => (query.limit === '2' ? { ...query, limit: '20' } : query))],
];
