import type { BehaviourRequest, ScriptedAnswer } from '../../contracts/behaviour.ts';
import { draw } from './draw.ts';
import type { Counted } from './schema.ts';

/** Decides which matching requests a behaviour meets, and with which step. Pure functions without state. */

/** Returns the script of a behaviour; undefined if it makes no answer. The older forms are converted to scripts. */
export const scriptOf = ({
  then,
  after = 'end',
  error,
  connection,
  afterWork = false,
}: BehaviourRequest): { readonly steps: readonly ScriptedAnswer[]; readonly after: typeof after } | undefined => {
  if (then !== undefined) return { steps: then.map(step => (step === 'real' ? {} : step)), after };
  const effect = afterWork ? 'before' : 'none';
  if (error !== undefined) return { steps: [{ ...error, effect }], after: 'repeat' };
  if (connection === undefined) return undefined;
  return { steps: [{ wire: connection === 'drop' ? 'close' : 'stall', effect }], after: 'repeat' };
};

/** Returns the number of requests that a behaviour meets; undefined if unlimited. */
export const limitOf = (behaviour: BehaviourRequest): number | undefined => {
  const { times = behaviour.next } = behaviour;
  const script = scriptOf(behaviour);
  return script?.after === 'end' ? Math.min(times ?? Infinity, script.steps.length) : times;
};

/** True if the requests of a behaviour must be counted. */
export const isCounted = (behaviour: BehaviourRequest): boolean =>
  limitOf(behaviour) !== undefined ||
  behaviour.share !== undefined ||
  behaviour.skip !== undefined ||
  behaviour.after === 'restart' ||
  (behaviour.then?.length ?? 0) > 1;

/** True if a behaviour has expired. */
export const isOver = ({ until }: BehaviourRequest, now: number): boolean =>
  until !== undefined && now >= (typeof until === 'number' ? until : Date.parse(until));

/** Returns the count after one more matching request. */
export const counted = (behaviour: BehaviourRequest, before: Counted | undefined): Counted => {
  const { skip = 0, share, seed = 0 } = behaviour;
  const { seen, met } = before ?? { seen: 0, met: 0 };
  const place = seen - skip;
  const acts =
    place >= 0 && (share === undefined || draw(seed, place) < share) && met < (limitOf(behaviour) ?? Infinity);
  return { seen: seen + 1, met: acts ? met + 1 : met, acts };
};

/** Returns the step for the `met`-th request that meets a behaviour, from 1. */
export const turnOf = (behaviour: BehaviourRequest, met: number): ScriptedAnswer | undefined => {
  const script = scriptOf(behaviour);
  if (script === undefined) return undefined;
  const { steps, after } = script;
  return after === 'restart' ? steps[(met - 1) % steps.length] : steps[Math.min(met, steps.length) - 1];
};
