import { describe, expect, test } from 'vitest';
import { requirementById } from '../../contracts/requirements/index.ts';
import { dialects } from '../../reference-server/dialects/index.ts';
import { inWords } from '../independent/conformance.ts';
import { type RunRecord, recordedRun } from '../testing/reference-run.ts';

/** The checks that ended in a way that nobody foresaw, in words. */
const unforeseen = ({ checks }: RunRecord, warns: readonly string[], untested: readonly string[]): string[] =>
  [...checks.values()]
    .filter(end => {
      if (end.verdict === 'fail' || end.verdict === 'error') return true;
      if (end.verdict === 'warn') return end.findings.some(({ requirement }) => !warns.includes(requirement));
      return end.verdict === 'untested' && end.level === 'MUST' && !untested.includes(end.id);
    })
    .map(inWords);

const ended = (record: RunRecord, id: string) => record.checks.get(id)?.verdict;

describe('dialects', () => {
  test('have ids of their own, and break SHOULD rows only', () => {
    expect(new Set(dialects.map(({ id }) => id)).size).toBe(dialects.length);
    expect(dialects.length).toBeGreaterThanOrEqual(20);
    for (const id of dialects.flatMap(({ warns = [] }) => warns)) expect(requirementById(id).level).toBe('SHOULD');
  });

  test.each(dialects)('$id is not accused: $title', async ({ id, warns = [], untested = [], accused, capabilities }) => {
    const record = await recordedRun({
      server: { dialects: [id] },
      run: { settleMs: 2000 },
      file: file => (capabilities === undefined ? file : { ...file, capabilities: [...capabilities] }),
    });
    expect(record.end.outcome).toBe('complete');
    expect(record.checks.size).toBeGreaterThan(150);
    const complaints = unforeseen(record, warns, untested);
    if (accused !== undefined) return expect(complaints).not.toEqual([]);
    expect(complaints.join('\n')).toBe('');
    const warned = [...record.checks.values()].flatMap(({ findings }) => findings.map(finding => finding.requirement));
    expect(warns.filter(row => !warned.includes(row))).toEqual([]);
    expect(untested.filter(check => ended(record, check) !== 'untested')).toEqual([]);
  });
});
