import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Shown } from '../contracts/redaction/shown.ts';
import type { FixtureSnapshot, RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { reproductionScripts } from '../reports/index.ts';
import { shown } from './known-secrets.ts';
import { refuseNoFolder } from './own-file.ts';
import { withFile, writeText } from './writer.ts';

/**
 * Returns the writer of the scripts that reproduce the causes of a run, in the folder `repro` under `out`. Throws a
 * `UsageError` if something else is in its place.
 */
export function reproFiles(out: string) {
  const folder = join(out, 'repro');
  const isThere = (): boolean =>
    withFile(folder, '; choose another place with --out', () => refuseNoFolder(folder) !== undefined);
  isThere();
  const snapshots: FixtureSnapshot[] = [];
  const shards: { readonly token: string; readonly baseUrl: string }[] = [];
  return {
    /** Receives every event of the run. The scripts need the snapshots and the tokens. */
    event(event: RunEvent): void {
      if (event.event === 'snapshot') snapshots.push(event);
      if (event.event === 'run-start') shards.push({ token: event.token, baseUrl: event.target.baseUrl });
    },
    /** Writes a script for each reproducible cause, and removes those of an earlier run. Returns the files. */
    write(report: Report): string[] {
      const old = isThere() ? readdirSync(folder).filter(name => /^[FW]\d+\.sh$/.test(name)) : [];
      for (const name of old) withFile(join(folder, name), '', () => rmSync(join(folder, name)));
      return [...reproductionScripts({ report, snapshots, shards })].map(([id, script]) => {
        const file = join(folder, `${id}.sh`);
        writeText(file, shown(script), out);
        withFile(file, '', () => chmodSync(file, 0o755));
        return file;
      });
    },
  };
}

/** Returns the line that names the first scripts, for the end of the terminal output. */
export const scriptsLine = (scripts: readonly string[]): Shown =>
  shown(`  scripts      ${scripts.slice(0, 2).join(', ')}${scripts.length > 2 ? ', …' : ''}\n`);
