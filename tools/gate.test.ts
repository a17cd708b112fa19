import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endpointIds } from '../contracts/endpoints.ts';
import { createReferenceServer, referenceTarget } from '../reference-server/index.ts';
import { closedPort } from '../suites/proof/testing/doubles.ts';
import { root, textOf } from './repository.ts';

const apiKey = 'the-key-of-these-tests';
const main = join(root, 'cli/main.ts');
const loader = import.meta.resolve('tsx');

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conform-gate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program in a folder, with nothing of our environment but the path. */
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

const some = ['--profile', 'quick', '--only', 'list-segments'];

describe('the shell gate', () => {
  const command = `${process.execPath} --import ${loader} ${main}`;
  const gate = (folder: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    ran('sh', [join(root, 'examples/gate.sh'), ...argv], folder, { CONFORM: command, SERVICE_API_KEY: apiKey, ...env });

  test('is open to a server that conforms, and keeps the reports', async () => {
    const folder = project();
    writeConfig(folder, await served());
    const ended = await gate(folder, some);
    expect(ended.code, ended.text).toBe(0);
    expect(ended.text).toContain(`${endpointIds.length} of ${endpointIds.length} endpoints can be judged`);
    expect(ended.text).toContain('gate: open: the server conforms');
    for (const file of ['journal.ndjson', 'report.json', 'junit.xml', 'report.html']) {
      expect(existsSync(join(folder, 'conform-report', file)), file).toBe(true);
    }
    expect(readFileSync(join(folder, 'conform-report/journal.ndjson'), 'utf8')).not.toContain(apiKey);
  });

  test('is closed to a server that does not', async () => {
    const folder = project();
    writeConfig(folder, await served(['segment-count-as-text']));
    const ended = await gate(folder, some, { CONFORM_OUT: 'elsewhere' });
    expect(ended.code, ended.text).toBe(1);
    expect(ended.text).toContain('gate: closed: the server does not conform');
    expect(existsSync(join(folder, 'elsewhere/report.json'))).toBe(true);
  });

  test('is closed where nobody answers', async () => {
    const folder = project();
    writeConfig(folder, (await closedPort()).origin);
    const ended = await gate(folder, some);
    expect(ended.code, ended.text).toBe(3);
    expect(ended.text).toContain('gate: a run will not be able to prove everything');
    expect(ended.text).toContain('could not be reached');
  });

  test('is closed by a mistake, and by a target file that is not there', async () => {
    const folder = project();
    expect(await gate(folder, some)).toMatchObject({ code: 2, text: expect.stringContaining('init --base-url') });
    writeConfig(folder, 'http://127.0.0.1:9');
    expect(await gate(folder, ['--only', 'nothing-of-this-name'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('gate: closed: a mistake'),
    });
  });
});

describe('the action', () => {
  const text = textOf('action.yml');
  const script = (text.split(/^ {6}run: \|\n/m)[1] ?? '').replace(/^ {8}/gm, '');
  const defaults = new Map(
    [...text.matchAll(/^ {2}([a-z-]+):\n {4}description: .*\n {4}default: (.*)$/gm)].map(match => [
      match[1] as string,
      (match[2] as string).replace(/^'(.*)'$/, '$1'),
    ]),
  );
  const variables = [...text.matchAll(/^ {8}(CONFORM_[A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}$/gm)];

  /** Runs the script of the action as a runner would: inputs in the environment, outputs to a file. */
  async function action(folder: string, inputs: Record<string, string>, env: Record<string, string> = {}) {
    const output = join(folder, 'outputs');
    writeFileSync(output, '');
    const given = variables.map(([, variable, input]) => [
      variable as string,
      inputs[input as string] ?? defaults.get(input as string) ?? '',
    ]);
    const ended = await ran('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], folder, {
      ...Object.fromEntries(given),
      CONFORM_COMMAND: main,
      NODE_OPTIONS: `--import=${loader}`,
      GITHUB_OUTPUT: output,
      ...env,
    });
    return { ...ended, outputs: readFileSync(output, 'utf8') };
  }

  test('hands every input to its script, through the environment alone', () => {
    expect([...defaults.keys()].sort()).toEqual(variables.map(match => match[2]).sort());
    expect(script).toContain('node "$CONFORM_COMMAND"');
    expect(script).not.toContain('${{');
  });

  test('runs a shard with its inputs, then joins the shards to the verdict', async () => {
    const folder = project();
    writeConfig(folder, await served());
    const inputs = { config: 'conform.config.json', profile: 'quick', only: 'list-segments\nlist-events\n' };
    const shards = ['1/2', '2/2'];
    for (const [index, shard] of shards.entries()) {
      const ended = await action(folder, { ...inputs, shard, out: `shard-${index}`, 'api-key': apiKey });
      expect(ended.outputs, ended.text).toMatch(/^exit-code=(0|3)\n$/);
      expect(existsSync(join(folder, `shard-${index}/journal.ndjson`))).toBe(true);
    }
    const joined = await action(folder, { journals: 'shard-0/journal.ndjson\nshard-1/journal.ndjson\n' });
    expect(joined, joined.text).toMatchObject({ code: 0, outputs: 'exit-code=0\n' });
    expect(existsSync(join(folder, 'conform-report/report.html'))).toBe(true);
  });

  test('fails the job of a server that does not conform; the key may come from the environment', async () => {
    const folder = project();
    writeConfig(folder, await served(['segment-count-as-text']));
    const inputs = { config: 'conform.config.json', profile: 'quick', only: 'list-segments' };
    const ended = await action(folder, inputs, { SERVICE_API_KEY: apiKey, GITHUB_ACTIONS: 'true' });
    expect(ended, ended.text).toMatchObject({ code: 1, outputs: 'exit-code=1\n' });
    expect(ended.text).toContain('::error');
  });

  test('fails where no server is named, instead of testing its own', async () => {
    expect(await action(project(), {})).toMatchObject({ code: 2, outputs: 'exit-code=2\n' });
  });

  test('reads nothing of an input as a command', async () => {
    const folder = project();
    const ended = await action(folder, { config: '$(touch owned)', only: '`touch owned`; touch owned' });
    expect(ended.code).toBe(2);
    expect(existsSync(join(folder, 'owned'))).toBe(false);
  });
});

describe('the workflow', () => {
  test('gives the action inputs that it has', () => {
    const inputs = [...textOf('action.yml').matchAll(/^ {2}([a-z-]+):\n {4}description:/gm)].map(match => match[1]);
    const steps = textOf('examples/github-workflow.yml').split(/^ {6}- /m);
    const ours = steps.filter(step => step.includes('console-conformance@'));
    const given = ours.flatMap(step => [...(step.split('with:\n')[1] ?? '').matchAll(/^ {10}([a-z-]+):/gm)]);
    expect(given.length).toBeGreaterThan(2);
    expect(inputs).toEqual(expect.arrayContaining(given.map(match => match[1])));
  });
});
