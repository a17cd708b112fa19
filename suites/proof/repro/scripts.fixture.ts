import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '../../../contracts/endpoints.ts';
import type { Profile } from '../../../contracts/report/journal.ts';
import type { CauseReport } from '../../../contracts/report/report.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { createReferenceServer, faultNamed } from '../../../reference-server/index.ts';
import { foldJournal, reproductionScripts } from '../../../reports/index.ts';
import { recordedRun, testKey } from '../testing/reference-run.ts';

/** The causes of a run against a server with some faults, and the scripts that reproduce them. */
export interface Reproduction {
  readonly causes: readonly CauseReport[];
  readonly scripts: ReadonlyMap<string, string>;
}

/** Runs all units for the endpoints of some faults against a server with them. */
export async function reproduction(faults: readonly string[], profile: Profile = 'quick'): Promise<Reproduction> {
  const only = [...new Set(faults.flatMap(id => faultNamed(id).endpoints))].map(endpoint => `${endpoint}/*`);
  const { events } = await recordedRun({
    server: { faults, grace: 20 },
    only,
    run: { profile, settleMs: 50, token: 'c0ffee42' },
  });
  const fold = foldJournal({ endpoints, requirements });
  for (const event of events) fold.add(event);
  const report = fold.report();
  const snapshots = events.filter(event => event.event === 'snapshot');
  return { causes: report.causes ?? [], scripts: reproductionScripts({ report, snapshots }) };
}

/** Runs a script with `sh` several times against one server with some faults, and returns its exit codes. */
export async function exitCodes(script: string, faults: readonly string[], times: number): Promise<number[]> {
  const server = createReferenceServer({ apiKey: testKey, faults });
  const { url } = await server.listen();
  const folder = mkdtempSync(join(tmpdir(), 'repro-'));
  try {
    const file = join(folder, 'script.sh');
    writeFileSync(file, script);
    const codes: number[] = [];
    for (let round = 0; round < times; round += 1) codes.push(await exitCode(file, url));
    return codes;
  } finally {
    rmSync(folder, { recursive: true });
    await server.close();
  }
}

const exitCode = (file: string, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, SERVICE_API_KEY: testKey, BASE_URL: url };
    const child = spawn('sh', [file], { env, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', code => resolve(code ?? -1));
  });
