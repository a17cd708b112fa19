import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file or a link of a layer; its folders come before it. */
export type Entry =
  | { readonly path: string; readonly folder: true; readonly mode?: number }
  | { readonly path: string; readonly content: string; readonly mode: number }
  | { readonly path: string; readonly link: string };

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns a header of ustar (POSIX.1-1988), without a date or an owner, so that the same files give the same bytes. */
function header(entry: Entry, size: number): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, at: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
  block.write('folder' in entry ? `${entry.path}/` : entry.path, 0);
  octal(('mode' in entry ? entry.mode : undefined) ?? 0o755, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write(' '.repeat(8), 148);
  block.write('folder' in entry ? '5' : 'link' in entry ? '2' : '0', 156);
  if ('link' in entry) block.write(entry.link, 157);
  block.write('ustar\x0000', 257);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

/** Returns the archive of a layer. */
export function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(entry => {
    const bytes = Buffer.from('content' in entry ? entry.content : '');
    return [header(entry, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}
interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}
interface ImageConfig {
  readonly architecture: string;
  readonly os: string;
  readonly config?: object;
  readonly rootfs: { readonly type: 'layers'; readonly diff_ids: readonly string[] };
  readonly history?: readonly object[];
}

const indexOf = (layout: string) =>
  JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { readonly manifests: readonly Descriptor[] };

const blobOf = <T>(layout: string, { digest }: Descriptor): T =>
  JSON.parse(readFileSync(join(layout, 'blobs/sha256', digest.replace('sha256:', '')), 'utf8'));

/**
 * Writes an OCI image layout (image-spec 1.1): the layers of a base layout and one of ours on top. Returns the digest
 * of its manifest, which is the same for the same base and files.
 *
 * @param run our part of its configuration: entry point, user, folder
 */
export function writeLayout(layout: string, base: string, entries: readonly Entry[], run: object): string {
  const [described] = indexOf(base).manifests;
  if (described === undefined) throw new Error(`${base} holds no image`);
  const manifest = blobOf<Manifest>(base, described);
  if (manifest.layers === undefined) throw new Error(`${base} holds an image for each of several platforms: take one`);
  const config = blobOf<ImageConfig>(base, manifest.config);
  const blobs = join(layout, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  for (const { digest } of manifest.layers) {
    const name = digest.replace('sha256:', '');
    cpSync(join(base, 'blobs/sha256', name), join(blobs, name));
  }
  const put = (bytes: Buffer, mediaType: string): Descriptor => {
    writeFileSync(join(blobs, sha256(bytes)), bytes);
    return { mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length };
  };
  const json = (value: object, mediaType: string): Descriptor => put(Buffer.from(JSON.stringify(value)), mediaType);
  const tar = tarOf(entries);
  const packed = gzipSync(tar, { level: 9 });
  // This byte names the system on which it was compressed.
  packed[9] = 255;
  const layer = put(packed, 'application/vnd.oci.image.layer.v1.tar+gzip');
  const own = json(
    {
      architecture: config.architecture,
      os: config.os,
      config: { ...config.config, ...run },
      rootfs: { type: 'layers', diff_ids: [...config.rootfs.diff_ids, `sha256:${sha256(tar)}`] },
      history: [...(config.history ?? []), { created_by: 'console-conformance: npm run image' }],
    },
    'application/vnd.oci.image.config.v1+json',
  );
  const made = json(
    {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: own,
      layers: [...manifest.layers, layer],
    },
    'application/vnd.oci.image.manifest.v1+json',
  );
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [made] }));
  return made.digest;
}
