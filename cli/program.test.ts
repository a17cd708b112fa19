import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endpointIds } from '../contracts/endpoints.ts';
import { runEvent } from '../contracts/report/journal.ts';
import { reportSchema } from '../contracts/report/report.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { validatorFor } from '../contracts/validation.ts';
import { createReferenceServer, referenceTarget } from '../reference-server/index.ts';
import { conform, folder } from './testing/command.fixture.ts';

const apiKey = 'the-key-of-these-tests';

async function served(): Promise<string> {
  const server = createReferenceServer({ apiKey });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return url;
}

function written(name: string, value: unknown): string {
  const file = join(folder(), name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const lines = (text: string): string[] => text.split('\n').filter(line => line !== '');
const keyless = ['--base-url', 'http://127.0.0.1:9'];
const elsewhere = ['--base-url', 'http://127.0.0.1:9', '--api-key', 'k'];

describe('a mistake of the caller is one line and exit code 2, and nothing is sent', () => {
  // biome-ignore format: a table
  test.each<[what: string, argv: string[], says: RegExp]>([
    ['an unknown flag',                 ['run', '--bas-url', 'x'],                                    /--bas-url/],
    ['an unknown command',              ['rum'],                                                      /rum/],
    ['no command',                      [],                                                           /./],
    ['an argument too many',            ['run', 'now'],                                               /argument/],
    ['a profile nobody knows',          ['run', '--profile', 'fast'],                                 /quick, standard, thorough/],
    ['a duration that is none',         ['run', '--timeout', '5'],                                    /duration/],
    ['a config that is not there',      ['run', '--config', '/nowhere/c.json'],                       /cannot read the config \/nowhere\/c\.json \(ENOENT\)/],
    ['a filter that matches nothing',   ['run', '--only', 'patch-gates'],                             /patch-gates matches no/],
    ['a filter that leaves nothing',    ['run', '--only', 'patch-gate', '--skip', 'patch-gate'],      /nothing to run/],
    ['an empty filter',                 ['run', '--only', ''],                                        /matches no/],
    ['a path of several checks',        ['run', ...elsewhere, '--only', 'patch-gate', '--path', '0'], /--path replays one case of one check/],
    ['a path and a time',               ['run', ...elsewhere, '--only', 'patch-gate/sequences', '--path', '0', '--time', '1m'], /--path .* --time .* one of them/],
    ['a time of nothing',               ['run', ...elsewhere, '--time', '0s'],                        /--time.*duration/],
    ['an empty base URL',               ['run', '--base-url', '', '--api-key', 'k'],                  /--base-url "" is no URL/],
    ['a base URL that is none',         ['run', '--base-url', 'localhost', '--api-key', 'k'],         /--base-url "localhost" is no URL/],
    ['a base URL of files',             ['run', '--base-url', 'file:///etc', '--api-key', 'k'],       /http or https/],
    ['a base URL with a password',      ['run', '--base-url', 'http://u:p@h', '--api-key', 'k'],      /password/],
    ['a base URL with a query',         ['run', '--base-url', 'http://h/?a=1', '--api-key', 'k'],     /query/],
    ['no key',                          ['run', '--base-url', 'http://127.0.0.1:9'],                  /no API key/],
    ['a key of nothing',                ['run', '--base-url', 'http://127.0.0.1:9', '--api-key', ''], /no API key/],
    ['a key that no header can carry',  ['run', '--base-url', 'http://127.0.0.1:9', '--api-key', 'a\nb'], /HTTP header/],
    ['a key without a server',          ['run', '--api-key', 'k'],                                    /which server/],
    ['two keys',                        ['run', ...elsewhere, '--api-key-command', 'echo k'],         /--api-key and --api-key-command/],
    ['a command for a key without a server', ['doctor', '--api-key-command', 'echo k'],               /--api-key-command without .*which server/],
    ['a command that fails',            ['run', ...keyless, '--api-key-command', 'exit 3'],           /--api-key-command failed \(exit code 3\)/],
    ['a command that prints nothing',   ['run', ...keyless, '--api-key-command', 'true'],             /--api-key-command printed no key/],
    ['a command that prints two lines', ['run', ...keyless, '--api-key-command', 'echo a; echo b'],   /what --api-key-command printed .*HTTP header/],
    ['a header that is none',           ['run', ...elsewhere, '--header', 'X-Tenant'],                /--header.*'X-Tenant: acme'/],
    ['a header for the key',            ['run', ...elsewhere, '--header', 'service-api-key: x'],      /--header service-api-key would replace the API key/],
    ['a header for the content type',   ['init', ...elsewhere, '--header', 'Content-Type: x'],        /--header Content-Type would replace a header/],
    ['a header for the host',           ['doctor', ...elsewhere, '--header', 'HOST: x'],              /--header HOST would replace a header/],
    ['a header given twice',            ['run', ...elsewhere, '--header', 'A: 1', '--header', 'a: 2'], /--header a is given twice/],
    ['a header of nothing',             ['run', ...elsewhere, '--header', 'A:'],                      /--header A has a value that no header can have/],
    ['a header of a variable not set',  ['run', ...elsewhere, '--header', 'A: Basic $NO_SUCH'],       /--header A reads the environment variable NO_SUCH/],
    ['a header that holds a dollar',    ['run', ...elsewhere, '--header', 'A: pa$sWord12'],           /^conform: --header A reads an environment variable that is not set; a dollar sign is written \$\$\n$/],
    ['authorities that are not there',  ['run', ...elsewhere, '--ca', '/nowhere/ca.pem'],             /cannot read the file of --ca \/nowhere\/ca\.pem \(ENOENT\)/],
    ['authorities that are none',       ['run', ...elsewhere, '--ca', 'package.json'],                /--ca package\.json cannot be used/],
    ['a certificate that is none',      ['run', ...elsewhere, '--client-cert', 'package.json'],       /--client-cert package\.json cannot be used/],
    ['a key of no certificate',         ['run', ...elsewhere, '--client-key', 'package.json'],        /--client-key without --client-cert/],
    ['a wait of nothing',               ['run', ...elsewhere, '--wait', '0s'],                        /--wait.*duration/],
    ['a reporter nobody knows',         ['run', ...elsewhere, '--reporter', 'html5'],                 /html5/],
    ['a reporter without its file',     ['run', ...elsewhere, '--reporter', 'json='],                 /names no file/],
    ['a place that cannot be written',  ['run', ...elsewhere, '--out', '/dev/null/report'],           /cannot write .*--out/],
    ['the help of no command',          ['help', 'runn'],                                             /unknown command 'runn'/],
    ['the help of no command of ctl',   ['help', 'ctl', 'runn'],                                      /unknown command 'runn'/],
    ['a list of nothing',               ['list', 'gates'],                                            /no list of gates/],
    ['a list that objects have',        ['list', 'constructor'],                                      /no list of constructor/],
    ['a schema that is not there',      ['schema', 'gates-and-fences'],                               /no schema gates-and-fences/],
    ['a journal that is not there',     ['report', '/nowhere/journal.ndjson'],                        /cannot read the journal/],
  ])('%s', async (_what, argv, says) => {
    const before = existsSync('conform-report');
    const ended = await conform([...argv, ...(argv[0] === 'run' && !argv.includes('--out') ? ['--out', folder()] : [])]);
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(says);
    expect(ended.err).not.toMatch(/\n\s+at /);
    expect(existsSync('conform-report')).toBe(before);
  });

  test('a report that cannot be written: its flag is named, and nothing is left of the start', async () => {
    const out = folder();
    const ended = await conform(['run', ...elsewhere, '--out', out, '--reporter', 'html', '--reporter', `json=${out}`]);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain(`cannot write ${out} (EISDIR); choose another place with --reporter`);
    expect(readdirSync(out)).toEqual([]);
  });

  test('a variable of the config that is not set', async () => {
    const config = written('c.json', { baseUrl: 'http://127.0.0.1:9', apiKey: '$NO_SUCH_KEY' });
    const ended = await conform(['run', '--config', config, '--out', folder()]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(lines(ended.err)).toEqual([
      `conform: ${config}: /apiKey reads the environment variable NO_SUCH_KEY, which is not set`,
    ]);
  });

  test('a config without a base URL', async () => {
    const ended = await conform(['run', '--config', written('c.json', { apiKey: 'k' }), '--out', folder()]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('has no baseUrl') });
  });

  test('a proxy that cannot be used', async () => {
    const argv = ['run', '--base-url', 'http://api.test', '--api-key', 'k', '--out', folder()];
    const ended = await conform(argv, { http_proxy: 'socks5://u:p@proxy.test' });
    expect(ended).toMatchObject({ code: 2, err: 'conform: http_proxy must be an http or https URL, not socks5:\n' });
  });

  test('a header of the config that would replace the key', async () => {
    const headers = [
      { name: 'X-Fine', value: 'a' },
      { name: 'x-key', value: 'b' },
    ];
    const config = written('c.json', {
      baseUrl: 'http://127.0.0.1:9',
      apiKey: 'k',
      headers,
      naming: { apiKeyHeader: 'X-Key' },
    });
    const ended = await conform(['run', '--config', config, '--out', folder()]);
    expect(ended).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${config}: /headers/1 (x-key) would replace the API key`),
    });
  });

  test('a port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const ended = await conform(['serve', '--port', String(port)]);
    expect(ended).toMatchObject({ code: 2, err: `conform: port ${port} is taken; choose another with --port\n` });
  });
});

describe('run', () => {
  const some = ['--only', 'list-segments', '--only', 'patch-gate/accepts', '--profile', 'quick'];

  test('a closed port is told at once, in one line, with exit code 3', async () => {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise<void>(resolve => server.close(() => resolve()));
    const ended = await conform(['run', '--base-url', `http://127.0.0.1:${port}`, '--api-key', 'k', '--out', folder()]);
    expect(ended.code).toBe(3);
    expect(ended.err).toBe('');
    // Wrapped to the width of a terminal, but one sentence.
    expect(ended.out.replace(/\s+/g, ' ')).toContain(
      `no answer from http://127.0.0.1:${port}/: no connection (ECONNREFUSED) → start it, or wait for it with --wait 60s`,
    );
    expect(ended.out.match(/ECONNREFUSED/g)).toHaveLength(1);
  });

  test('a wrong key is told, with exit code 3', async () => {
    const ended = await conform(['run', '--base-url', await served(), '--api-key', 'wrong-key', '--out', folder()]);
    expect(ended.code).toBe(3);
    expect(ended.out).toContain('the key was refused everywhere');
    expect(ended.out).not.toContain('wrong-key');
  });

  test('base URL and key alone are incomplete: what is missing is told, the rest is judged', async () => {
    const out = folder();
    const ended = await conform(['run', '--base-url', await served(), ...some, '--out', out], {
      SERVICE_API_KEY: apiKey,
    });
    expect(ended.code).toBe(3);
    expect(ended.out).toContain('fixtures.gates: ["a_gate", "another_gate"]');
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(validatorFor(reportSchema)(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
    const verdicts = report.endpoints.map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict]);
    expect(verdicts).toContainEqual(['list-segments', 'conformant']);
    expect(verdicts).toContainEqual(['patch-gate', 'incomplete']);
  });

  test('a config that names everything is conformant, with exit code 0, and no file shows the key', async () => {
    const out = folder();
    const config = written('c.json', { ...referenceTarget(), baseUrl: await served(), apiKey: '$KEY' });
    const ended = await conform(['run', '--config', config, ...some, '--out', out], { KEY: apiKey });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).not.toContain(apiKey);
    const files = ['journal.ndjson', 'report.json', 'junit.xml'].map(name => readFileSync(join(out, name), 'utf8'));
    for (const text of files) expect(text).not.toContain(apiKey);
    const valid = validatorFor(runEvent);
    for (const line of lines(files[0] ?? '')) expect(valid(JSON.parse(line))).toEqual([]);
  });

  test('without base URL and config it tests the embedded reference server, and says so', async () => {
    const ended = await conform(['run', ...some, '--out', folder()]);
    expect(ended.code).toBe(0);
    expect(lines(ended.out)[0]).toMatch(
      /^No --base-url and no --config: testing the embedded reference server at http/,
    );
  });

  test('colours are for terminals and for who asks; NO_COLOR has the last word', async () => {
    const colour = '\u001b[';
    const run = (environment: Record<string, string>) => conform(['run', ...some, '--out', folder()], environment);
    expect((await run({ FORCE_COLOR: '1' })).out).toContain(colour);
    expect((await run({ FORCE_COLOR: '1', NO_COLOR: '1' })).out).not.toContain(colour);
    expect((await run({})).out).not.toContain(colour);
  });

  test('--reporter json=- writes the report, and nothing else, to the standard output', async () => {
    const ended = await conform(['run', ...some, '--reporter', 'json=-', '--out', folder()]);
    expect(validatorFor(reportSchema)(JSON.parse(ended.out))).toEqual([]);
  });
});

describe('report', () => {
  async function journalOf(): Promise<string> {
    const out = folder();
    await conform(['run', '--only', 'list-segments', '--profile', 'quick', '--out', out]);
    return join(out, 'journal.ndjson');
  }

  test('renders a journal again, with the exit code of its run', async () => {
    const journal = await journalOf();
    const original = JSON.parse(readFileSync(journal.replace('journal.ndjson', 'report.json'), 'utf8'));
    const ended = await conform(['report', journal, '--reporter', 'json=-']);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.out)).toEqual(original);
  });

  test('a journal that was cut off in the middle of a line is incomplete, never conformant', async () => {
    const journal = await journalOf();
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.slice(0, Math.floor(text.length * 0.9)));
    const ended = await conform(['report', journal, '--reporter', 'json=-']);
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.out)).toMatchObject({ outcome: 'truncated', truncated: true, verdict: 'incomplete' });
  });

  test('a journal whose last line end was taken away is whole', async () => {
    const journal = await journalOf();
    writeFileSync(journal, readFileSync(journal, 'utf8').trimEnd());
    expect((await conform(['report', journal])).code).toBe(0);
  });

  test('a journal without its last line is cut off too', async () => {
    const journal = await journalOf();
    const kept = lines(readFileSync(journal, 'utf8')).slice(0, -1);
    writeFileSync(journal, `${kept.join('\n')}\n`);
    expect((await conform(['report', journal])).code).toBe(3);
  });

  test.each([
    ['no JSON', 'not a journal\n', 'line 1 is no JSON'],
    ['a report.json', '{\n "a": 1\n}\n', 'is no journal: a report.json'],
    ['another file', '{"a":1}\n', 'line 1 is no event of a journal'],
    ['an empty file', '', 'does not begin with a run-start'],
    ['a first line cut off', '{"event":"run-st', 'cut off in its first line'],
  ])('%s is a mistake of the caller', async (_what, text, says) => {
    const file = join(folder(), 'journal.ndjson');
    writeFileSync(file, text);
    const ended = await conform(['report', file]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(says);
  });
});

