import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server for which scripts are run. */
interface Scripted {
  readonly url: string;
  readonly apiKey: string;
}

/** What a script says that meets what an earlier one has done for good. */
const asLeft = 'it is not as it was before the run';

/** Runs a script for a server, and returns its exit code and what it said. */
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

/** The servers for which scripts are run. */
export interface ScriptedServers {
  /** The one that is accused, as the run has left it. */
  readonly broken: Scripted;
  /** Another one that is broken in the same way, as it was before the run. */
  readonly anew: () => Promise<Scripted & { close(): Promise<void> }>;
  readonly sound: Scripted;
}

/**
 * Runs each script twice for the server that it accuses and twice for the sound one, and returns what is wrong: one
 * that finds nothing at the first, or anything at the second. What no operation puts back stays as a run has left it;
 * a write then changes nothing more, whether or not the server was mended. A script that said "gone" would be wrong, so
 * it says what it meets, and has to find it at a server that nobody has written to.
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
