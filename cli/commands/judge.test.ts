import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { conform, folder } from '../testing/command.fixture.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../examples/traffic/${name}`, import.meta.url));
const recording = example('tests.har');

const judge = (...words: string[]) => conform(['judge', ...words, '--out', join(folder(), 'report')]);

test('a recording is judged on both sides, and the flags say whose breaches fail', async () => {
  const ended = await judge(recording, '--sole-writer');
  expect(ended.code).toBe(1);
  expect(ended.out).toContain('WHAT THE SERVER BREAKS');
  expect(ended.out).toContain('WHAT THE CLIENT BREAKS');
  expect(ended.out).toContain('5 exchanges: 4 judged, 0 not judged, 1 outside the API');
  // Others may write too, so without `--sole-writer` the server is accused of nothing.
  expect((await judge(recording, '--fail-on', 'server')).code).toBe(0);
  expect((await judge(recording, '--fail-on', 'client')).code).toBe(1);
});

test('an expected breach fails nothing, and one that never comes does', async () => {
  const expected = example('expected-breaches.json');
  const one = await judge(recording, '--expect-breach', expected, '--fail-on', 'server');
  expect({ code: one.code, isTold: one.out.includes('client.body-constraint') }).toEqual({ code: 0, isTold: false });
  const rotten = join(folder(), 'expected.json');
  writeFileSync(rotten, JSON.stringify({ expected: [{ requirement: 'client.retry-after' }] }));
  const other = await judge(recording, '--expect-breach', rotten, '--fail-on', 'server');
  expect(other.code).toBe(1);
  expect(other.out.replace(/\s+/g, ' ')).toContain('1 expected breach never came: client.retry-after');
});

test('no traffic of the API is exit 3, and what is no recording is one line and exit 2', async () => {
  const here = folder();
  const file = join(here, 'none.har');
  writeFileSync(file, JSON.stringify({ log: { entries: [] } }));
  expect((await judge(file)).code).toBe(3);
  writeFileSync(file, 'GET /');
  const broken = await judge(file);
  expect(broken.code).toBe(2);
  expect(broken.err.trim().split('\n')).toHaveLength(1);
  expect((await judge(join(here, 'nothing.har'))).code).toBe(2);
});

test('of a recording with several servers one has to be chosen', async () => {
  const file = join(folder(), 'two.har');
  const entry = (origin: string) => ({
    request: { method: 'GET', url: `${origin}/console/v1/segments` },
    response: { status: 404, content: {} },
  });
  writeFileSync(file, JSON.stringify({ log: { entries: [entry('http://a.invalid'), entry('http://b.invalid')] } }));
  const both = await judge(file);
  expect({ code: both.code, err: both.err }).toMatchObject({ code: 2, err: expect.stringContaining('--base-url') });
  expect((await judge(file, '--base-url', 'http://a.invalid')).code).toBe(0);
});

test('a journal that a report would replace is refused, and stays as it was', async () => {
  const out = folder();
  const journal = join(out, 'journal.ndjson');
  await conform(['judge', recording, '--out', out]);
  const before = readFileSync(journal, 'utf8');
  expect(before).toContain('run-end');
  expect((await conform(['judge', journal, '--out', out])).code).toBe(2);
  expect(readFileSync(journal, 'utf8')).toBe(before);
});

test('no variable is asked for of a header, because nothing is sent', async () => {
  const config = join(folder(), 'c.json');
  writeFileSync(config, JSON.stringify({ headers: [{ name: 'X-Tenant', value: '$TENANT_OF_NOBODY' }] }));
  expect(await judge(recording, '--config', config)).toMatchObject({ code: 1, err: '' });
});
