import type { Schema } from '../../../contracts/dialect.ts';
import type { Endpoint } from '../../../contracts/endpoint.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { at, isWithin, join, putMember, same, steps } from '../../../contracts/pointer.ts';
import type { NotExercised } from '../../../contracts/report/journal.ts';
import { type AcceptCase, acceptCases } from '../../generators/index.ts';
import { isCircumstantial } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { type CheckContext, type CheckResult, type Session, unproved } from '../../protocol/check.ts';
import { entryOf } from '../../protocol/entries.ts';
import { schemaOf, templateOf } from './body.ts';

/** Maximum number of other values tried for a field, its present value included. */
const mostValues = 4;
/** Maximum number of fields of a combination that are examined. */
const mostFields = 6;

/** True of a field that the entity's state may lock: the groups of a running experiment (section 3). */
const isKeptByState = (pointer: string, { resource }: Endpoint): boolean =>
  resource === 'experiment' && steps(pointer)[0] === 'groups';

/**
 * True if a refusal (a conflict or a lock) says that a reference may not point elsewhere. The refusal of a documented
 * null, of a missing entity or for want of a permission says no such thing.
 */
const mayStayAsItIs = ({ annotation }: Schema, value: Json, { status }: Answer): boolean =>
  annotation?.semantics === 'reference' && value !== null && (status === 409 || status === 423);

/** Sends a body as a case of its own. */
type Send = (session: Session, body: JsonObject) => Promise<Answer>;

/** Returns why a field proves nothing, if a lock refuses every value tried; null if one is accepted or refused otherwise. */
export type LockedField = (
  input: AcceptCase,
  session: Session,
  refused: Answer,
  shown: Json,
) => Promise<NotExercised | null>;

/** Returns the result of a case that proves nothing because a field is locked. */
export const proofless = (lock: NotExercised): CheckResult => ({
  ...unproved(`${lock.field} ${lock.because}`),
  notExercised: [lock],
});

/** Returns the pointers of the fields in which a combination differs from the minimal request. */
const fieldsOf = ({ body }: AcceptCase, minimal: JsonObject): string[] =>
  Object.keys(body)
    .filter(name => !same(body[name] ?? null, minimal[name] ?? null))
    .map(name => join('', name))
    .slice(0, mostFields);

/**
 * Finds out whether a field is locked: a plan, a permission or a state forbids it whatever its value, so its refusal is
 * no defect. Tries its present value first, as an answer has shown it, then others that must be accepted. One accepted
 * value shows that it is not locked. The present value of a reference shows nothing, because a service may forbid any
 * entity to point elsewhere. Each field is examined once for each level.
 */
export function lockedFields(context: CheckContext, send: Send): LockedField {
  const { row, target } = context;
  const template = templateOf(context);
  const known = new Map<string, Promise<NotExercised | null>>();
  let enumerated: readonly AcceptCase[] | undefined;

  /**
   * Returns bodies with other values of the field: the present one, if it proves anything, then those of cases that vary
   * all or part.
   */
  function others(
    { body, value, level }: AcceptCase,
    pointer: string,
    shown: Json,
    exceptPresent: boolean,
  ): readonly JsonObject[] {
    const present = at(shown, pointer);
    enumerated ??= acceptCases(schemaOf(context), template, target).cases;
    const related = enumerated.filter(
      one =>
        (one.level === 'MUST' || one.level === level) &&
        (isWithin(one.pointer, pointer) || isWithin(pointer, one.pointer)),
    );
    const bodies = [
      ...(present === undefined ? [] : [putMember(body, pointer, present)]),
      ...related.map(one => one.body).filter(one => at(one, pointer) !== undefined),
    ];
    const byValue = new Map(bodies.map(one => [JSON.stringify(at(one, pointer)), one]));
    byValue.delete(JSON.stringify(value));
    if (exceptPresent)
      for (const shownOne of [present, at(template, pointer)]) byValue.delete(JSON.stringify(shownOne));
    return [...byValue.values()].slice(0, mostValues);
  }

  async function lockOf(
    input: AcceptCase,
    pointer: string,
    session: Session,
    refused: Answer,
    shown: Json,
    { isUntried, mayStay }: { readonly isUntried: boolean; readonly mayStay: boolean },
  ): Promise<NotExercised | null> {
    // The minimal request was accepted with this field. For a SHOULD case that is no counterexample.
    const isCertain = input.level === 'MUST';
    if (isCertain && at(template, pointer) !== undefined) return null;
    // A switch has no other value to try than its present one.
    const isSwitch = !isCertain && typeof input.value === 'boolean';
    const isOther = !isCertain || mayStay;
    const bodies = isSwitch ? [] : others(input, pointer, shown, isOther);
    for (const body of [...(isUntried ? [input.body] : []), ...bodies]) {
      const answer = await send(session, body);
      if (!isCircumstantial(answer)) return null;
    }
    const field = steps(pointer).join('.');
    const because = `is refused at every ${isOther ? 'other ' : ''}value (${refusalInWords(refused)})`;
    return { field, because, remedy: 'nothing in the target file can change that' };
  }

  return async (input, session, refused, shown) => {
    const isCombined = input.pointer === '';
    for (const pointer of isCombined ? fieldsOf(input, template) : [input.pointer]) {
      if (isKeptByState(pointer, row) && !isCombined) {
        const because = `may not change in the state that the experiment is in (${refusalInWords(refused)})`;
        return { field: 'groups', because, remedy: 'a fixture whose groups may change' };
      }
      const value = at(input.body, pointer) ?? null;
      // Try each field of a combination alone; together, a refusal would not say which one is locked.
      const one = isCombined ? { ...input, body: putMember(template, pointer, value), value } : input;
      const schema = row.body?.properties?.[steps(pointer)[0] ?? ''];
      const mayStay = schema !== undefined && mayStayAsItIs(schema, value, refused);
      const lock = await entryOf(known, `${pointer} ${mayStay} ${one.level}`, () =>
        lockOf(one, pointer, session, refused, shown, { isUntried: isCombined, mayStay }),
      );
      if (lock !== null) return lock;
    }
    return null;
  };
}
