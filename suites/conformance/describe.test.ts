import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { builtProgram } from '../../reference-server/proof/testing/built.ts';
import { closedPort } from '../proof/testing/doubles.ts';
import { patientServer } from '../proof/testing/patient-server.ts';
import { testKey } from '../proof/testing/reference-run.ts';

interface TestResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

interface Outcome {
  readonly code: number | null;
  readonly text: string;
  /** Tests by `endpoint/check`; the run's own test by its title. */
  readonly tests: ReadonlyMap<string, TestResult>;
}

const installed = await builtProgram(resolve('suites/conformance.ts'));

/**
 * Runs the described conformance in a separate vitest, as in another project: a folder with one test file, and the
 * suite as a package.
 */
async function inAnotherProject(url: string, options: object, filter: readonly string[] = []): Promise<Outcome> {
  const root = mkdtempSync(join(tmpdir(), 'conform-vitest-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const file = referenceTarget();
  const { prompts: _none, ...fixtures } = file.fixtures ?? {};
  const source = [
    `import { describeConformance, targetOf } from ${JSON.stringify(installed)};`,
    `const file = ${JSON.stringify({ ...file, fixtures })};`,
    `const target = () => targetOf(file, new URL(${JSON.stringify(url)}), ${JSON.stringify(testKey)});`,
    `describeConformance(target, ${JSON.stringify({ profile: 'quick', settleMs: 1, timeoutMs: 600_000, ...options })});`,
  ];
  writeFileSync(join(root, 'mine.test.ts'), source.join('\n'));
  const results = join(root, 'results.json');
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${results}`];
  const child = spawn(
    process.execPath,
    [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', root, ...reporters, ...filter],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, NO_COLOR: '1' } },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += String(chunk)));
  const code = await new Promise<number | null>(done => child.on('close', done));
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: { assertionResults: TestResult[] }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const tests = new Map(
    all.map(result => {
      const endpoint = result.ancestorTitles[1]?.split(' ')[0];
      return [endpoint === undefined ? result.title : `${endpoint}/${result.title}`, result];
    }),
  );
  return { code, text, tests };
}

async function served(faults: readonly string[] = []) {
  const requests: string[] = [];
  const server = createReferenceServer({
    ...patientServer,
    apiKey: testKey,
    faults,
    decorateListener: inner => (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      inner(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return { url, requests };
}

const some = {
  only: ['patch-gate/schema', 'patch-gate/message', 'list-segments', 'create-prompt-version'],
};
const messageOf = (outcome: Outcome, id: string): string => outcome.tests.get(id)?.failureMessages.join('\n') ?? '';
const withStatus = ({ tests }: Outcome, status: string): string[] =>
  [...tests].filter(([, test]) => test.status === status).map(([id]) => id);

describe('a described conformance', () => {
  test('each check is a test: it fails with the finding, passes with a warning, or is skipped with the reason', async () => {
    const { url } = await served(['gate-enabled-as-number', 'segments-as-html']);
    const outcome = await inAnotherProject(url, some);
    expect(outcome.code).toBe(1);
    expect(withStatus(outcome, 'failed').sort()).toEqual([
      'create-prompt-version/verdict',
      'patch-gate/schema',
      'patch-gate/verdict',
    ]);
    const message = messageOf(outcome, 'patch-gate/schema');
    expect(message).toContain('MUST gate.isEnabled (section 2.3)');
    expect(message).toMatch(/at: {7}\/data\/isEnabled\n/);
    expect(message).toMatch(/request: {2}PATCH http/);
    expect(message).not.toMatch(/\n\s+at .*\.ts:/);
    expect(messageOf(outcome, 'create-prompt-version/verdict')).toContain('add to the target file: fixtures.prompts:');
    expect(withStatus(outcome, 'skipped')).toContain('create-prompt-version/accepts');
    expect(withStatus(outcome, 'passed')).toEqual(
      expect.arrayContaining(['list-segments/envelope', 'list-segments/verdict', 'the run came to its end']),
    );
    expect(outcome.text).toContain('the target file names none of fixtures.prompts');
    expect(outcome.text).toContain('envelope.content-type');
    expect(outcome.text + JSON.stringify([...outcome.tests])).not.toContain(testKey);
  });

  test('a warning fails under strict, and what is incomplete is skipped where that is asked for', async () => {
    const { url } = await served(['segments-as-html']);
    const outcome = await inAnotherProject(url, { ...some, strict: true, incomplete: 'skip' });
    expect(withStatus(outcome, 'failed')).toEqual(['list-segments/envelope', 'list-segments/verdict']);
    expect(withStatus(outcome, 'skipped')).toContain('create-prompt-version/verdict');
  });

  test('checks whose tests are filtered out are not run', async () => {
    const { url, requests } = await served();
    const outcome = await inAnotherProject(url, {}, ['-t', 'list-segments']);
    expect(outcome.code).toBe(0);
    expect(withStatus(outcome, 'passed')).toContain('list-segments/pagination');
    expect(requests.filter(line => /\/(prompts|metrics|experiments\/[^q])/.test(line))).toEqual([]);
  });

  test('where nobody answers nothing passes', async () => {
    const outcome = await inAnotherProject((await closedPort()).origin, { ...some, incomplete: 'skip' });
    expect(outcome.code).toBe(1);
    expect(withStatus(outcome, 'passed')).toEqual([]);
    expect(withStatus(outcome, 'failed')).toEqual(['the run came to its end']);
    expect(messageOf(outcome, 'the run came to its end')).toContain('no answer from');
  });
});
