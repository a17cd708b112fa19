/** A step of the build: writes a validator for every schema that the program uses, and loads each. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { precompiledFolder, precompiledIn } from '../contracts/precompiled.ts';
import { precompiledFiles, shippedSchemas } from './precompiled.ts';

const folder = new URL(precompiledFolder, new URL('../dist/contracts/', import.meta.url));
const files = await precompiledFiles(shippedSchemas);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { name, text } of files) writeFileSync(new URL(name, folder), text);

const find = precompiledIn(folder);
const missing = shippedSchemas.filter(([, schema]) => typeof find(schema) !== 'function');
if (missing.length > 0) throw new Error(`no validator is found for ${missing.map(([name]) => name).join(', ')}`);
process.stdout.write(`${shippedSchemas.length} validators written\n`);
