/** A step of the build: bundles the command line. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundledProgram, programFolder } from './bundled.ts';

const { outputFiles } = await bundledProgram();

mkdirSync(fileURLToPath(new URL(`../${programFolder}`, import.meta.url)), { recursive: true });
for (const { path, contents } of outputFiles) writeFileSync(path, contents);
process.stdout.write(`the command line: ${outputFiles.length} files\n`);
