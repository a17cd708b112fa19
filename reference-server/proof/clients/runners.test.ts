import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { at, foreignTest, has, hasModule, python, run } from './toolchain.fixture.ts';

/** An example of `examples/runners`, in whose copy a command of the shell must print that its three tests passed. */
interface Runner {
  readonly command: string;
  readonly passed: RegExp;
  readonly needs: string;
  readonly isThere: () => boolean;
  /** Packages that npm would have installed: their names, and where they are. */
  readonly installed?: Readonly<Record<string, string>>;
}

// biome-ignore format: one runner a paragraph
const runners: Readonly<Record<string, Runner>> = {
  pytest: { command: `${python} -m pytest -q`, passed: /\b3 passed/,
            needs: 'pip install pytest', isThere: () => hasModule('pytest') },
  go:     { command: 'go test -count=1 -v ./...', passed: /(?:^ +--- PASS(?:.|\n)*){3}/m,
            needs: 'Go', isThere: () => has('go', 'version') },
  junit:  { command: 'mvn -B -ntp test', passed: /Tests run: 3, Failures: 0, Errors: 0, Skipped: 0/,
            needs: 'Maven, and Java 17', isThere: () => has('mvn', '-v') },
  jest:   { command: 'npm install --no-audit --no-fund && npm test', passed: /\b3 passed/,
            needs: "npm's registry", isThere: () => has('npm', 'view', 'jest', 'version') },
  vitest: { command: 'node node_modules/vitest/vitest.mjs run --no-color', passed: /Tests +3 passed/,
            needs: 'npm ci', isThere: () => true,
            installed: { 'console-conformance': at(''), vitest: at('node_modules/vitest') } },
};

const program = at('dist/cli/main.js');

for (const [name, { command, passed, needs, isThere, installed = {} }] of Object.entries(runners))
  foreignTest(
    `the example for ${name} passes with the built program`,
    `${needs}, and npm run build`,
    () => existsSync(program) && isThere(),
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'conform-runner-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      cpSync(at(`examples/runners/${name}`), folder, { recursive: true });
      mkdirSync(join(folder, 'node_modules'));
      for (const [path, target] of Object.entries(installed)) symlinkSync(target, join(folder, 'node_modules', path));
      const env = { ...process.env, CONFORM: `${process.execPath} ${program}` };
      const { stdout } = await run('sh', ['-c', `{ ${command}; } 2>&1`], { cwd: folder, env });
      expect(stdout).toMatch(passed);
    },
  );
