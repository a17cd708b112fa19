import fc from 'fast-check';
import type { NotExercised } from '../../contracts/report/journal.ts';
import type { ActiveCheck, CaseDescription, CheckContext, CheckPlan, Draft, WatchingCheck } from '../checks/check.ts';
import { isNothingToDo } from '../checks/check.ts';
import { seedOf } from '../generators/index.ts';
import { type Casebook, type Grievance, type Source, signatureOf } from './casebook.ts';
import { inFlight } from './in-flight.ts';
import { openSession, type Sighting, type Wire } from './session.ts';

/** One active check of one endpoint, about to run. */
export interface UnitInput {
  readonly id: string;
  readonly check: ActiveCheck<never>;
  readonly context: CheckContext;
  readonly wire: Wire;
  readonly seed: number;
  readonly concurrency: number;
  /** Replays one case only. */
  readonly path?: string | undefined;
  readonly watching: (endpoint: CheckContext['endpoint']) => readonly WatchingCheck[];
  /** The casebook of the check that owns a draft: this unit's own, or a watching check's. */
  readonly casebookOf: (unit: string) => Casebook;
  /** Called for each answer that a watching check could judge. */
  readonly onSighting: (unit: string, sighting: Sighting) => void;
}

/** What running a unit showed, beside what it wrote into the casebooks. */
export interface UnitOutcome {
  cases: number;
  requests: number;
  accepted: number;
  refused: number;
  /** Cases that proved something. */
  proved: number;
  /** Of those: the ones that hold only if the plain request was accepted in this run. */
  provisional: number;
  /** Why cases proved nothing, most frequent first. */
  because: string[];
  remedy?: string;
  notExercised: readonly NotExercised[];
  /** The requirements that its cases showed something of; null where the check does not track them. */
  exercised: Set<string> | null;
}

interface Complaint {
  readonly owner: string;
  readonly signature: string;
  readonly draft: Draft;
}

interface Trial {
  readonly complaints: readonly Complaint[];
  readonly description: CaseDescription;
}

const mostShrunk = 4;
const mostShrinkTrials = 120;
const mostConfirmed = 6;
/** How often a case that failed is sent again before it is reported. */
const confirmations = 2;

/** The indexes of the cases to send: all, or the most important ones and of the least important of those an even spread. */
function chosen<T>(items: readonly T[], most: number, priority: (item: T) => number): readonly number[] {
  const all = items.map((_, index) => index);
  if (items.length <= most) return all;
  const taken: number[] = [];
  for (const rank of [...new Set(items.map(priority))].sort((a, b) => a - b)) {
    const alike = all.filter(index => priority(items[index] as T) === rank);
    const room = most - taken.length;
    const step = Math.max(1, alike.length / room);
    for (let at = 0; Math.floor(at) < alike.length && taken.length < most; at += step)
      taken.push(alike[Math.floor(at)] as number);
  }
  return taken.sort((a, b) => a - b);
}

/**
 * Runs a unit: every case of its search (together where cases do not disturb one another), then, one after another, the shrinking of what failed and its
 * confirmation. What is sent depends on the seed, the endpoint and the check alone.
 */
