import type { RequirementId } from '../../contracts/requirements/index.ts';
import { livenessViolations } from '../judge/outcome.ts';
import type { Answer } from '../protocol/answer.ts';
import { type CheckResult, covering, type Session, unproved, type Violation } from '../protocol/check.ts';
import { entryOf } from '../protocol/entries.ts';
import { unlessGivenUp } from '../protocol/stop.ts';

/** A change that a write may have caused, or somebody else at the same time. */
export interface Suspicion {
  /** Identifies what changed: the entity if there are several, and its member. The same in every try. */
  readonly key: string;
  readonly violation: Violation;
}

/** The outcome of a try: suspicions against the write, or why nothing could be tried. */
export type Tried =
  | {
      readonly suspicions: readonly Suspicion[];
      /** The requirements that the try could have shown to be broken. */
      readonly covers: readonly RequirementId[];
    }
  | Untried;

/** Why nothing could be tried, and the answer that says so: a 5xx, or none at all, is a violation of its own. */
export interface Untried {
  readonly because: string;
  readonly answer?: Answer | undefined;
}

/** Returns the result of a check that could not try. */
export function untried(tried: Untried): CheckResult {
  const wrong = livenessOf(tried);
  return wrong.length > 0 ? covering(wrong, []) : unproved(tried.because);
}

const livenessOf = ({ answer }: Untried): readonly Violation[] =>
  answer === undefined ? [] : livenessViolations(answer);

/** A write, what it must leave alone, and how to tell its effect from that of others. */
export interface Trial {
  /** Reads, writes and reads again. `round` counts from 0, so that each round may take another entity. */
  attempt(round: number): Promise<Tried>;
  /** Reads `readings` times more without a write, and returns the keys that change all the same; absent: it cannot. */
  watch?(readings: number): Promise<readonly string[]>;
  /** Puts back what the last try changed; false if not all of it could be. Absent: nothing can. */
  putBack?(): Promise<boolean>;
  /** Number of tries that have to show it; 2 if absent. */
  readonly sightings?: number;
}

/** Reads some states so often, each under a key, and returns the keys of those that change: a `watch`. */
export async function changingIn(
  readings: number,
  read: () => Promise<Iterable<readonly [key: string, state: unknown]>>,
): Promise<readonly string[]> {
  const seen = new Map<string, Set<unknown>>();
  for (let number = 0; number < readings; number += 1)
    for (const [key, state] of await read()) entryOf(seen, key, () => new Set()).add(state);
  return [...seen].flatMap(([key, { size }]) => (size > 1 ? [key] : []));
}

/** Maximum number of tries, while something is suspected. */
export const mostTries = 4;

/**
 * Number of readings without a write before the first accusation of its kind. If the case sent more requests than they
 * took, up to `longestWatch` more follow at one go, to outlast it. Whatever others did twice during the case, at equal
 * intervals, they do during that watch too. The case counts from the reading before its first try.
 */
const lastWatch = 20;
const longestWatch = 160;
/** Maximum number of waits for lag per check: later findings stand beside proven ones. */
const mostWaits = 8;

/** Makes a trial of a session, as often as it takes to tell the effect of the write from that of others. */
export type Attribution = (session: Pick<Session, 'answers' | 'wasBehind'>, trial: Trial) => Promise<CheckResult>;

const doubt = 'nothing moved without the write, but what was there could not be put back to try again';

/**
 * Creates an attribution for one check. Others use the target too, so a claim about anything but the answer itself
 * needs a control. Without a suspicion, a trial is made once and costs nothing more. Otherwise the effect of the write
 * is put back, and the write tried again. A key that changes without the write too is nobody's fault, in all further
 * trials of the check. A change that was seen twice, and that stands still through a long last watch, is a violation. A
 * change that was put back and not seen again was somebody else's. If it could not be put back, it is a violation with
 * a doubt.
 */
export function createAttribution(settleMs = 0): Attribution {
  const moving = new Set<string>();
  const stillStanding = new Set<string>();
  let waits = 0;
  /**
   * Waits after putting back, because a stale control would make the next try see a change. Nobody waits if no answer
   * of the run was late.
   */
  async function settled({ wasBehind }: Pick<Session, 'wasBehind'>): Promise<void> {
    if (settleMs === 0 || wasBehind?.() === false) return;
    waits += 1;
    if (waits <= mostWaits) await new Promise(resolve => setTimeout(resolve, settleMs));
  }
  return async (session, trial) => {
    const sent = (): number => session.answers?.() ?? 0;
    const needed = trial.sightings ?? 2;
    const seen = new Map<string, { readonly told: Suspicion; readonly times: number }>();
    const isOpen = (key: string): boolean => !moving.has(key) && (seen.get(key)?.times ?? 0) < needed;
    const watch = async (readings: number): Promise<void> => {
      for (const key of (await trial.watch?.(readings)) ?? []) moving.add(key);
    };
    // Failing to put back must not discard what was seen.
    const putBackOnce = async (): Promise<boolean> =>
      trial.putBack !== undefined && (await unlessGivenUp(trial.putBack(), false));
    // Try twice: somebody may have written in between.
    const putBack = async (): Promise<boolean> => (await putBackOnce()) || putBackOnce();
    const notAgain: Untried = { because: 'it could not be tried again' };
    const covers = new Set<RequirementId>();
    let tries = 0;
    let isBack = true;
    for (; tries < mostTries; tries += 1) {
      if (tries > 0) {
        isBack = (await putBack()) && isBack;
        await settled(session);
        // Vary the number of readings, so that others who write at equal intervals do not keep step with the tries.
        await watch(tries + 1);
      }
      const attempt = trial.attempt(tries);
      const tried = await (tries === 0 ? attempt : unlessGivenUp(attempt, notAgain));
      if ('because' in tried) {
        if (tries === 0 || livenessOf(tried).length > 0) return untried(tried);
        isBack = false;
        break;
      }
      for (const requirement of tried.covers) covers.add(requirement);
      const met = new Set<string>();
      for (const one of tried.suspicions) {
        if (met.has(one.key)) continue;
        met.add(one.key);
        // Report the last sighting: the session that reports it has sent everything that led to it.
        seen.set(one.key, { told: one, times: (seen.get(one.key)?.times ?? 0) + 1 });
      }
      if (![...seen.keys()].some(isOpen)) {
        tries += 1;
        break;
      }
    }
    const isAccused = (key: string): boolean => !moving.has(key) && (seen.get(key)?.times ?? 0) >= needed;
    const accused = [...seen.keys()].filter(key => isAccused(key) && !stillStanding.has(key));
    const isOpenStill = (): boolean => accused.some(key => !moving.has(key));
    const before = sent();
    if (isOpenStill()) await watch(lastWatch);
    const took = sent() - before;
    // Put back the last try, so that the watch sees whoever sets it back now and then while nothing is written.
    if (seen.size > 0) await putBack();
    if (took < before && isOpenStill()) await watch(Math.min(Math.ceil((before / took) * lastWatch), longestWatch));
    for (const key of accused) if (!moving.has(key)) stillStanding.add(key);
    return covering(
      [...seen].flatMap(([key, { told, times }]) => {
        if (moving.has(key)) return [];
        const sighted = { ...told.violation, seen: { times, of: tries } };
        if (times >= needed) return [sighted];
        return isBack ? [] : [{ ...sighted, doubt }];
      }),
      covers,
    );
  };
}
