import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { build } from '../cli/program.ts';
import { commandLine } from '../cli/testing/process.fixture.ts';
import { createReferenceServer, referenceTarget } from '../reference-server/index.ts';
import { root, textOf } from './repository.ts';

/**
 * Tests the shell code of the action and of the examples. One run of each is real. Everywhere else a stand-in for the
 * command line records its calls, whose flags are compared with the existing ones.
 */

const apiKey = 'the-key-of-these-tests';

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conform-gate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program in a folder, with only the path of our environment. */
async function ran(program: string, argv: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> {
  const child = spawn(program, argv, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      text += String(chunk);
    });
  }
  const code = await new Promise<number | null>(done => child.on('close', done));
  return { code, text };
}

/**
 * A stand-in for the command line. It records its words and whether it has the key, and ends with `CODE`. A `run` with
 * `--out` writes `REPORT` as its report.
 */
const standIn = `#!/bin/sh
{ for word in "$@"; do printf '%s\\n' "$word"; done; echo "key \${SERVICE_API_KEY:-none}"; echo; } >>"$CALLS"
verb=$1
out=
for word in "$@"; do [ "$flag" = --out ] && out=$word; flag=$word; done
if [ "$verb" = run ] && [ -n "$out" ]; then mkdir -p "$out"; printf '%s' "\${REPORT:-}" >"$out/report.json"; fi
[ "$verb" = doctor ] || exit "\${CODE:-0}"
`;

/** Returns the calls of the stand-in, each as its words. */
const callsIn = (folder: string): string[][] =>
  existsSync(join(folder, 'calls'))
    ? readFileSync(join(folder, 'calls'), 'utf8')
        .split('\n\n')
        .filter(one => one !== '')
        .map(one => one.split('\n'))
    : [];

function standingIn(folder: string): Record<string, string> {
  const file = join(folder, 'conform');
  writeFileSync(file, standIn.replace('verb=$1', 'verb=$1 flag='));
  chmodSync(file, 0o755);
  return { CONFORM: file, CALLS: join(folder, 'calls') };
}

const commands = build(() => {}).commands;

/** Checks that each flag of a call exists in the command. */
function expectFlags([verb, ...words]: readonly string[]): void {
  const known = commands.find(command => command.name() === verb)?.options.map(({ long }) => long);
  const flags = words.filter(word => word.startsWith('--')).map(word => word.split('=')[0]);
  expect(known).toEqual(expect.arrayContaining(flags));
}

async function served(faults: readonly string[] = []): Promise<string> {
  const server = createReferenceServer({ apiKey, faults });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return url;
}

const writeConfig = (folder: string, baseUrl: string): void =>
  writeFileSync(
    join(folder, 'conform.config.json'),
    JSON.stringify({ ...referenceTarget(), baseUrl, apiKey: '$SERVICE_API_KEY' }),
  );

const real = `${process.execPath} ${commandLine}`;
const some = ['--profile', 'quick', '--only', 'list-segments'];

