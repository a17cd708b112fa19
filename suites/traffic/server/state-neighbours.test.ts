import { expect, test } from 'vitest';
import { onePage } from '../../proof/testing/answers.ts';
import { type GivenExchange, givenExchange, judgedTraffic } from '../../proof/testing/exchanges.ts';

const metric = (name: string, more: object = {}) => ({
  id: `${name}::event_user`,
  name,
  type: 'event_user',
  description: 'as it was',
  lineage: { events: ['page_view'], metrics: [] },
  ...more,
});
const listed = (...items: readonly object[]): GivenExchange => ({
  target: '/console/v1/events/page_view/metrics',
  answer: onePage(items, 'Metrics listed successfully.'),
});
const created = (name: string, more: object = {}): GivenExchange => ({
  method: 'POST',
  target: '/console/v1/metrics',
  body: { name, type: 'event_user', ...more },
  answer: { message: 'Metric created successfully.', data: metric(name) },
});
const changed = { description: 'changed' };
const turned = { description: 'turned again' };

const version = (id: string, more: object = {}) => ({ id, version: 1, name: id, tags: ['a'], ...more });
const versions = (id: string, more: object = {}): GivenExchange => ({
  target: `/console/v1/dynamic_configs/${id}/versions`,
  answer: {
    message: 'ok',
    data: [version(id, more)],
    pagination: { itemsPerPage: 10, pageNumber: 1, totalItems: 1, nextPage: null, previousPage: null, all: '' },
  },
});
const disabled = (id: string): GivenExchange => ({
  method: 'PUT',
  target: `/console/v1/dynamic_configs/${id}/disable`,
  answer: { message: 'ok', data: version(id) },
});

const environment = (name: string, more: object = {}) => ({
  id: name,
  name,
  isProduction: false,
  requiresReview: false,
  requiresReleasePipeline: false,
  ...more,
});
const environments = (sent: readonly object[], shown: readonly object[]): GivenExchange => ({
  method: 'POST',
  target: '/console/v1/environments',
  body: { environments: sent },
  answer: { message: 'Environments updated successfully.', data: { environments: shown } },
});
const [dev, prod] = [environment('dev'), environment('prod')];
const review = { requiresReview: true };

const experiment = (id: string, more: object = {}) => ({
  method: 'POST',
  target: `/console/v1/experiments/${id}/enable_groups`,
  body: { group_names: ['Control'] },
  answer: { message: 'ok', data: { id, hypothesis: 'more of them stay', ...more } },
});

const found = (exchanges: readonly GivenExchange[], soleWriter = true) => {
  const { report } = judgedTraffic(
    exchanges.map((one, index) => givenExchange(one, index + 1)),
    { soleWriter },
  );
  return report.endpoints
    .flatMap(({ checks }) => checks.filter(({ side }) => side === 'server').flatMap(one => one.findings))
    .filter(({ requirement }) => requirement === 'state.neighbours')
    .map(({ level, pointer }) => `${level} ${pointer}`);
};

// biome-ignore format: a table
test.each<readonly [what: string, exchanges: readonly GivenExchange[], found: readonly string[]]>([
  ['a metric that stays while another is created',       [listed(metric('first')), created('second'), listed(metric('first'), metric('second'))],                                    []],
  ['a metric that another creation changes, once',       [listed(metric('first')), created('second'), listed(metric('first', changed), metric('second'))],                           ['SHOULD /data/0/description']],
  ['a metric that each creation changes, and stays else', [listed(metric('first')), listed(metric('first')), created('second'), listed(metric('first', changed)), created('third'), listed(metric('first', turned))], ['MUST /data/0/description']],
  ['a metric that was never read twice without a write', [listed(metric('first')), created('second'), listed(metric('first', changed)), created('third'), listed(metric('first', turned))], ['SHOULD /data/0/description']],
  ['a metric that changes while nothing is written',     [listed(metric('first')), listed(metric('first', changed)), created('second'), listed(metric('first', turned))],            []],
  ['a metric that changes beside a dry run',             [listed(metric('first')), created('second', { dryRun: true }), listed(metric('first', changed))],                      []],
  ['a metric that is shown with fewer members',          [listed(metric('first')), created('second'), listed(metric('first', { description: undefined }))],                     []],
  ['what is computed of a metric',                       [listed(metric('first')), created('second'), listed(metric('first', { lineage: { events: ['page_view', 'x'], metrics: [] } }))], []],
  ['a config that changes as another is disabled',       [versions('a'), disabled('b'), versions('a', { tags: [] })],                                              ['SHOULD /data/0/tags']],
  ['a config that changes as it is disabled itself',     [versions('a'), disabled('a'), versions('a', { tags: [] })],                                              []],
  ['an environment that stays, though it is not sent',   [environments([dev, prod], [dev, prod]), environments([dev], [dev, prod])],                               []],
  ['an environment that goes, for it is not sent',       [environments([dev, prod], [dev, prod]), environments([dev], [dev])],                                     []],
  ['an environment that is not sent, and changes',       [environments([dev, prod], [dev, prod]), environments([dev], [dev, environment('prod', review)])],         ['SHOULD /data/environments/1/requiresReview']],
  ['an environment that is sent by its name',            [environments([dev, prod], [dev, prod]), environments([{ name: 'prod', ...review }], [dev, environment('prod', review)])], []],
  ['an experiment that changes as another is enabled',   [experiment('a'), experiment('b'), experiment('a', { hypothesis: '' })],                                  ['MUST /data/hypothesis']],
  ['an experiment that changes as it is enabled itself', [experiment('a'), experiment('a', { hypothesis: '' })],                                                   []],
])('%s', (_what, exchanges, expected) => {
  expect(found(exchanges)).toEqual(expected);
  expect(found(exchanges, false)).toEqual([]);
});
