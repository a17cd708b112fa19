import { describe, expect, it } from 'vitest';
import type { Schema } from './dialect.ts';
import { answerSchema, type EndpointId, endpointIds, endpointRow, endpoints } from './endpoints.ts';
import { type RootTable, requirementAt } from './fields.ts';
import { join } from './pointer.ts';
import { requirementById } from './requirements/index.ts';
import { tableOf } from './requirements/tables.ts';
import { gatePatch } from './resources/index.ts';

function bodyOf(id: EndpointId): Schema {
  const { body } = endpointRow(id);
  if (body === null) throw new Error(`${id} has no body`);
  return body;
}

/** Returns every member that a schema names, with its pointer and the node that names it. */
function members(node: Schema, pointer = ''): readonly (readonly [string, string, Schema])[] {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const at = join(pointer, name);
    return [[at, name, node] as const, ...members(child, at)];
  });
  const items = node.items === undefined ? [] : members(node.items, `${pointer}/0`);
  const branches = (node.anyOf ?? []).flatMap(branch => members(branch, pointer));
  return [...own, ...items, ...branches];
}

// biome-ignore format: a table
const inRequests: readonly (readonly [EndpointId, string, string])[] = [
  ['patch-gate',              '/description',                                'gate.description'],
  ['patch-gate',              '/targetApps',                                 'gate.targetApps'],
  ['patch-gate',              '/targetApps/3',                               'gate.targetApps'],
  ['patch-gate',              '/tags/0',                                     'gate.tags'],
  ['patch-gate',              '/reviewSettings/requiredReview',              'gateReviewSettings.requiredReview'],
  ['patch-gate',              '/gradual_rollout_strategy/name',              'gate.gradual_rollout_strategy'],
  ['patch-gate',              '/monitoringMetrics/2/description',            'gate.monitoringMetrics'],
  ['update-experiment',       '/groups/1/size',                              'group.size'],
  ['update-experiment',       '/groups/1/parameterValues/size',              'group.parameterValues'],
  ['update-experiment',       '/primaryMetrics/0/hypothesizedValue',         'metricReference.hypothesizedValue'],
  ['update-experiment',       '/bayesianPriors/0/metric/name',               'priorMetric.name'],
  ['update-experiment',       '/sprtMDESettings/0/groupSettings/12/mde',     'sprtGroupSetting.mde'],
  ['update-experiment',       '/stratifiedSampling/useUnits',                'stratifiedSampling.useUnits'],
  ['update-experiment',       '/userBuckets/7',                              'experiment.userBuckets'],
  ['update-environments',     '/environments/0/isProduction',                'environment.isProduction'],
  ['update-environments',     '/environments',                               'environments.environments'],
  ['update-qualifying-event', '/idTypeMapping/0/serviceUnitID',              'idTypeMapping.serviceUnitID'],
  ['enable-groups',           '/group_names/0',                              'enableGroups.group_names'],
  ['archive-config',          '/archiveReason',                              'archive.archiveReason'],
  ['create-metric',           '/warehouseNative/metricBakeDays',             'warehouseNative.metricBakeDays'],
  ['create-metric',           '/warehouseNative/components/0/criteria/1/column', 'criterion.column'],
  ['create-metric',           '/metricEvents/0/type',                        'metricEvent.type'],
  ['create-prompt-version',   '/prompts/0/role',                             'promptMessage.role'],
];