describe('the shell gate', () => {
  const gate = (folder: string, argv: readonly string[], env: Record<string, string>): Promise<Ended> =>
    ran('sh', [join(root, 'examples/gate.sh'), ...argv], folder, { SERVICE_API_KEY: apiKey, ...env });
  const withStandIn = async (argv: readonly string[], env: Record<string, string> = {}, files: string[] = []) => {
    const folder = project();
    for (const file of ['conform.config.json', ...files]) writeFileSync(join(folder, file), '{}');
    return { ...(await gate(folder, argv, { ...standingIn(folder), ...env })), calls: callsIn(folder), folder };
  };
  test('runs the bundle beside it, if it is the one of the digest', async () => {
    const folder = project();
    const bundle = "console.log('the bundle', process.argv[2]);";
    writeFileSync(join(folder, 'conform.mjs'), bundle);
    writeFileSync(join(folder, 'conform.config.json'), '{}');
    const CONFORM_SHA256 = createHash('sha256').update(bundle).digest('hex');
    for (const env of [{}, { CONFORM_SHA256 }]) expect((await gate(folder, [], env)).text).toContain('the bundle run');
    writeFileSync(join(folder, 'conform.mjs'), `${bundle} `);
    const { code, text } = await gate(folder, [], { CONFORM_SHA256 });
    expect([code, text]).toEqual([2, 'conform.mjs is not the file of CONFORM_SHA256\n']);
  });

  test('says that the bundle is missing, and nothing of the server', async () => {
    const folder = project();
    writeFileSync(join(folder, 'conform.config.json'), '{}');
    const { code, text } = await gate(folder, [], {});
    expect([code, text]).toEqual([2, expect.stringMatching(/^gate: there is no conform\.mjs: .*\n$/)]);
  });

  const judged = (known: number, fresh: number, stale: number) =>
    JSON.stringify({
      baseline: { known: Array(known).fill({}), fresh: Array(fresh).fill(''), stale: Array(stale).fill({}) },
    });

  test('looks, tests, keeps the reports, and tells a stale baseline from a failing server', async () => {
    const folder = project();
    writeConfig(folder, await served());
    const known = {
      endpoint: 'list-segments',
      check: 'schema',
      requirement: 'segment.count',
      pointer: '/data/*/count',
      deviation: 'value',
      reason: 'ticket 7',
    };
    writeFileSync(join(folder, 'conform.baseline.json'), JSON.stringify({ version: 2, known: [known] }));
    const ended = await gate(folder, some, { CONFORM: real });
    expect(ended.code, ended.text).toBe(1);
    expect(ended.text).toContain('endpoints can be judged');
    expect(ended.text).toContain(
      'closed: conform.baseline.json is stale (1, see above); the server fails in nothing new',
    );
    for (const file of ['journal.ndjson', 'report.json', 'junit.xml', 'report.html']) {
      expect(existsSync(join(folder, 'conform-report', file)), file).toBe(true);
    }
    expect(readFileSync(join(folder, 'conform-report/journal.ndjson'), 'utf8')).not.toContain(apiKey);
  });

  // biome-ignore format: a table
  test.each<[says: string, env: Record<string, string>]>([
    ['open: the server conforms',                                                    { CODE: '0' }],
    ['open: the server fails only as known.json knows (2)',                          { CODE: '0', REPORT: judged(2, 0, 0) }],
    ['closed: the server does not conform',                                          { CODE: '1' }],
    ['closed: the server does not conform',                                          { CODE: '1', REPORT: judged(1, 3, 0) }],
    ['closed: known.json is stale (2, see above); the server fails in nothing new',  { CODE: '1', REPORT: judged(1, 0, 2) }],
    ['closed: the server does not conform, and known.json is stale (1, see above)',  { CODE: '1', REPORT: judged(0, 1, 1) }],
    ['closed: a mistake in the target file or in a flag',                            { CODE: '2' }],
    ['closed: something could not be tested, or the server could not be reached',    { CODE: '3' }],
    ['closed: interrupted',                                                          { CODE: '130' }],
    ['closed: the suite itself failed (exit code 4)',                                { CODE: '4' }],
  ])('says %s, and ends as the run does', async (says, env) => {
    const ended = await withStandIn(['--baseline', 'known.json'], env);
    expect(ended.text.trimEnd().split('\n').at(-1)).toBe(`gate: ${says}`);
    expect(ended.code).toBe(Number(env.CODE));
  });

  test('is closed where nothing was tested, however well that ended', async () => {
    const folder = project();
    writeConfig(folder, 'http://127.0.0.1:9');
    for (const flag of ['--help', '--version']) {
      const ended = await gate(folder, [flag], { CONFORM: real });
      expect(ended.code, ended.text).toBe(2);
      expect(ended.text).toContain('gate: closed: nothing was tested');
    }
  });

  test('gives every flag to every command, and what the flags name counts', async () => {
    const flags = ['--profile', 'quick', '--header', 'x-tenant: a b', '--out', 'else where', '--only', '*'];
    const { calls, folder } = await withStandIn(flags, {}, ['conform.baseline.json']);
    expect(calls.map(([verb]) => verb)).toEqual(['doctor', 'run']);
    for (const call of calls) {
      expectFlags(call);
      expect(call.join('\n')).toContain(flags.join('\n'));
      expect(call.join('\n')).toContain('--config\nconform.config.json');
      expect(call.join('\n')).toContain('--baseline\nconform.baseline.json');
    }
    expect(existsSync(join(folder, 'else where/report.json'))).toBe(true);
  });

  test('asks for no target file where a flag names one, or the server', async () => {
    const folder = project();
    const env = standingIn(folder);
    expect(await gate(folder, some, env)).toMatchObject({ code: 2, text: expect.stringContaining('init --base-url') });
    expect(await gate(folder, ['--base-url=http://127.0.0.1:9'], env)).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'other.json'), '{}');
    expect(await gate(folder, ['--config=other.json'], env)).toMatchObject({ code: 0 });
    expect(callsIn(folder).map(([verb, ...words]) => [verb, words.includes('--config')])).toEqual([
      ['doctor', false],
      ['run', false],
      ['doctor', true],
      ['run', true],
    ]);
  });
});

