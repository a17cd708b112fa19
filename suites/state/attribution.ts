import type { RequirementId } from '../../contracts/requirements/index.ts';
import { livenessViolations } from '../judge/outcome.ts';
import type { Answer } from '../protocol/answer.ts';
import { type CheckResult, covering, type Session, unproved, type Violation } from '../protocol/check.ts';
import { unlessGivenUp } from '../protocol/stop.ts';

/** What a write may have done, or somebody else at the same time. */
export interface Suspicion {
  /** What changed: the entity where there are several, and its member. The same in every try. */
  readonly key: string;
  readonly violation: Violation;
}

/** What a try came to: what looks as if the write had done it, or why nothing could be tried. */
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

/** The result of what could not be tried. */
export function untried(tried: Untried): CheckResult {
  const wrong = livenessOf(tried);
  return wrong.length > 0 ? covering(wrong, []) : unproved(tried.because);
}

const livenessOf = ({ answer }: Untried): readonly Violation[] =>
  answer === undefined ? [] : livenessViolations(answer);

/** A write, what it must leave alone, and how to tell its doing from that of others. */
export interface Trial {
  /** Reads, writes and reads again. `round` counts from 0: where one entity is spent, another may be taken. */
  attempt(round: number): Promise<Tried>;
  /** Reads so many times more without a write, and tells the keys of what changes all the same; absent: it cannot. */
  watch?(readings: number): Promise<readonly string[]>;
  /** Brings back what the last try changed; false where not all of it could be. Absent: nothing can. */
  putBack?(): Promise<boolean>;
  /** In so many of the tries it has to be seen; 2 when absent. */
  readonly sightings?: number;
}

/** A trial is made so often, while something is suspected. */
export const mostTries = 4;

/**
 * Before the first accusation of its kind so many readings without a write. Where the case has sent more than that took,
 * then at one go as many, up to `longestWatch`, as it takes to outlast it: what others did twice meanwhile, at equal
 * distances, they do in that time too, and what was read before the first try may be the oldest of it.
 */
const lastWatch = 20;
const longestWatch = 160;
/** So often a check waits for what is behind before it tries again: what comes later stands beside proven findings. */
const mostWaits = 8;

/** Makes a trial of a session, and as often again as it takes to tell what the write did from what others did meanwhile. */
export type Attribution = (session: Pick<Session, 'answers' | 'wasBehind'>, trial: Trial) => Promise<CheckResult>;

const doubt = 'nothing moved without the write, but what was there could not be put back to try again';

/**
 * An attribution for one check: a target is not ours alone, so a claim about anything but the answer itself takes a
 * control. Where nothing is suspected, a trial is made once and costs nothing more. Else what changes without the write
 * too is nobody's fault, in all further trials of the check; what the write did is put back, and the write tried again.
 * What was seen twice, and stands still through a last and long watch, is a violation. What was seen once, and not again although it was put back, was somebody else; if
 * it could not be put back, it is a violation with a doubt.
 */
export function createAttribution(settleMs = 0): Attribution {
  const moving = new Set<string>();
  const stillStanding = new Set<string>();
  let waits = 0;
  /**
   * What was put back may show now and not a moment later: a try whose control is behind would see it change. Where no
   * answer of the run was late, nobody waits.
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
    // What may not be put back takes nothing from what was seen.
    const putBackOnce = async (): Promise<boolean> =>
      trial.putBack !== undefined && (await unlessGivenUp(trial.putBack(), false));
    // Somebody may have written in between.
    const putBack = async (): Promise<boolean> => (await putBackOnce()) || putBackOnce();
    const notAgain: Untried = { because: 'it could not be tried again' };
    const covers = new Set<RequirementId>();
    let tries = 0;
    let isBack = true;
    for (; tries < mostTries; tries += 1) {
      if (tries > 0) {
        isBack = (await putBack()) && isBack;
        await settled(session);
        // Each time another number of readings: what others do at equal distances is not to keep step with the tries.
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
        // The last sighting is what is told: the session that asks for it has sent all that led to it.
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
    // What the last try changed is not left so: who sets it back now and then is seen to, while nothing is written.
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
