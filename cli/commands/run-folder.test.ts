import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReferenceServer } from '../../reference-server/index.ts';
import { examples } from '../../reports/testing/examples.fixture.ts';
import { reportOf } from '../../reports/testing/runs.fixture.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { type Running, started } from '../testing/process.fixture.ts';
import { apiKey, locked, scene } from '../testing/scene.fixture.ts';

const gate = ['--only', 'patch-gate/accepts'];
const list = ['--only', 'list-segments/envelope'];

/** Cuts off the end of a journal, as a kill would. */
const cut = (journal: string): void => writeFileSync(journal, readFileSync(journal).subarray(0, -20));

describe('a folder whose last run did not end', () => {
  test('keeps its journal, and says what puts back what that run changed', async () => {
    let running: Running | undefined;
    const { argv, out, journal, changed, url } = await scene((nth, listener) => {
      if (nth === 150) running?.child.kill('SIGKILL');
      return listener;
    });
    running = started([...argv, '--only', 'patch-gate', '--only', 'update-qualifying-event']);
    expect(await running.ended).toBe('SIGKILL');
    expect((await changed()).length).toBeGreaterThan(0);
    const lost = readFileSync(journal, 'utf8');
    const kept = join(out, 'journal.1.ndjson');
    const next = await conform([...argv, ...list]);
    const told = `The last run did not come to its end: its journal is kept as ${kept}.`;
    expect(next.err).toBe(`${told} To put back what it changed: npx conform restore ${kept} --base-url ${url}\n`);
    expect([next.code, readFileSync(kept, 'utf8')]).toEqual([0, lost]);
    expect((await conform(['restore', kept, '--base-url', url, '--api-key', apiKey])).code).toBe(0);
    // The journal in the original place is that of the next run, which read the gates as they had been left.
    writeFileSync(journal, lost);
    expect(await changed()).toEqual([]);
    const third = await conform([...argv, ...list]);
    expect(third.err).toContain(`kept as ${join(out, 'journal.2.ndjson')}`);
    expect(third.err).toContain(`Others before it did not either: name them too (${kept}), unless they were put back.`);
    expect((await conform([...argv, ...list])).err).toBe('');
    expect(
      readdirSync(out)
        .filter(name => /^journal|^process/.test(name))
        .sort(),
    ).toEqual(['journal.1.ndjson', 'journal.2.ndjson', 'journal.ndjson'].sort());
  });

  test('keeps the journal of one that lost its target, which it could not put back', async () => {
    let isGone = false;
    const { argv, out, journal, changed, events, url } = await scene((nth, listener) => {
      isGone ||= nth === 150;
      return isGone ? request => request.socket.destroy() : listener;
    });
    await conform([...argv, '--only', 'patch-gate', '--only', 'update-qualifying-event']);
    expect(events().at(-1)).toMatchObject({ event: 'run-end', outcome: 'unreachable' });
    expect((await changed()).length).toBeGreaterThan(0);
    const lost = readFileSync(journal, 'utf8');
    const away = await conform([...argv, ...list]);
    isGone = false;
    expect(away.err).toContain(`conform restore ${join(out, 'journal.1.ndjson')} --base-url ${url}\n`);
    expect(readFileSync(join(out, 'journal.1.ndjson'), 'utf8')).toBe(lost);
    // A run without snapshots needs no record.
    expect((await conform([...argv, ...list])).err).not.toContain('journal.2');
  });

  test('keeps the journal of one that ended, and was refused what puts its target back', async () => {
    let lockedFrom = Number.POSITIVE_INFINITY;
    const { argv, out, journal, requests, url } = await scene((nth, listener) => (request, response) => {
      (nth > lockedFrom && request.method === 'PATCH' ? locked : listener)(request, response);
    });
    const run = [...argv, '--only', 'patch-gate/frame'];
    await conform(run);
    const whole = requests();
    expect((await conform([...argv, ...list])).err).toBe('');
    // It puts back what it changed before it looks at the other gates.
    lockedFrom = requests() + whole - 12;
    expect((await conform(run)).out).toContain(`put it back:  npx conform restore ${journal} --base-url ${url}`);
    const kept = join(out, 'journal.1.ndjson');
    const next = await conform([...argv, ...list]);
    const told = `The last run did not put everything back: its journal is kept as ${kept}.`;
    expect(next.err).toBe(`${told} To put back what it changed: npx conform restore ${kept} --base-url ${url}\n`);
  });

  test('keeps that of a comparison, and from one of the proxy', async () => {
    const out = folder();
    const urls = await Promise.all([1, 2].map(async () => (await createReferenceServer({ apiKey }).listen()).url));
    const small = ['--noise-runs', '0', '--profile', 'quick', ...list, '--out', out, '--api-key', apiKey];
    await conform(['diff', ...urls, ...small]);
    cut(join(out, 'b.ndjson'));
    const again = await conform(['diff', ...urls, ...small]);
    expect(again.err).toContain(`kept as ${join(out, 'b.1.ndjson')}`);
    expect(existsSync(join(out, 'a.1.ndjson'))).toBe(false);
    writeFileSync(join(out, 'journal.ndjson'), readFileSync(join(out, 'b.1.ndjson')));
    const proxied = await conform(['proxy', '--exec', 'true', '--out', out]);
    expect(proxied.err).toContain(`kept as ${join(out, 'journal.1.ndjson')}`);
  });

  test('has nothing to put back where the server was the embedded one', async () => {
    const out = folder();
    const run = ['run', '--profile', 'quick', ...gate, '--out', out];
    await conform(run);
    cut(join(out, 'journal.ndjson'));
    expect((await conform(run)).err).toMatch(/journal\.1\.ndjson\. Its server was the embedded one, which is gone/);
  });
});

