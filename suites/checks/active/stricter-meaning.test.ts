import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, type Wrong } from '../../proof/testing/model.ts';
import { accepts } from './accepts.ts';
import { combinations } from './combinations.ts';

/** Refuses bodies that meet a condition. */
const refusing = (when: (body: JsonObject) => boolean, status = 400): Wrong =>
  instead({ status, value: { message: 'Not like this' } }, (_request, body) => when(body));
const list = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value : []);
const environments = (body: JsonObject) => list(body.environments);
const keys = ({ parameterValues }: JsonObject): string => Object.keys((parameterValues ?? {}) as object).join();

// Rules that a service may add to those of the tables.
// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, legal: Wrong]>([
  ['a correction of one kind only',               'update-experiment',       refusing(body => body.benjaminiHochbergPerVariant === true || body.benjaminiHochbergPerMetric === true)],
  ['a correction that builds upon another',       'update-experiment',       refusing(body => body.bonferroniCorrectionPerMetric === true && body.bonferroniCorrection !== true)],
  ['primary metrics only beside their correction', 'update-experiment',      refusing(body => body.benjaminiPrimaryMetricsOnly === true && body.benjaminiHochbergPerMetric !== true)],
  ['a reason for a decision that was made',       'update-experiment',       refusing(body => 'decisionReason' in body && body.status !== 'decision_made')],
  ['no sidecars',                                 'update-experiment',       refusing(body => body.isSidecar === true)],
  ['a second kind of units unlike the first',     'update-experiment',       refusing(body => body.secondaryIDType !== undefined && body.secondaryIDType === body.idType)],
  ['a mapping only between two kinds of units',   'update-experiment',       refusing(body => 'identifierMappingMode' in body && typeof body.secondaryIDType !== 'string')],
  ['covariates that exist',                       'update-experiment',       refusing(body => list(body.cureCovariates).length > 0)],
  ['dimensions from sources that exist',          'update-experiment',       refusing(body => list(body.preComputedUserDimensions).length > 0)],
  ['the same parameters in all groups',           'update-experiment',       refusing(body => new Set(list(body.groups).map(keys)).size > 1)],
  ['groups as they are',                          'update-experiment',       refusing(body => list(body.groups).map(({ name }) => name).sort().join() !== 'Control,Test')],
  ['one message of the system',                   'create-prompt-version',   refusing(body => list(body.prompts).length > 1)],
  ['tables that exist',                           'update-qualifying-event', refusing(body => 'tableName' in body)],
  ['a query with its sql, a table with its name', 'update-qualifying-event', refusing(body => (body.sourceType === 'query' && !('sql' in body)) || (body.sourceType === 'table' && !('tableName' in body)))],
  ['at least one production',                     'update-environments',     refusing(body => !environments(body).some(({ isProduction }) => isProduction === true))],
  ['environments that stay what they are',        'update-environments',     refusing(body => environments(body).some(({ name, isProduction }) => isProduction !== (name === 'production')))],
  ['reviews with a plan',                         'update-environments',     refusing(body => environments(body).some(({ requiresReview }) => requiresReview === true), 402)],
])('a service that wants %s is not found wrong', async (_what, endpoint, legal) => {
  const sent = [await judgedBy(accepts, endpoint, legal), await judgedBy(combinations, endpoint, legal)];
  for (const { cited } of sent) expect(cited.filter(requirement => requirement !== 'accept.combination')).toEqual([]);
});

// The counterparts: refusals that look similar and are wrong.
// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a correction that cannot be switched off',    'update-experiment',       refusing(body => body.benjaminiHochbergPerVariant === false),                 ['accept.stated-boundary']],
  ['a correction that every table allows',        'update-experiment',       refusing(body => body.bonferroniCorrection === true),                         ['accept.stated-boundary']],
  ['a second kind of units that cannot be none',  'update-experiment',       refusing(body => body.secondaryIDType === null),                              ['accept.documented-null']],
  ['groups without parameters only',              'update-experiment',       refusing(body => keys(list(body.groups)[0] ?? {}) !== ''),                    ['accept.combination', 'accept.plain-value']],
  ['no message but the minimal one',              'create-prompt-version',   refusing(body => list(body.prompts)[0]?.content !== 'You are a helpful assistant.'), ['accept.combination', 'accept.plain-value']],
  ['no queries',                                  'update-qualifying-event', refusing(body => body.sourceType === 'query'),                                ['accept.stated-boundary']],
])('a service with %s is found', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(accepts, endpoint, wrong)).cited).toEqual(cited);
});

test('a setting of an environment that a plan locks is untested in the words of the target', async () => {
  const locked = refusing(body => environments(body).some(({ requiresReview }) => requiresReview === true), 402);
  const { cited, because } = await judgedBy(accepts, 'update-environments', locked);
  expect(cited).toEqual([]);
  expect(because.join()).toContain('requiresReview is refused at every other value (status 402: "Not like this")');
});

test('single settings are tried on what is not production alone, and the set is always whole', async () => {
  const { sent } = await judgedBy(accepts, 'update-environments');
  expect(sent.length).toBeGreaterThan(3);
  for (const { body } of sent) {
    const set = environments(body as JsonObject);
    expect(set.map(({ name }) => name)).toEqual(['development', 'production']);
    expect(set[1]).toEqual({ name: 'production', isProduction: true });
  }
});
