import type { Endpoint } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { fieldRequirementsOf } from '../../contracts/fields.ts';
import type { CheckStats, NotExercised } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { liveness } from '../checks/scenarios/scenario.ts';
import type { Unit } from '../checks/units.ts';
import { citedBy, coveredBy } from '../checks/verified-by.ts';
import { schemaAt } from '../generators/index.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import { bodyRequirement } from '../judge/schema.ts';
import {
  type ActiveCheck,
  type CaseDescription,
  type CheckContext,
  type CheckPlan,
  type CheckResult,
  unproved,
} from '../protocol/check.ts';
import { count } from '../protocol/entries.ts';
import { saysNothing, Withheld } from '../protocol/stop.ts';
import { openSession, type RecordedSession, type Wire } from '../sut/session.ts';
import { recordSteps } from './evidence.ts';
import { attribute } from './findings.ts';
import { type LaneState, notePassiveResult } from './lane-state.ts';

/** Returns the requirements of a body field (dotted), and of the fields below it: they are left out with it. */
function requirementsBelow(row: Endpoint, field: string): RequirementId[] {
  const pointer = `/${field.replaceAll('.', '/')}`;
  const node = row.body === null ? undefined : schemaAt(row.body, undefined, pointer);
  return [bodyRequirement(row, pointer), ...(node === undefined ? [] : fieldRequirementsOf(node))];
}

/** Adds the requirements to fields of a body that were left out. */
export const leftOut = (fields: readonly NotExercised[], row: Endpoint): readonly NotExercised[] =>
  row.body === null ? fields : fields.map(one => ({ requirements: requirementsBelow(row, one.field), ...one }));

/** Returns the fields known to be left out and those that a case found, each once. */
export const withLeftOut = (
  known: readonly NotExercised[],
  found: readonly NotExercised[],
  row: Endpoint,
): readonly NotExercised[] => [
  ...known,
  ...leftOut(
    found.filter(({ field }) => !known.some(one => one.field === field)),
    row,
  ),
];

/** One active check of one endpoint. */
export type ActiveUnit = Unit & { readonly check: ActiveCheck<never> };

/** True of a unit that sends requests of its own. */
export const isActive = (unit: Unit): unit is ActiveUnit => unit.check.kind === 'active';

/** An active unit and its context. */
export interface UnitInput {
  readonly unit: ActiveUnit;
  readonly context: CheckContext;
  readonly lane: LaneState;
}

/** The results of running a unit, except what it wrote into the collectors. */
export interface UnitOutcome extends Omit<CheckStats, 'durationMs'> {
  /** Cases that proved something. */
  proved: number;
  /** The part of `proved` that counts only if the minimal request was accepted in this run. */
  provisional: number;
  /** Why cases proved nothing, most frequent first. */
  because: string[];
  remedy?: string;
  /** Fields that were left out, and fields for which the target accepts no value. */
  notExercised: readonly NotExercised[];
  /** The requirements that its cases could have shown to be violated. */
  readonly exercised: Set<string>;
  /** The same, for cases that count only if the minimal request was accepted in this run. */
  readonly exercisedIfAccepted: Set<string>;
}

/**
 * Sends one case of a plan; `path` names it in the evidence. Repetitions are not `counted`. While a finding is
 * confirmed (`isConfirming`), controls are sent again. While one is made smaller, or is a warning at most (`isSparing`),
 * half of what the run may create is left to others.
 */
export type Execution = ReturnType<typeof createExecution>;

/** The result of one case. `isWithheld`: a request was held back, so seeing no violation says nothing. */
export type CaseResult = Awaited<ReturnType<Execution>>;

/**
 * Returns the result of a case. If an answer had a broken frame, violations stand but nothing counts as covered. A case
 * that covers no requirement proves nothing.
 */
