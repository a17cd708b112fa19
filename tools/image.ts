/** Makes the image without a daemon: `npm run image -- --base LAYOUT --layout DIR`. The base is one with Node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Entry, writeLayout } from './oci.ts';
import { oneFileName } from './one-file.ts';
import { root } from './repository.ts';

/** What stands in our layer. */
export const layerOf = (program: string, licences: string): readonly Entry[] => [
  { path: 'opt', folder: true },
  { path: 'opt/conform', folder: true },
  { path: `opt/conform/${oneFileName}`, content: program, mode: 0o755 },
  { path: 'opt/conform/licences.txt', content: licences, mode: 0o644 },
  { path: 'usr', folder: true },
  { path: 'usr/local', folder: true },
  { path: 'usr/local/bin', folder: true },
  { path: 'usr/local/bin/conform', link: `/opt/conform/${oneFileName}` },
];

/** How it is run: by nobody in particular, with reports in /out. */
export const runConfig = {
  Entrypoint: ['/usr/local/bin/conform'],
  Cmd: ['--help'],
  User: '65532:65532',
  WorkingDir: '/out',
};

if (process.argv[1]?.endsWith('image.ts')) {
  const { values } = parseArgs({ options: { base: { type: 'string' }, layout: { type: 'string' } } });
  if (values.base === undefined || values.layout === undefined) {
    process.stderr.write('npm run image -- --base LAYOUT --layout DIR: both are folders of OCI image layouts\n');
    process.exit(2);
  }
  const read = (name: string): string => readFileSync(join(root, 'dist', name), 'utf8');
  const digest = writeLayout(values.layout, values.base, layerOf(read(oneFileName), read('licences.txt')), runConfig);
  process.stdout.write(`${values.layout}: ${digest}\n`);
}
