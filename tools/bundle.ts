/** Writes the program as one file (`npm run bundle`), with the licences and the bill of materials of its contents. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackage } from './bundled.ts';
import { billOfMaterials, inside, licences } from './contents.ts';
import { oneFile, oneFileName } from './one-file.ts';
import { root } from './repository.ts';

const bundled = await bundledPackage();
const text = await oneFile(bundled);
mkdirSync(join(root, 'dist'), { recursive: true });
const file = join(root, 'dist', oneFileName);
writeFileSync(file, text);
chmodSync(file, 0o755);
const packages = inside(bundled.metafile);
writeFileSync(join(root, 'dist/licences.txt'), licences(packages));
writeFileSync(join(root, 'dist/sbom.cdx.json'), billOfMaterials(packages));
process.stdout.write(`dist/${oneFileName}: ${(text.length / 1e6).toFixed(2)} MB\n`);
