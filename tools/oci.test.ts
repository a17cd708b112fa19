import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { imageEntries, layerOf, runConfig } from './image.ts';
import { tarOf, writeLayout } from './oci.ts';
import { root } from './repository.ts';

const place = mkdtempSync(join(tmpdir(), 'conform-image-'));
afterAll(() => rmSync(place, { recursive: true }));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Makes a base image of one layer, as any tool writes it. */
function base(): string {
  const layout = join(place, 'base');
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const put = (bytes: Buffer) => {
    writeFileSync(join(layout, 'blobs/sha256', sha256(bytes)), bytes);
    return { mediaType: 'application/octet-stream', digest: `sha256:${sha256(bytes)}`, size: bytes.length };
  };
  const layer = tarOf([{ path: 'etc', folder: true }]);
  const config = {
    architecture: 'amd64',
    os: 'linux',
    config: { Env: ['PATH=/usr/local/bin:/usr/bin'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
  };
  const manifest = { schemaVersion: 2, config: put(Buffer.from(JSON.stringify(config))), layers: [put(layer)] };
  writeFileSync(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [put(Buffer.from(JSON.stringify(manifest)))] }),
  );
  return layout;
}

const from = base();
const blob = (layout: string, digest: string): Buffer =>
  readFileSync(join(layout, 'blobs/sha256', digest.replace('sha256:', '')));

test('two builds have one digest, and another program has another', () => {
  const digests = ['one', 'two', 'three'].map(name =>
    writeLayout(join(place, name), from, layerOf(name === 'three' ? 'b' : 'a', 'MIT'), runConfig),
  );
  expect(digests[0]).toBe(digests[1]);
  expect(digests[2]).not.toBe(digests[0]);
  expect(readdirSync(join(place, 'one/blobs/sha256')).sort()).toEqual(
    readdirSync(join(place, 'two/blobs/sha256')).sort(),
  );
});

test('every blob is named by its content, and the layers are those of the base and one of ours', () => {
  const layout = join(place, 'checked');
  const digest = writeLayout(layout, from, layerOf('#!/usr/bin/env node\n', 'MIT'), runConfig);
  for (const name of readdirSync(join(layout, 'blobs/sha256'))) expect(sha256(blob(layout, name))).toBe(name);
  const manifest = JSON.parse(blob(layout, digest).toString());
  const config = JSON.parse(blob(layout, manifest.config.digest).toString());
  expect(manifest.layers).toHaveLength(2);
  const tar = gunzipSync(blob(layout, manifest.layers[1].digest));
  expect(config.rootfs.diff_ids[1]).toBe(`sha256:${sha256(tar)}`);
  expect(config.config).toEqual({ Env: ['PATH=/usr/local/bin:/usr/bin'], ...runConfig });
});

test('a base for several platforms is refused in words, because no layer of it is ours to choose', () => {
  const several = join(place, 'several');
  cpSync(from, several, { recursive: true });
  const index = readFileSync(join(from, 'index.json'));
  writeFileSync(join(several, 'blobs/sha256', sha256(index)), index);
  writeFileSync(join(several, 'index.json'), JSON.stringify({ manifests: [{ digest: `sha256:${sha256(index)}` }] }));
  expect(() => writeLayout(join(place, 'refused'), several, [], {})).toThrow('several platforms: take one');
});

