import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../reference-server/index.ts';
import { conform, folder } from './testing/command.fixture.ts';
import { started } from './testing/process.fixture.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['README.md', ...readdirSync(join(root, 'docs/guide')).map(name => `docs/guide/${name}`)];
const apiKey = 'reference-key';

/** A command line of this project, as shown on a page. */
interface Shown {
  readonly line: string;
  /** The exit code stated in the comment behind it. */
  readonly code?: number;
}

/** Returns the lines in the shell blocks of a page that run this project, each once, in order. */
function shownOn(page: string): readonly Shown[] {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)];
  const lines = blocks.flatMap(([, text = '']) => text.replaceAll('\\\n', ' ').split('\n'));
  const ours = lines.filter(line => /^(\w+=\S+ )?npx conform /.test(line));
  return [...new Set(ours)].map(whole => {
    const [line = '', comment = ''] = whole.split(/\s+# /);
    const [, code] = /\bexit (\d+)/.exec(comment) ?? [];
    return { line, ...(code === undefined ? {} : { code: Number(code) }) };
  });
}

/** Returns the words after `npx conform`, as a shell reads them, without a redirection. */
function wordsOf(line: string): readonly string[] {
  const command = line.replace(/^(\w+=\S+ )?npx conform /, '').replace(/ > \S+$/, '');
  const text = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], {
    encoding: 'utf8',
    env: { BUILD_NUMBER: '7', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2' },
  });
  return text.split('\0').slice(0, -1);
}

/** The flags that narrow a run; without any of them this test narrows it to one list. */
const narrowing = ['--only', '--skip', '--failed', '--path'];

/**
 * Adapts the words to the server of the test, with fewer requests. A full run becomes one of a single list, and a
 * search ends with its plan. Such a run keeps its reports apart, so that later lines find those of a full run.
 */
function smaller(words: readonly string[], url: string): readonly string[] {
  const here = words.map((word, index) => {
    if (words[index - 1] === '--time') return '1ms';
    return word.replace(/^http:\/\/127\.0\.0\.1:\d+$/, url).replace(/^KEY$/, apiKey);
  });
  if (here[0] === 'ctl') return [...here, '--url', url];
  if (here[0] === 'diff') return smallerDiff(here);
  if (here[0] !== 'run') return here;
  const isWhole = !here.some(word => narrowing.includes(word));
  const isTold = here.includes('--shard') || here.includes('--failed');
  return [
    ...here,
    ...(isWhole ? ['--only', 'list-segments'] : []),
    ...(here.includes('--profile') || here.includes('--failed') ? [] : ['--profile', 'quick']),
    ...(isTold ? [] : ['--out', 'smaller']),
  ];
}

/** Adapts a `diff` to the two servers of the test, and one list; a recording itself decides what is sent. */
function smallerDiff(words: readonly string[]): readonly string[] {
  const isOfServers = words.filter(word => word.startsWith('http://')).length > 1;
  const b = words.findLastIndex(word => word.startsWith('http://'));
  const own = isOfServers ? ['--only', 'list-segments', '--profile', 'quick'] : [];
  return [...words.with(b, another.url), ...own, '--noise-runs', '0'];
}

async function inFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(path);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

let template = '';
let url = '';
/** A server with a fault, so that there is a failure to repeat, to explain and to put into a baseline. */
const server = createReferenceServer({ apiKey, faults: ['segment-count-as-text'] });

/** The server that is to replace it. */
const another = { server: createReferenceServer({ apiKey }), url: '' };

/** Makes the folder of a reader who has come this far: a target file, the reports of a run, older ones, a baseline. */
beforeAll(async () => {
  ({ url } = await server.listen());
  another.url = (await another.server.listen()).url;
  template = mkdtempSync(join(tmpdir(), 'conform-shown-'));
  const text = JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey: '$SERVICE_API_KEY' });
  mkdirSync(join(template, 'examples'));
  symlinkSync(join(root, 'examples/typescript-client'), join(template, 'examples/typescript-client'));
  const ask = 'curl -sf -o /dev/null -H "SERVICE-API-KEY: $SERVICE_API_KEY" $CONFORM_BASE_URL/console/v1/segments';
  writeFileSync(join(template, 'package.json'), JSON.stringify({ scripts: { test: ask } }));
  writeFileSync(join(template, '.npmrc'), 'loglevel=silent\n');
  for (const file of ['examples/conform.config.json', 'conform.config.json']) writeFileSync(join(template, file), text);
  // The page would write a shorter one.
  cpSync(join(root, 'examples/seed.json'), join(template, 'seed.json'));
  cpSync(join(root, 'examples/traffic'), join(template, 'examples/traffic'), { recursive: true });
  await inFolder(template, async () => {
    const environment = { SERVICE_API_KEY: apiKey };
    await conform(['run', '--config', 'conform.config.json', '--profile', 'quick'], environment);
    await conform([
      'baseline',
      'update',
      '--baseline',
      'conform.baseline.json',
      '--reason',
      'T-1',
      'conform-report/journal.ndjson',
    ]);
  });
  cpSync(join(template, 'conform-report'), join(template, 'last-week'), { recursive: true });
});

afterAll(async () => {
  rmSync(template, { recursive: true });
  await server.close();
  await another.server.close();
});

/** Returns a copy of the folder for one page. It lacks the target file if the page shows `init`, which writes it. */
function copyFor(shown: readonly Shown[]): string {
  const here = folder();
  cpSync(template, here, { recursive: true });
  if (shown.some(({ line }) => line.includes('conform init'))) rmSync(join(here, 'conform.config.json'));
  return here;
}

/** Commands whose exit code depends on the server. The test only requires that a command is carried out. */
const judging = ['run', 'doctor', 'replay', 'compare', 'diff', 'report', 'judge', 'proxy'];

/** True for commands that go on until they are interrupted. */
const isServer = ({ line }: Shown): boolean =>
  line.includes('conform serve') || (line.includes('conform proxy') && !line.includes('--exec'));

test.each(pages.filter(page => shownOn(page).some(one => !isServer(one))))(
  '%s shows commands that do their work',
  async page => {
    const shown = shownOn(page);
    const here = copyFor(shown);
    for (const { line, code } of shown.filter(one => !isServer(one))) {
      const words = smaller(wordsOf(line), url);
      const ended = await inFolder(here, () => conform(words, { SERVICE_API_KEY: apiKey }));
      const allowed = code !== undefined ? [0, code] : judging.includes(words[0] ?? '') ? [0, 1, 3] : [0];
      expect(allowed, `${line}\n${ended.out}${ended.err}`).toContain(ended.code);
    }
    await server.reset();
  },
);

test.each([
  ...new Set(
    pages
      .flatMap(shownOn)
      .filter(isServer)
      .map(({ line }) => line),
  ),
])('%s starts', async line => {
  const free = (word: string | undefined): boolean => word === '--port' || word === '--listen';
  const words = wordsOf(line).map((word, index, all) => {
    if (['conform.config.json', 'seed.json'].includes(word) || all[index - 1] === '--record')
      return join(template, word);
    return free(all[index - 1]) ? '0' : word;
  });
  const isProxy = words[0] === 'proxy';
  const here = join(folder(), 'out');
  const running = started(isProxy ? [...words, '--listen', '0', '--out', here, '--api-key', apiKey] : words);
  await running.says(/http:\/\/127\.0\.0\.1:\d+/);
  running.child.kill('SIGINT');
  // Without any exchange the proxy has no verdict.
  expect(await running.ended).toBe(isProxy ? 3 : 0);
});
