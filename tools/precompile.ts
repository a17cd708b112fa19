/** The last step of the build: writes a validator for every schema that the program validates with, and loads each as the program will. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { precompiledFolder, precompiledIn } from '../contracts/precompiled.ts';
import { precompiledFiles, shippedSchemas } from './precompiled.ts';

const folder = new URL(precompiledFolder, new URL('../dist/contracts/', import.meta.url));
const files = precompiledFiles(shippedSchemas);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { name, text } of files) writeFileSync(new URL(name, folder), text);

const find = precompiledIn(folder);
const lost = shippedSchemas.filter(([, schema]) => typeof find(schema) !== 'function');
if (lost.length > 0) throw new Error(`no validator is found for ${lost.map(([name]) => name).join(', ')}`);
process.stdout.write(`${shippedSchemas.length} validators written\n`);