test('a folder in which a run is under way is refused to another one, and given back when it ends', async () => {
  let other: ReturnType<typeof conform> | undefined;
  let judged: ReturnType<typeof conform> | undefined;
  const place = await scene((nth, listener) => async (request, response) => {
    // The first run waits for an answer until the second one has ended.
    if (nth === 5) {
      other = conform([...place.argv, ...list]);
      await other;
      judged = conform(['proxy', '--exec', 'true', '--out', place.out]);
      await judged;
    }
    listener(request, response);
  });
  const { argv, out, journal, requests } = place;
  const running = started([...argv, ...gate]);
  expect(await running.ended).toBe(0);
  const inUse = `${out} is in use by a run, the process ${running.child.pid}; wait for its end, or choose another place`;
  expect(await other).toEqual({ code: 2, out: '', err: `conform: ${inUse} with --out\n` });
  expect(await judged).toEqual({ code: 2, out: '', err: `conform: ${inUse} with --out\n` });
  expect(readFileSync(journal, 'utf8')).toContain('"event":"run-end"');
  const before = requests();
  expect(await conform([...argv, ...list])).toMatchObject({ code: 0, err: '' });
  expect(requests()).toBeGreaterThan(before);
});

describe('a place where no run can write is one line and exit code 2, and nothing is sent or touched elsewhere', () => {
  const fifo = (path: string): void => void execFileSync('mkfifo', [path]);
  const linkTo = (path: string, elsewhere: string): void => symlinkSync(elsewhere, path);
  // biome-ignore format: a table
  test.each<[what: string, name: string, make: (path: string, elsewhere: string) => void, says: RegExp]>([
    ['a file for the folder',           '',                     path => writeFileSync(path, 'mine'),              /it is no folder/],
    ['a FIFO for the folder',           '',                     fifo,                                             /it is no folder/],
    ['a link that leads nowhere',       '',                     path => symlinkSync('/nowhere/at/all', path),     /E[A-Z]+\); choose another/],
    ['a FIFO for the journal',          'journal.ndjson',       fifo,                                             /it is a FIFO/],
    ['a link for the journal',          'journal.ndjson',       (path, elsewhere) => linkTo(path, join(elsewhere, 'mine')), /it is a link/],
    ['a dangling link for the journal', 'journal.ndjson',       (path, elsewhere) => linkTo(path, join(elsewhere, 'none')), /it is a link/],
    ['a folder for the journal',        'journal.ndjson',       path => mkdirSync(path),                          /it is a folder/],
    ['a FIFO for the lock',             'process.id',           fifo,                                             /it is a FIFO/],
    ['a link for the lock',             'process.id',           (path, elsewhere) => linkTo(path, join(elsewhere, 'mine')), /it is a link/],
    ['a link for a report',             'report.json',          (path, elsewhere) => linkTo(path, join(elsewhere, 'mine')), /it is a link/],
    ['a FIFO for a report',             'junit.xml',            fifo,                                             /it is a FIFO/],
    ['a folder for a report',           'junit.xml',            path => mkdirSync(path),                          /it is a folder/],
    ['a link for the folder of a page', 'html',                 (path, elsewhere) => linkTo(path, elsewhere),     /html is a link and no folder/],
    ['a file for the scripts',          'repro',                path => writeFileSync(path, 'mine'),              /repro is a file and no folder/],
    ['a link for the scripts',          'repro',                (path, elsewhere) => linkTo(path, elsewhere),     /repro is a link and no folder/],
  ])('%s', async (_what, name, make, says) => {
    const { argv, requests } = await scene();
    const elsewhere = folder();
    for (const file of ['mine', 'F1.sh', 'index.html']) writeFileSync(join(elsewhere, file), 'mine');
    const out = join(folder(), 'out');
    if (name !== '') mkdirSync(out);
    make(join(out, name), elsewhere);
    const ended = await conform([...argv, ...list, '--reporter', 'junit', '--reporter', 'html-dir', '--out', out]);
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringMatching(says) });
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1);
    expect(requests()).toBe(0);
    expect(readdirSync(elsewhere).sort()).toEqual(['F1.sh', 'index.html', 'mine']);
    for (const file of readdirSync(elsewhere)) expect(readFileSync(join(elsewhere, file), 'utf8')).toBe('mine');
  });

  test('a FIFO that a flag names and nobody reads, too, and is not waited for', async () => {
    const { argv, out, requests } = await scene();
    const path = join(folder(), 'fifo');
    fifo(path);
    const ended = await conform([...argv, ...list, '--reporter', `json=${path}`, '--out', out]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(`cannot write ${path} (ENXIO)`) });
    expect(requests()).toBe(0);
  });

  test('a report in the place of the journal, too, or of another report', async () => {
    const { argv, out, journal, requests } = await scene();
    for (const names of [[journal], [join(out, 'a'), join(out, '.', 'a')]]) {
      const reporters = names.flatMap((name, index) => ['--reporter', `${index === 0 ? 'json' : 'junit'}=${name}`]);
      const ended = await conform([...argv, ...list, ...reporters, '--out', out]);
      expect(ended).toMatchObject({
        code: 2,
        err: expect.stringContaining('is given twice; give one of them another path'),
      });
    }
    expect(requests()).toBe(0);
  });

  test('what another file of the same command stands in, whatever link leads to it', async () => {
    const { argv, out, journal, requests, url } = await scene();
    const link = join(folder(), 'link');
    symlinkSync(journal, link);
    const report = join(out, 'report.json');
    const lost = 'is given twice; give one of them another path';
    for (const file of [journal, link, report]) {
      const ended = await conform([...argv, ...list, '--record', file, '--out', out]);
      expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(lost) });
      const proxied = await conform(['proxy', '--exec', 'true', '--record', file, '--out', out]);
      expect(proxied).toMatchObject({ code: 2, err: expect.stringContaining(lost) });
    }
    expect(requests()).toBe(0);
    expect((await conform([...argv, ...list, '--out', out])).code).toBe(0);
    const before = readFileSync(journal, 'utf8');
    const again = await conform(['report', journal, '--reporter', `html=${journal}`, '--out', out]);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining(lost) });
    expect(readFileSync(journal, 'utf8')).toBe(before);
    const side = `json=${join(out, 'a.ndjson')}`;
    const two = await conform([
      'diff',
      url,
      'http://127.0.0.1:1',
      '--api-key',
      apiKey,
      '--reporter',
      side,
      '--out',
      out,
    ]);
    expect(two).toMatchObject({ code: 2, err: expect.stringContaining(lost) });
  });

  test('a file that the command reads, too: it stays as it was', async () => {
    const { argv, out, requests } = await scene();
    const place = folder();
    const at = (name: string): string => join(place, name);
    const sources = {
      'config.json': readFileSync(join(out, 'conform.config.json'), 'utf8'),
      'baseline.json': '{"version":2,"known":[]}',
      'report.json': JSON.stringify(reportOf(examples.failing)),
      'known.json': '{"version":1,"acknowledged":[]}',
      'key.pem': generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    };
    for (const [name, text] of Object.entries(sources)) writeFileSync(at(name), text);
    linkSync(at('report.json'), at('linked.json'));
    const report = at('report.json');
    const sides = ['http://127.0.0.1:1', 'http://127.0.0.1:2', '--api-key', apiKey];
    const commands = [
      [...argv, '--config', at('config.json'), '--reporter', `json=${at('config.json')}`],
      [...argv, '--baseline', at('baseline.json'), '--reporter', `json=${at('baseline.json')}`],
      [...argv, '--attest', join(out, 'report.json'), '--subject', `a@sha256:${'0'.repeat(64)}`],
      ['compare', report, report, '--reporter', `html=${report}`],
      [...argv, '--learned', report, '--reporter', `json=${report}`],
      [...argv, '--attest', at('key.pem'), '--sign', at('key.pem'), '--subject', `a@sha256:${'0'.repeat(64)}`],
      ['badge', report, '--out', report],
      ['badge', report, '--out', at('linked.json')],
      ['diff', ...sides, '--allow', at('known.json'), '--reporter', `json=${at('known.json')}`, '--out', out],
    ];
    for (const words of commands)
      expect(await conform(words)).toMatchObject({ code: 2, err: expect.stringContaining('is given twice') });
    for (const [name, text] of Object.entries(sources)) expect(readFileSync(at(name), 'utf8')).toBe(text);
    expect(requests()).toBe(0);
  });

  test('what an attestation could not be written into, too', async () => {
    const { argv, requests } = await scene();
    const subject = ['--subject', `a@sha256:${'0'.repeat(64)}`];
    for (const place of [folder(), '/dev/null/a.json'])
      expect(await conform([...argv, '--attest', place, ...subject])).toMatchObject({
        code: 2,
        err: expect.stringContaining('choose another place with --attest'),
      });
    expect(requests()).toBe(0);
  });

  test.runIf(process.platform === 'linux')('one in which nobody can make a folder, too', async () => {
    const { argv, requests } = await scene();
    const ended = await conform([...argv, ...list, '--out', '/proc/reports/of/a/run']);
    expect(ended).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot write /proc/reports/of/a/run (ENOENT)'),
    });
    const report = await conform([...argv, ...list, '--reporter', 'json=/proc/reports/report.json']);
    expect(report).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot write /proc/reports/report.json (ENOENT)'),
    });
    expect(requests()).toBe(0);
  });

  test('what is no file in the place of a recording, too: it stays what it was', async () => {
    const { argv, out, requests } = await scene();
    const path = join(folder(), 'fifo');
    fifo(path);
    const ended = await conform([...argv, ...list, '--record', path, '--out', out]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(`cannot write ${path} (it is no file)`) });
    expect([requests(), statSync(path).isFIFO()]).toEqual([0, true]);
  });

  test('for what failed last, too', async () => {
    const out = folder();
    fifo(join(out, 'journal.ndjson'));
    const ended = await conform(['run', '--failed', '--out', out]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('it is a FIFO') });
  });
});

