/**
 * The last step of the build: bundles the package, writes its licences and bill of materials, and keeps only the
 * declarations that exports need.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledPackage } from './bundled.ts';
import { billOfMaterials, inside, licences } from './contents.ts';
import { importsOf, resolved } from './imports.ts';
import { joined } from './joined.ts';
import { packageFile, root } from './repository.ts';

const bundled = await bundledPackage();
const { metafile } = bundled;
const files = await joined(bundled);
for (const { path, text } of files) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const packages = inside(metafile);
writeFileSync(join(root, 'dist/licences.txt'), licences(packages));
writeFileSync(join(root, 'dist/sbom.cdx.json'), billOfMaterials(packages));

const declared = new Set<string>();
function declare(file: string): void {
  if (declared.has(file)) return;
  declared.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  for (const specifier of [...importsOf(text), ...importedTypes(text)])
    if (specifier?.startsWith('.')) declare(resolved(file, specifier).replace(/\.[jt]s$/, '.d.ts'));
}
const importedTypes = (text: string) => [...text.matchAll(/import\("([^"]+)"\)/g)].map(([, name]) => name);

for (const target of Object.values(packageFile.exports)) if (typeof target !== 'string') declare(target.types.slice(2));
for (const path of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.d.ts')) continue;
  const file = join(root, 'dist', path);
  if (!declared.has(`dist/${path.replaceAll('\\', '/')}`)) rmSync(file);
  // Types of schemas take some hundred thousand lines, half of it indentation.
  else writeFileSync(file, readFileSync(file, 'utf8').replace(/^ {4,}/gm, ''));
}
process.stdout.write(
  `the package: ${files.length} files of ours and ${packages.length} others, ${declared.size} declarations\n`,
);