test('our layer is an archive that tar unpacks: the program, and the command that leads to it', () => {
  const file = join(place, 'layer.tar');
  writeFileSync(file, tarOf(layerOf('console.log(1)\n', 'MIT')));
  const { stdout, status } = spawnSync('tar', ['-tvf', file], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('usr/local/bin/conform -> /opt/conform/conform.mjs');
  expect(stdout).toMatch(/drwxrwxrwx .* out\//);
  expect(stdout).toMatch(/-rwxr-xr-x .* 15 .*opt\/conform\/conform\.mjs/);
});

/**
 * Runs a command in the root at $1, with the folder $2 at /out. It has no network but loopback, can write only to /out,
 * is a user without a name, and has only the environment of the image. `--map-user` in a nested namespace leaves the
 * command without any privilege.
 */
const sandbox = `set -eu
root=$1 out=$2 env=$3 user=$4 folder=$5
shift 5
ip link set lo up
mount --bind "$root" "$root"
mount --bind "$out" "$root/out"
mount -o remount,bind,ro "$root"
exec env -i "$env" unshare --map-user="\${user%:*}" --map-group="\${user#*:}" --root="$root" --wd="$folder" "$@"`;

describe('the image', async () => {
  const layout = join(place, 'image');
  const digest = writeLayout(layout, from, await imageEntries(), runConfig);
  const manifest = JSON.parse(blob(layout, digest).toString());
  const { config } = JSON.parse(blob(layout, manifest.config.digest).toString());

  /** The root of the image: the installed Node and its libraries as in a base image, and all layers over them. */
  const image = join(place, 'root');
  const outside = { [process.execPath]: '/usr/local/bin/node', '/usr/bin/env': '/usr/bin/env' };
  for (const [file, within] of Object.entries(outside)) {
    const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' });
    const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => [path, path] as const);
    for (const [path, to] of [[file, within] as const, ...libraries]) {
      mkdirSync(dirname(join(image, to)), { recursive: true });
      cpSync(path, join(image, to), { dereference: true });
    }
  }
  for (const { digest: name, mediaType } of manifest.layers) {
    const bytes = blob(layout, name);
    spawnSync('tar', ['-x', '-C', image], { input: mediaType.endsWith('+gzip') ? gunzipSync(bytes) : bytes });
  }
  const out = join(place, 'out');
  mkdirSync(out);

  const run = (...argv: string[]) => {
    const place = [image, out, ...config.Env, config.User, config.WorkingDir];
    const flags = ['--map-root-user', '--mount', '--net', 'sh', '-c', sandbox, 'sh'];
    return spawnSync('unshare', [...flags, ...place, ...argv], { encoding: 'utf8' });
  };
  const conform = (...argv: string[]) => run(...config.Entrypoint, ...argv);
  const isAllowed = run('/usr/bin/env').status === 0;
  if (!isAllowed) console.warn('No process may have namespaces of its own here: the image is made, and not run.');

  test('is the same where the command makes it', () => {
    const argv = ['tools/image.ts', '--base', from, '--layout', join(place, 'again')];
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', ...argv], { cwd: root, encoding: 'utf8' });
    expect(stdout).toBe(`${join(place, 'again')}: ${digest}\n`);
  });

  describe.skipIf(!isAllowed)('runs with nothing but what is in it', () => {
    test('and has no environment, no file to write to but in /out, and no network', () => {
      expect(run('/usr/bin/env').stdout).toBe(`${config.Env}\n`);
      const tried = (code: string) => run('/usr/local/bin/node', '-e', code).stdout;
      const written = "for (const path of ['/x', '/tmp', '/opt/conform/x', '/out/x'])";
      expect(
        tried(`${written} try { fs.writeFileSync(path, ''); console.log(path) } catch (e) { console.log(e.code) }`),
      ).toBe('EROFS\nEROFS\nEROFS\n/out/x\n');
      expect(tried("net.connect(80, '192.0.2.1').on('error', e => console.log(e.code))")).toBe('ENETUNREACH\n');
      expect(tried('console.log(process.getuid(), process.getgid())')).toBe('65532 65532\n');
      rmSync(join(out, 'x'));
    });

    test('the suite against its reference server: the verdict, and reports in /out', () => {
      const { status, stdout, stderr } = conform(
        'run',
        '--profile',
        'quick',
        '--reporter',
        'terminal',
        '--reporter',
        'html',
      );
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('CONFORMANT');
      expect(readdirSync(join(out, 'conform-report')).sort()).toEqual(
        expect.arrayContaining(['journal.ndjson', 'report.html', 'report.json']),
      );
    });

    test('the suite against a server that is wrong, and one that nobody reaches', () => {
      cpSync(join(root, 'examples/conform.config.json'), join(out, 'conform.config.json'));
      // Both in one sandbox, because each sandbox has a network of its own.
      const beside = `
        const { spawn, spawnSync } = require('node:child_process');
        const [program] = ${JSON.stringify(config.Entrypoint)};
        const server = spawn(program, ['serve', '--port', '4010', '--fault', 'patch-resets-tags', '--quiet']);
        server.stdout.once('data', () => {
          const target = ['--config', 'conform.config.json', '--api-key', 'reference-key'];
          process.exitCode = spawnSync(program, ['run', ...target, '--only', 'patch-gate'], { stdio: 'inherit' }).status;
          server.kill();
        });`;
      const { status, stdout } = run('/usr/local/bin/node', '-e', beside);
      expect([status, stdout]).toEqual([1, expect.stringContaining('tags')]);
      expect(conform('run', '--base-url', 'http://192.0.2.1', '--api-key', 'k').status).toBe(3);
    });

    test('its help where nothing is asked', () => {
      expect(conform(...config.Cmd).stdout).toContain('Usage: conform');
    });
  });
});
