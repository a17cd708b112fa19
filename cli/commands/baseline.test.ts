import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';

const fault = 'config-version-as-text';
const check = 'list-config-versions/schema';
/** Returns the entry for the fault's defect, with a reason. */
const entry = (reason: string, rest: object = {}) => ({
  endpoint: 'list-config-versions',
  check: 'schema',
  requirement: 'dynamicConfig.version',
  pointer: '/data/*/version',
  deviation: 'value',
  reason,
  ...rest,
});

async function configOf(faults: readonly string[]): Promise<string> {
  const server = createReferenceServer({ apiKey: 'k', faults });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const file = join(folder(), 'c.json');
  writeFileSync(file, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey: 'k' }));
  return file;
}

const quick = ['--profile', 'quick', '--settle', '1ms'];
const part = [...quick, '--only', 'list-config-versions', '--only', 'list-segments'];

async function runWith(faults: readonly string[], baseline: string, ...more: string[]) {
  const out = folder();
  const config = await configOf(faults);
  const ended = await conform(['run', '--config', config, ...part, '--baseline', baseline, '--out', out, ...more]);
  return { ...ended, journal: join(out, 'journal.ndjson'), report: join(out, 'report.json') };
}

function written(...known: object[]): string {
  const file = join(folder(), 'conform.baseline.json');
  writeFileSync(file, JSON.stringify({ version: 2, known }, null, 2));
  return file;
}

describe('run --baseline', () => {
  test('a known failure lets the run pass; its verdicts stay, in every report', async () => {
    const baseline = written(entry('ticket 7'));
    const ended = await runWith([fault], baseline);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain('NON-CONFORMANT');
    expect(ended.out).toContain('1 known failure, 0 new ones, 0 stale entries; exit 0');
    expect(JSON.parse(readFileSync(ended.report, 'utf8'))).toMatchObject({ verdict: 'non-conformant', exitCode: 0 });
    expect((await conform(['report', ended.journal])).code).toBe(1);
    expect((await conform(['report', ended.journal, '--baseline', baseline])).code).toBe(0);
  });

  test('an entry that passes now fails the run and names its line', async () => {
    const baseline = written(entry('ticket 7'));
    const ended = await runWith([], baseline);
    expect(ended.code).toBe(1);
    expect(ended.out).toContain(`→ remove lines 4 to 11 of ${baseline}`);
  });

  test('an expired entry fails the run, one that expires later does not', async () => {
    expect((await runWith([fault], written(entry('r', { expires: '2001-01-01' })))).code).toBe(1);
    expect((await runWith([fault], written(entry('r', { expires: '2999-12-31' })))).code).toBe(0);
  });

  test('beside a document on the standard output it is told on the other', async () => {
    const ended = await runWith([fault], written(entry('r')), '--reporter', 'json=-');
    expect(JSON.parse(ended.out)).toMatchObject({ exitCode: 0 });
    expect(ended.err).toContain('1 known failure');
  });

  // biome-ignore format: a table
  test.each<[known: object[], says: RegExp]>([
    [[{ ...entry('r'), reason: undefined }],                       /\/known\/0\/reason/],
    [[entry('  ')],                                                /no reason/],
    [[entry('r'), entry('s')],                                     /two entries/],
    [[entry('r', { expires: '2025-02-30' })],                      /is no day/],
    [[entry('r', { until: 'ever' })],                              /until/],
  ])('a baseline of %j is a mistake of the caller, and nothing is sent', async (known, says) => {
    const ended = await conform(['run', ...part, '--baseline', written(...known), '--out', folder()]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(says);
  });

  test('so is a baseline that is not there', async () => {
    const ended = await conform(['run', ...part, '--baseline', '/nowhere/b.json', '--out', folder()]);
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining('cannot read the baseline') });
  });

  test('one of version 1 is refused in a line that says how to write it anew', async () => {
    const file = join(folder(), 'old.json');
    writeFileSync(file, JSON.stringify({ version: 1, known: [{ check, reason: 'ticket 7' }] }));
    const ended = await conform(['run', ...part, '--baseline', file, '--out', folder()]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(/version 1.*conform baseline update --baseline/);
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1);
  });

  test('a filter and a shard make no entry stale that they did not run', async () => {
    const other = written(entry('r', { endpoint: 'patch-gate', check: 'rejects' }));
    const ended = await runWith([], other);
    expect(ended.code).toBe(0);
    expect(ended.out).toContain('0 stale entries, 1 entry not judged by this run');
    expect((await runWith([], other, '--shard', '1/9')).out).toContain('0 stale entries, 1 entry not judged');
  });
});

describe('baseline update', () => {
  let out: string;
  let journal: string;
  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), 'conform-'));
    const server = createReferenceServer({ apiKey: 'k', faults: [fault] });
    const { url } = await server.listen();
    const config = join(out, 'c.json');
    writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey: 'k' }));
    await conform(['run', '--config', config, ...quick, '--out', out]);
    await server.close();
    journal = join(out, 'journal.ndjson');
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  test('writes what a complete run asks for, and the gate then opens', async () => {
    const baseline = join(folder(), 'conform.baseline.json');
    const update = ['baseline', 'update', '--baseline', baseline, journal];
    expect(await conform(update)).toMatchObject({ code: 2, err: expect.stringContaining('give --reason') });
    expect(existsSync(baseline)).toBe(false);
    expect(await conform([...update, '--reason', 'ticket 7'])).toMatchObject({ code: 0, err: '' });
    const text = readFileSync(baseline, 'utf8');
    expect(text).toContain('"check":"schema",');
    expect(text).toContain('"reason":"ticket 7",');
    expect(text).toContain('"found":{"profile":"quick","seed":');
    expect((await conform(['report', journal, '--baseline', baseline])).code).toBe(0);
    // A second update adds nothing and keeps the reasons.
    expect((await conform([...update, '--reason', 'another'])).code).toBe(0);
    expect(readFileSync(baseline, 'utf8')).toBe(text);
  });

  test('writes one of version 1 anew, a defect an entry, and keeps its reasons', async () => {
    const baseline = join(folder(), 'old.json');
    writeFileSync(baseline, JSON.stringify({ version: 1, known: [{ check, reason: 'ticket 7' }] }));
    expect(await conform(['baseline', 'update', '--baseline', baseline, journal])).toMatchObject({
      code: 0,
      out: expect.stringContaining('was of version 1'),
    });
    expect(JSON.parse(readFileSync(baseline, 'utf8'))).toMatchObject({ version: 2, known: [{ reason: 'ticket 7' }] });
    expect((await conform(['report', journal, '--baseline', baseline])).code).toBe(0);
  });

  test('refuses a filtered run and one that was cut off', async () => {
    const { journal: filtered } = await runWith([fault], written(entry('r')));
    const argv = ['baseline', 'update', '--reason', 'r', '--baseline', join(folder(), 'b.json')];
    expect(await conform([...argv, filtered])).toMatchObject({ code: 2, err: expect.stringContaining('filtered') });
    const cut = join(folder(), 'journal.ndjson');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    writeFileSync(cut, `${lines.slice(0, -1).join('\n')}\n`);
    expect(await conform([...argv, cut])).toMatchObject({ code: 2, err: expect.stringContaining('cut off') });
  });
});
