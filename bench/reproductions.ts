import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server for which scripts are run. */
interface Scripted {
  readonly url: string;
  readonly apiKey: string;
}

/** The message of a script that meets an irreversible change by an earlier one. */
const asLeft = 'it is not as it was before the run';

/** Runs a script against a server. Returns its exit code and output. */
async function outcomeOf(file: string, { url, apiKey }: Scripted): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env.PATH, BASE_URL: url, SERVICE_API_KEY: apiKey };
  return new Promise(resolve => {
    execFile('sh', [file], { env, timeout: 120_000 }, (error, out, complaints) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), said: `${out}${complaints}`.trim() }),
    );
  });
}

async function outcomeAnew(file: string, anew: ScriptedServers['anew']): Promise<{ code: number; said: string }> {
  const server = await anew();
  try {
    return await outcomeOf(file, server);
  } finally {
    await server.close();
  }
}

/** The servers against which scripts are run. */
export interface ScriptedServers {
  /** The accused server, as the run has left it. */
  readonly broken: Scripted;
  /** Starts another server with the same fault, in its original state. */
  readonly anew: () => Promise<Scripted & { close(): Promise<void> }>;
  readonly sound: Scripted;
}

/**
 * Runs each script twice against the accused server and twice against the sound one. Returns a problem for each time it
 * finds nothing at the first, or something at the second.
 *
 * Some changes of a run are irreversible. A later write then changes nothing, whether or not the server was mended, so
 * the script must not report "gone". It reports the state that it meets, and then has to find the defect at a fresh
 * server.
 */
export async function scriptProblems(
  scripts: ReadonlyMap<string, string>,
  { broken, anew, sound }: ScriptedServers,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-prove-'));
  const problems: string[] = [];
  try {
    for (const [id, script] of scripts) {
      const file = join(folder, `${id}.sh`);
      writeFileSync(file, script);
      for (const time of [1, 2]) {
        const accused = await outcomeOf(file, broken);
        const isAsLeft = accused.code === 2 && accused.said.includes(asLeft);
        const found = isAsLeft ? await outcomeAnew(file, anew) : accused;
        if (found.code !== 1) problems.push(`${id}.sh, time ${time}, broken server: ${found.code} ${found.said}`);
        const right = await outcomeOf(file, sound);
        if (right.code !== 0) problems.push(`${id}.sh, time ${time}, sound server: ${right.code} ${right.said}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return problems;
}
