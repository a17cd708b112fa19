import { expect, test } from 'vitest';
import { commandsIn, examples } from './examples.ts';
import { build } from './program.ts';

const commands = commandsIn(build(() => {}));
const nameOf = (command: (typeof commands)[number]): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
const named = commands.map(command => [nameOf(command), command] as const);

/** Returns the help of a command, with everything added after it. */
function helpOf(command: (typeof commands)[number]): string {
  let text = '';
  command.configureOutput({
    writeOut: part => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

test.each(named)('the help of %s ends in two examples at least', (name, command) => {
  expect(helpOf(command)).toMatch(/\nExamples:\n( {2}conform .{0,140}\n){2,}$/);
  expect(Object.keys(examples[name] ?? {}).length).toBeGreaterThanOrEqual(2);
});

test.each(named)('the help of %s is the same where no other command has its flags', (name, command) => {
  const words = name.split(' ').slice(1);
  const alone = commandsIn(build(() => {}, words)).find(one => nameOf(one) === name);
  expect(helpOf(alone ?? expect.unreachable())).toBe(helpOf(command));
  expect(alone?.options).toHaveLength(command.options.length);
});

test.each(Object.values(examples).flatMap(own => Object.keys(own).map(line => [line] as const)))(
  '%s names a command and flags that there are',
  line => {
    const words = (line.split(/ [|>] /)[0] ?? '').split(' ');
    const command = commands.findLast(one => `${line} `.startsWith(`${nameOf(one)} `));
    const flags = words.filter(word => word.startsWith('--'));
    expect(command).toBeDefined();
    expect(command?.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
  },
);

test('doctor takes every flag of run, so that a pipeline can give both the same', () => {
  const flagsOf = (name: string) => named.find(([one]) => one === name)?.[1].options.map(({ long }) => long);
  expect(flagsOf('conform doctor')).toEqual(expect.arrayContaining(flagsOf('conform run') ?? []));
});
