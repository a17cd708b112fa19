import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { layerOf, runConfig } from './image.ts';
import { tarOf, writeLayout } from './oci.ts';

const place = mkdtempSync(join(tmpdir(), 'conform-image-'));
afterAll(() => rmSync(place, { recursive: true }));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A base of one layer, as any tool writes it. */
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
    config: { Env: ['PATH=/usr/local/bin'] },
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
  expect(config.config).toEqual({ Env: ['PATH=/usr/local/bin'], ...runConfig });
});

test('our layer is an archive that tar unpacks: the program, and the command that leads to it', () => {
  const file = join(place, 'layer.tar');
  writeFileSync(file, tarOf(layerOf('console.log(1)\n', 'MIT')));
  const { stdout, status } = spawnSync('tar', ['-tvf', file], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('usr/local/bin/conform -> /opt/conform/conform.mjs');
  expect(stdout).toMatch(/-rwxr-xr-x .* 15 .*opt\/conform\/conform\.mjs/);
});
