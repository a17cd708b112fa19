import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import { recordedRun } from '../../suites/proof/testing/reference-run.ts';
import { conform, folder } from '../testing/command.fixture.ts';

/** Two defects, in collections of different shards. */
const faults = ['config-versions-no-message', 'guard-forgotten'];
const total = 3;

describe('a run that is divided into shards', () => {
  let whole: string;
  let shards: string[];

  beforeAll(async () => {
    const journal = async (shard?: { index: number; total: number }) => {
      const selection = { only: [], skip: [], shard };
      const { events } = await recordedRun({ server: { faults }, run: { selection } });
      return events.map(event => `${JSON.stringify(event)}\n`).join('');
    };
    whole = await journal();
    shards = [];
    for (let index = 1; index <= total; index += 1) shards.push(await journal({ index, total }));
  });

  const written = (...journals: string[]): string[] => {
    const out = folder();
    return journals.map((text, index) => {
      const file = join(out, `${index}.ndjson`);
      writeFileSync(file, text);
      return file;
    });
  };
  const reportOf = async (...journals: string[]) => {
    const ended = await conform(['report', ...written(...journals), '--reporter', 'json=-']);
    return { code: ended.code, report: JSON.parse(ended.out) as Report };
  };
  const verdictsOf = ({ report }: { report: Report }) => ({
    verdict: report.verdict,
    endpoints: report.endpoints.map(({ id, verdict }) => [id, verdict]),
    checks: report.endpoints.flatMap(({ checks }) => checks.map(({ id, verdict }) => [id, verdict])),
    requirements: report.requirements.map(({ id, verdict }) => [id, verdict]),
  });

  test('has, joined again, the verdicts of the run that was not, whatever the order', async () => {
    const [one, joined] = [await reportOf(whole), await reportOf(...[...shards].reverse())];
    expect(joined.code).toBe(1);
    expect(one.code).toBe(1);
    expect(verdictsOf(joined)).toEqual(verdictsOf(one));
    expect(joined.report.options).toEqual(one.report.options);
  });

  test('has, joined again, a script for each cause that can be scripted', async () => {
    const out = folder();
    const ended = await conform(['report', ...written(...shards), '--out', out]);
    const scripts = readdirSync(join(out, 'repro'));
    expect(scripts).toEqual(['F1.sh', 'F2.sh']);
    expect(ended.out).toContain(join(out, 'repro/F1.sh'));
    // The commands read the joined report.
    expect(ended.out).toContain(`explain F1 ${join(out, 'report.json')}`);
    expect((await conform(['explain', 'F1', join(out, 'report.json')])).code).toBe(0);
  });

  test('alone tells commands that read its journal', async () => {
    const [file = ''] = written(whole);
    expect((await conform(['report', file])).out).toContain(`explain F1 ${file}`);
  });

  test('alone a shard is incomplete, or not conformant, and says which it is', async () => {
    for (const [index, shard] of shards.entries()) {
      const ended = await conform(['report', ...written(shard)]);
      expect(ended.code).toBeGreaterThan(0);
      expect(ended.out).toContain(`(shard ${index + 1} of ${total})`);
    }
  });

  test('each check is in exactly one shard', async () => {
    const ids: (string | undefined)[] = [];
    for (const shard of shards) ids.push(...verdictsOf(await reportOf(shard)).checks.map(([id]) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.sort()).toEqual(
      verdictsOf(await reportOf(whole))
        .checks.map(([id]) => id)
        .sort(),
    );
  });

  test('with a shard missing or doubled it is no run: one line, exit code 2', async () => {
    const [a, b, c] = shards as [string, string, string];
    for (const [says, ...journals] of [
      [/missing: shard 3\/3/, a, b],
      [/shard 2\/3 is there twice/, a, b, b, c],
      [/a run of its own/, whole, a, b, c],
    ] as const) {
      const ended = await conform(['report', ...written(...journals)]);
      expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringMatching(says) });
      expect(ended.err.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});
