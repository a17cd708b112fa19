import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { builtProgram } from '../../reference-server/proof/testing/built.ts';

test('an error that nobody catches is told without secrets, as a fault of the suite', async () => {
  const program = await builtProgram(fileURLToPath(new URL('../testing/crashing.fixture.ts', import.meta.url)));
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect(status).toBe(4);
  expect(stderr).toMatch(/^conform: a fault of the suite itself: Error: no answer to «the API key»\n/);
  expect(stderr).not.toContain('key-of-a-crash-1');
});
