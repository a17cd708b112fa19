import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';

/** Makes a quick run of one check against a server with these faults. Returns the folder of its reports. */
async function runOf(faults: readonly string[]): Promise<string> {
  const server = createReferenceServer({ apiKey: 'k', faults });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const out = folder();
  const config = join(out, 'c.json');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey: 'k' }));
  await conform(['run', '--config', config, '--only', 'list-segments', '--profile', 'quick', '--out', out]);
  return out;
}

test('two runs, one report and one journal: what is worse is told, and fails only where that is asked for', async () => {
  const before = join(await runOf([]), 'report.json');
  const after = join(await runOf(['guard-forgotten']), 'journal.ndjson');
  const page = join(folder(), 'compare.md');
  const document = join(folder(), 'compare.html');
  const reporters = ['terminal', `markdown=${page}`, `html=${document}`].flatMap(one => ['--reporter', one]);
  const shown = await conform(['compare', before, after, ...reporters]);
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(shown.out).toMatch(/list-segments +✓ conformant +✗ non-conformant/);
  expect(readFileSync(page, 'utf8')).toContain('### Worse');
  expect(readFileSync(document, 'utf8')).toMatch(/^<!doctype html>.*<h2 id="worse">Worse<\/h2>/s);
  expect((await conform(['compare', before, after, '--fail-on', 'regression'])).code).toBe(1);
  expect((await conform(['compare', after, before, '--fail-on', 'regression'])).code).toBe(0);
});

test.each([
  [['compare'], /run/],
  [['compare', '/nowhere/report.json', '/nowhere/report.json'], /cannot read the report or journal/],
  [['compare', 'package.json', 'package.json'], /package\.json is no report/],
  [['compare', 'package.json'], /two runs or more/],
  [['compare', 'a', 'b', '--reporter', 'html5'], /terminal, markdown, html/],
  [['compare', 'a', 'b', '--fail-on', 'anything'], /regression/],
])('%j is a mistake of the caller', async (argv, says) => {
  const ended = await conform(argv);
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.err).toMatch(says);
});
