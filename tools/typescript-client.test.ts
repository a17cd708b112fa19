import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReferenceServer } from '../reference-server/index.ts';
import { root } from './repository.ts';

const folder = join(root, 'examples/typescript-client');

/** Runs Node in the folder of the client. Returns the exit code and all its output. */
async function ran(
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<[code: number | null, text: string]> {
  const child = spawn(process.execPath, argv, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      text += String(chunk);
    });
  const code = await new Promise<number | null>(done => child.on('close', done));
  return [code, text];
}

/** Returns the file of a command on which the client's package depends. */
function command(name: string, file: string): string {
  const resolve = createRequire(join(folder, 'package.json'));
  return join(resolve.resolve(`${name}/package.json`), '..', file);
}

test('a client with types generated from the OpenAPI document compiles, and speaks with the reference server', async () => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { generate: string };
  };
  const [, ...flags] = scripts.generate.split(' ');
  expect(await ran([command('openapi-typescript', 'bin/cli.js'), ...flags])).toEqual([0, expect.any(String)]);
  const types = readFileSync(join(folder, 'api.ts'), 'utf8');
  // Nobody can fill these types: only those of the absent webhooks and definitions may remain.
  expect(types.match(/^.*Record<string, never>.*$/gm)).toEqual([
    'export type webhooks = Record<string, never>;',
    'export type $defs = Record<string, never>;',
  ]);
  expect(types).not.toContain('@enum {unknown}');
  // Use the compiler of this repository, which is faster; the client's own checks the same types.
  expect(await ran([join(root, 'node_modules/typescript/bin/tsc'), '--project', '.'])).toEqual([0, '']);

  const server = createReferenceServer({ apiKey: 'the-key' });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const before = await server.store.get('gates', 'new_checkout');
  const [code, said] = await ran(['--import', import.meta.resolve('tsx'), 'client.ts'], {
    BASE_URL: url,
    SERVICE_API_KEY: 'the-key',
  });
  expect([code, code === 0 ? JSON.parse(said) : said]).toEqual([
    0,
    {
      segments: (await server.store.list('segments')).length,
      gate: { type: 'PERMANENT', tags: ['typed'] },
      metric: 'views::event_count_custom',
      refused: { status: 400, saidSomething: true },
    },
  ]);
  const after = await server.store.get('gates', 'new_checkout');
  expect([after?.type, after?.tags, after?.description]).toEqual([before?.type, before?.tags, before?.description]);
});
