import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../contracts/report/evidence.ts';
import { examples } from '../testing/examples.fixture.ts';
import { tooLong, wrongType } from '../testing/findings.fixture.ts';
import { attacks } from '../testing/hostile.fixture.ts';
import { exchange, reportOf, run } from '../testing/runs.fixture.ts';
import { reproductionScripts } from './script.ts';

const scriptOf = (finding: Finding): string =>
  reproductionScripts({
    report: reportOf(run({ 'patch-gate/reject': ['fail', { findings: [finding] }] })),
    snapshots: [
      { event: 'snapshot', endpoint: 'patch-gate', param: 'a_gate', body: { description: "it's", tags: [] } },
    ],
  }).get('F1') ?? '';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repro-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('whatever a target sent, a shell reads it as text', () => {
  const injections = [
    '$(touch owned)',
    '`touch owned`',
    "'; touch owned; '",
    '"; touch owned; "',
    '\n touch owned\n',
    '\\\n; touch owned #',
    '%s%n\\047; touch owned; \\047',
    '}; touch owned; {',
    '$token$(touch owned)',
    '-H @/etc/passwd',
    ...attacks.map(({ sent }) => sent),
  ];

  test.each(injections)('%j', text => {
    const body = JSON.stringify({ [text]: text });
    const sent = exchange(body, 200, body);
    const found = {
      ...tooLong,
      expected: text,
      actual: text,
      counterexample: { path: text, title: text, pointer: '', sent: text },
      exchange: {
        ...sent,
        request: {
          ...sent.request,
          url: `${sent.request.url}/${text}`,
          headers: [{ name: 'x', value: text.replace(/\n/g, ' ') }],
        },
      },
    };
    const shown = {
      ...wrongType,
      pointer: `/data/${text.replaceAll('/', '~1')}`,
      expected: JSON.stringify(text),
      actual: text,
      exchange: sent,
    };
    for (const finding of [found, shown]) {
      const file = join(folder, 'F1.sh');
      const script = scriptOf(finding);
      expect(script).not.toBe('');
      writeFileSync(file, script);
      execFileSync('sh', ['-n', file]);
      // Nothing listens there: only the shell's reading of the words counts.
      const env = { ...process.env, SERVICE_API_KEY: "k'$(touch owned)", BASE_URL: 'http://127.0.0.1:1' };
      const { status } = spawnSync('sh', [file], { cwd: folder, env });
      expect(status).toBe(2);
      expect(readdirSync(folder)).toEqual(['F1.sh']);
    }
  });

  test('every script of a hostile run is one that a shell can read', () => {
    for (const script of reproductionScripts({ report: reportOf(examples.hostile), snapshots: [] }).values()) {
      const file = join(folder, 'F1.sh');
      writeFileSync(file, script);
      execFileSync('sh', ['-n', file]);
    }
  });
});
