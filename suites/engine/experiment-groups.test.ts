import { expect, test } from 'vitest';
import type { TargetFile } from '../../contracts/target.ts';
import { type RunRecord, recordedRun } from '../proof/testing/reference-run.ts';

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
