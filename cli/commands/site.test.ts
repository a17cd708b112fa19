import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';

const apiKey = 'the-key-of-these-tests';
const envelope = {
  version: 1,
  organization: 'Acme',
  release: '2.4.0',
  commit: 'c0ffee',
  started: 'acme serve',
  again: ['acme serve', 'npx conform run --config conform.config.json'],
};

/** Puts a run of one endpoint into a folder, with its envelope. */
async function handIn(place: string, name: string, faults: readonly string[] = []): Promise<void> {
  mkdirSync(place, { recursive: true });
  const server = createReferenceServer({ apiKey, faults: [...faults] });
  const { url } = await server.listen();
  const config = join(folder(), 'conform.config.json');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey }));
  await conform(['run', '--config', config, '--profile', 'quick', '--only', 'list-segments', '--out', place]);
  await server.close();
  writeFileSync(join(place, 'implementation.json'), JSON.stringify({ ...envelope, name }));
}

const change = (file: string, from: RegExp, to: string): void => {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(file, text.replace(from, to));
};

test('a folder of envelopes is verified, and shown as what it is worth', async () => {
  const place = folder();
  await handIn(join(place, 'a'), 'Gateway');
  await handIn(join(place, 'b'), 'Replica', ['segment-count-as-text']);
  await handIn(join(place, 'c'), 'Tampered', ['segment-count-as-text']);
  change(join(place, 'c', 'journal.ndjson'), /"verdict":"fail"/, '"verdict":"pass"');
  await handIn(join(place, 'd'), 'No image');
  writeFileSync(join(place, 'd', 'implementation.json'), JSON.stringify({ ...envelope, name: 'x', commit: undefined }));
  await handIn(join(place, 'e'), 'Unknown member');
  change(join(place, 'e', 'implementation.json'), /"release"/, '"relaese"');
  await handIn(join(place, 'f'), 'Nobody');
  writeFileSync(join(place, 'f', 'implementation.json'), '{');
  const out = join(place, 'site');
  const { code, err, out: said } = await conform(['site', place, '--out', out]);
  expect([code, said]).toEqual([0, expect.stringContaining('3 implementations, 3 runs')]);
  expect(err.match(/^left out: /gm)).toHaveLength(3);
  expect(err).toMatch(/neither the commit nor the image/);
  expect(err).toMatch(/schema implementation/);
  const index = readFileSync(join(out, 'index.html'), 'utf8');
  const standing = Object.fromEntries(
    index.split('<tr>').map(row => [/html">([^<]*)/.exec(row)?.[1], /class="unseen">([^<]*)/.exec(row)?.[1]?.trim()]),
  );
  expect(standing).toMatchObject({ Gateway: 'partial', Replica: 'non-conformant', Tampered: 'contradicts itself' });
  expect(index).toContain('only list-segments was run');
  expect(readFileSync(join(out, 'tampered.html'), 'utf8')).toContain('and its findings make it fail');
  expect(err).not.toContain('not of this site');
  // Some other time there is less to show.
  const fewer = await conform(['site', join(place, 'a'), '--out', out]);
  expect(fewer.err).toMatch(/holds pages that are not of this site; .*: replica\.html, tampered\.html/);
});

test('results of one name are its history; an old one has expired; hosts are hidden on request', async () => {
  const place = folder();
  await handIn(join(place, '2.3'), 'Gateway');
  for (const file of ['journal.ndjson', 'report.json'])
    change(join(place, '2.3', file), /("startedAt": ?)"\d{4}/, '$1"2020');
  const out = join(place, 'site');
  await conform(['site', place, '--out', out, '--redact-hosts']);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('expired');
  const page = readFileSync(join(out, 'gateway.html'), 'utf8');
  expect(page).not.toContain('127.0.0.1');
  expect(page).toContain('http://host-redacted');
  await conform(['site', place, '--out', out, '--max-age', '9999']);
  expect(readFileSync(join(out, 'gateway.html'), 'utf8')).toMatch(/Last run: partial[\s\S]*127\.0\.0\.1/);
  await handIn(join(place, '2.4'), 'Gateway');
  expect((await conform(['site', place, '--out', out])).out).toContain('1 implementation, 2 runs');
});

test('a result without its envelope is left out, and nothing that can be shown is a mistake', async () => {
  const place = folder();
  await handIn(join(place, 'a'), 'Gateway');
  mkdirSync(join(place, 'b'));
  writeFileSync(join(place, 'b', 'report.json'), readFileSync(join(place, 'a', 'report.json')));
  expect((await conform(['site', place, '--out', join(place, 'site')])).err).toMatch(
    /report\.json has no implementation/,
  );
  writeFileSync(join(place, 'a', 'journal.ndjson'), 'no journal');
  writeFileSync(join(place, 'a', 'report.json'), 'no report');
  const { code, err } = await conform(['site', place, '--out', join(place, 'site')]);
  expect([code, err]).toEqual([2, expect.stringContaining('no result that can be shown')]);
});

test('a page names a run by its place under the folder, however the folder is written', async () => {
  const place = folder();
  await handIn(join(place, '2026-01'), 'Gateway');
  rmSync(join(place, '2026-01', 'implementation.json'));
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(place);
  for (const written of ['.', `.//../${basename(place)}/`]) {
    const out = folder();
    expect((await conform(['site', `Gateway=${written}`, '--out', out])).code).toBe(0);
    expect(readFileSync(join(out, 'gateway.html'), 'utf8')).toMatch(/[> ]2026-01\/report\.json/);
  }
});
