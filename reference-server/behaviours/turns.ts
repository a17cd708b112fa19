import type { BehaviourRequest, ScriptedAnswer } from '../../contracts/behaviour.ts';
import { draw } from './draw.ts';
import type { Counted } from './schema.ts';

/** Which of the requests that a behaviour means it meets, and what each of them meets. Nothing here waits or remembers. */

/** What the requests meet in turn; undefined of a behaviour that makes no answer. The older forms are read as scripts. */
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

/** So many requests a behaviour meets; undefined where there is no end. */
export const limitOf = (behaviour: BehaviourRequest): number | undefined => {
  const { times = behaviour.next } = behaviour;
  const script = scriptOf(behaviour);
  return script?.after === 'end' ? Math.min(times ?? Infinity, script.steps.length) : times;
};

/** Whether it has to be counted which requests a behaviour meets. */
export const isCounted = (behaviour: BehaviourRequest): boolean =>
  limitOf(behaviour) !== undefined ||
  behaviour.share !== undefined ||
  behaviour.skip !== undefined ||
  behaviour.after === 'restart' ||
  (behaviour.then?.length ?? 0) > 1;

/** Whether the time of a behaviour is over. */
export const isOver = ({ until }: BehaviourRequest, now: number): boolean =>
  until !== undefined && now >= (typeof until === 'number' ? until : Date.parse(until));

/** The count after one more request that a behaviour means. */
export const counted = (behaviour: BehaviourRequest, before: Counted | undefined): Counted => {
  const { skip = 0, share, seed = 0 } = behaviour;
  const { seen, met } = before ?? { seen: 0, met: 0 };
  const place = seen - skip;
  const acts =
    place >= 0 && (share === undefined || draw(seed, place) < share) && met < (limitOf(behaviour) ?? Infinity);
  return { seen: seen + 1, met: acts ? met + 1 : met, acts };
};

/** What the request meets that is the `met`-th to meet a behaviour, from 1. */
export const turnOf = (behaviour: BehaviourRequest, met: number): ScriptedAnswer | undefined => {
  const script = scriptOf(behaviour);
  if (script === undefined) return undefined;
  const { steps, after } = script;
  return after === 'restart' ? steps[(met - 1) % steps.length] : steps[Math.min(met, steps.length) - 1];
};
