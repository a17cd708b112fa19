import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../contracts/endpoint.ts';
import { endpointRow, endpointsWhere } from '../../../contracts/endpoints.ts';
import { isRequirementId } from '../../../contracts/requirements/index.ts';
import { type Given, observed } from '../../proof/testing/answers.ts';
import { identity } from './identity.ts';

const gate = (data: unknown, more: Given = {}): Given => ({
  ...more,
  value: { message: '', data },
  request: { param: 'gate_a', ...more.request },
});
const metric = { id: 'signups::sum', name: 'signups', type: 'sum' };
const metrics = (...data: unknown[]): Given => ({
  endpoint: 'list-event-metrics',
  value: { message: '', data, pagination: {} },
});

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, found: readonly string[] | 'not judged']>([
  ['the entity that was named',     gate({ id: 'gate_a' }),                            []],
  ['another entity',                gate({ id: 'gate_b' }),                            ['identity.gate-id /data/id']],
  ['the name in another case',      gate({ id: 'Gate_A' }),                            ['identity.gate-id /data/id']],
  ['an id that is no text',         gate({ id: 1 }),                                   'not judged'],
  ['an entity without an id',       gate({}),                                          'not judged'],
  ['an entity in a broken frame',  { value: { data: { id: 'gate_a' } }, request: { param: 'gate_a' } }, 'not judged'],
  ['a refusal',                     gate({ id: 'gate_b' }, { status: 404 }),           'not judged'],
  ['an answer to another method',   gate({ id: 'gate_b' }, { request: { method: 'PUT' } }), 'not judged'],
  ['metrics with ids of their own', metrics(metric),                                   []],
  ['a metric with another id',      metrics(metric, { ...metric, id: 'signups:sum' }), ['identity.metric-id /data/1/id']],
  ['no metrics',                    metrics(),                                         'not judged'],
])('%s', (_what, given, found) => {
  expect(observed(identity, given)).toEqual(found);
});

test('every endpoint with an identity has a requirement for it', () => {
  const rows = endpointsWhere(identity.appliesTo).map(endpointRow);
  expect(rows.length).toBeGreaterThan(8);
  for (const row of rows)
    expect(identity.requirements(row, 'patch-gate').filter(id => !isRequirementId(id))).toEqual([]);
});

describe('an endpoint that is not in the table, but for a row with an identity', () => {
  const row: Endpoint = {
    ...endpointRow('disable-gate'),
    method: 'GET',
    path: '/console/v1/gates/{id}',
    section: '4.16',
    title: 'Get Gate',
    action: 'read',
    effect: 'read',
  };

  test('is judged by it', () => {
    expect(identity.appliesTo(row)).toBe(true);
    expect(identity.requirements(row, 'patch-gate')).toEqual(['identity.gate-id']);
    expect(observed(identity, gate({ id: 'gate_a' }), row)).toEqual([]);
    expect(observed(identity, gate({ id: 'gate_b' }), row)).toEqual(['identity.gate-id /data/id']);
  });

  test('is not where the row has none', () => {
    expect(identity.appliesTo({ ...row, identity: null })).toBe(false);
  });
});