function shownBy(
  result: CheckResult,
  { unsound, lastRefused, deferred }: RecordedSession['tally'],
  waitedFor: () => string,
): CheckResult {
  const { violations, proved, covers } = result;
  const told = covers === undefined ? undefined : [...covers];
  if (unsound > 0 && (violations.length > 0 || !proved)) return { ...result, covers: [] };
  if (unsound > 0) return unproved('a success had a broken frame, which the envelope check reports');
  if (proved && violations.length === 0 && told?.length === 0)
    return unproved(
      [
        `the answers do not show whether it holds (${waitedFor()}): a value that is not shown before, or not after, proves nothing`,
        ...(lastRefused === undefined ? [] : [`one was a refusal (${refusalInWords(lastRefused)})`]),
        ...(lastRefused !== undefined || deferred === 0
          ? []
          : ['the target put requests off (429 or 503), so they came one after another']),
      ].join('; '),
    );
  return told === undefined ? result : { ...result, covers: told };
}

/** Maximum number of requirements to name that a case waited for. */
const mostNamed = 3;

/** Returns what a case waited for: its title, unless it was drawn, and the requirements that it is about. */
function awaited(
  { arbitrary }: Pick<CheckPlan<unknown>, 'arbitrary'>,
  { title }: Pick<CaseDescription, 'title'>,
  cited: readonly RequirementId[],
): string {
  const own = cited.filter(id => !(liveness as readonly string[]).includes(id));
  const named = `${own.slice(0, mostNamed).join(', ')}${own.length > mostNamed ? ` and ${own.length - mostNamed} more` : ''}`;
  return arbitrary === undefined ? `${title}: ${named}` : named;
}

/** Returns a function that sends cases of a plan and counts them. `reasons` counts why cases proved nothing. */
export function createExecution(
  { unit: { id, endpoint, check }, lane }: UnitInput,
  plan: CheckPlan<unknown>,
  outcome: UnitOutcome,
  reasons: Map<string, number>,
) {
  const { wire } = lane.run;
  /** Leaves what the run may still create to cases that are not sent yet. */
  const sparing: Wire = { ...wire, admit: (name, request) => wire.admit(name, { ...request, spare: 'examining' }) };
  return async (value: unknown, path: string, counted: boolean, { isConfirming = false, isSparing = false } = {}) => {
    const opened = openSession(isSparing ? sparing : wire, `${id}#${path}`, lane.passive);
    const session = Object.assign(opened, { isConfirming });
    const description = plan.describe(value);
    const withSteps = recordSteps(session);
    let isWithheld = false;
    // If a request was held back, the case proves nothing and the run goes on. So does a repetition of a case if one of
    // its answers says nothing.
    const shown = await plan.run(value, session).catch((error: unknown) => {
      if (!(error instanceof Withheld) && (counted || !saysNothing(error))) throw error;
      isWithheld = true;
      if (error instanceof Withheld && error.remedy !== undefined && plan.remedy === undefined) {
        const { remedy = error.remedy } = outcome;
        // Of several it is the same one, whichever came first.
        outcome.remedy = remedy < error.remedy ? remedy : error.remedy;
      }
      return unproved(error.message);
    });
    const result = shownBy(shown, session.tally, () => awaited(plan, description, citedBy(check, endpoint)));
    outcome.requests += session.answers();
    if (result.refusedWord !== undefined) lane.words.noteRefused(result.refusedWord);
    const violations = result.violations.map(withSteps);
    const attributed = attribute(id, { violations }, description, true);
    for (const seen of session.passiveResults) {
      if (counted) notePassiveResult(lane, seen);
      attributed.push(...attribute(seen.unit, seen, description, false));
    }
    if (counted) {
      const broken = attributed.map(one => one.violation);
      lane.run.config.watch?.sent(`${id}#${path}`, description, broken);
      outcome.cases += 1;
      for (const id of session.accepted) lane.accepted.add(id);
      outcome.accepted += session.tally.accepted;
      outcome.refused += session.tally.refused;
      const exercised = result.onlyIfAccepted === true ? outcome.exercisedIfAccepted : outcome.exercised;
      if (result.proved) {
        for (const row of coveredBy(check, endpoint, result)) exercised.add(row);
        outcome.proved += 1;
        outcome.provisional += Number(result.onlyIfAccepted === true);
      }
      outcome.notExercised = withLeftOut(outcome.notExercised, result.notExercised ?? [], endpoints[endpoint]);
      if (result.because !== undefined) count(reasons, result.because);
    }
    return { attributed, description, isWithheld, requests: session.answers(), asked: session.tally.asked };
  };
}
