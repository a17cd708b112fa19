import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { tool } from '../contracts/report/tool.ts';
import { root, textOf } from './repository.ts';

/** A package of which the bundle has a part. */
export interface Inside {
  /** Its folder, relative to the root of the repository. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The text of its licence as shipped; if it ships none, a note with the name of the licence. */
  readonly text: string;
  /** SHA-512 of its archive, as hexadecimal. */
  readonly hash: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** Returns the packages of which the bundle has a part, sorted by name. */
export function inside({ inputs }: Metafile): readonly Inside[] {
  const { packages } = JSON.parse(textOf('package-lock.json')) as Lock;
  const folders = Object.keys(inputs).flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const rows = [...new Set(folders)].map((folder): Inside => {
    const { name, version, license } = JSON.parse(textOf(`${folder}/package.json`));
    const file = readdirSync(join(root, folder)).find(one => /^(licen[cs]e|copying)/i.test(one));
    const text = file === undefined ? `${license} (its package has no file of it)` : textOf(`${folder}/${file}`);
    const hash = Buffer.from(packages[folder]?.integrity?.replace('sha512-', '') ?? '', 'base64').toString('hex');
    return { folder, name, version, license, text: text.trim(), hash };
  });
  return rows.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** Returns the licences of everything in the bundle, as one text. */
export const licences = (rows: readonly Inside[]): string =>
  [
    `${tool.name} ${tool.version} holds parts of these packages, under their licences.`,
    `${tool.name} ${tool.version}\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`,
    ...rows.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`),
  ].join(`\n\n${'-'.repeat(80)}\n\n`);

const purl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Returns the bill of materials of the bundle, CycloneDX 1.6. Without date and serial number it is reproducible. */
export const billOfMaterials = (rows: readonly Inside[]): string => {
  const own = purl(tool.name, tool.version);
  const parts = rows.map(({ name, version, license, hash }) => ({
    type: 'library',
    'bom-ref': purl(name, version),
    name,
    version,
    purl: purl(name, version),
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: hash }],
  }));
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': own, name: tool.name, version: tool.version, purl: own },
    },
    components: parts,
    dependencies: [{ ref: own, dependsOn: parts.map(part => part['bom-ref']) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
};
