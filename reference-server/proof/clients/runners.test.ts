import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { at, foreignTest, has, hasModule, python, run } from './toolchain.fixture.ts';

const program = at('dist/cli/main.js');

/** The examples for test runners of other languages. */
// biome-ignore format: a table
const runners: readonly (readonly [name: string, command: string, args: readonly string[], needs: string, isThere: () => boolean, passed: RegExp])[] = [
  ['pytest',  python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], 'pip install pytest', () => hasModule('pytest'),    /3 passed/],
  ['go',      'go',   ['test', '-count=1', './...'],                    'Go',                 () => has('go', 'version'), /^ok/m],
];

for (const [name, command, args, needs, isThere, passed] of runners)
  foreignTest(
    `the example for ${name} passes with the built program`,
    `${needs}, and npm run build`,
    () => existsSync(program) && isThere(),
    async () => {
      const env = { ...process.env, CONFORM: `${process.execPath} ${program}`, PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await run(command, [...args], { cwd: at(`examples/runners/${name}`), env });
      expect(stdout).toMatch(passed);
    },
  );