// biome-ignore format: a table
const inAnswers: readonly (readonly [EndpointId, string, string])[] = [
  ['disable-gate',           '',                                             'envelope.object'],
  ['disable-gate',           '/message',                                     'envelope.message'],
  ['disable-gate',           '/data',                                        'envelope.data-shape'],
  ['disable-gate',           '/data/isEnabled',                              'gate.isEnabled'],
  ['disable-gate',           '/data/owner/ownerEmail',                       'owner.ownerEmail'],
  ['disable-gate',           '/data/notDocumented/name',                     'envelope.data-shape'],
  ['list-segments',          '/pagination',                                  'envelope.pagination'],
  ['list-segments',          '/pagination/itemsPerPage',                     'pagination.itemsPerPage'],
  ['list-segments',          '/data/3',                                      'envelope.data-shape'],
  ['list-segments',          '/data/3/rules/conditions/0/targetValue',       'condition.targetValue'],
  ['list-segments',          '/data/3/rules/conditions/0/targetValue/1',     'condition.targetValue'],
  ['list-config-versions',   '/data/0/rules/0/variants/0/returnValue/name',  'variant.returnValue'],
  ['list-config-versions',   '/data/0/rules/0/pendingAutomatedRollouts/0/time', 'rollout.time'],
  ['list-event-metrics',     '/data/9/lineage/events/0',                     'lineage.events'],
  ['enable-groups',          '/data/healthChecks/0/metadata/groups/0/metrics/0/metricKey', 'healthGroupMetric.metricKey'],
  ['enable-groups',          '/data/hypothesis',                             'experiment.hypothesis'],
  ['list-events',            '/data/0/metadata/a~1b/c~0d',                   'loggedEvent.metadata'],
];

describe('the requirement of a pointer', () => {
  it.each(inRequests)('into the body of %s, %s, is %s', (id, pointer, row) => {
    expect(requirementAt(bodyOf(id), 'query', pointer)).toBe(row);
  });

  it.each(inAnswers)('into the answer of %s, %s, is %s', (id, pointer, row) => {
    expect(requirementAt(answerSchema(id), 'envelope', pointer)).toBe(row);
  });

  it('begins in the table that it is given where the root is no node of a table', () => {
    const query = endpoints['list-segments'].query;
    expect(requirementAt(query, 'query', '/limit')).toBe('query.limit');
    const copy = { ...gatePatch };
    expect(requirementAt(copy, 'gate', '/name')).toBe('gate.name');
    expect(requirementAt({ type: 'array', items: copy }, 'gate', '/4/name')).toBe('gate.name');
  });

  it('does not take the members of an object without a table for those of the table around it', () => {
    const root = {
      type: 'object',
      properties: { rules: { type: 'object', properties: { name: {} } } },
    } as const satisfies Schema;
    expect(requirementAt(root, 'gate', '/rules/name')).toBe('gate.rules');
  });

  it('reads the two escapes of a pointer', () => {
    const root = { type: 'object', properties: { 'a/b~c': gatePatch } } as const satisfies Schema;
    expect(requirementAt(root, 'envelope', '/a~1b~0c/name')).toBe('gate.name');
    expect(requirementAt({ type: 'object', properties: { '~1': gatePatch } }, 'envelope', '/~01/name')).toBe(
      'gate.name',
    );
  });

  it('finds the branch of a union that has the member', () => {
    const root = { anyOf: [{ type: 'string' }, gatePatch] } as const satisfies Schema;
    expect(requirementAt(root, 'envelope', '/description')).toBe('gate.description');
  });

  it('keeps to members of its own: names of object prototypes are no rows', () => {
    expect(requirementAt(gatePatch, 'gate', '/constructor')).toBe('envelope.data-shape');
    expect(requirementAt(answerSchema('disable-gate'), 'envelope', '/toString')).toBe('envelope.object');
  });

  it('is the row of its own table for every member of every contract', () => {
    const roots = endpointIds.flatMap((id): (readonly [Schema, RootTable])[] => {
      const { body, query } = endpointRow(id);
      return [
        [answerSchema(id), 'envelope'],
        ...(body === null ? [] : [[body, 'envelope'] as const]),
        ...(query === null ? [] : [[query, 'query'] as const]),
      ];
    });
    const frame: Readonly<Record<string, string>> = {
      data: 'envelope.data-shape',
      message: 'envelope.message',
      pagination: 'envelope.pagination',
    };
    let seen = 0;
    for (const [root, start] of roots) {
      for (const [pointer, member, parent] of members(root)) {
        const table = tableOf(parent) ?? (parent === root ? start : 'no table');
        const expected = table === 'envelope' ? frame[member] : `${table}.${member}`;
        const found = requirementAt(root, start, pointer);
        expect(found, pointer).toBe(expected);
        expect(requirementById(found).id).toBe(expected);
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(900);
  });
});
