import { describe, expect, test } from 'vitest';
import type { Collection } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { type Fault, faultKinds } from '../../../reference-server/index.ts';
import type { RunRecord } from '../testing/reference-run.ts';
import { notedRun, wholeOf } from './detection.fixture.ts';
import { firstFindings } from './first-findings.fixture.ts';
import { kills } from './kills.fixture.ts';
import { beside, isSporadic, problemsOfRun } from './problems.fixture.ts';

/** Compares the first finding of a fault with the expected one. */
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
 * Sends what is noted for a fault to a server with it. Expects complete findings: one by a requirement of its row, and
 * no other MUST. The comparison must name the broken server. If nothing is noted, or a first finding is expected, all
 * units of its endpoints run, because that shrinks the finding.
 */
async function expectKill(fault: Fault): Promise<void> {
  const kill = kills()[fault.id];
  const isWhole = kill === undefined || firstFindings[fault.id] !== undefined;
  const sent = isWhole ? wholeOf(fault, kill?.profile ?? fault.profile) : kill.noted;
  const run = await notedRun(fault, sent);
  const { isNamed, wrongly } = await beside(fault, run, sent);
  const isToBeNamed = (isWhole ? kill?.named : kill.notedNamed) === true && !isSporadic(fault);
  expect([
    ...problemsOfRun(fault, run.record),
    ...wrongly,
    ...(isToBeNamed && !isNamed ? ['the comparison with the sound server does not name it any more'] : []),
  ]).toEqual([]);
  expectFirstFinding(run.record, fault);
}

/**
 * The collections, split so that the test files take about equally long. Faults of one operation share what was recorded
 * of the reference server, and the words that it teaches: one worker records these for all of them.
 */
// biome-ignore format: a table
export const shards = {
  gates:                ['gates'],
  experiments:          ['experiments'],
  metrics:              ['metrics', 'events'],
  'qualifying-events':  ['qualifying-events'],
  others:               ['configs', 'segments', 'environments', 'prompts'],
} as const satisfies Record<string, readonly Collection[]>;

/** Defines one test for each fault in the operations of some collections: the first of a fault's operations counts. */
export function killMatrix(collections: readonly Collection[]): void {
  const isOwn = ({ endpoints: [first] }: Fault): boolean =>
    first !== undefined && collections.includes(endpoints[first].collection);
  const kinds = Object.entries(faultKinds).map(([kind, faults]) => [kind, faults.filter(isOwn)] as const);
  describe.each(kinds.filter(([, own]) => own.length > 0))('faults of %s', (_kind, own) => {
    test.each(own.map(fault => [fault.id, fault] as const))('%s', (_id, fault) => expectKill(fault));
  });
}