describe('what there is', () => {
  test.each([
    ['endpoints', endpointIds],
    ['requirements', requirements.map(({ id }) => id)],
    ['checks', ['accepts', 'rejects', 'echo']],
    ['reporters', ['terminal', 'json', 'junit', 'markdown', 'github', 'ctrf', 'har']],
    ['units', ['patch-gate/echo', 'list-events/pagination']],
  ])('list %s', async (what, ids) => {
    const ended = await conform(['list', what]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    const listed = lines(ended.out).map(line => line.split(/\s/)[0]);
    expect(listed).toEqual(expect.arrayContaining([...ids]));
    expect(new Set(lines(ended.out)).size).toBe(listed.length);
  });

  test('openapi prints the committed document', async () => {
    const ended = await conform(['openapi']);
    expect(JSON.parse(ended.out)).toEqual(JSON.parse(readFileSync('contracts/openapi.json', 'utf8')));
  });

  test('schema lists the schemas, and prints each as it is committed', async () => {
    const names = lines((await conform(['schema'])).out);
    expect(names).toContain('target-file');
    for (const name of names) {
      const file = readFileSync(`contracts/json/${name}.schema.json`, 'utf8');
      expect(JSON.parse((await conform(['schema', name])).out)).toEqual(JSON.parse(file));
    }
  });

  test.each([['--help'], ['help'], ['help', 'run'], ['run', '--help'], ['serve', '--help'], ['--version']])(
    '%s %s is help',
    async (...argv) => {
      const ended = await conform(argv);
      expect(ended).toMatchObject({ code: 0, err: '' });
      expect(ended.out).not.toBe('');
    },
  );
});

describe('in a GitHub workflow', () => {
  const some = ['run', '--only', 'list-segments', '--profile', 'quick', '--out'];

  test('run annotates and writes the summary of the step by itself', async () => {
    const summary = join(folder(), 'summary.md');
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, SERVICE_API_KEY: apiKey };
    const failing = ['run', '--base-url', await served(), '--only', 'patch-gate/accepts', '--out', folder()];
    const ended = await conform(failing, environment);
    expect(ended.out).toMatch(/^::error title=The run is incomplete::/m);
    expect(readFileSync(summary, 'utf8')).toMatch(/^## 🟡 Incomplete/);
    await conform([...some, folder()], environment);
    expect(readFileSync(summary, 'utf8')).toMatch(/\n## ✅ Conformant/);
  });

  test('a document on the standard output stays a document, and elsewhere there are no annotations', async () => {
    const ended = await conform([...some, folder(), '--reporter', 'json=-'], { GITHUB_ACTIONS: 'true' });
    expect(validatorFor(reportSchema)(JSON.parse(ended.out))).toEqual([]);
    expect((await conform([...some, folder()])).out).not.toMatch(/^::/m);
  });
});

test('with --time a run goes on with extended fuzzing, and the journal keeps its length', async () => {
  const out = folder();
  const only = ['--only', 'patch-gate/sequences', '--profile', 'quick'];
  const ended = await conform(['run', ...only, '--time', '1h', '--max-requests', '900', '--out', out]);
  expect(ended).toMatchObject({ code: 0, err: '' });
  expect(ended.out).toMatch(/time 1h/);
  expect(ended.out).toMatch(/extended +\d+ random cases more than profile quick has, in a time of 1h/);
  const events = lines(readFileSync(join(out, 'journal.ndjson'), 'utf8')).map(line => JSON.parse(line).event);
  expect(events).not.toContain('progress');
  expect(events.filter(event => event === 'check-end')).toHaveLength(2);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  expect(report).toMatchObject({ options: { timeMs: 3_600_000 }, verdict: 'conformant' });
  expect(report.stats.extended).toBeGreaterThan(60);
});
