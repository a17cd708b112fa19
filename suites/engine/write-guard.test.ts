import { describe, expect, test } from 'vitest';
import type { Resource } from '../../contracts/endpoint.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import type { Withheld } from '../protocol/stop.ts';
import { targetOf } from '../sut/target.ts';
import type { TriedFlags } from './environment-flags.ts';
import { type KnownFixtures, writableOf } from './writable.ts';
import { createWriteGuard } from './write-guard.ts';

const development = { id: 'e1', name: 'development', isProduction: false, requiresReview: false };
const production = { id: 'e2', name: 'production', isProduction: true };
const target = targetOf(
  {
    fixtures: {
      gates: ['a_gate', 'gone'],
      qualifyingEvents: ['a_source', 'a_spare'],
      experiments: [{ id: 'x' }, { id: 'an_experiment' }],
      environments: [development, production],
    },
    disposable: { qualifyingEvents: ['a_spare'] },
  },
  new URL('http://127.0.0.1:9'),
  'k',
);
const fixturesOf = (entities: Record<string, JsonObject>, more: Partial<KnownFixtures> = {}): KnownFixtures => ({
  entities: new Map(Object.entries(entities)),
  obstructions: new Map(),
  dryRuns: new Set(),
  leftOut: [],
  ...more,
});
const known = new Map<Resource, KnownFixtures>([
  [
    'gate',
    fixturesOf(
      { a_gate: { isEnabled: true, description: null, team: null } },
      { obstructions: new Map([['gone', { because: 'it is gone', remedy: 'a line' }]]) },
    ),
  ],
  [
    'qualifying-event',
    fixturesOf(
      {
        a_source: { name: 'a_source', sql: 'SELECT 1', owner: {} },
        a_spare: { name: 'a_spare', sql: 'SELECT 1', isVerified: null },
      },
      { leftOut: ['owner'], dryRuns: new Set(['a_source']) },
    ),
  ],
]);
const noneRefused: TriedFlags = { refused: new Map(), stuck: [] };

/** Returns why a request is held back; `sent` if it is not. */
const verdict = (request: ApiRequest, flags = noneRefused): string => {
  const guard = createWriteGuard(target, { settleMs: 0, token: 'token' });
  guard.learn({
    writable: writableOf(target, known),
    gates: new Map(),
    flags,
    unnamed: new Map([['an_experiment', { because: 'it has more groups' }]]),
  });
  try {
    guard.admit(request);
    return 'sent';
  } catch (error) {
    return (error as Withheld).message;
  }
};
const patch = (body: ApiRequest['body'], more: Partial<ApiRequest> = {}): ApiRequest => ({
  endpoint: 'patch-gate',
  param: 'a_gate',
  body,
  ...more,
});
const update = (body: JsonObject, param = 'a_source'): ApiRequest => ({
  endpoint: 'update-qualifying-event',
  param,
  body,
});

test('nothing is held back before the fixtures were read', () => {
  expect(() => createWriteGuard(target, { settleMs: 0, token: 'token' }).admit(patch({ tags: [] }))).not.toThrow();
});