export async function runUnit(input: UnitInput): Promise<UnitOutcome> {
  const { id, check, context, wire } = input;
  const outcome: UnitOutcome = {
    cases: 0,
    requests: 0,
    accepted: 0,
    refused: 0,
    proved: 0,
    provisional: 0,
    because: [],
    notExercised: [],
    exercised: check.tracks === true ? new Set() : null,
  };
  const plan = (check as unknown as ActiveCheck<unknown>).plan(context);
  outcome.notExercised = plan.notExercised ?? [];
  if (isNothingToDo(plan)) {
    outcome.because.push(plan.because);
    if (plan.remedy !== undefined) outcome.remedy = plan.remedy;
    return outcome;
  }
  const reasons = new Map<string, number>();

  async function trial(value: unknown, path: string, counted: boolean): Promise<Trial> {
    const session = openSession(wire, `${id}#${path}`, input.watching);
    const description = (plan as CheckPlan<unknown>).describe(value);
    const result = await (plan as CheckPlan<unknown>).run(value, session);
    outcome.requests += session.answers();
    const complaints: Complaint[] = result.drafts.map(draft => ({
      owner: id,
      signature: signatureOf(id, draft, description),
      draft,
    }));
    for (const sighting of session.sightings) {
      const { check: watcher, drafts } = sighting;
      const owner = `${context.endpoint}/${watcher.id}`;
      if (counted) input.onSighting(owner, sighting);
      for (const draft of drafts) complaints.push({ owner, signature: signatureOf(owner, draft, null), draft });
    }
    if (counted) {
      outcome.cases += 1;
      outcome.accepted += session.tally.accepted;
      outcome.refused += session.tally.refused;
      for (const row of result.shows ?? []) outcome.exercised?.add(row);
      if (result.proved) outcome.proved += 1;
      if (result.proved && result.onlyIfAccepted === true) outcome.provisional += 1;
      if (result.because !== undefined) reasons.set(result.because, (reasons.get(result.because) ?? 0) + 1);
    }
    return { complaints, description };
  }

  const mine = new Map<string, Grievance>();
  function note(complaint: Complaint, source: Source): void {
    const casebook = input.casebookOf(complaint.owner);
    casebook.add(complaint.signature, complaint.draft, source);
    const grievance = casebook.grievances.get(complaint.signature);
    if (grievance?.source.unit === id) mine.set(complaint.signature, grievance);
  }

  const { values, paths } = inputsOf(plan, input);
  const window = plan.parallel ? input.concurrency : 1;
  await inFlight(values, window, async (value, position) => {
    const path = paths[position] as string;
    const { complaints, description } = await trial(value, path, true);
    for (const complaint of complaints) note(complaint, { unit: id, index: position, path, description });
  });

  const grievances = [...mine.values()].sort((a, b) => a.source.index - b.source.index);
  if (plan.arbitrary !== undefined && input.path === undefined) {
    for (const grievance of grievances.slice(0, mostShrunk)) await shrink(plan.arbitrary, grievance);
  }
  if (!context.oneShot) {
    // What the watching checks saw shows again whatever the state.
    const again = grievances.filter(({ signature }) => plan.leavesMarks !== true || !signature.startsWith(`${id}\n`));
    for (const grievance of again.slice(0, mostConfirmed)) await confirm(grievance);
  }
  outcome.because = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason]) => reason);
  return outcome;

  async function shrink(arbitrary: fc.Arbitrary<unknown>, grievance: Grievance): Promise<void> {
    let trials = 0;
    let smallest: { draft: Draft; description: CaseDescription } | null = null;
    const property = fc.asyncProperty(arbitrary, async value => {
      trials += 1;
      if (trials > mostShrinkTrials) return true;
      const { complaints, description } = await trial(value, `${grievance.source.path}~`, false);
      // The field that the case is about may change while it shrinks; the broken requirement and its place may not.
      const again = complaints.find(({ draft, owner, signature }) =>
        owner === id ? draft.requirement === grievance.draft.requirement : signature === grievance.signature,
      );
      if (again !== undefined) smallest = { draft: again.draft, description };
      return again === undefined;
    });
    const details = await fc.check(property, { seed: input.seed, path: grievance.source.path, numRuns: 1 });
    const found = smallest as { draft: Draft; description: CaseDescription } | null;
    if (!details.failed || details.counterexamplePath === null || found === null) return;
    grievance.draft = { ...found.draft, answer: { ...found.draft.answer, id: `${id}#${details.counterexamplePath}` } };
    grievance.source = { ...grievance.source, path: details.counterexamplePath, description: found.description };
    grievance.shrinks = details.numShrinks;
  }

  async function confirm(grievance: Grievance): Promise<void> {
    const { path, index } = grievance.source;
    const value =
      plan !== null && !isNothingToDo(plan) && plan.arbitrary !== undefined
        ? fc.sample(plan.arbitrary, { seed: input.seed, path, numRuns: 1 })[0]
        : values[index];
    let times = 1;
    for (let round = 0; round < confirmations; round += 1) {
      const { complaints } = await trial(value, path, false);
      if (complaints.some(({ draft }) => draft.requirement === grievance.draft.requirement)) times += 1;
    }
    grievance.seen = { times, of: confirmations + 1 };
  }
}

/** The inputs of a plan and the paths that replay them. */
function inputsOf(
  plan: CheckPlan<unknown>,
  input: UnitInput,
): { values: readonly unknown[]; paths: readonly string[] } {
  const { amounts } = input.context;
  if (plan.arbitrary !== undefined) {
    if (input.path !== undefined) {
      return {
        values: fc.sample(plan.arbitrary, { seed: input.seed, path: input.path, numRuns: 1 }),
        paths: [input.path],
      };
    }
    const values = fc.sample(plan.arbitrary, { seed: input.seed, numRuns: amounts.fuzz });
    return { values, paths: values.map((_, index) => String(index)) };
  }
  const cases = plan.cases ?? [];
  const priority = (one: unknown): number => plan.priority?.(one) ?? 0;
  const indexes = input.path === undefined ? chosen(cases, amounts.enumerated, priority) : [Number(input.path)];
  const known = indexes.filter(index => cases[index] !== undefined);
  return { values: known.map(index => cases[index]), paths: known.map(String) };
}

/** The seed of a unit: from the run's seed, the endpoint and the check, so that no filter changes what is sent. */
export function unitSeed(runSeed: number, endpoint: string, check: string): number {
  return seedOf(runSeed, endpoint, check);
}
