import { type ActiveCheck, type CheckPlan, isNothingToDo } from '../protocol/check.ts';
import { count, mostFrequentFirst, remember } from '../protocol/entries.ts';
import { RunStopped, saysNothing } from '../protocol/stop.ts';
import { casesOf, isExtended, mostExtended, seedOfUnit, type UnitCase, valuesAt } from './cases.ts';
import { type Drawing, drawingOf } from './drawing.ts';
import {
  type CaseResult,
  createExecution,
  type Execution,
  leftOut as fieldsLeftOut,
  type UnitInput,
  type UnitOutcome,
} from './execution.ts';
import { type FindingGroup, failuresFirst, type Source } from './findings.ts';
import { inFlight } from './in-flight.ts';
import { tellOfCase } from './lane-state.ts';
import { confirm, confirmAfterWrongValue, confirmByOther, isUnsteady, shrink } from './shrink-and-confirm.ts';
import { profileTrim } from './trim.ts';

/** A unit that is running. */
export type OpenUnit = ReturnType<typeof openUnit>;

const mostShrunk = 4;
const mostConfirmed = 6;
/** Maximum number of left-out cases that replace cases which proved nothing. */
const mostInstead = 8;
/** Maximum number of random cases drawn to replace held-back ones: that costs no request. */
const mostDrawn = 100;
/** Number of sightings after which a replayed case is not repeated any more. */
const mostShown = 3;

function emptyOutcome(): UnitOutcome {
  const counts = { cases: 0, requests: 0, accepted: 0, refused: 0, proved: 0, provisional: 0 };
  return { ...counts, because: [], notExercised: [], exercised: new Set(), exercisedIfAccepted: new Set() };
}

/** Maximum number of remembered cases: possible causes of later suspicions. */
const mostCases = 5_000;

function noteCase({ cases }: UnitInput['lane'], source: Source, again: () => ReturnType<Execution>): void {
  remember(cases, `${source.unit}#${source.path}`, { source, again }, mostCases);
}

/** Resolves to the result of a case, or to why one of its answers is unusable: that ends only this case. */
const unlessUnusable = <T>(work: Promise<T>): Promise<T | string> =>
  work.catch((error: unknown) => {
    if (saysNothing(error)) return error.message;
    throw error;
  });

/**
 * Opens a unit. It sends cases, in parallel if they do not disturb one another, then shrinks and confirms failures one
 * by one. Cases depend only on the run's seed, the endpoint and the check, so that no filter changes them.
 */
