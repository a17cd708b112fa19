import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { examples } from '../../reports/testing/examples.ts';
import { reportOf } from '../../reports/testing/runs.ts';
import { UsageError } from '../input.ts';
import { explainCommand } from './explain.ts';

const folder = mkdtempSync(join(tmpdir(), 'explain-'));
const file = join(folder, 'report.json');
writeFileSync(file, JSON.stringify(reportOf(examples.failing)));
afterAll(() => rmSync(folder, { recursive: true }));

describe('explain', () => {
  test('a cause of a report shows it with all of its evidence and the commands that send it again', () => {
    const text = explainCommand('F2', [file]);
    expect(text).toContain('F2 ✗ accepted `description` of 1,001 characters; expected a 4xx');
    expect(text).toContain('gate.description.maxLength');
    expect(text).toContain('curl -sS');
    expect(text).toContain('npx conform run --base-url');
  });

  test('a cause that the report does not have names those that it has', () => {
    expect(() => explainCommand('F9', [file)]).toThrow('no cause F9; it has F1, F2, F3, W1');
    expect(() => explainCommand('F9', [file)]).toThrow(UsageError);
  });

  test('a cause without a report says that there is none', () => {
    expect(() => explainCommand('F1', [join(folder, 'none.json')])).toThrow(UsageError);
  });

  test('a requirement, a check and an endpoint are explained without a report', () => {
    expect(explainCommand('auth.missing-key')).toContain('MUST');
    expect(explainCommand('patch-gate/rejects')).toContain('detects');
    expect(explainCommand('patch-gate')).toContain('PATCH');
  });
});
