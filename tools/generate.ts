/** Writes every generated file of the repository (`npm run generate`), and removes other schema files. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { artifacts } from './artifacts.ts';
import { root } from './repository.ts';

const schemas = 'contracts/json';
const kept = new Set(artifacts.map(({ path }) => path));

mkdirSync(join(root, schemas), { recursive: true });
for (const name of readdirSync(join(root, schemas))) {
  if (!kept.has(`${schemas}/${name}`)) rmSync(join(root, schemas, name));
}
for (const { path, content } of artifacts) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content());
}
process.stdout.write(`${artifacts.length} files written\n`);
