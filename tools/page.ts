/** A step of the build: writes the files of the reference server's page. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { bundledPage } from '../reference-server/page/bundle.ts';
import { pageFileNames } from '../reference-server/page/files.ts';

const folder = new URL('../dist/reference-server/page/', import.meta.url);
const files = await bundledPage();

mkdirSync(folder, { recursive: true });
for (const [part, name] of Object.entries(pageFileNames))
  writeFileSync(new URL(name, folder), files[part as keyof typeof files]);
process.stdout.write(`the page: ${Math.ceil(files.script.length / 1024)} KB of script\n`);