interface ActionStep {
  readonly name: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
  readonly shell?: string;
  readonly uses?: string;
}

describe('the action', () => {
  const { inputs, runs } = parse(textOf('action.yml')) as {
    inputs: Record<string, { default: string }>;
    runs: { steps: readonly ActionStep[] };
  };
  const [look, , install, step] = runs.steps as readonly [ActionStep, ActionStep, ActionStep, ActionStep];
  const given = Object.entries(step.env ?? {}).map(([variable, text]) => [
    variable,
    /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(text)?.[1] ?? '',
  ]);

  /** Runs a step of the action as a runner would: inputs in the environment, outputs to a file. */
  async function ranStep(
    { run = '' }: ActionStep,
    folder: string,
    values: Record<string, string>,
    env: Record<string, string> = {},
  ) {
    const output = join(folder, 'outputs');
    writeFileSync(output, '');
    const file = join(folder, 'step.sh');
    writeFileSync(file, run);
    const ended = await ran('sh', ['-e', file], folder, {
      ...Object.fromEntries(
        given.map(([variable = '', name = '']) => [variable, values[name] ?? inputs[name]?.default ?? '']),
      ),
      GITHUB_OUTPUT: output,
      ...env,
    });
    return { ...ended, outputs: readFileSync(output, 'utf8') };
  }

  /** Makes the folder of an installed action, with this program as its command line. */
  function installed(folder: string, program: string): { GITHUB_ACTION_PATH: string } {
    mkdirSync(join(folder, 'action/dist/cli'), { recursive: true });
    mkdirSync(join(folder, 'action/node_modules'));
    writeFileSync(join(folder, 'action/package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'action/dist/cli/main.js'), program);
    return { GITHUB_ACTION_PATH: join(folder, 'action') };
  }

  const standInModule = `import { spawnSync } from 'node:child_process';
process.exit(spawnSync('sh', [process.env.CONFORM, ...process.argv.slice(2)], { stdio: 'inherit' }).status);
`;
  const callOf = async (values: Record<string, string>, env: Record<string, string> = {}) => {
    const folder = project();
    const ended = await ranStep(step, folder, values, {
      ...installed(folder, standInModule),
      ...standingIn(folder),
      ...env,
    });
    return { ...ended, folder, words: callsIn(folder)[0] ?? [] };
  };

  test('hands every input to its script through the environment alone, in a shell that every image has', () => {
    expect(given.map(([, name]) => name).sort()).toEqual(Object.keys(inputs).sort());
    for (const { run = '', shell, uses } of runs.steps) {
      expect(run).not.toContain('${{');
      expect([shell ?? 'none', uses ?? 'none']).toContain(
        run === '' ? 'actions/cache@5a3ec84eff668545956fd18022155c47e93e2684' : 'sh',
      );
      // The expression's context names a folder of the host, which a container job does not have.
      expect(run).not.toContain('github.action_path');
    }
    expect(install.run).toContain('npm ci --include=dev');
  });

  test('gives each input as a flag that there is', async () => {
    const { words, outputs } = await callOf({
      config: 'a b.json',
      'base-url': 'http://127.0.0.1:9',
      'api-key': 'of-the-input',
      only: 'list-segments\n\n*/rejects\n',
      skip: 'list-events',
      shard: '1/3',
      seed: '7',
      time: '10m',
      rate: '5',
      'min-coverage': '90',
      baseline: 'known.json',
      strict: 'true',
      'read-only': 'true',
      arguments: '--settle=5s\n--header=X-Tenant: acme corp',
    });
    expectFlags(words);
    expect(words).toEqual([
      'run',
      ...['--config=a b.json', '--base-url=http://127.0.0.1:9', '--profile=standard', '--only=list-segments'],
      ...['--only=*/rejects', '--skip=list-events', '--shard=1/3', '--seed=7', '--time=10m', '--rate=5', '--strict'],
      ...['--read-only', '--baseline=known.json', '--min-coverage=90', '--reporter=terminal', '--reporter=github'],
      ...['--reporter=html', '--reporter=junit', '--out=conform-report', '--settle=5s', '--header=X-Tenant: acme corp'],
      'key of-the-input',
    ]);
    expect(outputs).toBe('exit-code=0\n');
  });

  test('joins the journals of shards, and ends as the command does', async () => {
    const { words, code, outputs } = await callOf({ journals: 'a/journal.ndjson\nb/journal.ndjson\n' }, { CODE: '1' });
    expectFlags(words);
    expect(words.slice(0, 3)).toEqual(['report', 'a/journal.ndjson', 'b/journal.ndjson']);
    expect([code, outputs]).toEqual([1, 'exit-code=1\n']);
  });

  test('fails where no server is named, instead of testing its own', async () => {
    expect(await callOf({})).toMatchObject({ code: 2, outputs: 'exit-code=2\n', words: [] });
  });

  const harmless = { config: 'conform.config.json' };
  const asking = ['--help', '-h', '-hV', '--version', '-V'];

  test.each(Object.keys(inputs))('is no success where the input %s asks for help or the version', async input => {
    const folder = project();
    writeConfig(folder, 'http://127.0.0.1:9');
    const env = { ...installed(folder, `import '${commandLine}';\n`), SERVICE_API_KEY: apiKey };
    for (const word of asking.slice(0, input === 'journals' || input === 'arguments' ? 5 : 1)) {
      for (const value of [word, `a.ndjson\n${word}`]) {
        const { code, outputs } = await ranStep(step, folder, { ...harmless, out: 'out', [input]: value }, env);
        expect([value, code === 0, outputs]).toEqual([value, false, `exit-code=${code}\n`]);
        // Nobody listens there. A run gives 3 and a mistake 2; 1 would mean that a server does not conform.
        expect([2, 3]).toContain(code);
      }
    }
  });

  // biome-ignore format: a table
  test.each([
    ['help in the journals',      { journals: 'a.ndjson\n--help' }],
    ['help in the arguments',     { ...harmless, arguments: '--settle=5s\n-h' }],
    ['the version',               { ...harmless, arguments: '--version' }],
    ['a strictness of its own',   { ...harmless, strict: 'True' }],
    ['help instead of strictness', { ...harmless, strict: '--help' }],
    ['writes instead of reads',   { ...harmless, 'read-only': 'yes' }],
  ])('refuses %s before anything is called', async (_what, values) => {
    expect(await callOf(values)).toMatchObject({ code: 2, outputs: 'exit-code=2\n', words: [] });
  });

  test('reads nothing of an input as a command', async () => {
    const evil = { config: '$(touch owned)', only: '`touch owned`; touch owned\n*', arguments: '"; touch owned; "' };
    const { folder, words } = await callOf(evil);
    expect(words).toEqual(expect.arrayContaining(['--config=$(touch owned)', '--only=*', '"; touch owned; "']));
    expect(existsSync(join(folder, 'owned'))).toBe(false);
  });

  test('fails the job of a server that does not conform; the key may come from the environment', async () => {
    const folder = project();
    writeConfig(folder, await served(['segment-count-as-text']));
    const values = { config: 'conform.config.json', profile: 'quick', only: 'list-segments' };
    const ended = await ranStep(step, folder, values, {
      ...installed(folder, `import '${commandLine}';\n`),
      SERVICE_API_KEY: apiKey,
      GITHUB_ACTIONS: 'true',
    });
    expect(ended, ended.text).toMatchObject({ code: 1, outputs: 'exit-code=1\n' });
    expect(ended.text).toContain('::error');
    expect(existsSync(join(folder, 'conform-report/report.html'))).toBe(true);
  });

  test('installs again where a file of the suite is another, and not where nothing changed', async () => {
    const folder = project();
    const env = installed(folder, '');
    const key = async () => /^key=(.+)$/m.exec((await ranStep(look, folder, {}, env)).outputs)?.[1];
    const before = await key();
    expect(before).toMatch(/^console-conformance-\w+-\w+-\d+-[0-9a-f]{64}$/);
    expect(await key()).toBe(before);
    writeFileSync(join(folder, 'action/dist/cli/main.js'), 'built anew');
    expect(await key()).toBe(before);
    writeFileSync(join(folder, 'action/package.json'), '{}');
    expect(await key()).not.toBe(before);
    expect((await ranStep(look, folder, {}, env)).outputs).toContain('ready=true');
  });
});

describe('the pipelines of the examples', () => {
  interface KubernetesSpec {
    readonly template?: {
      readonly spec: { readonly containers: readonly { args: string[]; env: { name: string; value?: string }[] }[] };
    };
    readonly jobTemplate?: { readonly spec: KubernetesSpec };
  }
  interface KubernetesDocument {
    readonly spec?: KubernetesSpec;
    readonly data?: Readonly<Record<string, string>>;
  }

  test('the workflow of GitHub gives the action inputs that it has', () => {
    const { inputs } = parse(textOf('action.yml')) as { inputs: object };
    const { jobs } = parse(textOf('examples/github-workflow.yml')) as {
      jobs: Record<string, { steps: { uses?: string; with?: object }[] }>;
    };
    const steps = Object.values(jobs).flatMap(job => job.steps);
    const given = steps.flatMap(one => (one.uses?.includes('console-conformance@') ? Object.keys(one.with ?? {}) : []));
    expect(given.length).toBeGreaterThan(2);
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given));
  });

  test('GitLab runs a shard in each job, and joins what they leave', async () => {
    type Job = { script: string[]; parallel?: number };
    const { shard, verdict } = parse(textOf('examples/gitlab-ci.yml')) as { shard: Job; verdict: Job };
    const folder = project();
    const env = standingIn(folder);
    for (const [index, code] of ['3', '1', '0'].entries()) {
      const more = { CI_NODE_INDEX: String(index + 1), CI_NODE_TOTAL: String(shard.parallel), CODE: code };
      expect((await ran('sh', ['-ec', shard.script.join('\n')], folder, { ...env, ...more })).code).toBe(0);
      writeFileSync(join(folder, `shard-${index + 1}/journal.ndjson`), '');
    }
    const broken = { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3', CODE: '2' };
    expect((await ran('sh', ['-ec', shard.script.join('\n')], folder, { ...env, ...broken })).code).toBe(2);
    expect((await ran('sh', ['-ec', verdict.script.join('\n')], folder, { ...env, CODE: '1' })).code).toBe(1);
    const calls = callsIn(folder);
    for (const call of calls) expectFlags(call);
    expect(calls.slice(0, 3).map(call => call[call.indexOf('--shard') + 1])).toEqual(['1/3', '2/3', '3/3']);
    expect(calls.at(-1)?.slice(0, 4)).toEqual(['report', ...[1, 2, 3].map(index => `shard-${index}/journal.ndjson`)]);
  });

  test('Kubernetes runs a shard in each pod of an Indexed Job, joins them in another, and a target in each of a CronJob', async () => {
    const [shards, verdict, targets, nightly] = parseAllDocuments(textOf('examples/kubernetes.yml')).map(
      one => one.toJS() as KubernetesDocument,
    );
    const containerOf = (one: KubernetesDocument | undefined) =>
      (one?.spec?.jobTemplate?.spec ?? one?.spec)?.template?.spec.containers[0];
    const scriptOf = (one: KubernetesDocument | undefined) => containerOf(one)?.args.join('\n') ?? '';
    expect(shards?.spec).toMatchObject({ completionMode: 'Indexed', completions: 3 });
    for (const job of [shards, verdict]) expect(containerOf(job)?.env).toContainEqual({ name: 'SHARDS', value: '3' });
    const files = Object.keys(targets?.data ?? {});
    expect(files).toEqual(files.map((_, index) => `${index}.json`));
    expect(nightly?.spec?.jobTemplate?.spec).toMatchObject({ completionMode: 'Indexed', completions: files.length });
    const given = containerOf(nightly)?.env.map(({ name }) => name);
    for (const text of Object.values(targets?.data ?? {}))
      expect(given).toContain((JSON.parse(text) as { apiKey: string }).apiKey.slice(1));
    const folder = project();
    const reports = join(folder, 'reports');
    const env = { ...standingIn(folder), RUN: 'r 1', SHARDS: '3', REPORTS: reports, CONFIG: 'c.json', TARGETS: 't' };
    // The exit code of a pod must be the verdict of its shard, so that the policy of the job can use it.
    for (const [index, code] of [3, 1, 0].entries()) {
      const more = { JOB_COMPLETION_INDEX: String(index), CODE: String(code) };
      expect((await ran('sh', ['-c', scriptOf(shards)], folder, { ...env, ...more })).code).toBe(code);
    }
    expect((await ran('sh', ['-c', scriptOf(verdict)], folder, { ...env, CODE: '1' })).code).toBe(1);
    const one = { JOB_COMPLETION_INDEX: '1', CODE: '3' };
    expect((await ran('sh', ['-c', scriptOf(nightly)], folder, { ...env, ...one })).code).toBe(3);
    const calls = callsIn(folder);
    for (const call of calls) expectFlags(call);
    expect(calls.slice(0, 3).map(call => call[call.indexOf('--shard') + 1])).toEqual(['1/3', '2/3', '3/3']);
    expect(calls[3]?.slice(1, 4)).toEqual([0, 1, 2].map(index => join(reports, `r 1/shard-${index}/journal.ndjson`)));
    expect(calls[4]?.slice(0, 3)).toEqual(['run', '--config', 't/1.json']);
    // Without the journal of a shard there is no verdict.
    const real = { ...env, CONFORM: `${process.execPath} ${commandLine}`, SHARDS: '4' };
    expect((await ran('sh', ['-c', scriptOf(verdict)], folder, real)).code).toBe(2);
  });

  test('Jenkins runs the gate', async () => {
    const [, script = ''] = /sh '''\n([\s\S]*?)'''/.exec(textOf('examples/Jenkinsfile')) ?? [];
    const folder = project();
    mkdirSync(join(folder, 'examples'));
    writeFileSync(join(folder, 'examples/gate.sh'), textOf('examples/gate.sh'));
    writeFileSync(join(folder, 'conform.config.json'), '{}');
    expect((await ran('sh', ['-xe', '-c', script], folder, { ...standingIn(folder), CODE: '3' })).code).toBe(3);
    expect(callsIn(folder).map(([verb]) => verb)).toEqual(['doctor', 'run']);
  });
});
