import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { main } from '../program.ts';

/** The output of a command and its exit code. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process. Of the variables that it reads only the given ones are set. */
export async function conform(argv: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const texts = { out: '', err: '' };
  const into = (stream: 'out' | 'err') => (text: unknown) => {
    texts[stream] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
  ];
  for (const name of ['SERVICE_API_KEY', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY'])
    vi.stubEnv(name, environment[name]);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    return { code: await main(argv), ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** Makes an empty folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'conform-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
