import { expect, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { type Given, givenAnswer, observed } from '../../proof/testing/answers.ts';
import { contextOf } from '../../proof/testing/judged-by.ts';
import { tableNotes } from './table-notes.ts';

const linked = (pagination: object): Given => ({
  endpoint: 'list-segments',
  value: { message: '', data: [], pagination },
});
const weighed = (breakdown: unknown): Given => ({
  endpoint: 'enable-groups',
  value: { message: '', data: { qualityScore: { score: 1, breakdown } } },
});
const of = (...weights: readonly unknown[]) => weighed(weights.map(weight => ({ criterion: 'a', weight })));
/** An update that sends scores, and the breakdown that its answer shows. */
const sentWith = (sent: JsonObject[], ...breakdown: readonly object[]): Given => ({
  endpoint: 'update-experiment',
  sent: { ...contextOf('update-experiment').minimal.body, manualQualityScores: sent },
  value: { message: '', data: { qualityScore: { score: 1, breakdown } } },
});
const broken = (name: string) => [`pagination.relative-link /pagination/${name}`];
const unscaled = ['meaning.quality-weights /data/qualityScore/breakdown'];
const score = (criteriaDescription: string, weight = 10) => ({ criteriaDescription, score: 1, weight });
const hand = (...names: readonly string[]) => names.map(name => score(name));
const ten = Array.from({ length: 10 }, (_, index) => `c${index}`);
const { body: minimal } = contextOf('update-experiment').minimal;
/** An update that sends scores, and the manual scores and the breakdown that its answer shows. */
const scored = (sent: JsonObject[], back?: readonly object[], breakdown?: readonly string[]): Given => ({
  endpoint: 'update-experiment',
  sent: { ...minimal, manualQualityScores: sent },
  value: {
    message: '',
    data: {
      ...(back && { manualQualityScores: back }),
      ...(breakdown && { qualityScore: { score: 1, breakdown: breakdown.map(criterion => ({ criterion })) } }),
    },
  },
});
const segments = (...data: readonly object[]): Given => ({ endpoint: 'list-segments', value: { message: '', data } });
const tried = (sent: JsonObject, data: object): Given => ({
  endpoint: 'create-metric',
  sent: { ...contextOf('create-metric').minimal.body, ...sent },
  value: { message: '', data },
});
const turned = ['state.metric-default-directionality /data/directionality'];
const conditions = [{ type: 'country' }];
const events = (...names: readonly string[]) => names.map(name => ({ name }));
const ruled = ['meaning.segment-rules /data/1/rules'];
const lostByHand = ['meaning.quality-scores-added /data/manualQualityScores'];
const lostInBreakdown = ['meaning.quality-scores-added /data/qualityScore/breakdown'];

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, found: readonly string[] | 'not judged']>([
  ['a relative link',                   linked({ nextPage: '/console/v1/segments?page=2&limit=10' }),     []],
  ['a link that is a query alone',      linked({ nextPage: '?page=2&next=http://a.example' }),            []],
  ['a link with a colon in its path',   linked({ nextPage: '/a:b?page=2' }),                              []],
  ['a link with scheme and host',       linked({ nextPage: 'https://a.example/x?page=2' }),               broken('nextPage')],
  ['a link with a host alone',          linked({ nextPage: '//a.example/x?page=2' }),                     broken('nextPage')],
  ['a link with a blank',               linked({ nextPage: '/events/add to cart?page=2' }),               broken('nextPage')],
  ['a link with a blank encoded, and letters as they are', linked({ nextPage: '/events/add%20to%20cart/été|{a}?page=2' }), []],
  ['other links, of which nothing is said', linked({ nextPage: '?page=3', previousPage: 'http://a/x', all: 'http://a/x' }), []],
  ['a scheme in capital letters',       linked({ nextPage: 'HTTP://a/x' }),                               broken('nextPage')],
  ['a lineage of all events',           tried({}, { metricEvents: events('a', 'b'), lineage: { events: ['b', 'A', 'c'] } }), []],
  ['a lineage of one of two events',    tried({}, { metricEvents: events('a', 'b'), lineage: { events: ['a'] } }), ['meaning.lineage-events /data/lineage/events']],
  ['a lineage without the last step of a funnel', tried({}, { funnelEventList: events('a', 'b'), lineage: { events: ['a'] } }), ['meaning.lineage-events /data/lineage/events']],
  ['a lineage of ids',                  tried({}, { lineage: { events: [], metrics: ['a b::sum', 'c::x'] } }), []],
  ['a lineage of names',                tried({}, { lineage: { events: [], metrics: ['a::sum', 'b'] } }), ['meaning.lineage-ids /data/lineage/metrics/1']],
  ['a lineage of what is no text',      tried({}, { lineage: { events: [], metrics: [1] } }), 'not judged'],
  ['a lineage that is filled later',    tried({}, { metricEvents: events('a', 'b'), lineage: { events: [] } }), 'not judged'],
  ['a lineage of the second metric of a list', { endpoint: 'list-event-metrics', value: { message: '', data: [{}, { metricEvents: events('a', 'b'), lineage: { events: ['b'] } }] } }, ['meaning.lineage-events /data/1/lineage/events']],
  ['no link at all',                    linked({ nextPage: null, previousPage: null, all: '' }),          'not judged'],
  ['a link of another type',            linked({ nextPage: 7 }),                                          'not judged'],

  ['weights that are all nothing',      of(0, 0),                                                         'not judged'],
  ['a criterion of no weight just sent with one',    sentWith([score('b')], { criterion: 'a', weight: 0 }, { criterion: 'b', weight: 0 }), unscaled],
  ['such a one that is not shown yet',  sentWith([score('b')], { criterion: 'a', weight: 0 }),            'not judged'],
  ['one that was sent without weight',  sentWith([score('b', 0)], { criterion: 'b', weight: 0 }),         'not judged'],
  ['weights of a hundred',              of(60, 40),                                                       []],
  ['a third each, rounded',             of(33, 33, 33),                                                   []],
  ['eighths, to the hundredth',         of(12.5, 12.5, 25, 25, 25.01),                                    []],
  ['eighths of 99',                     of(12.375, 12.375, 24.75, 49.5),                                  unscaled],
  ['a whole number beside decimals',    of(33.3, 33.3, 33),                                               []],
  ['halves of 99, all to the tenth',    of(24.7, 24.7, 49.6),                                             unscaled],
  ['sevenths, as doubles are',          of(...Array.from({ length: 7 }, () => 100 / 7)),                  []],
  ['thirds, cut off at the hundredth',  of(33.33, 33.33, 33.33),                                          []],
  ['weights of one',                    of(0.6, 0.4),                                                     unscaled],
  ['weights that were added to',        of(60, 40, 10),                                                   unscaled],
  ['a weight that is a text',           of(60, '40'),                                                     'not judged'],
  ['no criterion',                      weighed([]),                                                      'not judged'],
  ['no quality score',                  { endpoint: 'enable-groups', value: { message: '', data: {} } },  'not judged'],

  ['rules of a segment of rules',       segments({ type: 'rule_based', rules: { conditions } }),          'not judged'],
  ['a list of ids without rules',       segments({ type: 'id_list' }, { type: 'id_list', rules: null }),  []],
  ['a list of ids with empty rules',    segments({ type: 'id_list', rules: { name: '', conditions: [] } }), []],
  ['a list of ids with rules',          segments({ type: 'rule_based', rules: { conditions } }, { type: 'id_list', rules: { conditions } }), ruled],
  ['rules of a type that is not stated', segments({ type: 'id_list' }, { type: 'sql', rules: { conditions } }), []],
  ['rules that are a list',             segments({ type: 'id_list' }, { type: 'id_list', rules: conditions }), []],

  ['scores that stand beside others',   scored(hand('a', 'b'), hand('old', 'a', 'b'), ['old', 'b', 'a']), []],
  ['blanks at the ends that are lost',  scored(hand(' a '), hand('a')),                                   []],
  ['a score that is lost',              scored(hand('a', 'b'), hand('a')),                                lostByHand],
  ['a default check in its place',      scored(hand('a'), hand('POWER_ANALYSIS'), ['a']),                 lostByHand],
  ['none at all',                       scored(hand('a'), []),                                            lostByHand],
  ['nine of ten in the breakdown',      scored(hand(...ten), undefined, ['POWER_ANALYSIS', ...ten.slice(1)]), lostInBreakdown],
  ['a breakdown that comes later',      scored(hand('a'), undefined, ['POWER_ANALYSIS', 'old']),          'not judged'],
  ['a tenth old one that leaves no room', scored(hand('a', 'b'), hand(...ten.slice(1), 'a')),             'not judged'],
  ['a default check, and one removed',  scored([...hand('POWER_ANALYSIS'), score('a', 0)], []),           'not judged'],
  ['criteria that are no texts',        scored(hand('a'), [{ criteriaDescription: 7 }]),                  'not judged'],
  ['a score twice, then removed',       scored([score('a'), score('a', 0)], []),                          'not judged'],
  ['neither list',                      scored(hand('a')),                                                'not judged'],
  ['what breaks its schema',            scored([{ criteriaDescription: 'a', weight: 'ten' }, score('b')], []), 'not judged'],
  ['a dry run with the default',        tried({ dryRun: true }, { directionality: 'increase' }),          []],
  ['a dry run without it',              tried({ dryRun: true }, {}),                                      'not judged'],
  ['a dry run with the default turned round', tried({ dryRun: true }, { directionality: 'decrease' }),    turned],
  ['a dry run of what was sent',        tried({ dryRun: true, directionality: 'decrease' }, { directionality: 'decrease' }), 'not judged'],
  ['a creation, which others show',     tried({}, { directionality: 'decrease' }),                        'not judged'],
  ['a dry run of what breaks a rule',   tried({ dryRun: true, type: 'other' }, { directionality: 'decrease' }), 'not judged'],

  ['a refusal',                         { ...of(1), status: 400 },                                        'not judged'],
])('%s', (_what, given, found) => {
  expect(observed(tableNotes, given)).toEqual(found);
});

test('each operation is judged by the notes of what it shows', () => {
  expect(tableNotes.requirements(endpoints['list-events'], 'list-events')).toEqual(['pagination.relative-link']);
  expect(tableNotes.requirements(endpoints['enable-groups'], 'enable-groups')).toEqual(['meaning.quality-weights']);
  expect(tableNotes.appliesTo(endpoints['patch-gate'])).toBe(false);
  const { covers } = tableNotes.observe(givenAnswer(of(60, 40)), endpoints['enable-groups']);
  expect(covers).toEqual(['meaning.quality-weights']);
});
