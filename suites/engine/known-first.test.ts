import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { subjectOf } from '../sut/target.ts';
import { runDouble } from './run.fixture.ts';
import { withKnownFirst } from './snapshot.ts';
import { file, nothingRead } from './taught.fixture.ts';
import { writableOf } from './writable.ts';

const bare: JsonObject = { isEnabled: true };
const rich: JsonObject = { isEnabled: true, description: 'Shown', tags: [] };

/** Returns the order in which checks use the gates, given what was read of each. */
function orderAfter(read: Readonly<Record<string, JsonObject>>, refused = true): readonly string[] {
  const gates = ['a', 'b', 'c'];
  const run = runDouble({ file: { ...file, fixtures: { ...file.fixtures, gates } } });
  const entities = new Map(Object.entries(read));
  const unread = refused ? gates.filter(id => !entities.has(id)) : [];
  const obstructions = new Map(unread.map(id => [id, { because: 'it could not be read' }]));
  const known = { entities, obstructions, dryRuns: new Set<string>(), leftOut: [] };
  const writable = writableOf(run.config.target, new Map([['gate', known]]));
  const { target } = withKnownFirst(run, { ...nothingRead, gates: entities, writable }).config;
  expect(subjectOf(target, 'patch-gate')).toBe(target.fixtures.gates?.[0]);
  return target.fixtures.gates ?? [];
}

describe('the gate that checks work on', () => {
  test('is the one of which answers show the most settings', () => {
    expect(orderAfter({ a: bare, b: rich, c: bare })).toEqual(['b', 'a', 'c']);
    expect(orderAfter({ a: bare, b: rich, c: { ...rich, type: 'PERMANENT' } })).toEqual(['c', 'a', 'b']);
  });

  test('is the first of the target file among equals', () => {
    expect(orderAfter({ a: rich, b: rich, c: bare })).toEqual(['a', 'b', 'c']);
    expect(orderAfter({ a: bare, b: bare, c: bare })).toEqual(['a', 'b', 'c']);
  });

  test('is not chosen by what it cannot be sent', () => {
    expect(orderAfter({ a: bare, b: { ...bare, version: 1, owner: {}, more: 1, tags: null }, c: bare })[0]).toBe('a');
  });

  test('is one that could be read', () => {
    expect(orderAfter({ b: bare, c: rich })).toEqual(['c', 'a', 'b']);
    expect(orderAfter({ c: {} })).toEqual(['c', 'a', 'b']);
    expect(orderAfter({ a: bare, c: rich })).toEqual(['c', 'a', 'b']);
  });

  test('stays the first where none could be read: its checks say so', () => {
    expect(orderAfter({})).toEqual(['a', 'b', 'c']);
  });

  test('stays the first where that one failed to answer: its checks say so', () => {
    expect(orderAfter({ b: bare, c: rich }, false)).toEqual(['a', 'b', 'c']);
  });

  test('is the first of the target file where nothing was read', () => {
    const run = runDouble({ file });
    expect(withKnownFirst(run, nothingRead)).toBe(run);
  });
});

test('a target in another order has the key that is in use', () => {
  let key = 'first';
  const { config, ...rest } = runDouble({ file });
  const keys = { ...config.target.keys, current: () => key };
  const run = { ...rest, config: { ...config, target: { ...config.target, keys } } };
  const gates = new Map([
    ['a_gate', bare],
    ['another_gate', rich],
  ]);
  const known = { entities: gates, obstructions: new Map(), dryRuns: new Set<string>(), leftOut: [] };
  const writable = writableOf(run.config.target, new Map([['gate', known]]));
  const { target } = withKnownFirst(run, { ...nothingRead, gates, writable }).config;
  expect(target.fixtures.gates).toEqual(['another_gate', 'a_gate']);
  key = 'second';
  expect(target.apiKey).toBe('second');
});
