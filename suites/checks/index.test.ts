import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpointsWhere } from '../../contracts/endpoints.ts';
import { checkOf, checks } from './index.ts';
import { allUnits, type Unit } from './units.ts';

const folders = ['active', 'passive', 'scenarios', 'stimuli'] as const;
const files = folders.flatMap(folder => readdirSync(new URL(folder, import.meta.url)).map(name => `${folder}/${name}`));
const sources = files.filter(name => !name.endsWith('.test.ts'));
const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

/** Returns the names of the checks that a file exports, with their ids. */
const exportedBy = (file: string): readonly string[] =>
  [
    ...textOf(file).matchAll(
      /^export const (\w+): (?:Active|Passive)Check\b.*\n {2}kind: '\w+',\n {2}id: '([\w-]+)',$/gm,
    ),
  ].map(([, name, id]) => `${name} ${id}`);
const camelCase = (id: string): string => id.replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase());

describe('every check', () => {
  test('has an id of its own', () => {
    const ids = checks.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test.each(checks)('$id lies in a file of that name, alone and under that name', ({ id, kind }) => {
    const holding = sources.filter(path => exportedBy(path).some(one => one.endsWith(` ${id}`)));
    expect(holding).toEqual([
      expect.stringMatching(new RegExp(`^${kind === 'passive' ? 'passive' : '(active|scenarios|stimuli)'}/${id}.ts$`)),
    ]);
    expect(holding.flatMap(exportedBy)).toEqual([`${camelCase(id)} ${id}`]);
  });

  test.each(checks)('$id has a test beside it', ({ id }) => {
    expect(files).toContain(`${files.find(path => path.endsWith(`/${id}.ts`))?.slice(0, -'.ts'.length)}.test.ts`);
  });

  test('stands in the index', () => {
    expect(sources.flatMap(exportedBy)).toHaveLength(checks.length);
    expect(sources.filter(file => /^ {2}detects:/m.test(textOf(file)))).toHaveLength(checks.length);
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

  test('puts the one accepted request of an operation that works only once last, but for what comes after it', () => {
    const active = (endpoint: Unit['endpoint']) =>
      allUnits().filter(unit => unit.endpoint === endpoint && unit.check.kind === 'active');
    for (const endpoint of endpointsWhere(row => row.oneShot === true)) {
      const roles = active(endpoint).map(({ check }) => check.role);
      const at = roles.indexOf('minimal-request');
      expect(roles.slice(0, at)).not.toContain('afterwards');
      expect(new Set(roles.slice(at + 1))).toEqual(new Set(['afterwards']));
    }
    expect(active('create-metric')[0]?.check).toBe(checkOf('minimal-request'));
  });
});

test('pins the ids of the checks', () => {
  expect(checks.map(check => `${check.id} ${check.level} ${check.kind}`)).toMatchInlineSnapshot(`
    [
      "frame MUST active",
      "disables MUST active",
      "neighbours MUST active",
      "experiment-neighbours SHOULD active",
      "accepts MUST active",
      "metric-types MUST active",
      "spellings MUST active",
      "combinations SHOULD active",
      "values MUST active",
      "lists SHOULD active",
      "courses SHOULD active",
      "sequences SHOULD active",
      "event-stored MUST active",
      "metric-stored MUST active",
      "lineage MUST active",
      "at-once MUST active",
      "rest-unchanged MUST active",
      "races MUST active",
      "pagination MUST active",
      "rejects MUST active",
      "violations MUST active",
      "no-trace MUST active",
      "experiment-no-trace SHOULD active",
      "refused-name SHOULD active",
      "authentication MUST active",
      "malformed-bodies MUST active",
      "odd-requests MUST active",
      "ended-configs SHOULD active",
      "archive-reason SHOULD active",
      "disposable SHOULD active",
      "envelope MUST passive",
      "message MUST passive",
      "schema MUST passive",
      "presence SHOULD passive",
      "identity MUST passive",
      "pages MUST passive",
      "echo MUST passive",
      "table-notes SHOULD passive",
      "refusals MUST passive",
      "disclosure SHOULD passive",
    ]
  `);
});
