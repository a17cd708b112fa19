import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { at, differences } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { everythingDeclared, nothingDeclared, templates } from './capabilities.fixture.ts';
import { acceptArbitrary, acceptCases, rejectArbitrary, rejectCases } from './index.ts';
import { withShrinks } from './walked.fixture.ts';

interface Setting {
  readonly id: EndpointId;
  readonly schema: ObjectSchema;
  readonly template: JsonObject;
  readonly capabilities: TargetCapabilities;
}

/** Every endpoint with a body, at a target that declares everything and at one that declares nothing. */
const settings = endpointIds.flatMap((id): (readonly [string, Setting])[] => {
  const schema: ObjectSchema | null = endpoints[id].body;
  const template = templates[id];
  if (schema === null || template === undefined) return [];
  return [
    [`${id}, everything declared`, { id, schema, template, capabilities: everythingDeclared }],
    [`${id}, nothing declared`, { id, schema, template, capabilities: nothingDeclared }],
  ];
});

function setting(id: EndpointId, capabilities: TargetCapabilities): Setting {
  const schema: ObjectSchema | null = endpoints[id].body;
  const template = templates[id];
  if (schema === null || template === undefined) throw new Error(`no body or template for ${id}`);
  return { id, schema, template, capabilities };
}

it('has a template for every endpoint with a body', () => {
  for (const id of endpointIds) expect([id, id in templates]).toEqual([id, endpoints[id].body !== null]);
});

describe.each(settings)('%s', (_, { schema, template, capabilities }) => {
  const problems = validatorFor(schema);
  const accepted = acceptCases(schema, template, capabilities);
  const rejected = rejectCases(schema, template, capabilities);

  it('accepts only valid bodies, the template first, each once, and not too many', () => {
    expect(accepted.cases[0]).toMatchObject({ pointer: '', body: template, level: 'MUST' });
    for (const { title, body } of accepted.cases) expect([title, problems(body)]).toEqual([title, []]);
    expect(new Set(accepted.cases.map(({ body }) => JSON.stringify(body))).size).toBe(accepted.cases.length);
    expect(accepted.cases.length + rejected.cases.length).toBeLessThan(1_500);
  });

  it('rejects only invalid bodies that differ from a valid control at the pointer alone', () => {
    for (const { title, body, control, pointer, sent, controlValue } of rejected.cases) {
      expect([title, problems(control)]).toEqual([title, []]);
      expect([title, problems(body).length > 0]).toEqual([title, true]);
      expect([title, differences(body, control)]).toEqual([title, [pointer]]);
      expect(at(body, pointer)).toEqual(sent);
      expect(at(control, pointer)).toEqual(controlValue);
    }
    expect(new Set(rejected.cases.map(({ body }) => JSON.stringify(body))).size).toBe(rejected.cases.length);
  });

  it('needs few controls: at most two for each field, and one for each condition', () => {
    const controls = new Set(rejected.cases.map(({ control }) => JSON.stringify(control)));
    const fields = Object.keys(schema.properties ?? {}).length;
    expect(controls.size).toBeLessThanOrEqual(1 + 2 * fields + (schema.allOf?.length ?? 0));
  });

  it('has a text of letters of two bytes at every stated length, where any text may stand', () => {
    for (const [name, { maxLength, pattern }] of Object.entries(schema.properties ?? {})) {
      if (maxLength === undefined || pattern !== undefined) continue;
      const atBound = accepted.cases.filter(
        ({ pointer, value }) => pointer === `/${name}` && String(value).length === maxLength,
      );
      expect(atBound.map(({ level, value }) => [level, Buffer.byteLength(String(value)) > maxLength])).toEqual([
        ['MUST', true],
      ]);
    }
  });

  it('is the same every time', () => {
    expect(acceptCases(schema, template, capabilities)).toEqual(accepted);
    expect(rejectCases(schema, template, capabilities)).toEqual(rejected);
  });

  it('has no text with white space at an end that MUST be accepted, and no mutation that depends on one', () => {
    for (const { title, value, level } of accepted.cases)
      if (typeof value === 'string' && level === 'MUST') expect([title, value]).toEqual([title, value.trim()]);
    for (const { title, sent } of rejected.cases)
      if (typeof sent === 'string') expect([title, sent]).toEqual([title, sent.trim()]);
  });

  it('draws random requests that are valid, shrunk ones too', () => {
    for (const { title, body } of withShrinks(acceptArbitrary(schema, template, capabilities), 5, 60))
      expect([title, problems(body)]).toEqual([title, []]);
  });

  it('draws random mutations that stay invalid in one place, however far they are shrunk', () => {
    for (const { title, body, control, pointer } of withShrinks(
      rejectArbitrary(schema, template, capabilities),
      6,
      60,
    )) {
      expect([title, problems(body).length > 0, problems(control)]).toEqual([title, true, []]);
      expect([title, differences(body, control)]).toEqual([title, [pointer]]);
    }
  });

  it('draws mutations only of controls that the enumeration has', () => {
    const known = new Set(rejected.cases.map(({ control }) => JSON.stringify(control)));
    for (const { control } of fc.sample(rejectArbitrary(schema, template, capabilities), { seed: 7, numRuns: 50 }))
      expect(known).toContain(JSON.stringify(control));
  });

  it('draws the same requests for the same seed', () => {
    const draw = () => [
      fc.sample(acceptArbitrary(schema, template, capabilities), { seed: 8, numRuns: 30 }),
      fc.sample(rejectArbitrary(schema, template, capabilities), { seed: 8, numRuns: 30 }),
    ];
    expect(draw()).toEqual(draw());
  });
});

