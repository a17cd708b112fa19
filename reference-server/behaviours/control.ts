import type { BehaviourRequest } from '../../contracts/behaviour.ts';
import type { Infer } from '../../contracts/infer.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { record } from '../../contracts/object.ts';
import type { Notes } from '../store/backend.ts';
import { merged } from '../tool/merge-patch.ts';
import { ControlError } from '../tool/refusal.ts';
import type { CatalogueSource } from './catalogue.ts';
import { checkedBehaviour } from './checked.ts';
import { type Asked, unmet } from './matching.ts';
import { type Behaviour, behaviourKey, type Counted, countKeys, madeKey, type StoredBehaviour } from './schema.ts';
import { counted, isCounted, isOver, limitOf, scriptOf, turnOf } from './turns.ts';

/** What a behaviour would do to a request. `why`: its effect, or why it would not act. */
export const explainedBehaviour = record({
  id: { type: 'string' },
  meets: { type: 'boolean' },
  /** True if it would make the answer. */
  answers: { type: 'boolean' },
  why: { type: 'string' },
});

/** Maximum number of behaviours per world. */
const most = 100;

/** Returns the stored behaviours, in order of creation. */
export const storedBehaviours = async (notes: Notes): Promise<readonly StoredBehaviour[]> =>
  (await notes.list(behaviourKey))
    .map(([, value]) => value as unknown as StoredBehaviour)
    .sort((one, other) => one.made - other.made);

/**
 * Returns the control of a world's behaviours, stored with the world. `metBy` tells how many requests met one at this
 * server.
 */
export const behaviourControl = (notes: Notes, metBy: (made: number) => number, catalogue: CatalogueSource) => {
  const countOf = async ({ made }: StoredBehaviour) => (await notes.get(countKeys(made).met)) as Counted | undefined;
  const shown = async (stored: StoredBehaviour): Promise<Behaviour> => {
    const met = metBy(stored.made);
    const limit = limitOf(stored);
    return limit === undefined
      ? { ...stored, met }
      : { ...stored, left: limit - ((await countOf(stored))?.met ?? 0), met };
  };
  /** Returns all behaviours, in order of creation. */
  const list = async (): Promise<readonly Behaviour[]> => Promise.all((await storedBehaviours(notes)).map(shown));
  /** Removes the counts of a behaviour that was removed or replaced. */
  const uncount = async (made: number): Promise<void> => {
    for (const key of Object.values(countKeys(made))) await notes.put(key, undefined);
  };
  const drop = async ({ id, made }: StoredBehaviour): Promise<void> => {
    await notes.put(behaviourKey + id, undefined);
    await uncount(made);
  };
  /** Returns a behaviour. Throws a `ControlError` (404) if it does not exist. */
  const get = async (id: string): Promise<Behaviour> => {
    const stored = (await notes.get(behaviourKey + id)) as unknown as StoredBehaviour | undefined;
    if (stored === undefined) throw new ControlError(404, 'There is no such behaviour.');
    return shown(stored);
  };
  const keep = async (asked: BehaviourRequest): Promise<Behaviour> => {
    const made = Number(await notes.change(madeKey, before => Number(before ?? 0) + 1));
    const { id = `b${made}`, on = true, ...rest } = asked;
    const known = await storedBehaviours(notes);
    const stored: StoredBehaviour = { id, on, ...rest, made };
    await notes.put(behaviourKey + id, stored as unknown as Json);
    for (const one of known) if (one.id === id) await uncount(one.made);
    return shown(stored);
  };
  /**
   * Throws a `ControlError` if any of these behaviours is invalid (400), or if they are too many beside those that the
   * world keeps (409): all of its own, or none after a reset.
   */
  const check = async (asked: readonly BehaviourRequest[], kept: 'all' | 'none' = 'all'): Promise<void> => {
    const rows = await catalogue();
    for (const one of asked) checkedBehaviour(one, rows);
    const known = kept === 'all' ? await storedBehaviours(notes) : [];
    const named = new Set([...known, ...asked].flatMap(({ id }) => id ?? []));
    if (asked.filter(({ id }) => id === undefined).length + named.size > most)
      throw new ControlError(409, `A world has at most ${most} behaviours; delete one first.`);
  };
  return {
    list,
    get,
    check,
    /** Adds a behaviour, or replaces the one with its id. Throws a `ControlError` (400) if it is invalid. */
    async add(behaviour: BehaviourRequest): Promise<Behaviour> {
      await check([behaviour]);
      return keep(behaviour);
    },
    /** Merges a patch (RFC 7396), such as `{on: false}`. Counts restart. */
    async change(id: string, patch: unknown): Promise<Behaviour> {
      const { met: _met, made: _made, left: _left, ...before } = await get(id);
      if (!isObject(patch)) throw new ControlError(400, 'This is no change of a behaviour.');
      const changed = checkedBehaviour(merged(before as unknown as Json, patch), await catalogue());
      if (changed.id !== id)
        throw new ControlError(400, 'This is no change of a behaviour.', [
          { pointer: '/id', message: 'cannot be changed' },
        ]);
      return keep(changed);
    },
    remove: async (id: string): Promise<void> => drop(await get(id)),
    /**
     * Explains what each behaviour would do to a request, newest first, without counting it. `now` is the time of the
     * world.
     */
    async explain(asked: Asked, now: number) {
      let decided = false;
      const explained: Infer<typeof explainedBehaviour>[] = [];
      for (const one of (await storedBehaviours(notes)).toReversed()) {
        const makesAnswer = scriptOf(one) !== undefined;
        const count = isCounted(one) ? counted(one, await countOf(one)) : { met: metBy(one.made) + 1, acts: true };
        const other = unmet(one, asked);
        const isSpent = !count.acts && count.met >= (limitOf(one) ?? Infinity);
        const reasons: readonly (string | boolean)[] = [
          one.on || 'it is off',
          !isOver(one, now) || 'its time is over',
          other === undefined || `the request has another ${other}`,
          !isSpent || 'it is spent',
          !(makesAnswer && decided) || 'a newer one makes the answer',
          count.acts || 'it skips this request, or its share leaves it out',
        ];
        const why: string | undefined = reasons.find(reason => typeof reason === 'string');
        const answers = why === undefined && makesAnswer;
        decided ||= answers;
        const does = answers ? `answers: ${JSON.stringify(turnOf(one, count.met))}` : 'acts on it';
        explained.push({ id: one.id, meets: why === undefined, why: why ?? does, answers });
      }
      return explained;
    },
    async clear(): Promise<void> {
      for (const one of await storedBehaviours(notes)) await drop(one);
    },
  };
};

/** The control of a world's behaviours. */
export interface BehaviourControl extends ReturnType<typeof behaviourControl> {}
