import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpointIds, endpointsWhere } from '../../contracts/endpoints.ts';
import { referenceTarget } from '../../reference-server/index.ts';
import { closedPort } from '../../suites/proof/testing/doubles.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { apiKey } from '../testing/scene.fixture.ts';
import { served, servedUntil, withoutWaits } from '../testing/served.fixture.ts';

function config(value: unknown): string {
  const file = join(folder(), 'conform.config.json');
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const all = endpointIds.length;
const overGates = endpointsWhere(row => row.fixture === 'gates');

describe('doctor', () => {
  test('of the embedded reference server: a run can prove everything', async () => {
    const ended = await conform(['doctor']);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain(`${all} of ${all} endpoints can be judged\n  everything`);
    expect(ended.out).not.toMatch(/^ {2}problem/m);
  });

  test('of a target with a whole target file and --write', async () => {
    const file = config({ ...referenceTarget(), baseUrl: await served(), apiKey: '$SERVICE_API_KEY' });
    const ended = await conform(['doctor', '--config', file, '--write'], { SERVICE_API_KEY: apiKey });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toMatch(/ok {7}fixtures {6}gates new_checkout: there/);
    expect(ended.out).not.toContain(apiKey);
  });

  test('of a target without a target file: says which lines to add, and exits with 3', async () => {
    const ended = await conform(['doctor', '--base-url', await served(), '--api-key', apiKey]);
    expect(ended).toMatchObject({ code: 3, err: '' });
    expect(ended.out).toContain(`2 of ${all} endpoints can be judged; untested: update-environments,`);
    expect(ended.out).toContain(
      `to test ${overGates.join(', ')}, add to the target file:\n      fixtures.gates: ["a_gate", "another_gate"]`,
    );
  });

  test('of a target where nobody answers', async () => {
    const ended = await conform(['doctor', '--base-url', (await closedPort()).origin, '--api-key', apiKey]);
    expect(ended.code).toBe(3);
    expect(ended.out).toMatch(/problem {2}reachable {5}no answer from .* no connection/);
    expect(ended.out).toContain('nothing, until the problem above is fixed');
  });

  test('of a target that goes away meanwhile says so, and is no fault of the suite', async () => {
    const file = config({ ...referenceTarget(), baseUrl: await servedUntil(12), apiKey });
    const ended = await conform(['doctor', '--config', file, ...withoutWaits()]);
    expect(ended).toMatchObject({ code: 3, err: '' });
    expect(ended.out).toMatch(/problem {2}reachable {5}the target went away: .*\n {25}look at its log/);
    expect(ended.out).toContain('nothing, until the problem above is fixed');
  });

  test('shows names of the target file so that they cannot play with the terminal', async () => {
    const file = config({ baseUrl: await served(), apiKey, fixtures: { events: ['a\u001b[2Jb\u202e'] } });
    const ended = await conform(['doctor', '--config', file]);
    expect(ended.code).toBe(3);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(ended.out).not.toMatch(/[\u001b\u202e]/);
    expect(ended.out).toContain('events a\\u{1b}[2Jb\\u{202e}: status 404');
  });

  test('of a target file that cannot be read is a mistake of the caller', async () => {
    expect(await conform(['doctor', '--config', '/nowhere/c.json'])).toMatchObject({ code: 2, out: '' });
  });
});