describe('a field of a fixture', () => {
  test.each<[string, ApiRequest]>([
    ['that an answer showed', patch({ isEnabled: false })],
    ['that was null where null is documented', patch({ team: 'growth' })],
    ['that is shown as null under another name, at null', patch({ teamID: null })],
    ['that is not documented', patch({ isOurs: true })],
    ['of an entity that the run has made up', patch({ tags: [] }, { param: 'conform-token-none' })],
    ['under another method', patch({ tags: [] }, { method: 'PUT' })],
    ['in a dry run', update({ sql: 'SELECT 2', tags: [], dryRun: true })],
    ['which is the name in the path', update({ name: 'other' })],
    ['in a body that cannot be read', patch(undefined, { raw: '{"tags":' })],
    ['of what cannot be put back anyway', { endpoint: 'update-experiment', param: 'x', body: { tags: [] } }],
  ])('%s is sent', (_which, request) => {
    expect(verdict(request)).toBe('sent');
  });

  test.each<[string, ApiRequest]>([
    ['that no answer showed', patch({ isEnabled: false, tags: [] })],
    ['that is shown as null under another name, at another value', patch({ teamID: 'growth' })],
    ['that no answer showed, at null', patch({ releasePipelineID: null })],
    ['that was null where null is not documented', patch({ description: 'x' })],
    ['in a body that is sent as it is', patch(undefined, { raw: '{"tags": []}' })],
    ['without the key', patch({ tags: [] }, { key: { kind: 'none' } })],
    ['under another spelling of the path', patch({ tags: [] }, { rawPath: '/console/v1/gates/a_gate/' })],
    ['of a disposable source, that no answer showed', update({ isReadOnly: true }, 'a_spare')],
    ['of one, shown as null where null is not documented', update({ isVerified: true }, 'a_spare')],
    ['which answers show in another form', update({ owner: {} })],
    ['beside a dry run that is none', update({ tags: [], dryRun: 'true' })],
  ])('%s is held back', (_which, request) => {
    expect(verdict(request)).toMatch(/is not written: .* so it could not be put back$/);
  });

  test.each([
    ['that was shown as null', { isVerified: true }, 'answers show it as null, which no request takes'],
    ['that was not shown', { isReadOnly: true }, 'no answer tells what it is now'],
  ])('%s is held back for that reason', (_which, body, because) => {
    expect(verdict(update(body, 'a_spare'))).toContain(`is not written: ${because}, so it could not be put back`);
  });

  test('is held back of an experiment that would lose groups by it', () => {
    const update = { endpoint: 'update-experiment', param: 'an_experiment', body: { groups: [] } } satisfies ApiRequest;
    expect(verdict(update)).toBe('it has more groups');
    expect(verdict({ endpoint: 'enable-groups', param: 'an_experiment', body: { group_names: ['Test'] } })).toBe(
      'sent',
    );
  });

  test('is not read by disabling where isEnabled is not known', () => {
    expect(verdict({ endpoint: 'disable-gate', param: 'a_gate' })).toBe('sent');
    expect(verdict({ endpoint: 'disable-gate', param: 'gone' })).toBe('it is gone');
  });
});

describe('the environments', () => {
  const set = (...environments: JsonObject[]): ApiRequest => ({
    endpoint: 'update-environments',
    body: { environments },
  });

  test.each<[string, ApiRequest]>([
    ['as the target file has them', set(development, production)],
    [
      'with a flag that the file tells, of one that is not production',
      set({ ...development, requiresReview: true }, production),
    ],
    ['meant by their ids, under another name', set({ ...development, name: 'dev' }, production)],
    ['of which nothing is sent', { endpoint: 'update-environments', body: {} }],
  ])('%s are sent', (_how, request) => {
    expect(verdict(request)).toBe('sent');
  });

  test.each<[string, ApiRequest, RegExp]>([
    ['less than all', set(development), /does not carry every environment/],
    ['none', set(), /does not carry every environment/],
    ['one more', set(development, production, { name: 'new' }), /could create an environment/],
    [
      'with a flag that the file does not tell',
      set({ ...development, requiresReleasePipeline: true }, production),
      /does not say what requiresReleasePipeline/,
    ],
    ['with another flag of production', set(development, { ...production, isProduction: false }), /is production/],
  ])('%s are held back', (_how, request, why) => {
    expect(verdict(request)).toMatch(why);
  });

  test('with a flag that could not be turned back are held back, and all of them where the set is refused since', () => {
    const flags = { refused: new Map([['requiresReview', 'it was stuck']]), stuck: [] };
    expect(verdict(set({ ...development, requiresReview: true }, production), flags)).toBe('it was stuck');
    expect(verdict(set({ ...development, isProduction: true }, production), flags)).toBe('sent');
    expect(verdict(set(development, production), { ...flags, blocked: 'it is refused' })).toBe('it is refused');
  });
});

// biome-ignore format: a table
test.each<readonly [what: string, request: ApiRequest, told: string]>([
  ['an update of a source that the file does not name', { endpoint: 'update-qualifying-event', param: 'a_sourc', body: { sql: 'x' } }, 'the target file does not name qualifying event a_sourc'],
  ['an update of such an experiment',                   { endpoint: 'update-experiment', param: 'a', body: { status: 'setup' } }, 'the target file does not name experiment a'],
  ['a patch of such a gate',                            patch({ tags: [] }, { param: 'a_gat' }), 'the target file does not name gate a_gat'],
  ['disabling it',                                      { endpoint: 'disable-gate', param: 'a_gat' }, 'the target file does not name gate a_gat'],
  ['archiving such a config',                           { endpoint: 'archive-config', param: 'b' }, 'the target file does not name dynamic config b'],
  ['an empty patch, which only reads',                  patch({}, { param: 'a_gat' }), 'sent'],
  ['a dry run',                                         { endpoint: 'update-qualifying-event', param: 'a_sourc', body: { sql: 'x', dryRun: true } }, 'sent'],
  ['a name that the run made up',                       { endpoint: 'disable-gate', param: 'conform-token-none' }, 'sent'],
])('of what is not in the target file: %s', (_what, request, told) => {
  expect(verdict(request)).toBe(told);
});
