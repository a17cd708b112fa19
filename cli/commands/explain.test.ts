import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { examples } from '../../reports/testing/examples.fixture.ts';
import { reportOf } from '../../reports/testing/runs.fixture.ts';
import { UsageError } from '../input.ts';
import { explanation } from './explain.ts';

const folder = mkdtempSync(join(tmpdir(), 'explain-'));
const file = join(folder, 'report.json');
writeFileSync(file, JSON.stringify(reportOf(examples.failing)));
afterAll(() => rmSync(folder, { recursive: true }));

describe('explain', () => {
  test('a cause of a report shows it with all of its evidence and the commands that send it again', () => {
    const text = explanation('F2', [file]);
    expect(text).toContain('F2 ✗ accepted `description` of 1,001 characters; expected a 4xx');
    expect(text).toContain('gate.description.maxLength');
    expect(text).toContain('curl -sS');
    expect(text).toContain('npx conform run --base-url');
  });

  test('one finding, by the name that reports give it', () => {
    const name = reportOf(examples.failing).causes?.[1]?.findings[0] ?? '';
    const text = explanation(name, [file]);
    expect(text).toContain('✗ accepted `description` of 1,001 characters; expected a 4xx');
    expect(text).toContain('curl -sS');
    expect(() => explanation('patch-gate/reject#99', [file])).toThrow('has no finding patch-gate/reject#99');
  });

  test('a cause that the report does not have names those that it has', () => {
    expect(() => explanation('F9', [file])).toThrow('no cause F9; it has F1, F2, F3, W1');
    expect(() => explanation('F9', [file])).toThrow(UsageError);
  });

  test('a cause without a report says that there is none', () => {
    expect(() => explanation('F1', [join(folder, 'none.json')])).toThrow(UsageError);
  });

  test('the coverage of a report is told by operation and relation, then cell by cell', () => {
    const text = explanation('coverage', [file]);
    expect(text).toMatch(/^coverage 43\.0 %\n28 of 90 cells proven, 2 broken, 15 not shown, 45 not tried\n/);
    expect(text).toMatch(/patch-gate +23\.0 %/);
    expect(text).toMatch(/wrong-type +0\.0 % +0 of 30 {2}a value of each other type/);
    expect(explanation('coverage', ['patch-gate', file])).toContain(
      [
        'patch-gate accepted  1 of 4 proven',
        '  broken by patch-gate/accepts#1',
        '    name',
        '  not tried: vocabulary → vocabulary.teams: ["a_team"]',
        '    team',
        '  not shown by patch-gate/accepts#3',
      ].join('\n'),
    );
    expect(explanation('coverage', ['wrong-type', file]).match(/^\S+ wrong-type/gm)).toHaveLength(15);
    expect(() => explanation('coverage', ['no-gate', file])).toThrow('no cells of no-gate');
    expect(() => explanation('F2', [file, file])).toThrow('takes one report');
  });

  test('a requirement, a check and an endpoint are explained without a report', () => {
    expect(explanation('auth.missing-key')).toContain('MUST');
    expect(explanation('patch-gate/rejects')).toContain('detects');
    expect(explanation('patch-gate')).toContain('PATCH');
  });

  test('a check is explained with what came of it, if a report is named', () => {
    const refused = 'the minimal request was refused (status 409; so were 3 others)';
    const report = structuredClone(reportOf(examples.failing));
    const [first, ...others] = report.endpoints;
    const checks = first?.checks.slice(0, 1).map(check => ({
      ...check,
      id: 'patch-gate/accepts',
      verdict: 'untested',
      because: refused,
      stats: { ...check.stats, requests: 4, accepted: 0, refused: 4 },
    }));
    const own = join(folder, 'refused.json');
    writeFileSync(own, JSON.stringify({ ...report, endpoints: [{ ...first, checks }, ...others] }));
    const text = explanation('patch-gate/accepts', [own]);
    expect(text).toContain(`${own}: untested; 4 requests, 0 accepted, 4 refused\n    ${refused}\n`);
    expect(explanation('patch-gate/accepts')).not.toContain('untested;');
    expect(explanation('list-events/schema', [own])).toContain('no such check was planned');
  });
});
