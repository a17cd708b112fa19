import { describe, expect, test } from 'vitest';
import { type Fault, type FaultKind, faultKinds } from '../../../reference-server/index.ts';
import { shareOf } from '../testing/proof-share.ts';
import { checksThat, type RunRecord } from '../testing/reference-run.ts';
import { type Finding, findingsOf } from './detection.fixture.ts';
import { firstFindings } from './first-findings.fixture.ts';
import { rowProblem } from './row-problem.fixture.ts';
import { runsAgainst } from './telling-case.fixture.ts';

/** Findings that do not say what was expected and what was found instead, or that lack the exchange that shows it. */
const incomplete = ({ expected, actual, exchange }: Finding): boolean =>
  expected === '' ||
  expected === actual ||
  exchange === undefined ||
  !exchange.request.url.includes('/console/v1/') ||
  'response' in exchange === 'failure' in exchange;

/** Holds the first finding of a fault against what is written down for it. */
function expectFirstFinding({ checks }: RunRecord, { id, requirement }: Fault): void {
  const first = firstFindings[id];
  if (first === undefined) return;
  const { by, pointer, field } = first;
  const units = [...checks.values()].filter(({ findings }) => findings.length > 0).map(check => check.id);
  expect(units.sort()).toEqual([...by].sort());
  const finding = checks.get(by[0])?.findings[0];
  expect(finding).toMatchObject({
    requirement,
    pointer,
    seen: { times: 3, of: 3 },
    counterexample: { pointer: field },
  });
  if ('sent' in first) expect(finding?.counterexample?.sent).toEqual(first.sent);
}

/**
 * One test for each fault of these kinds: the suite finds it by what its row names, accuses the server of nothing else
 * that the specification demands, and says of every finding what there is to say.
 */
export function killMatrix(kinds: readonly FaultKind[]): void {
  describe.each(kinds)('faults of %s', kind => {
    test.each(shareOf(faultKinds[kind]).map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
      const records = await runsAgainst(fault);
      for (const record of records) {
        expect(record.end.outcome).toBe('complete');
        expect(checksThat(record, 'error')).toEqual([]);
        expect([...record.verdicts.values()].includes('non-conformant')).toBe(
          findingsOf(record).some(({ level }) => level === 'MUST'),
        );
      }
      const found = records.flatMap(findingsOf);
      expect(rowProblem(fault, found)).toBe('');
      expect(found.filter(incomplete)).toEqual([]);
      for (const record of records) expectFirstFinding(record, fault);
    });
  });
}

/** The kinds, dealt out so that the files of tests take about as long. */
// biome-ignore format: a table
export const shards = {
  answers:   ['envelope', 'messages', 'types', 'identity', 'echo', 'values', 'pagination'],
  requests:  ['bounds', 'enums', 'patterns', 'near misses', 'mirrors', 'neighbours', 'spellings', 'effects'],
  behaviour: ['required', 'authentication', 'state', 'stored', 'robustness', 'keys'],
  races:     ['races'],
  sequels:   ['sequels', 'attempts'],
} as const satisfies Record<string, readonly FaultKind[]>;
