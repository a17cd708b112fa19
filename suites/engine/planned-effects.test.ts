import { expect, test } from 'vitest';
import type { RunOptions } from './config.ts';
import { select } from './plan.ts';
import { plannedEffects } from './planned-effects.ts';
import { runDouble } from './run.fixture.ts';

const file = {
  fixtures: {
    gates: ['a_gate', 'b_gate'],
    experiments: [
      { id: 'first', groups: ['A', 'B'] },
      { id: 'last', groups: ['A', 'B'] },
    ],
    dynamicConfigs: ['a_config', 'z_config'],
    qualifyingEvents: ['a_source'],
    environments: [{ name: 'development' }],
    prompts: ['a_prompt'],
    events: ['an_event'],
  },
  limits: { metrics: 7 },
};
const told = (only: readonly string[], options: Partial<RunOptions> = {}, more: object = {}) => {
  const run = { ...runDouble({ file: { ...file, ...more }, options }), units: select({ only, skip: [] }) };
  const effects = plannedEffects(run)?.effects ?? [];
  return effects.map(({ effect, kind, id, most }) =>
    [effect, kind, id, most].filter(part => part !== undefined).join(' '),
  );
};

test('a run says what it changes for good, creates at most and puts back', () => {
  expect(told([])).toEqual([
    'put-back set of environments',
    'put-back qualifying event a_source',
    'changed-for-good experiment first',
    'changed-for-good experiment last',
    'changed-for-good dynamic config a_config',
    'put-back gate a_gate',
    'put-back gate b_gate',
    'changed-for-good experiment first',
    'changed-for-good experiment last',
    'created metric 7',
    'changed-for-good dynamic config z_config',
    'created prompt version a_prompt 40',
  ]);
});

test('only what the selection writes to is told, and what that needs written besides', () => {
  expect(told(['list-*'])).toEqual([]);
  expect(told(['disable-gate'])).toEqual(['put-back gate a_gate', 'put-back gate b_gate']);
  expect(told(['enable-groups'])).toEqual([
    'changed-for-good experiment last',
    'changed-for-good experiment first',
    'changed-for-good experiment last',
    'changed-for-good experiment first',
  ]);
});

test('enabling a group is told of each experiment that may be updated, where only updates were selected', () => {
  const ids = ['first', 'second', 'third', 'last'];
  const fixtures = { experiments: ids.map(id => ({ id, groups: ['A', 'B'] })) };
  const lasting = ids.map(id => `changed-for-good experiment ${id}`).sort();
  const all = told(['update-experiment'], {}, { fixtures });
  expect([all.slice(0, 4).sort(), all.slice(4).sort()]).toEqual([lasting, lasting]);
});

test('a run that only reads, and one without fixtures, changes nothing', () => {
  expect(told([], { readOnly: true })).toEqual([]);
  expect(told([], {}, { fixtures: {} })).toEqual([]);
});
