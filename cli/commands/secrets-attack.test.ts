import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { echoing, leaksIn, type Told, toldBy } from '../testing/echo-attack.fixture.ts';

/** Returns the content of all files under a folder, decompressed. */
const textsUnder = (path: string): readonly (readonly [string, string])[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      return [entry.name, (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString()] as const;
    });

/** Starts a server that sometimes answers as if nothing it receives were secret. */
async function served(seed: number, told: Told, percent: number) {
  const { decorate, echoes } = echoing(seed, told, percent);
  const server = createReferenceServer({ apiKey: told.apiKey, decorateListener: decorate });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return { url, echoes, log: () => JSON.stringify(server.control.requests.list()) };
}

/** Makes an output folder, and a runner that looks for secrets in everything that a command writes and prints. */
function watched(told: Told) {
  const out = folder();
  const found: string[] = [];
  const looked = new Set<string>();
  async function command(...argv: string[]): Promise<number> {
    const { code, out: said, err } = await conform(argv);
    expect([argv[0], code]).not.toEqual([argv[0], 4]);
    const texts = [['output', said], ['error', err], ...textsUnder(out)] as const;
    const fresh = texts.filter(([, text]) => !looked.has(text));
    for (const [, text] of fresh) looked.add(text);
    found.push(...fresh.flatMap(([name, text]) => leaksIn(text, told).map(leak => `${argv[0]}, ${name}: ${leak}`)));
    return code;
  }
  return { out, command, found };
}

/** Writes a target file with the secrets into a folder of its own. */
function configOf(told: Told, more: object = {}): string {
  const file = join(folder(), 'conform.config.json');
  const { apiKey, headers } = told;
  writeFileSync(file, JSON.stringify({ ...referenceTarget(), apiKey, headers, ...more }));
  return file;
}

/** `ATTACK_SEEDS=1,2,3` attacks with other and more seeds, and more thoroughly with each. */
const { ATTACK_SEEDS: asked } = process.env;
const seeds = (asked ?? '24').split(',').map(Number);
const thorough = asked !== undefined;
const limits = ['--settle', '1ms', '--timeout', '5s'];
const onlyOf = (...ids: string[]): string[] => ids.flatMap(id => ['--only', id]);
let total = 0;

test.each(seeds)(
  'what a target repeats of what it was told stands in nothing that a run writes (seed %i)',
  async seed => {
    const told = toldBy(seed);
    const { url, echoes, log } = await served(seed, told, 30);
    const { out, command, found } = watched(told);
    const config = configOf(told, { baseUrl: url });
    const reporters = ['terminal', 'json', 'junit', 'html', 'markdown', 'har', 'ctrf'].flatMap(name => [
      '--reporter',
      name,
    ]);
    const only = thorough
      ? onlyOf('patch-gate/{accepts,echo,envelope,minimal-request,auth}', 'list-segments')
      : onlyOf('patch-gate/{minimal-request,auth,odd-requests}', 'list-segments');
    const record = ['--record', join(out, 'a.conform')];
    await command(
      'run',
      '--config',
      config,
      '--out',
      out,
      ...only,
      ...limits,
      '--profile',
      'quick',
      ...reporters,
      '--verbose',
      ...record,
    );
    await command('report', join(out, 'journal.ndjson'), '--out', out, '--verbose');
    await command('explain', 'F1', join(out, 'report.json'));
    await command('replay', 'F1', join(out, 'report.json'), '--config', config, ...limits);
    await command('restore', join(out, 'journal.ndjson'), '--config', config, '--timeout', '5s');
    found.push(...leaksIn(log(), { ...told, secrets: [told.apiKey] }));
    total += echoes();
    expect(found.slice(0, 5)).toEqual([]);
    expect(echoes()).toBeGreaterThan(20);
  },
);

test.each(seeds)('nor in what is written of a target that was only read (seed %i)', async seed => {
  const told = toldBy(seed);
  const { out, command, found } = watched(told);
  for (const percent of thorough ? [100, 60, 20] : [40]) {
    const { url, echoes } = await served(seed + percent, told, percent);
    const flags = ['--config', configOf(told, { baseUrl: url }), '--timeout', '5s'];
    await command('doctor', ...flags, '--write');
    await command('seed', 'from', ...flags, '--out', join(out, `seed-${percent}.json`));
    const headers = told.headers.flatMap(({ name, value }) => ['--header', `${name}: ${value.replaceAll('$', '$$')}`]);
    await command(
      'init',
      '--base-url',
      url,
      '--api-key',
      told.apiKey,
      ...headers,
      '--timeout',
      '5s',
      '--out',
      join(out, `init-${percent}.json`),
    );
    total += echoes();
  }
  expect(found.slice(0, 5)).toEqual([]);
});

test.each(seeds)('nor in what is written of two that are compared (seed %i)', async seed => {
  const told = toldBy(seed);
  const { out, command, found } = watched(told);
  const [a, b] = [await served(seed, told, 20), await served(seed + 1, told, 20)];
  const reporters = ['terminal', 'html', 'markdown', 'junit', 'json'].flatMap(name => ['--reporter', name]);
  const only = thorough ? onlyOf('patch-gate/rejects', 'list-segments') : onlyOf('list-segments');
  await command(
    'diff',
    a.url,
    b.url,
    '--config',
    configOf(told),
    ...only,
    '--profile',
    'quick',
    ...limits,
    '--noise-runs',
    '0',
    '--out',
    out,
    ...reporters,
  );
  total += a.echoes() + b.echoes();
  expect(found.slice(0, 5)).toEqual([]);
});

test.each(seeds)('nor in what is written of traffic in which it passed (seed %i)', async seed => {
  const whole = toldBy(seed);
  // In judged traffic only named secrets are known: not a header called x-odd, and no short cookie.
  const told = { ...whole, secrets: whole.secrets.slice(0, -2) };
  const { url, echoes } = await served(seed, told, 50);
  const { out, command, found } = watched(told);
  const script = join(folder(), 'client.sh');
  const headers = [{ name: 'SERVICE-API-KEY', value: told.apiKey }, ...told.headers];
  const lines = headers.map(({ name, value }) => `header = ${JSON.stringify(`${name}: ${value}`)}`);
  const paths = ['gates/a_gate', 'segments', 'segments?page=2', 'events', 'experiments/qualifying_events', 'nowhere'];
  const requests = Array.from({ length: 8 }, (_, round) =>
    paths.map(path => `url = "@/console/v1/${path}${path.includes('?') ? '&' : '?'}n=${round}"`),
  ).flat();
  writeFileSync(script, [...lines, ...requests, 'silent', 'output = /dev/null', ''].join('\n'));
  const exec = `sed "s,@/,$CONFORM_BASE_URL/," ${script} | curl -K - >/dev/null`;
  await command(
    'proxy',
    '--target',
    url,
    '--out',
    out,
    '--exec',
    exec,
    '--record',
    join(out, 'traffic.har'),
    '--reporter',
    'terminal',
    '--reporter',
    'html',
  );
  await command('judge', join(out, 'traffic.har'), '--out', join(out, 'judged'));
  total += echoes();
  expect(echoes()).toBeGreaterThan(10);
  expect(found.slice(0, 5)).toEqual([]);
  if (thorough) console.log(`${total} answers`);
});
