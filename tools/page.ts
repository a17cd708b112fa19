/** A step of the build: writes the files of the reference server's page, and leaves out what bundles them. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundledPage } from '../reference-server/page/bundle.ts';
import { pageFileNames } from '../reference-server/page/files.ts';

const folder = new URL('../dist/reference-server/page/', import.meta.url);
const files = await bundledPage();

mkdirSync(folder, { recursive: true });
for (const [part, name] of Object.entries(pageFileNames))
  writeFileSync(new URL(name, folder), files[part as keyof typeof files]);
for (const name of ['bundle.js', 'bundle.d.ts']) rmSync(new URL(name, folder), { force: true });
process.stdout.write(`the page: ${Math.ceil(files.script.length / 1024)} KB of script\n`);
