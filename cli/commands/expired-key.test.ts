import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { apiKey, scene } from '../testing/scene.fixture.ts';

/** Returns a command that prints the key once, and runs `then` from the second call on. */
function keyCommand(then: string): string {
  const count = join(folder(), 'count');
  writeFileSync(count, '');
  return `echo x >> ${count}; if [ $(wc -l < ${count}) -eq 1 ]; then echo ${apiKey}; else ${then}; fi`;
}

/** The request by which gates and sources have been written to. */
const midway = 150;
const otherKey = 'another-key-that-nobody-takes';

// biome-ignore format: a table
test.each<[what: string, then: string, isRefused: (nth: number) => boolean, isPutBack: boolean, code: number]>([
  ['fails, and the key is taken again later',          'exit 7',           nth => nth >= midway && nth < midway + 40, true,  3],
  ['prints a key that nobody takes, where the first is taken still', `echo ${otherKey}`, nth => nth === midway,        true,  0],
  ['fails, and the key is taken no more',              'exit 7',           nth => nth >= midway,                      false, 3],
  ['prints a key that nobody takes, nor the first',    `echo ${otherKey}`, nth => nth >= midway,                      false, 3],
])('where the key runs out and its command %s, what was changed is put back or told', async (_what, then, isRefused, isPutBack, code) => {
  const refuse = (nth: number, key: unknown): boolean => key === otherKey || (key === apiKey && isRefused(nth));
  const { argv, out, changed, journal } = await scene((nth, listener) => (request, response) => {
    if (!refuse(nth, request.headers['service-api-key'])) return listener(request, response);
    request.resume();
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"the key has run out"}');
  });
  const some = ['--only', 'patch-gate', '--only', 'update-qualifying-event'];
  const ended = await conform([...argv, ...some, '--api-key-command', keyCommand(then)]);
  const left = await changed();
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
  const told = report.leftBehind.flatMap(({ id, send }) => (send === undefined ? [] : [id]));
  expect(told).toEqual(expect.arrayContaining(left.map(({ param }) => param)));
  expect(left.length > 0).toBe(!isPutBack);
  expect(ended.code).toBe(code);
  expect(ended.out + ended.err + readFileSync(journal, 'utf8')).not.toContain(otherKey);
});