/** Returns the values that MUST be accepted at a pointer. */
function musts({ schema, template, capabilities }: Setting, pointer: string): unknown[] {
  return acceptCases(schema, template, capabilities).cases.flatMap(one =>
    one.pointer === pointer && one.level === 'MUST' ? [one.value] : [],
  );
}

/** Returns the values at a pointer that MUST be refused. */
function refusals({ schema, template, capabilities }: Setting, pointer: string): unknown[] {
  return rejectCases(schema, template, capabilities).cases.flatMap(one =>
    one.pointer === pointer && one.level === 'MUST' ? [one.sent] : [],
  );
}

describe('the stated boundaries', () => {
  const gate = setting('patch-gate', nothingDeclared);
  const experiment = setting('update-experiment', everythingDeclared);
  const metric = setting('create-metric', everythingDeclared);

  it('of a length are met from both sides', () => {
    const lengths = (values: unknown[]) => values.map(value => String(value).length);
    expect(lengths(musts(gate, '/name'))).toEqual(expect.arrayContaining([3, 100]));
    expect(lengths(refusals(gate, '/name'))).toEqual(expect.arrayContaining([0, 2, 101]));
    expect(lengths(musts(gate, '/description'))).toContain(1000);
    expect(lengths(refusals(gate, '/description'))).toEqual([1001]);
    expect(lengths(musts(metric, '/name'))).toEqual(expect.arrayContaining([3, 200]));
    expect(lengths(refusals(metric, '/name'))).toEqual(expect.arrayContaining([2, 201]));
  });

  it('of a pattern: every character that it allows, and each that it does not, alone', () => {
    const shown = new Set(musts(gate, '/name').join(''));
    for (const character of '-_. abcxyzABCXYZ0189') expect(shown).toContain(character);
    const broken = refusals(gate, '/name').map(text => String(text).replaceAll(/[a-zA-Z0-9_\-. ]/g, ''));
    for (const character of '!"#$%&\'()*+,/:;<=>?@[\\]^`{|}~é') expect(broken).toContain(character);
  });

  it('of numbers are met from both sides, exclusive ones exactly at the bound', () => {
    expect(musts(experiment, '/allocation')).toEqual(expect.arrayContaining([0, 50.46]));
    expect(refusals(experiment, '/allocation')).toEqual(expect.arrayContaining([-0.001, -1, 100.001, 101]));
    expect(musts(experiment, '/duration')).toContain(2);
    expect(refusals(experiment, '/duration')).toEqual(expect.arrayContaining([1, 0]));
    expect(musts(experiment, '/userBuckets/0')).toEqual(expect.arrayContaining([0, 999.999]));
    expect(refusals(experiment, '/userBuckets/0')).toEqual(expect.arrayContaining([-1, 1000]));
    expect(musts(experiment, '/scheduledReloadDays/0')).toEqual(expect.arrayContaining([0, 6]));
    expect(refusals(experiment, '/scheduledReloadDays/0')).toEqual(expect.arrayContaining([-1, 7]));
    expect(refusals(metric, '/percentile')).toEqual(expect.arrayContaining([0, 0.0009, 0.9991, 1]));
  });

  it('of lists are met from both sides', () => {
    const sizes = (values: unknown[]) => values.map(value => (value as unknown[]).length);
    expect(sizes(musts(experiment, '/manualQualityScores'))).toContain(10);
    expect(sizes(refusals(experiment, '/manualQualityScores'))).toEqual([11]);
  });

  it('of closed sets: every member, and near misses of each', () => {
    expect(musts(gate, '/type')).toEqual(['PERMANENT', 'TEMPORARY']);
    expect(refusals(gate, '/type')).toEqual(expect.arrayContaining(['pERMANENT', 'TEMP ORARY', '']));
    expect(refusals(experiment, '/status')).toContain('Active');
    expect(musts(experiment, '/status')).toEqual([]);
  });

  it('of conditions are broken beside a control in which they hold', () => {
    const { schema, template, capabilities } = metric;
    const ratio = rejectCases(schema, template, capabilities).cases.filter(one => one.keyword === 'allOf');
    expect(ratio.length).toBeGreaterThan(0);
    for (const { control, pointer } of ratio) {
      expect(control.type).toBe('ratio');
      expect(pointer).toBe('/metricEvents/0/type');
    }
  });
});

