import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpointsWhere } from '../../contracts/endpoints.ts';
import { isObject } from '../../contracts/json.ts';
import { checkOf, checks } from './index.ts';
import { allUnits, type Unit } from './units.ts';

const folders = ['active', 'passive', 'scenarios'] as const;
const files = folders.flatMap(folder =>
  readdirSync(new URL(folder, import.meta.url))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => `${folder}/${name}`),
);
const moduleOf = (file: string): Promise<object> => import(/* @vite-ignore */ new URL(file, import.meta.url).href);
const camelCase = (id: string): string => id.replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase());

describe('every check', () => {
  test('has an id of its own', () => {
    const ids = checks.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test.each(checks.map(check => [check.id, check]))(
    '%s lies in a file of that name, under that name',
    async (id, check) => {
      const file = files.find(path => path.endsWith(`/${id}.ts`));
      expect(file?.split('/')[0]).toMatch(check.kind === 'passive' ? /^passive$/ : /^(active|scenarios)$/);
      expect(await moduleOf(file ?? '')).toMatchObject({ [camelCase(id)]: check });
    },
  );

  test('stands in the index', async () => {
    const modules = await Promise.all(files.map(moduleOf));
    const exported = modules.flatMap(module => Object.values(module)).filter(one => isObject(one) && 'detects' in one);
    expect(new Set(exported)).toEqual(new Set(checks));
  });
});

describe('a role', () => {
  test.each(['minimal-request', 'envelope'] as const)(
    'that others rely on, %s, has one check, at every endpoint',
    role => {
      expect(checks.filter(check => check.role === role)).toEqual([checkOf(role)]);
      expect(endpointsWhere(row => !checkOf(role).appliesTo(row))).toEqual([]);
    },
  );

  test('puts the one accepted request of an operation that works only once last', () => {
    const active = (endpoint: Unit['endpoint']) =>
      allUnits().filter(unit => unit.endpoint === endpoint && unit.check.kind === 'active');
    for (const endpoint of endpointsWhere(row => row.oneShot === true))
      expect(active(endpoint).at(-1)?.check).toBe(checkOf('minimal-request'));
    expect(active('create-metric')[0]?.check).toBe(checkOf('minimal-request'));
  });
});

test('pins the ids of the checks', () => {
  expect(checks.map(check => `${check.id} ${check.level} ${check.kind}`)).toMatchInlineSnapshot(`
    [
      "frame MUST active",
      "disables MUST active",
      "accepts MUST active",
      "metric-types MUST active",
      "combinations SHOULD active",
      "sequences MUST active",
      "neighbours MUST active",
      "event-stored MUST active",
      "metric-stored MUST active",
      "lineage MUST active",
      "at-once MUST active",
      "rest-unchanged MUST active",
      "pagination MUST active",
      "rejects MUST active",
      "violations MUST active",
      "no-trace MUST active",
      "authentication MUST active",
      "malformed-bodies MUST active",
      "odd-requests MUST active",
      "envelope MUST passive",
      "message MUST passive",
      "schema MUST passive",
      "presence SHOULD passive",
      "identity MUST passive",
      "echo MUST passive",
      "refusals MUST passive",
      "disclosure SHOULD passive",
    ]
  `);
});
