import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { redactions } from '../contracts/report/evidence.ts';
import { UsageError } from './input.ts';
import { readTargetFile } from './target-file.ts';
import { folder } from './testing/command.fixture.ts';
import { learnCommand, shown } from './writer.ts';

function written(text: string): string {
  const file = join(folder(), 'conform.config.json');
  writeFileSync(file, text);
  return file;
}
function given(environment: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
}
afterEach(() => void vi.unstubAllEnvs());

function read(value: unknown, environment = {}) {
  given(environment);
  return readTargetFile(written(JSON.stringify(value)));
}

function messageOf(text: string, environment = {}): string {
  const file = written(text);
  given(environment);
  try {
    readTargetFile(file);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toContain(file);
    return (error as Error).message.replaceAll(file, 'FILE');
  }
  throw new Error('nothing was thrown');
}

test('reads what is there, and replaces variables at every depth', () => {
  const file = { baseUrl: 'http://$X', apiKey: '$KEY', fixtures: { gates: ['$GATE', 'a$b'] } };
  expect(read(file, { KEY: 'secret', GATE: 'g' })).toEqual({
    baseUrl: 'http://$X',
    apiKey: 'secret',
    fixtures: { gates: ['g', 'a$b'] },
  });
});

test('the name of a variable is no secret, and what it holds is one', () => {
  learnCommand([], {});
  read({ apiKey: '$SERVICE_API_KEY' }, { SERVICE_API_KEY: 'held-by-the-variable' });
  expect(shown('"$SERVICE_API_KEY" held-by-the-variable')).toBe(`"$SERVICE_API_KEY" ${redactions.key}`);
});

test('a doubled dollar sign stands for itself', () => {
  expect(read({ apiKey: '$$KEY' }, { KEY: 'x' })).toEqual({ apiKey: '$KEY' });
});

test.each([
  ['no JSON', '{', {}, /^FILE is not valid JSON/],
  [
    'a member that does not exist',
    '{"baseURL":"http://x"}',
    {},
    /^FILE: \/baseURL is not a known field; did you mean baseUrl\?; `npx conform schema target-file`/,
  ],
  ['a value of the wrong type', '{"fixtures":{"gates":["a",1]}}', {}, /^FILE: \/fixtures\/gates\/1 /],
  [
    'a member deep down that does not exist',
    '{"fixtures":{"experiments":[{"id":"a","group":[]}]}}',
    {},
    /^FILE: \/fixtures\/experiments\/0/,
  ],
  ['a capability nobody knows', '{"capabilities":["flying"]}', {}, /^FILE: \/capabilities\/0 /],
  ['a list as a whole', '[]', {}, /^FILE: the whole file /],
  [
    'a variable that is not set',
    '{"fixtures":{"gates":["$NO_SUCH"]}}',
    {},
    /^FILE: \/fixtures\/gates\/0 reads the environment variable NO_SUCH, which is not set$/,
  ],
  [
    'a key that begins with a dollar sign',
    '{"apiKey":"$ecret_Key9"}',
    {},
    /^FILE: \/apiKey reads an environment variable that is not set; a dollar sign is written \$\$$/,
  ],
  ['a variable that is empty', '{"apiKey":"$KEY"}', { KEY: '' }, /^FILE: \/apiKey reads the environment variable KEY/],
  [
    'a gate named twice',
    '{"fixtures":{"gates":["a","b","a"]}}',
    {},
    /^FILE: \/fixtures\/gates\/2 names "a" again, after \/fixtures\/gates\/0; take one of them out$/,
  ],
  [
    'a gate named twice through the environment',
    '{"fixtures":{"gates":["a","$G"]}}',
    { G: 'a' },
    /^FILE: \/fixtures\/gates\/1 names "a" again/,
  ],
  [
    'a demanded field that the operation does not take',
    '{"requires":{"create-metric":["tags","tag"]}}',
    {},
    /^FILE: \/requires\/create-metric\/1 names "tag", which create-metric does not take; did you mean tags\?$/,
  ],
  [
    'a disposable fixture that is not named',
    '{"fixtures":{"experiments":[{"id":"first"},{"id":"second"}]},"disposable":{"experiments":["second","secnd"]}}',
    {},
    /^FILE: \/disposable\/experiments\/1 names "secnd", which fixtures\.experiments does not; did you mean second\?$/,
  ],
  ['a disposable kind that there is not', '{"disposable":{"gates":["a"]}}', {}, /^FILE: \/disposable\/gates is not/],
  ['a demand of an operation that there is not', '{"requires":{"create-metrics":["tags"]}}', {}, /^FILE: \/requires/],
  ['an event named twice', '{"fixtures":{"events":["a","a"]}}', {}, /^FILE: \/fixtures\/events\/1 /],
  [
    'an experiment named twice',
    '{"fixtures":{"experiments":[{"id":"a"},{"id":"a","groups":["x"]}]}}',
    {},
    /^FILE: \/fixtures\/experiments\/1 names "a" again/,
  ],
  [
    'an environment whose name is there twice',
    '{"fixtures":{"environments":[{"name":"a"},{"name":"a"}]}}',
    {},
    /^FILE: \/fixtures\/environments\/1 names "a" again/,
  ],
  [
    'an environment whose id is there twice',
    '{"fixtures":{"environments":[{"name":"a","id":"1"},{"name":"b","id":"1"}]}}',
    {},
    /^FILE: \/fixtures\/environments\/1 names "1" again/,
  ],
  ['an empty base URL from the environment', '{"baseUrl":"$URL"}', { URL: '' }, /^FILE: \/baseUrl /],
])('%s is told with its place', (_what, text, environment, message) => {
  expect(messageOf(text, environment)).toMatch(message);
});

test('one name in lists of two kinds is no mistake', () => {
  expect(read({ fixtures: { gates: ['a'], prompts: ['a'], events: ['a'] } }).fixtures?.gates).toEqual(['a']);
});

test('what breaks the schema says where the schema is, and what else is wrong', () => {
  expect(messageOf('{"fixtures":{"gates":[1,2]}}')).toMatch(
    /\/fixtures\/gates\/0 .*; \/fixtures\/gates\/1 [^;]*; `npx conform schema target-file`/,
  );
});

test('a file that is not there is told with the reason', () => {
  expect(() => readTargetFile('/nowhere/conform.config.json')).toThrow(
    new UsageError('cannot read the config /nowhere/conform.config.json (ENOENT)'),
  );
});
