/** Makes the image without a daemon: `npm run image -- --base LAYOUT --layout DIR`. The base must have Node. */
import { parseArgs } from 'node:util';
import { bundledPackage } from './bundled.ts';
import { inside, licences } from './contents.ts';
import { type Entry, writeLayout } from './oci.ts';
import { oneFile, oneFileName } from './one-file.ts';

/** Returns the entries of our layer. */
export const layerOf = (program: string, licences: string): readonly Entry[] => [
  { path: 'opt', folder: true },
  { path: 'opt/conform', folder: true },
  { path: `opt/conform/${oneFileName}`, content: program, mode: 0o755 },
  { path: 'opt/conform/licences.txt', content: licences, mode: 0o644 },
  { path: 'usr', folder: true },
  { path: 'usr/local', folder: true },
  { path: 'usr/local/bin', folder: true },
  { path: 'usr/local/bin/conform', link: `/opt/conform/${oneFileName}` },
  // Any user may write here: a new volume takes over this mode.
  { path: 'out', folder: true, mode: 0o777 },
];

/** The run configuration: an unprivileged user, with reports in /out. */
export const runConfig = {
  Entrypoint: ['/usr/local/bin/conform'],
  Cmd: ['--help'],
  User: '65532:65532',
  WorkingDir: '/out',
};

/** Returns the entries of our layer, built from the current sources. */
export async function imageEntries(): Promise<readonly Entry[]> {
  const bundled = await bundledPackage();
  return layerOf(await oneFile(bundled), licences(inside(bundled.metafile)));
}

if (process.argv[1]?.endsWith('image.ts')) {
  const { values } = parseArgs({ options: { base: { type: 'string' }, layout: { type: 'string' } } });
  if (values.base === undefined || values.layout === undefined) {
    process.stderr.write(`npm run image -- --base LAYOUT --layout DIR
Both are folders of OCI image layouts. The base is an image with Node 20.19 or later, as "skopeo copy docker://IMAGE oci:LAYOUT" writes it.
`);
    process.exit(2);
  }
  const digest = writeLayout(values.layout, values.base, await imageEntries(), runConfig);
  process.stdout.write(`${values.layout}: ${digest}\n`);
}