describe('what a target of these capabilities cannot be sent', () => {
  it('is left out and listed with a remedy, but for documented null', () => {
    const { schema, template, capabilities } = setting('patch-gate', nothingDeclared);
    const { cases, notExercised } = acceptCases(schema, template, capabilities);
    expect(notExercised.find(one => one.field === 'idType')).toMatchObject({
      remedy: expect.stringContaining('idTypes'),
    });
    expect(notExercised.find(one => one.field === 'teamID')).toMatchObject({
      remedy: expect.stringContaining('enterprise'),
    });
    expect(cases.filter(one => 'idType' in one.body || 'teamID' in one.body)).toEqual([]);
    expect(cases.filter(one => 'creatorID' in one.body).map(one => one.value)).toEqual([null]);
  });

  it('never holds guarded fields, whatever the target declares', () => {
    for (const id of ['create-metric', 'update-qualifying-event', 'patch-gate', 'archive-config'] as const) {
      const { schema, template, capabilities } = setting(id, everythingDeclared);
      const drawn = fc.sample(acceptArbitrary(schema, template, capabilities), { seed: 4, numRuns: 200 });
      for (const { body } of [...acceptCases(schema, template, capabilities).cases, ...drawn])
        for (const name of ['isReadOnly', 'isVerified', 'owner', 'dryRun', 'forceArchive'])
          expect(body).not.toHaveProperty(name);
    }
  });

  it('keeps fields beside those that they depend on, as a SHOULD where that changes the template', () => {
    const { schema, template, capabilities } = setting('create-metric', everythingDeclared);
    const { cases } = acceptCases(schema, template, capabilities);
    const percentile = cases.filter(one => one.pointer === '/percentile');
    expect(percentile.length).toBeGreaterThan(0);
    for (const { body, level } of percentile) expect([body.type, level]).toEqual(['percentile', 'SHOULD']);
    for (const { body } of cases)
      if ('customRollUpEnd' in body) expect(body).toMatchObject({ rollupTimeWindow: 'custom' });
  });

  it('sends a value of a closed set with what it needs, as a SHOULD, and not without', () => {
    const needed: Record<string, string> = {
      funnel: 'funnelEventList',
      composite: 'metricComponentMetrics',
      composite_sum: 'metricComponentMetrics',
      percentile: 'percentile',
    };
    const sent = (capabilities: TargetCapabilities) => {
      const { schema, template } = setting('create-metric', capabilities);
      const { cases } = acceptCases(schema, template, capabilities);
      return cases.filter(({ body }) => needed[String(body.type)] !== undefined);
    };
    const all = sent(everythingDeclared);
    expect(new Set(all.map(({ body }) => body.type))).toEqual(new Set(Object.keys(needed)));
    for (const { body, level } of all) {
      expect(body).toHaveProperty(needed[String(body.type)] ?? '');
      expect(level).toBe('SHOULD');
    }
    expect(sent(nothingDeclared).map(({ body }) => body.type)).not.toContain('composite');
  });

  it('brings the controls that lift what is stated of them to a MUST, where what they need has a value', () => {
    const controlsAt = (id: EndpointId, pointer: string, capabilities = everythingDeclared) => {
      const { schema, template } = setting(id, capabilities);
      return acceptCases(schema, template, capabilities)
        .cases.filter(one => one.pointer === pointer && one.value !== null)
        .map(({ value, controls, level }) => [value, level, controls?.map(body => at(body, pointer))] as const);
    };
    expect(controlsAt('create-metric', '/percentile')).toEqual([
      [0.001, 'SHOULD', [undefined, 0.9]],
      [0.999, 'SHOULD', [undefined, 0.9]],
      [0.9, 'SHOULD', undefined],
      [0.505, 'SHOULD', undefined],
    ]);
    expect(controlsAt('create-metric', '/funnelCountDistinct')).toEqual([
      ['events', 'SHOULD', [undefined, 'users']],
      ['users', 'SHOULD', [undefined, 'events']],
    ]);
    const modes = ['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany'];
    const pointer = '/identifierMappingMode';
    expect(controlsAt('update-experiment', pointer).map(([mode, , controls]) => [mode, controls?.[0]])).toEqual(
      modes.map(mode => [mode, undefined]),
    );
    // A mapping without a second kind of ids may mean nothing.
    expect(controlsAt('update-experiment', pointer, nothingDeclared)).toEqual(
      modes.map(mode => [mode, 'SHOULD', undefined]),
    );
    // The types themselves have no controls.
    for (const [, , controls] of controlsAt('create-metric', '/type')) expect(controls).toBeUndefined();
  });

  it('sends names of columns and their types in equal number', () => {
    const { schema, template, capabilities } = setting('update-qualifying-event', everythingDeclared);
    for (const { body, pointer } of acceptCases(schema, template, capabilities).cases)
      if (pointer.startsWith('/all_columns') || pointer.startsWith('/column_types'))
        expect(body.all_columns).toHaveLength((body.column_types as unknown[]).length);
  });
});

