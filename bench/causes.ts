import { createHash } from 'node:crypto';
import { endpoints } from '../contracts/endpoints.ts';
import type { FixtureSnapshot, RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { requirementById, requirements } from '../contracts/requirements/index.ts';
import { createReferenceServer, type Fault, faults, referenceTarget } from '../reference-server/index.ts';
import { foldJournal, reproductionScripts } from '../reports/index.ts';
import { causesOf } from '../reports/journal/causes.ts';
import { terminal } from '../reports/run/terminal.ts';
import { run } from '../suites/engine/run.ts';
import { targetOf } from '../suites/sut/target.ts';
import { scriptProblems } from './reproductions.ts';

/** The sample sizes, and the results to reach. */
const aims = {
  singles: 30,
  oneCause: 28,
  together: 10,
  least: 9,
  most: 11,
  lines: 200,
  columns: 80,
  sets: 30,
  inSet: 5,
  asMany: 28,
  rightly: 0.95,
} as const;

/** Returns the catalogue in an order that follows from the seed, without a clock or a random source. */
export function shuffled(seed: number): readonly Fault[] {
  const place = ({ id }: Fault) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return faults.filter(({ missed }) => missed === undefined).toSorted((a, b) => place(a).localeCompare(place(b)));
}

/** Returns the first faults that share no endpoint and no requirement, so that none explains another. */
export function independentOf(all: readonly Fault[], count: number): readonly Fault[] {
  const chosen: Fault[] = [];
  const rules = (fault: Fault) => [fault.requirement, ...(fault.alsoAs ?? [])];
  for (const fault of all) {
    const isApart = chosen.every(
      one =>
        !one.endpoints.some(id => fault.endpoints.includes(id)) && !rules(one).some(id => rules(fault).includes(id)),
    );
    if (isApart && chosen.length < count) chosen.push(fault);
  }
  return chosen;
}

/** The result of a full run against a server with faults. */
export interface FaultyRun {
  readonly report: Report;
  readonly events: readonly RunEvent[];
  /** The problems of the run's scripts. */
  readonly problems: readonly string[];
  readonly scripts: number;
}

/** Runs everything against a server with faults, then the scripts of the run. */
export async function faultyRun(ids: readonly string[], options: { readonly scripts: boolean }): Promise<FaultyRun> {
  const server = createReferenceServer({ faults: ids, grace: 20 });
  const sound = createReferenceServer({ grace: 20 });
  const events: RunEvent[] = [];
  try {
    const { url } = await server.listen();
    const target = targetOf(referenceTarget(server.naming), new URL(url), server.apiKey);
    const fold = foldJournal({ endpoints, requirements });
    await run({ target, token: 'prove', timeoutMs: 10_000, settleMs: 200 }, event => {
      events.push(event);
      fold.add(event);
    });
    const report = fold.report();
    const snapshots = events.filter((event): event is FixtureSnapshot => event.event === 'snapshot');
    const scripts = options.scripts ? reproductionScripts({ report, snapshots }) : new Map<string, string>();
    const right = { url: (await sound.listen()).url, apiKey: sound.apiKey };
    const anew = async () => {
      const other = createReferenceServer({ faults: ids, grace: 20 });
      return { url: (await other.listen()).url, apiKey: other.apiKey, close: () => other.close() };
    };
    const problems = await scriptProblems(scripts, {
      broken: { url, apiKey: server.apiKey },
      anew,
      sound: right,
    });
    return { report, events, problems, scripts: scripts.size };
  } finally {
    await Promise.all([server.close(), sound.close()]);
  }
}

/** Returns the lines that the terminal shows of a run, at 80 columns. */
export function terminalLines({ report, events }: Pick<FaultyRun, 'report' | 'events'>): readonly string[] {
  const written: string[] = [];
  const out = {
    write: (more: string) => void written.push(more),
    colour: false,
    interactive: false,
    columns: aims.columns,
  };
  const reporting = terminal(out);
  for (const event of events) reporting.event?.(event);
  void reporting.end(report);
  return written.join('').trimEnd().split('\n');
}

/** The result for a set of simultaneous faults: the number of causes, and the mismatches. */
interface ToldSet {
  readonly causes: number;
  /** Faults without a cause whose first requirement they break. */
  readonly untold: readonly string[];
  /** Causes whose first requirement no fault breaks. */
  readonly strange: readonly string[];
}

/** Compares the causes of a run with the faults of its server. */
function toldOf(set: readonly Fault[], report: Report): ToldSet {
  const all = causesOf(report);
  const isOf = ({ requirement, alsoAs = [], endpoints: at }: Fault, cause: (typeof all)[number]): boolean =>
    [requirement, ...alsoAs].some(id => id === cause.requirements[0]) && at.some(id => cause.endpoints.includes(id));
  // A fault that only breaks a SHOULD is a warning.
  const warned = set.filter(({ requirement }) => requirementById(requirement).level === 'SHOULD');
  const causes = all.filter(cause => cause.kind === 'fail' || warned.some(fault => isOf(fault, cause)));
  return {
    causes: causes.length,
    untold: set.filter(fault => !causes.some(cause => isOf(fault, cause))).map(({ id }) => id),
    strange: causes.filter(cause => !set.some(fault => isOf(fault, cause))).map(({ id, title }) => `${id} ${title}`),
  };
}

/**
 * Counts the causes reported for sets of five simultaneous faults, which may share endpoints. Returns the shortfall.
 * `CAUSES_SEED` draws other sets.
 */
export async function causesOfSets(print: (line: string) => void): Promise<number> {
  const seed = Number(process.env.CAUSES_SEED ?? 1);
  const sum = { asMany: 0, untold: 0, sets: 0 };
  for (let number = 1; number <= aims.sets; number += 1) {
    const set = shuffled(seed * 1000 + number).slice(0, aims.inSet);
    const { report } = await faultyRun(
      set.map(({ id }) => id),
      { scripts: false },
    );
    const { causes, untold, strange } = toldOf(set, report);
    sum.sets += 1;
    sum.asMany += Number(causes === set.length);
    sum.untold += untold.length;
    print(`set ${number}: ${causes} causes of ${set.map(({ id }) => id).join(', ')}`);
    for (const id of untold) print(`  no cause begins with what ${id} breaks`);
    for (const line of strange) print(`  ${line}`);
  }
  const right = 1 - sum.untold / (sum.sets * aims.inSet);
  print(
    `${sum.asMany} of ${sum.sets} sets have as many causes as faults; ${(100 * right).toFixed(1)} % of the faults are told by what they break`,
  );
  return Math.max(0, aims.asMany - sum.asMany) + Number(right < aims.rightly);
}

/** Returns a part of the sample, so that a slow machine can prove it in portions. `2/5` is the second of five. */
const partOf = <T>(all: readonly T[], part: string): readonly T[] => {
  const [index = 1, total = 1] = part.split('/').map(Number);
  return all.filter((_, place) => place % total === index - 1);
};

/**
 * Counts the causes reported for single faults, and for ten at once, and runs all their scripts. Returns the shortfall.
 * `CAUSES_SEED` draws other faults, `CAUSES_PART` (`2/5`) takes a part of them.
 */
export async function causes(print: (line: string) => void): Promise<number> {
  const { CAUSES_SEED = '1', CAUSES_PART = '1/1' } = process.env;
  const all = shuffled(Number(CAUSES_SEED));
  const singles = partOf(all.slice(0, aims.singles), CAUSES_PART);
  const sum = { one: 0, problems: 0, scripts: 0, short: 0 };
  const tell = (name: string, { report, problems, scripts }: FaultyRun) => {
    sum.problems += problems.length;
    sum.scripts += scripts;
    print(`${name}: ${causesOf(report).length} causes, ${scripts} scripts`);
    for (const line of problems) print(`  ${line}`);
  };
  for (const { id } of singles) {
    const ran = await faultyRun([id], { scripts: true });
    sum.one += Number(causesOf(ran.report).length === 1);
    tell(id, ran);
    if (causesOf(ran.report).length !== 1) for (const { id, title } of causesOf(ran.report)) print(`  ${id} ${title}`);
  }
  if (CAUSES_PART.startsWith('1/')) {
    const together = independentOf(all, aims.together);
    const ran = await faultyRun(
      together.map(({ id }) => id),
      { scripts: true },
    );
    tell(together.map(({ id }) => id).join(', '), ran);
    const count = causesOf(ran.report).filter(({ kind }) => kind === 'fail').length;
    const lines = terminalLines(ran);
    const wide = lines.filter(line => line.length > aims.columns).length;
    print(`  at once: ${count} causes of failures, ${lines.length} lines, ${wide} of them wider than the screen`);
    sum.short += Number(count < aims.least || count > aims.most || lines.length > aims.lines || wide > 0);
  }
  const enough = Math.ceil((singles.length * aims.oneCause) / aims.singles);
  print(`${sum.one} of ${singles.length} faults have one cause; ${sum.scripts} scripts, ${sum.problems} problems`);
  return sum.short + sum.problems + Math.max(0, enough - sum.one);
}
