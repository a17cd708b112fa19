import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type JsonObject, membersOf } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { compact } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { Part } from '../../generators/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { saidApart } from '../../judge/words.ts';
import { kinds, text } from '../../model/resources.ts';
import { type Answer, dataObject, isDryRun, type RequestDescription } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckResult,
  covering,
  type Session,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { differencesOf, volatile } from '../../state/difference.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import type { Reading } from '../../state/reading.ts';
import type { Care } from '../scenarios/scenario.ts';
import { type Shown, takeApart } from './taken-apart.ts';

/** Kinds that an operation shows without writing to them. */
const shownAlone = ['gate', 'qualifying-event', 'metric'] as const;

/**
 * Returns how to read back what an operation writes: the kind of entity, the requirement that judges it, and where an
 * answer shows it.
 */
function wayBackOf({ resource, action, body }: Endpoint) {
  const own = shownAlone.find(one => one === resource);
  const { stored: requirement } = kinds[resource].effects[action] ?? {};
  if (own === undefined || body === null || requirement === undefined) return undefined;
  const kind: EntityKind = entityKinds[own];
  return { kind, requirement, at: kind.isListed === true ? '/data/*' : '/data' };
}

/** Returns the requirements that reading back can show at an operation. */
export const storedRequirements = (row: Endpoint): readonly RequirementId[] => compact([wayBackOf(row)?.requirement]);

/** A write, and how to repeat it. */
export interface Written {
  readonly parts: readonly Part[];
  /** The answer to the last request, if it carried exactly these parts. */
  readonly first?: Answer | undefined;
  send(parts: readonly Part[]): Promise<Shown>;
  about(parts: readonly Part[]): RequestDescription;
}

/** Maximum number of requests that look for the wrongly stored part of a write. */
const mostTraced = 1;

/** Reads back what a write stored and compares it with what was sent; covers nothing if it cannot be read back. */
export async function readBack(
  context: CheckContext,
  session: Session,
  care: Care,
  written: Written,
): Promise<CheckResult> {
  const { row } = context;
  const way = wayBackOf(row);
  if (way === undefined || written.parts.length === 0) return covering([], []);
  const { kind, requirement, at } = way;

  let last: Answer | undefined;

  /** Reads what the last accepted write was about. */
  const read = (): Promise<Reading> => {
    const { id } = kind.fixtures === 'events' ? dataObject(last as Answer) : { id: context.minimal.param };
    return kind.read(context, session, text(id));
  };

  /** Writes some parts, unless already written, and returns which of them read differently afterwards. */
  async function sendAndRead(parts: readonly Part[], known?: Answer): Promise<Shown & { readonly isRead?: boolean }> {
    const answer = known ?? (await written.send(parts)).answer;
    // A dry run has stored nothing.
    if (!answer.success || isDryRun(answer)) return { answer, wrong: [] };
    last = answer;
    const wrongIn = ({ entity, answer: shown }: Reading): readonly Violation[] =>
      storedMismatches(membersOf(answer.sent) as JsonObject, entity ?? {}, row, at).map(({ pointer, sent, got }) =>
        violation(shown, requirement, pointer, ...saidApart(sent, got, ', when it is read afterwards')),
      );
    const placesIn = (after: Reading): string => String(wrongIn(after).map(({ pointer }) => pointer));
    const isRight = (after: Reading): boolean => after.entity !== null && placesIn(after) === '';
    const after = await care.eventually(read, isRight, placesIn);
    const isRead = after.entity !== null;
    return { answer, wrong: isRead ? wrongIn(after) : [], isRead };
  }

  /** Returns the members that change from one reading to the next, without a write. */
  async function watch(readings: number): Promise<readonly string[]> {
    const moving = new Set<string>();
    let { entity: before } = await read();
    for (let number = 0; number < readings; number += 1) {
      const { entity } = await read();
      if (before !== null && entity !== null)
        for (const { field } of differencesOf(row, before, entity, volatile)) moving.add(field);
      before = entity;
    }
    return [...moving];
  }

  const result = await care.attribute(session, {
    async attempt(round) {
      const { answer, wrong, isRead } = await sendAndRead(written.parts, round === 0 ? written.first : undefined);
      if (!answer.success) return { because: 'it was refused when it was sent again', answer };
      if (isRead !== true) return { because: 'it could not be read back' };
      const fieldAt = (pointer: string): string => steps(pointer)[steps(at).length] ?? '';
      return { suspicions: wrong.map(one => ({ key: fieldAt(one.pointer), violation: one })), covers: [requirement] };
    },
    watch,
    // Each try sends everything again.
    putBack: async () => true,
  });
  if (result.violations.length === 0) return result;
  const { culprits } = await takeApart(written.parts, parts => sendAndRead(parts), mostTraced);
  const traced = result.violations.map(one => {
    const found = culprits.find(({ violation: seen }) => seen?.pointer === one.pointer);
    const about = written.about(found?.parts ?? written.parts);
    const { answer } = found?.violation ?? one;
    return { ...one, ...found?.violation, answer: { ...answer, request: { ...answer.request, about } } };
  });
  return covering(traced, []);
}
