import { expect, test } from 'vitest';
import { type JsonObject, membersOf } from '../../contracts/json.ts';
import type { TargetFile } from '../../contracts/target.ts';
import type { HandlerResponse } from '../../reference-server/index.ts';
import { type RunRecord, recordedRun, testKey } from '../proof/testing/reference-run.ts';

/** Runs with a target file that names these groups of the first experiment. */
const naming = (
  groups: (all: readonly string[]) => readonly string[],
  only: readonly string[] = ['update-experiment/accepts', 'enable-groups/accepts'],
): Promise<RunRecord> =>
  recordedRun({
    only,
    file: (file): TargetFile => ({
      ...file,
      fixtures: {
        ...file.fixtures,
        experiments: (file.fixtures?.experiments ?? []).map((one, index) =>
          index === 0 ? { ...one, groups: [...groups(one.groups ?? [])] } : one,
        ),
      },
    }),
  });

// biome-ignore format: a table
test.each<readonly [what: string, groups: (all: readonly string[]) => readonly string[]]>([
  ['its second group with a letter too many',   all => all.map((name, index) => (index === 1 ? `${name}x` : name))],
  ['its first group with a letter too many',    all => all.map((name, index) => (index === 0 ? `${name}x` : name))],
  ['one group less than there are',             all => all.slice(0, 1)],
])('an experiment of which the file names %s is not updated', async (_what, groups) => {
  const record = await naming(groups);
  const { verdict, because, remedy } = record.checks.get('update-experiment/accepts') ?? {};
  expect([verdict, because, remedy]).toEqual([
    'untested',
    expect.stringContaining('has groups that the target file does not name'),
    expect.stringMatching(/^fixtures\.experiments: \[\{ "id": .*"groups": \["/),
  ]);
  const { param: id } = record.seen.find(({ endpoint }) => endpoint === 'enable-groups') ?? {};
  expect(record.seen.filter(one => one.endpoint === 'update-experiment' && one.param === id)).toEqual([]);
  expect(record.notices.map(({ text }) => text)).toContainEqual(expect.stringContaining('an update may remove them'));
});

test('an experiment of which it names all groups is updated', async () => {
  const { checks } = await naming(all => all);
  expect(checks.get('update-experiment/accepts')?.verdict).toBe('pass');
});

test('nor is it beside another one, where only groups are to be enabled', async () => {
  const { seen, checks } = await naming(all => all.slice(0, 1), ['enable-groups/experiment-neighbours']);
  const [first] = seen.filter(({ endpoint }) => endpoint === 'update-experiment');
  expect(checks.get('enable-groups/experiment-neighbours')?.verdict).not.toBe('error');
  expect(first?.param).not.toBe('checkout_button');
  expect(seen.some(({ endpoint, param }) => endpoint === 'update-experiment' && param === 'checkout_button')).toBe(
    false,
  );
});

/** Runs updates against a server whose answers to enabling groups are changed. */
const enabling = (
  change: (answer: HandlerResponse, groups: readonly unknown[]) => HandlerResponse,
): Promise<RunRecord> =>
  recordedRun({
    only: ['update-experiment/accepts', 'enable-groups/accepts'],
    server: {
      decorate: (id, handler) =>
        id !== 'enable-groups'
          ? handler
          : async (...asked) => {
              const answer = await handler(...asked);
              const { data } = membersOf(answer.body);
              const { groups } = membersOf(data);
              return Array.isArray(groups) ? change(answer, groups) : answer;
            },
    },
  });
const showing = (answer: HandlerResponse, groups: readonly unknown[] | undefined): HandlerResponse => {
  const body = membersOf(answer.body);
  const { groups: _, ...rest } = membersOf(body.data);
  const data = groups === undefined ? rest : { ...rest, groups };
  return { ...answer, body: { ...body, data } as JsonObject };
};

// biome-ignore format: a table
test.each<readonly [what: string, doubt: string, change: Parameters<typeof enabling>[0]]>([
  ['refuses to enable any',         'enabling any is refused',     answer => ({ ...answer, status: 409 })],
  ['shows no groups',               'enabling one shows none',     answer => showing(answer, undefined)],
  ['shows only what was enabled',   'enabling one shows no other', (answer, groups) => showing(answer, groups.slice(0, 1))],
  ['shows two groups of one name',  'some have the same name',     (answer, groups) => showing(answer, [...groups, groups[0]])],
])('where a target %s, one notice before the first update says of which experiments', async (_what, doubt, change) => {
  const { events, notices, seen } = await enabling(change);
  const told = notices.filter(({ text }) => text.startsWith('it is not certain that all groups of these experiments are seen'));
  expect(told).toEqual([
    expect.objectContaining({
      severity: 'warning',
      text: expect.stringContaining(`(${doubt})`),
      remedy: expect.stringMatching(/^fixtures\.experiments: /),
    }),
  ]);
  const { param } = seen.find(({ endpoint }) => endpoint === 'enable-groups') ?? {};
  expect(told[0]?.text).toContain(`: ${param} (`);
  const firstCheck = events.findIndex(event => event.event === 'check-start');
  expect(events.indexOf(told[0] as (typeof events)[number])).toBeLessThan(firstCheck);
});

test('a long name of a group is cut with an ellipsis, by which a secret at the cut is recognised', async () => {
  const { notices } = await enabling((answer, groups) =>
    showing(answer, [...groups, { name: `${'x'.repeat(60)}${testKey}` }]),
  );
  const [told] = notices.filter(({ text }) => text.includes('has groups that the target file does not name'));
  expect(told?.text).toContain('«the first half of the API key»…');
  expect(told?.text).not.toContain(testKey.slice(0, 15));
});

test('nothing is told where enabling a group shows all of them', async () => {
  const { notices } = await naming(all => all);
  expect(notices.filter(({ text }) => text.includes('can be seen'))).toEqual([]);
});
