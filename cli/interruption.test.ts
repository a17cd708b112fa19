import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Original, type RunEvent, runEvent } from '../contracts/report/journal.ts';
import { validatorFor } from '../contracts/validation.ts';
import { createReferenceServer, referenceTarget } from '../reference-server/index.ts';
import { conform, folder } from './testing/command.ts';
import { type Running, started } from './testing/process.ts';

const apiKey = 'the-key-of-these-tests';

/** A reference server, a config for it and a place for reports; `meet` is called with each request and may answer it in the server's place. */
async function scene(meet: (nth: number, listener: RequestListener) => RequestListener) {
  let requests = 0;
  const server = createReferenceServer({
    apiKey,
    decorateListener: listener => (request, response) => {
      requests += 1;
      meet(requests, listener)(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const out = folder();
  const config = join(out, 'conform.config.json');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey }));
  const journal = join(out, 'journal.ndjson');
  const argv = ['run', '--config', config, '--profile', 'quick', '--timeout', '60s', '--settle', '1ms', '--out', out];
  const events = (): RunEvent[] => {
    const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
    return lines.map(line => JSON.parse(line) as RunEvent);
  };
  /** The originals of the journal that the server does not hold any more. */
  async function changed(): Promise<readonly Original[]> {
    const snapshot = await server.store.snapshot();
    const originals = events().filter(event => event.event === 'original');
    return originals.filter(({ endpoint, param, body }) => {
      if (endpoint === 'update-environments') return false;
      const entities = endpoint === 'patch-gate' ? snapshot.gates : snapshot.qualifyingEvents;
      const now = (entities.find(([id]) => id === param)?.[1] ?? {}) as Record<string, unknown>;
      return Object.entries(body as object).some(([key, value]) => JSON.stringify(now[key]) !== JSON.stringify(value));
    });
  }
  return { url, out, argv, journal, events, changed, requests: () => requests };
}

/** So many requests into a run, gates and qualifying events have been written to. */
const midway = 900;

describe('a run that is interrupted', () => {
  test('once puts back what it changed, writes its reports and exits with 130', async () => {
    let running: Running | undefined;
    const { argv, out, events, changed } = await scene((nth, listener) => {
      if (nth === midway) running?.child.kill('SIGINT');
      return listener;
    });
    running = started(argv);
    expect(await running.ended).toBe(130);
    const valid = validatorFor(runEvent);
    expect(events().flatMap(event => valid(event))).toEqual([]);
    expect(events().at(-1)).toMatchObject({ event: 'run-end', outcome: 'interrupted' });
    expect(await changed()).toEqual([]);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(report).toMatchObject({ verdict: 'incomplete', exitCode: 130, outcome: 'interrupted' });
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('</testsuites>');
  }, 60_000);

  test('twice exits at once, whatever it waits for', async () => {
    let running: Running | undefined;
    const { argv, events } = await scene((nth, listener) => {
      if (nth === midway) running?.child.kill('SIGINT');
      // From then on nothing is answered: putting back would take a minute and more.
      return nth >= midway ? () => {} : listener;
    });
    running = started(argv);
    await running.says(/Interrupted/);
    running.child.kill('SIGINT');
    expect(await running.ended).toBe(130);
    expect(events().at(-1)?.event).not.toBe('run-end');
  }, 60_000);

  test('by kill -9 leaves a journal that can be rendered, and from which the target is put back', async () => {
    let running: Running | undefined;
    const { argv, journal, changed, url } = await scene((nth, listener) => {
      if (nth === midway) running?.child.kill('SIGKILL');
      return listener;
    });
    running = started(argv);
    expect(await running.ended).toBe('SIGKILL');
    expect((await changed()).length).toBeGreaterThan(0);
    const rendered = await conform(['report', journal, '--reporter', 'json=-']);
    expect(rendered.code).toBe(3);
    expect(JSON.parse(rendered.out)).toMatchObject({ truncated: true, verdict: 'incomplete' });
    const restored = await conform(['restore', journal, '--base-url', url, '--api-key', apiKey]);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(restored.out).toMatch(/^gate \w+: as it was$/m);
    expect(restored.out).not.toContain(apiKey);
    expect(await changed()).toEqual([]);
  }, 60_000);
});

test('restore tells what it cannot put back, with exit code 3', async () => {
  const { url, argv, journal } = await scene((_nth, listener) => listener);
  await conform([...argv, '--only', 'patch-gate/accepts']);
  const refused = await conform(['restore', journal, '--base-url', url, '--api-key', 'another-key-than-that']);
  expect(refused.code).toBe(3);
  expect(refused.out).toMatch(/could not be put back/);
});

test('restore takes the base URL of the journal when none is given', async () => {
  const { argv, journal } = await scene((_nth, listener) => listener);
  await conform([...argv, '--only', 'patch-gate/accepts']);
  expect(await conform(['restore', journal], { SERVICE_API_KEY: apiKey })).toMatchObject({ code: 0, err: '' });
});

test('a run that changed nothing leaves nothing to put back', async () => {
  const { argv, journal } = await scene((_nth, listener) => listener);
  await conform([...argv, '--only', 'list-segments']);
  expect(await conform(['restore', journal])).toMatchObject({ code: 0, out: expect.stringContaining('nothing') });
});

test('a full disk is told before anything is sent, with exit code 2', async () => {
  const { argv, journal, requests } = await scene((_nth, listener) => listener);
  symlinkSync('/dev/full', journal);
  const ended = await conform(argv);
  expect(ended).toMatchObject({ code: 2, err: `conform: cannot write ${journal} (ENOSPC)\n` });
  expect(requests()).toBe(0);
});
