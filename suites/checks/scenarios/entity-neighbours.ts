import type { JsonObject, Members } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type CheckContext, minimalApiRequest, type Session } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import type { Suspicion } from '../../state/attribution.ts';
import { areComparable, differenceViolations } from '../../state/difference.ts';
import { differencesIn, type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import type { Reading } from '../../state/reading.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { fixtureNames } from '../../sut/target.ts';
import type { Scenario } from './scenario.ts';

/** The fixtures of a kind beside the one that is written: first those whose name begins as its own does. */
export function besideOf(
  kind: EntityKind,
  { target, minimal: { param = '' } }: Pick<CheckContext, 'target' | 'minimal'>,
): readonly string[] {
  const others = fixtureNames(target, kind.fixtures).filter(name => name !== param);
  const isAlike = (name: string): boolean => name.startsWith(param) || param.startsWith(name);
  return [...others.filter(isAlike), ...others.filter(name => !isAlike(name))];
}

/** So many experiments are written beside the one of the endpoint: none of them can be put back. */
const mostExperiments = 3;

/** The experiments beside the one of an endpoint that a run may write to, to have something to lose. */
export const experimentsBeside = (context: Pick<CheckContext, 'target' | 'minimal'>): readonly string[] =>
  besideOf(entityKinds.experiment, context).slice(0, mostExperiments);

/** Brings an entity to a state with something to lose; absent where the API has no way to do that. */
export type Prepare = (context: CheckContext, session: Session, id: string) => Promise<boolean>;

/** An update of an experiment with settings that the target file allows: no operation puts back what it was. */
export const updatedExperiment: Prepare = async ({ target, discovered, token }, session, param) => {
  const update = minimalRequest(target, discovered, 'update-experiment', param);
  if (isBlockedRequest(update)) return false;
  const body: JsonObject = { ...update.body, hypothesis: `conform ${token} beside`, tags: ['conform'], duration: 21 };
  return (await session.send({ endpoint: 'update-experiment', param, body })).success;
};

/** A body with a text that nobody else writes, in each of its texts that say nothing else. */
const marked = (body: JsonObject | undefined, mark: string): JsonObject | undefined =>
  body &&
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'description' || name === 'hypothesis' ? `${mark} ${name}` : value,
    ]),
  );

/**
 * A write to one entity leaves others of its kind alone. An entity that cannot be put back is prepared anew before it is
 * tried again: what it then loses a second time, the write has taken.
 */
export const writeBesideEntities =
  (kind: EntityKind, others: readonly string[], prepare?: Prepare): Scenario =>
  (context, session, { eventually, attribute }) => {
    const before = new Map<string, Members>();
    const suspected = new Set<string>();
    const read = (id: string): Promise<Reading | null> => unlessGivenUp(kind.read(context, session, id), null);
    const changed = (id: string, reading: Reading | null) =>
      reading?.entity === null || reading === null ? [] : differencesIn(kind, before.get(id) ?? {}, reading.entity);
    return attribute(session, {
      async attempt(round) {
        for (const id of round === 0 ? others : suspected) {
          // What earlier writes took already would show no more.
          if (round === 0) await prepare?.(context, session, id);
          const reading = await read(id);
          if (reading?.entity) before.set(id, reading.entity);
          else before.delete(id);
        }
        if (before.size === 0) return { because: 'none of the others could be read' };
        const mark = `conform ${context.token} entity ${round}`;
        const answer = await session.send(minimalApiRequest(context, marked(context.minimal.body, mark)));
        if (!answer.success) return { because: `the write was refused (${refusalInWords(answer)})`, answer };
        const suspicions: Suspicion[] = [];
        let shown = false;
        for (const id of before.keys()) {
          const after = await eventually(
            () => read(id),
            reading => changed(id, reading).length === 0,
            reading => `${id} ${changed(id, reading).map(({ field }) => field)}`,
          );
          if (after === null || after.entity === null) continue;
          shown ||= areComparable(kind.row, before.get(id) ?? {}, after.entity, kind.leaveOut);
          const differences = changed(id, after);
          if (differences.length > 0) suspected.add(id);
          const expected = () => `${id} as it was, for another was written`;
          const violations = differenceViolations(differences, after.answer, 'state.neighbours', expected);
          for (const [index, violation] of violations.entries()) {
            const { field, after: now } = differences[index] ?? { field: '', after: undefined };
            suspicions.push({
              key: `${id} ${field}`,
              violation,
              certain: typeof now === 'string' && now.startsWith(mark),
            });
          }
        }
        if (!shown) return { because: 'the others show no setting' };
        return { suspicions, covers: ['state.neighbours'] };
      },
      async watch(readings) {
        const moving: string[] = [];
        for (const id of suspected) {
          let last = (await read(id))?.entity ?? null;
          for (let number = 0; number < readings; number += 1) {
            const next = (await read(id))?.entity ?? null;
            if (last !== null && next !== null)
              moving.push(...differencesIn(kind, last, next).map(({ field }) => `${id} ${field}`));
            last = next;
          }
        }
        return moving;
      },
      async putBack() {
        let isBack = prepare !== undefined;
        for (const id of suspected) isBack = prepare !== undefined && (await prepare(context, session, id)) && isBack;
        return isBack;
      },
    });
  };
