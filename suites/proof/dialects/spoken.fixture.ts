import { expect, test } from 'vitest';
import { endpointIds, endpoints } from '../../../contracts/endpoints.ts';
import { specificationNaming } from '../../../contracts/target.ts';
import type { Dialect } from '../../../reference-server/index.ts';
import { inWords } from '../independent/conformance.ts';
import { type RunRecord, recordedRun } from '../testing/reference-run.ts';

/** The checks that ended otherwise than the row of the dialect says, in words. */
const unforeseen = ({ checks }: RunRecord, { warns = [], untested = [] }: Dialect): string[] =>
  [...checks.values()]
    .filter(({ verdict, findings, level, id }) => {
      if (verdict === 'fail' || verdict === 'error') return true;
      if (verdict === 'warn') return findings.some(({ requirement }) => !warns.some(row => row === requirement));
      return verdict === 'untested' && level === 'MUST' && !untested.includes(id);
    })
    .map(inWords);

/** The endpoints that a dialect could bear upon: those of the collections that it touches, or all. */
const concerned = ({ endpoints: touched, decorator }: Dialect) => {
  const hooks = decorator({ apiKey: '', naming: specificationNaming, endpoints: touched });
  if (touched === undefined || (hooks.decorateStore ?? hooks.decorateListener ?? hooks.decorateAuthorise))
    return endpointIds;
  const collections = new Set(touched.map(id => endpoints[id].collection));
  return endpointIds.filter(id => collections.has(endpoints[id].collection));
};

/** The seed of the runs: 1, unless `DIALECT_SEED` gives another. */
const seed = Number(process.env.DIALECT_SEED ?? 1);

/**
 * One test for each dialect: the whole suite, in process, accuses a server that speaks it of nothing but what its row
 * names, and draws every warning that it names.
 */
export const areNotAccused = (dialects: readonly Dialect[]): void => {
  // Two or more at once: while one waits for what does not come, the others work.
  test.concurrent.each(dialects)('$id: $title', async dialect => {
    const { id, warns = [], untested = [], accused, capabilities } = dialect;
    const record = await recordedRun({
      server: { dialects: [id] },
      run: { settleMs: 2000, seed },
      only: concerned(dialect),
      file: file => (capabilities === undefined ? file : { ...file, capabilities: [...capabilities] }),
    });
    expect(record.end.outcome).toBe('complete');
    expect([...record.verdicts.keys()]).toEqual(concerned(dialect));
    const unforeseenEnds = unforeseen(record, dialect);
    if (accused !== undefined) return expect(unforeseenEnds, 'accused no more: mend the row').not.toEqual([]);
    expect(unforeseenEnds.join('\n')).toBe('');
    const drawn: readonly string[] = [...record.checks.values()].flatMap(({ findings }) =>
      findings.map(({ requirement }) => requirement),
    );
    expect(warns.filter(row => !drawn.includes(row))).toEqual([]);
    expect(untested.filter(check => record.checks.get(check)?.verdict !== 'untested')).toEqual([]);
  });
};
