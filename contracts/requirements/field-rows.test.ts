import { describe, expect, it } from 'vitest';
import type { Schema } from '../dialect.ts';
import { answeringWith } from './bindings.ts';
import { fieldLevel, fieldRequirements } from './field-rows.ts';
import { requirementById } from './index.ts';
import { fieldTables, tables } from './tables.ts';

// biome-ignore format: a table
const levels: readonly (readonly [string, string, string])[] = [
  ['gate.description',           'MUST',   'a limit'],
  ['gate.version',               'MUST',   'a type in answers'],
  ['gate.releasePipelineID',     'SHOULD', 'a type in requests alone'],
  ['metric.percentile',          'MUST',   'bounds in requests alone'],
  ['enableGroups.group_names',   'MUST',   'a required member in requests alone'],
  ['qualifyingEvent.all_columns', 'MUST',  'a member that is required on a condition'],
  ['warehouseNative.cap',        'SHOULD', 'a type within a part of requests'],
  ['reviewer.email',             'OPEN',   'nothing but a name'],
  ['experiment.layerID',         'MUST',   'a name that an answer must have'],
];

describe('the rows of fields', () => {
  it('has one requirement for each member of each table', () => {
    const ids = fieldRequirements.map(row => row.id);
    const expected = fieldTables.flatMap(table => {
      const [, , ...nodes] = tables[table];
      return [...new Set(nodes.flatMap(node => Object.keys(node.properties ?? {})))].map(
        member => `${table}.${member}`,
      );
    });
    expect(ids).toEqual(expected);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('binds each row to an endpoint', () => {
    expect(fieldRequirements.filter(row => row.endpoints.length === 0).map(row => row.id)).toEqual([]);
  });

  it.each(levels)('%s is %s: %s', (id, level) => {
    expect(requirementById(id).level).toBe(level);
  });

  it('is MUST for a request alone whose items are bounded, and SHOULD where they are not', () => {
    const sent = (items: Schema) =>
      fieldLevel({
        table: 'gate',
        member: 'tags',
        requests: [{ schema: { type: 'array', items }, required: false, condition: undefined, guarded: false }],
        answers: [],
        endpoints: ['patch-gate'],
      });
    expect(sent({ type: 'number', minimum: 0 })).toBe('MUST');
    expect(sent({ type: 'number' })).toBe('SHOULD');
  });

  it('may stay unobserved where only a check of its own effect may send it, or what it stands in', () => {
    const isConditional = (id: string) => requirementById(id).conditional === true;
    expect(['gate.owner', 'owner.ownerID', 'owner.name', 'gate.version'].filter(isConditional)).toHaveLength(4);
    expect(['gate.description', 'group.foreignGroupID', 'metric.tags'].filter(isConditional)).toEqual([]);
  });

  it('states types, constraints and duties from the contracts', () => {
    const says = (id: string): string => requirementById(id).statement;
    expect(says('gate.description')).toBe(
      'In a request `description` of a gate is a text of at most 1000 characters; in an answer a text.',
    );
    expect(says('gate.isEnabled')).toBe('`isEnabled` of a gate is true or false; an answer has it.');
    expect(says('enableGroups.group_names')).toBe(
      'In a request `group_names` of a request to enable groups is a list (each item a text); a request must have it.',
    );
    expect(says('qualifyingEvent.all_columns')).toBe(
      'In a request `all_columns` of a qualifying event is a list (each item a text); a request must have it when `skip_validation` is `true`.',
    );
    expect(says('metricEvent.type')).toBe(
      'In a request `type` of a metric event is a text, or in some places one of `count` and `count_distinct`; in an answer a text; a request must have it.',
    );
    expect(says('rule.conditions')).toBe('In an answer `conditions` of a rule is a list (each item a condition).');
    expect(says('reviewer.email')).toBe('The specification names `email` of a reviewer and gives no type for it.');
  });

  it('binds a field to the endpoints that send or show it', () => {
    expect(requirementById('gate.releasePipelineID').endpoints).toEqual(['patch-gate']);
    expect(requirementById('gate.status').endpoints).toEqual(answeringWith('gate'));
    expect(requirementById('variant.id').endpoints).toContain('list-config-versions');
  });

  it('says of a guarded field that no answer shows why nothing verifies it', () => {
    const unverified = fieldRequirements.filter(row => row.unverified !== undefined).map(row => row.id);
    expect(unverified.sort()).toEqual([
      'archive.forceArchive',
      'gate.gradual_rollout_strategy',
      'metric.dryRun',
      'qualifyingEvent.dryRun',
    ]);
  });
});
