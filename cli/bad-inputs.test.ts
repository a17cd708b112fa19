import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, onTestFinished, test } from 'vitest';
import { build } from './program.ts';
import { conform, folder } from './testing/command.fixture.ts';
import { attacks, expectHarmless } from './testing/harmless.fixture.ts';

/** Values that nobody means to give; each is valid only as a name, if at all. */
const bad = ['', '--help', 'NaN', '-1', '1e999', 'x'.repeat(5_000), ...attacks];

const absent = 'absent.json';
const nobody = ['--base-url', 'http://127.0.0.1:9', '--api-key', 'k', '--timeout', '1s'];

/** Arguments that keep a command from doing anything: a missing file, or a server that is not there. */
const kept: Readonly<Record<string, readonly string[]>> = {
  run: [...nobody, '--profile', 'quick', '--only', 'list-segments'],
  init: nobody,
  doctor: nobody,
  'seed from': nobody,
  serve: ['--port', '0', '--seed', absent],
  judge: [absent],
  proxy: ['--exec', 'true', '--expect-breach', absent],
  diff: [absent, absent],
  report: [absent],
  restore: [absent],
  compare: [absent, absent],
  'baseline update': [absent, '--baseline', 'b.json'],
  replay: ['F1', absent],
  explain: ['F1', absent],
  badge: [absent],
  site: [absent],
  verify: [absent],
  list: ['nothing'],
  schema: ['nothing'],
};

const ctl = ['--url', 'http://127.0.0.1:9'];

/** Arguments that a command of `ctl` requires. */
const named: Readonly<Record<string, readonly string[]>> = {
  'ctl put': ['gates', 'a', '{}'],
  'ctl patch': ['gates', 'a', '{}'],
  'ctl rm': ['gates', 'a'],
};

const leavesOf = (command: CommandUnknownOpts, path = ''): (readonly [string, CommandUnknownOpts])[] =>
  command.commands.length === 0
    ? [[path, command]]
    : command.commands.flatMap(sub => leavesOf(sub, `${path} ${sub.name()}`.trim()));

const commands = leavesOf(build(() => {})).map(([path, command]) => ({ path, command }));

/** Returns calls of a command with a bad value in each flag that takes one, and as surplus arguments. */
function callsOf({ path, command }: (typeof commands)[number]): string[][] {
  const rest = kept[path] ?? [...ctl, ...(named[path] ?? [])];
  const flags = command.options.filter(({ required, optional }) => required || optional).map(({ long }) => long ?? '');
  const without = (flag: string): string[] => {
    const at = rest.indexOf(flag);
    return at < 0 ? [...rest] : rest.toSpliced(at, 2);
  };
  // Each flag gets some of the bad values, so that every command gets all.
  const some = (index: number) => bad.filter((_, which) => (which + index) % 6 === 0);
  return [
    ...flags.flatMap((flag, index) =>
      flag === '--expect-breach' || (path === 'serve' && flag === '--seed')
        ? []
        : some(index).map(value => [...path.split(' '), ...without(flag), `${flag}=${value}`]),
    ),
    ...bad.filter(one => one !== '--help').map(value => [...path.split(' '), ...rest, value, value, value, value]),
    ...attacks.map(value => [...path.split(' '), ...rest, `--${value}`]),
  ];
}

test('no command is left out', () => {
  expect(Object.keys(kept).filter(name => !commands.some(({ path }) => path === name))).toEqual([]);
  expect(commands.filter(({ path }) => kept[path] === undefined && !/^ctl |^openapi$/.test(path))).toEqual([]);
});

test.each(commands)('$path ends with 1 for no bad input, with 4 neither, and says nothing but itself', async one => {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(folder());
  const calls = callsOf(one);
  expect(calls.length).toBeGreaterThan(10);
  for (const argv of calls) {
    const { code, out, err } = await conform(argv);
    expect([argv, [0, 2, 3].includes(code)]).toEqual([argv, true]);
    expectHarmless(out + err);
    expect(err).not.toMatch(/\n\s+at /);
  }
});