test('a file that has another name elsewhere is made anew, and that one stays what it was', async () => {
  const { argv, out, journal } = await scene();
  await conform([...argv, ...list]);
  const before = readFileSync(journal, 'utf8');
  const elsewhere = join(folder(), 'kept.ndjson');
  linkSync(journal, elsewhere);
  expect((await conform([...argv, ...gate])).code).toBe(0);
  expect(readFileSync(elsewhere, 'utf8')).toBe(before);
  expect(readFileSync(join(out, 'journal.ndjson'), 'utf8')).not.toBe(before);
});

// biome-ignore format: a table
test.each<[what: string, take: (out: string) => void, says: RegExp]>([
  ['folder vanishes',           out => rmSync(out, { recursive: true }),                                          /cannot write \S+journal\.ndjson \(what was written there is gone\)/],
  ['folder is another one now', out => { rmSync(out, { recursive: true }); mkdirSync(out); },                     /cannot write \S+journal\.ndjson \(what was written there is gone\)/],
  ['report is gone',            out => rmSync(join(out, 'report.json')),                                          /cannot write \S+report\.json \(what was written there is gone\)/],
  ['report is another file',    out => { rmSync(join(out, 'report.json')); writeFileSync(join(out, 'report.json'), '{}'); }, /cannot write \S+report\.json \(what was written there is gone\)/],
])('a run whose %s while it goes puts back what it changed, and ends with exit code 2', async (_what, take, says) => {
  const out = join(folder(), 'out');
  const { argv, changed, journal } = await scene((nth, listener) => {
    if (nth === 40) take(out);
    return listener;
  });
  // An earlier run records the original state.
  await conform([...argv, '--only', 'patch-gate/envelope', '--max-requests', '20']);
  const { code, err } = await conform([...argv, '--only', 'patch-gate', '--out', out]);
  expect([code, err]).toEqual([2, expect.stringMatching(says)]);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect(existsSync(journal)).toBe(true);
  expect(await changed()).toEqual([]);
});
