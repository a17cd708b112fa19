import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';

const apiKey = 'the-key-of-these-tests';

/** Starts a server. Returns the arguments of a short run against it with only fixtures, and the operations called. */
async function served() {
  const asked: string[] = [];
  const server = createReferenceServer({
    apiKey,
    decorate: (id, handler) => (request, store, settings) => {
      asked.push(id);
      return handler(request, store, settings);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const config = join(folder(), 'c.json');
  writeFileSync(config, JSON.stringify({ baseUrl: url, apiKey, fixtures: referenceTarget().fixtures }));
  const run = async (...more: string[]) => {
    asked.length = 0;
    const out = folder();
    const only = ['--only', 'update-experiment/accepts', '--profile', 'quick'];
    const ended = await conform(['run', '--config', config, ...only, '--out', out, ...more]);
    return { ...ended, out, asked: [...asked] };
  };
  return { config, run };
}

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;

test('what one run learned is given to the next by its journal or its report, which then asks for nothing', async () => {
  const { run } = await served();
  const first = await run();
  expect(first).toMatchObject({ code: 0, err: '' });
  const { learned = [] } = reportIn(first.out);
  expect(learned.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['idTypes', 'metrics', 'groups', 'users']));
  expect(first.asked).toContain('list-event-metrics');
  for (const file of ['journal.ndjson', 'report.json']) {
    const again = await run('--learned', join(first.out, file));
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.asked).not.toContain('list-event-metrics');
    expect(reportIn(again.out).learned).toEqual(learned);
  }
});

test('a file that tells nothing of what was learned is a mistake of the caller', async () => {
  const { run } = await served();
  const { learned: _, ...older } = reportIn((await run()).out);
  const file = join(folder(), 'report.json');
  writeFileSync(file, JSON.stringify(older));
  expect(await run('--learned', file)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/does not say what was learned/),
  });
  expect(await run('--learned', '/nowhere')).toMatchObject({ code: 2, err: expect.stringMatching(/cannot read/) });
});

test('nothing is learned beside what is given', async () => {
  const { run } = await served();
  const report = reportIn((await run()).out);
  const file = join(folder(), 'report.json');
  const without = report.learned?.filter(({ kind }) => kind !== 'idTypes');
  writeFileSync(file, JSON.stringify({ ...report, learned: without }));
  // Without a unit type there is no minimal request.
  expect((await run('--learned', file)).code).toBe(3);
});