describe('experiment groups', () => {
  const { schema, template, capabilities } = setting('update-experiment', everythingDeclared);
  const drawn = withShrinks(acceptArbitrary(schema, template, capabilities), 9, 400);
  const lists = [...acceptCases(schema, template, capabilities).cases, ...drawn].map(
    one => one.body.groups as { name: string; size: number }[],
  );

  it('always add up to 100 under distinct names', () => {
    for (const groups of lists) {
      expect(groups.reduce((sum, group) => sum + group.size, 0)).toBe(100);
      expect(new Set(groups.map(group => group.name)).size).toBe(groups.length);
    }
  });

  it('keep the names that the template gives them, and do vary', () => {
    // In one list they stand in another order, because the order counts.
    const names = lists.map(groups =>
      groups.map(group => group.name).filter(name => name === 'Control' || name === 'Test'),
    );
    for (const pair of names) expect([...pair].sort()).toEqual(['Control', 'Test']);
    expect(names.filter(pair => pair[0] === 'Test')).toHaveLength(1);
    expect(new Set(lists.map(groups => JSON.stringify(groups))).size).toBeGreaterThan(5);
  });
});

describe('environments', () => {
  it('are always sent as the full set under their own names', () => {
    const { schema, template, capabilities } = setting('update-environments', everythingDeclared);
    const drawn = withShrinks(acceptArbitrary(schema, template, capabilities), 10, 50);
    for (const { body } of [...acceptCases(schema, template, capabilities).cases, ...drawn])
      expect((body.environments as { id: string; name: string }[]).map(({ id, name }) => [id, name])).toEqual([
        ['e1', 'development'],
        ['e2', 'production'],
      ]);
  });
});
