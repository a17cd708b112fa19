import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referenceTarget } from '../reference-server/index.ts';
import { bundledPackage } from '../tools/bundled.ts';
import { oneFile, oneFileName } from '../tools/one-file.ts';

/** Third-party build tools in which the bundle runs, each with a command that proves its toolchain installed. */
const builds = [
  { name: 'go', there: ['go', 'version'], run: ['go', 'test', '-count=1', './...'] },
  {
    name: 'pytest',
    there: ['python3', '-m', 'pytest', '--version'],
    run: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
  },
  { name: 'junit5', there: ['mvn', '--version'], run: ['mvn', '--batch-mode', '--offline', 'test'] },
  { name: 'cargo', there: ['cargo', '--version'], run: ['cargo', 'test', '--offline'] },
] as const;

const fault = 'archive-config-202';

/** Runs every example with an installed toolchain against a sound and a broken server. Returns how many fail. */
export async function provenBuilds(print: (line: string) => void): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-builds-'));
  const conform = join(folder, oneFileName);
  const config = join(folder, 'conform.config.json');
  writeFileSync(conform, await oneFile(await bundledPackage()));
  writeFileSync(config, JSON.stringify(referenceTarget()));
  const port = 4871;
  let wrong = 0;
  try {
    for (const { name, there, run } of builds) {
      if (spawnSync(there[0], there.slice(1)).status !== 0) {
        print(`  ${name}: left out, its toolchain is not here`);
        continue;
      }
      // A copy, so that the files of a build are removed afterwards.
      const project = join(folder, name);
      cpSync(fileURLToPath(new URL(`../examples/${name}`, import.meta.url)), project, { recursive: true });
      for (const flags of ['', ` --fault ${fault}`]) {
        const { status, stdout } = spawnSync(run[0], run.slice(1), {
          cwd: project,
          encoding: 'utf8',
          env: {
            ...process.env,
            CONFORM: conform,
            CONFIG: config,
            BASE_URL: `http://127.0.0.1:${port}`,
            SERVER: `exec '${process.execPath}' '${conform}' serve --port ${port} --quiet${flags}`,
            PYTHONDONTWRITEBYTECODE: '1',
          },
        });
        const isRight = flags === '' ? status === 0 : status !== 0 && stdout.includes('archive-config');
        if (!isRight) wrong += 1;
        print(
          `  ${name}, a ${flags === '' ? 'sound' : 'broken'} server: ${isRight ? 'as it should be' : `exit code ${status}`}`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return wrong;
}
