import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const turnsOfTheLoop = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

/** Work that logs its start, and ends when it is released. */
function work(log: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  const run = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
  };
  return { run, end: () => end() };
}

test('what is alone waits for what is under way, and nothing begins meanwhile', async () => {
  const log: string[] = [];
  const turns = createTurns();
  const [first, second, third] = [work(log, 'first'), work(log, 'second'), work(log, 'third')];
  const all = [turns.together(first.run)];
  await turnsOfTheLoop();
  all.push(turns.alone(second.run), turns.together(third.run));
  await turnsOfTheLoop();
  expect(log).toEqual(['first begins']);
  first.end();
  await turnsOfTheLoop();
  expect(log).toEqual(['first begins', 'first ends', 'second begins']);
  second.end();
  third.end();
  await Promise.all(all);
  expect(log.slice(3)).toEqual(['second ends', 'third begins', 'third ends']);
});

test('what may go on together does', async () => {
  const log: string[] = [];
  const turns = createTurns();
  const [first, second] = [work(log, 'first'), work(log, 'second')];
  const both = [turns.together(first.run), turns.together(second.run)];
  await turnsOfTheLoop();
  expect(log).toEqual(['first begins', 'second begins']);
  first.end();
  second.end();
  await Promise.all(both);
});

test('work that fails fails for who asked for it, and holds up nobody else', async () => {
  const turns = createTurns();
  const fails = () => Promise.reject(new Error('it failed'));
  await expect(turns.alone(fails)).rejects.toThrow('it failed');
  await expect(turns.together(fails)).rejects.toThrow('it failed');
  expect(await turns.alone(async () => 1)).toBe(1);
  expect(await turns.together(async () => 2)).toBe(2);
});
