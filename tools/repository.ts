import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the text of a file of the repository. */
export const textOf = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

/** True if the repository has the file or folder. */
export const has = (path: string): boolean => existsSync(`${root}${path}`);

/** Every file that git tracks, by its path from the root. A new file counts once it is added. */
export const files: readonly string[] = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(path => path !== '' && has(path));

/** The parts of package.json that the tests of the house read. */
export interface PackageFile {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly publishConfig: Readonly<Record<string, unknown>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, object>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The content of package.json. */
export const packageFile = JSON.parse(textOf('package.json')) as PackageFile;