export function openUnit(input: UnitInput) {
  const { unit, context, lane } = input;
  const { id } = unit;
  const { isTimeUp, config } = lane.run;
  const { path: replayed, concurrency } = config;
  const seed = seedOfUnit(config.seed, unit);
  const check = unit.check as unknown as ActiveCheck<unknown>;
  const outcome = emptyOutcome();
  const reasons = new Map<string, number>();
  /** The signatures of groups that were shrunk and confirmed, within the limits. */
  const handled = new Set<string>();
  const left = { toShrink: mostShrunk, toConfirm: mostConfirmed };
  let drawing: Drawing | null = null;
  /** Number of cases with a request that was held back. */
  let heldBack = 0;
  let carriedOut: { readonly plan: CheckPlan<unknown>; readonly cases: readonly UnitCase[] } | null = null;

  /** Maximum number of attempts: a replayed case may depend on luck. */
  const tries = replayed === undefined ? 1 : (check.tries ?? 1);
  async function repeated(send: () => Promise<CaseResult | string>) {
    let isSuspicious = false;
    const trying = (): Promise<CaseResult | string> =>
      lane.run.suspected.during(async found => {
        const one = await send();
        isSuspicious = found.length > 0;
        return one;
      });
    let result = await trying();
    let of = 1;
    const shows = (one: CaseResult | string): boolean =>
      typeof one !== 'string' && (one.attributed.length > 0 || isSuspicious);
    let times = Number(shows(result));
    for (; of < tries && times < mostShown && !isTimeUp(); of += 1) {
      const next = await trying();
      if (typeof next === 'string' || next.isWithheld) break;
      if (times === 0) result = next;
      times += Number(shows(next));
    }
    return { result, times: Math.max(times, 1), of };
  }

  /**
   * Runs cases and returns how many began before the time was up. If the operation creates entities, confirms each
   * finding before sending anything new.
   */
  async function search(plan: CheckPlan<unknown>, cases: readonly UnitCase[]): Promise<number> {
    const execute = createExecution(input, plan, outcome, reasons);
    const window = plan.parallel ? concurrency : 1;
    const isSparing = context.row.effect === 'additive';
    let isFound = false;
    let begun = 0;
    do {
      const mine = new Map<string, FindingGroup>();
      isFound = false;
      const isOver = (): boolean => isFound || isTimeUp();
      begun += await inFlight(cases.slice(begun), window, isOver, async ({ value, index, path }) => {
        const tried = await repeated(() => unlessUnusable(execute(value, path, true)));
        const { result } = tried;
        if (typeof result === 'string') {
          count(reasons, result);
          return;
        }
        const { attributed, description } = result;
        heldBack += Number(result.isWithheld);
        noteCase(lane, { unit: id, index, path, description }, () => execute(value, path, false));
        tellOfCase(lane, attributed, { unit: id, index, path });
        for (const { owner, signature, violation } of attributed) {
          const group = lane.collectorOf(owner).groups.get(signature);
          if (group === undefined) continue;
          if (tries > 1) group.seen = { times: tried.times, of: tried.of };
          // One that was confirmed and then seen in another case, without its doubt, is confirmed again.
          const isDone = handled.has(signature) && (group.seen !== undefined || left.toConfirm === 0);
          if (group.source.unit !== id || isDone) continue;
          mine.set(signature, group);
          isFound ||= isSparing && tries === 1 && left.toConfirm > 0 && violation.seen === undefined;
        }
      });
      await shrinkAndConfirm(plan, [...mine.values()], cases, execute);
    } while (isFound && begun < cases.length && !isTimeUp());
    if (reasons.size > 0) outcome.because = [...reasons].sort(mostFrequentFirst).map(([reason]) => reason);
    return begun;
  }

  /** Returns the next random cases beyond the profile's, if there are any. */
  async function drawn({ arbitrary }: CheckPlan<unknown>, count: number): Promise<readonly UnitCase[]> {
    if (arbitrary === undefined) return [];
    drawing ??= drawingOf(arbitrary, seed, context.amounts.fuzz);
    return (await drawing.take(count))
      .filter(({ index }) => index < mostExtended(context.row))
      .map(({ value, index }) => ({ value, index, path: String(index) }));
  }

  async function shrinkAndConfirm(
    plan: CheckPlan<unknown>,
    found: readonly FindingGroup[],
    cases: readonly UnitCase[],
    execute: Execution,
  ): Promise<void> {
    const { arbitrary } = plan;
    const groups = [...found].sort(failuresFirst);
    for (const { signature } of groups) handled.add(signature);
    if (arbitrary !== undefined && replayed === undefined) {
      for (const group of groups.slice(0, left.toShrink)) {
        left.toShrink -= 1;
        await shrink(group, { unit: id, arbitrary, seed, execute });
      }
    }
    if (context.oneShot) return;
    // Findings that the check itself has repeated need no confirmation.
    const again = tries > 1 ? [] : groups.filter(({ violation }) => violation.seen === undefined);
    const valueAt = ({ path, index }: Source): unknown =>
      arbitrary === undefined ? cases.find(one => one.index === index)?.value : valuesAt(arbitrary, seed, path)[0];
    for (const group of again.slice(0, left.toConfirm)) {
      left.toConfirm -= 1;
      await confirm(group, valueAt(group.source), execute);
      if (isUnsteady(group)) await confirmAfterWrongValue(group, valueAt(group.source), execute, input);
      // Of a list one page may be wrong now and then, and a walk over all pages meets it each time.
      for (const other of context.row.list && arbitrary === undefined ? group.others : []) {
        if (!isUnsteady(group) || left.toConfirm <= 0 || isTimeUp()) break;
        left.toConfirm -= 1;
        await confirmByOther(group, other, valueAt(other), execute);
      }
    }
  }

  return {
    outcome,
    /** Runs the cases of the profile. Throws `RunStopped` if the time is up before all of them have begun. */
    async run() {
      const plan = check.plan(
        isExtended(unit.check, context.amounts, replayed) ? { ...context, extended: true } : context,
      );
      outcome.notExercised = fieldsLeftOut(plan.notExercised ?? [], context.row);
      if (isNothingToDo(plan)) {
        outcome.because.push(plan.because);
        if (plan.remedy !== undefined) outcome.remedy = plan.remedy;
        return;
      }
      if (plan.remedy !== undefined) outcome.remedy = plan.remedy;
      const trim = lane.trim ?? profileTrim(config);
      const { seed: turn, token } = config;
      const draw = { seed, turn, path: replayed, token, trim };
      const { sent, leftOut, bestLeftOut } = casesOf(unit, plan, context.amounts, draw);
      if (replayed === undefined) plan.chosen?.(sent.map(({ value }) => value));
      const cases = [...sent];
      if (replayed !== undefined && cases.length === 0) outcome.because.push(`no case of it is called ${replayed}`);
      else if (cases.length === 0 && leftOut > 0) {
        outcome.because.push(trim.because);
        outcome.remedy = trim.remedy;
      } else if (cases.length === 0 && context.target.withheld !== undefined)
        outcome.because.push(
          'no answer shows the fields that it would send as they are now, so they could not be put back',
        );
      carriedOut = { plan, cases };
      let begun = await search(plan, sent);
      // If nothing could be proved so far, send left-out cases.
      const isVain = (): boolean => outcome.proved === 0 && trim.keepsOne && begun === cases.length;
      for (const next of isVain() ? bestLeftOut(mostInstead) : []) {
        if (!isVain()) break;
        cases.push(next);
        begun += await search(plan, [next]);
      }
      // If every random case was held back, draw others: a seed must not leave a check without one.
      for (let time = 0; time < mostDrawn && heldBack === outcome.cases && replayed === undefined; time += 1) {
        const [next] = await drawn(plan, 1);
        if (next === undefined) break;
        cases.push(next);
        begun += await search(plan, [next]);
      }
      lane.words.settle(unit);
      if (begun < cases.length)
        throw new RunStopped('limit', 'the time given with --time was up', 'a longer --time, or none');
    },
    /** Runs the next `count` random cases beyond the profile's. Returns how many began; 0 when there are no more. */
    async extend(count: number) {
      // Plan anew: what a plan remembers of earlier cases would grow with the run.
      const plan = check.plan({ ...context, extended: true });
      return isNothingToDo(plan) ? 0 : search(plan, await drawn(plan, count));
    },
    /**
     * Looks once more for an effect that a case of the profile must not have, or for what a case that proved nothing
     * takes. Returns true if that may change how the unit ends.
     */
    async afterwards() {
      if (carriedOut === null) return false;
      const { plan, cases } = carriedOut;
      const { afterwards: late, retried } = plan;
      const isRetried = retried !== undefined && outcome.proved === 0;
      const found = cases.find(({ value }) => value === (isRetried ? retried : late?.of));
      if (found === undefined) return false;
      const { value, index, path } = found;
      const run: CheckPlan<unknown>['run'] = (one, session) =>
        late === undefined || isRetried ? plan.run(one, session) : late.run(session);
      const execute = createExecution(input, { ...plan, run }, outcome, reasons);
      const { attributed } = await execute(value, path, isRetried);
      tellOfCase(lane, attributed, { unit: id, index, path });
      return isRetried || attributed.length > 0;
    },
    /** Ends the drawing of random cases. */
    close: async () => drawing?.close(),
  };
}
