import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runEvent } from '../contracts/report/journal.ts';
import { validatorFor } from '../contracts/validation.ts';
import { closedPort } from '../suites/proof/testing/doubles.ts';
import { endingSignals } from './interruption.ts';
import { conform, folder } from './testing/command.fixture.ts';
import { type Running, started } from './testing/process.fixture.ts';
import { apiKey, locked, scene } from './testing/scene.fixture.ts';

const { INTERRUPT_AT: at } = process.env;

/**
 * Number of requests after which a run on gates and qualifying events has written to both. `INTERRUPT_AT` interrupts a
 * full run, at another moment.
 */
const midway = Number(at ?? 150);
const written = at === undefined ? ['--only', 'patch-gate', '--only', 'update-qualifying-event'] : [];

describe('a run that is interrupted', () => {
  test.each(endingSignals)(
    'once puts back what it changed, writes its reports and exits with 130: %s',
    async signal => {
      let running: Running | undefined;
      const { argv, out, events, changed } = await scene((nth, listener) => {
        if (nth === midway) running?.child.kill(signal);
        return listener;
      });
      running = started([...argv, ...written]);
      expect(await running.ended).toBe(130);
      const valid = validatorFor(runEvent);
      expect(events().flatMap(event => valid(event))).toEqual([]);
      expect(events().at(-1)).toMatchObject({ event: 'run-end', outcome: 'interrupted' });
      expect(await changed()).toEqual([]);
      const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
      expect(report).toMatchObject({ verdict: 'incomplete', exitCode: 130, outcome: 'interrupted' });
      expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('</testsuites>');
    },
  );

  test('twice exits at once, whatever it waits for', async () => {
    let running: Running | undefined;
    const { argv, events, journal, out, url } = await scene((nth, listener) => {
      if (nth === midway) running?.child.kill('SIGINT');
      // No more answers from then on, so that restoring would take more than a minute.
      return nth >= midway ? () => {} : listener;
    });
    running = started([...argv, ...written]);
    await running.says(/Interrupted: putting back .* A server that is away is waited for.* Once more to stop at once/);
    running.child.kill('SIGINT');
    expect(await running.ended).toBe(130);
    expect(running.err()).toContain(
      `not everything was put back. To put back what it changed: npx conform restore ${journal} --base-url ${url}\n`,
    );
    expect(events().at(-1)?.event).not.toBe('run-end');
    expect(readdirSync(out).filter(name => statSync(join(out, name)).size === 0)).toEqual([]);
  });

  test('by kill -9 leaves a journal that can be rendered, and from which the target is put back', async () => {
    let running: Running | undefined;
    const { argv, journal, changed, url } = await scene((nth, listener) => {
      if (nth === midway) running?.child.kill('SIGKILL');
      return listener;
    });
    running = started([...argv, ...written]);
    expect(await running.ended).toBe('SIGKILL');
    expect((await changed()).length).toBeGreaterThan(0);
    const rendered = await conform(['report', journal, '--reporter', 'json=-']);
    expect(rendered.code).toBe(3);
    expect(JSON.parse(rendered.out)).toMatchObject({ truncated: true, verdict: 'incomplete' });
    const restored = await conform(['restore', journal, '--base-url', url, '--api-key', apiKey]);
    expect(restored).toMatchObject({ code: 0, err: `Sending to ${url}/ (from --base-url).\n` });
    expect(restored.out).toMatch(/^gate \w+: as it was$/m);
    expect(restored.out).not.toContain(apiKey);
    expect(await changed()).toEqual([]);
  });
});

test('a run that waits for its target ends when it is interrupted', async () => {
  const { href } = await closedPort();
  const out = folder();
  const running = started(['run', '--base-url', href, '--api-key', apiKey, '--wait', '10m', '--out', out]);
  await running.says(/Waiting up to 10m/);
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(130);
  expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({ outcome: 'interrupted' });
});

test('restore tells what it cannot put back, with exit code 3', async () => {
  let isLocked = false;
  const { url, argv, journal } = await scene((_nth, listener) => (request, response) => {
    (isLocked && request.method !== 'GET' ? locked : listener)(request, response);
  });
  await conform([...argv, '--only', 'patch-gate/accepts']);
  isLocked = true;
  const refused = await conform(['restore', journal, '--base-url', url, '--api-key', apiKey]);
  expect(refused.code).toBe(3);
  expect(refused.out).toMatch(/could not be put back/);
});

test('restore finishes a fixture when it is interrupted, says how far it came, and can be run again', async () => {
  let running: Running | undefined;
  let isOver = false;
  const { url, argv, journal, changed } = await scene((_nth, listener) => (request, response) => {
    if (isOver && request.method !== 'GET') running?.child.kill('SIGINT');
    isOver &&= request.method === 'GET';
    listener(request, response);
  });
  await conform([...argv, '--only', 'patch-gate/accepts']);
  isOver = true;
  const argumentsOf = ['restore', journal, '--base-url', url, '--api-key', apiKey];
  running = started(argumentsOf);
  expect(await running.ended).toBe(130);
  expect(running.err()).toMatch(/Interrupted: finishing the fixture.*\n[1-8] of 9 were looked at\. Run the same again/);
  expect((await conform(argumentsOf)).code).toBe(0);
  expect(await changed()).toEqual([]);
});

test('restore sends the key to the address of the journal only where that is asked for', async () => {
  const { argv, journal, url, requests } = await scene();
  await conform([...argv, '--only', 'patch-gate/accepts']);
  const before = requests();
  const key = { SERVICE_API_KEY: apiKey };
  const told = `${journal} names ${url}/; give --base-url or --config, or --use-reported-address to send the key there`;
  expect(await conform(['restore', journal], key)).toEqual({ code: 2, out: '', err: `conform: ${told}\n` });
  expect(requests()).toBe(before);
  const restored = await conform(['restore', journal, '--use-reported-address'], key);
  const from = `from ${journal}, by --use-reported-address`;
  expect(restored).toMatchObject({ code: 0, err: `Sending to ${url}/ (${from}).\n` });
  expect(requests()).toBeGreaterThan(before);
});

test('a run that changed nothing leaves nothing to put back', async () => {
  const { argv, journal } = await scene();
  await conform([...argv, '--only', 'list-segments']);
  expect(await conform(['restore', journal])).toMatchObject({ code: 0, out: expect.stringContaining('nothing') });
});
