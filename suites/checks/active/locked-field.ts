import type { Resource } from '../../../contracts/endpoint.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { at, putMember, same, steps } from '../../../contracts/pointer.ts';
import type { NotExercised } from '../../../contracts/report/journal.ts';
import { type AcceptCase, acceptCases } from '../../generators/index.ts';
import { isCircumstantial } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { type CheckContext, type CheckResult, type Session, unproved } from '../../protocol/check.ts';

/** So many other values of a field are tried, its present one among them. */
const mostValues = 4;
/** So many fields of a combination are looked at. */
const mostFields = 6;

/** Fields of which the state of an entity may forbid any change: the groups of an experiment that runs (section 3). */
const keptByState: readonly { readonly resource: Resource; readonly field: string }[] = [
  { resource: 'experiment', field: 'groups' },
];

/** Sends a body as a case of its own. */
type Send = (session: Session, body: JsonObject) => Promise<Answer>;

/** Why a field proves nothing, as it is refused at every value that was tried; null where one is accepted. */
export type LockedField = (
  input: AcceptCase,
  session: Session,
  refused: Answer,
  shown: Json,
) => Promise<NotExercised | null>;

/** The result of a case that proves nothing, for a field of it is locked. */
export const proofless = (lock: NotExercised): CheckResult => ({
  ...unproved(`${lock.field} ${lock.because}`),
  notExercised: [lock],
});

/** The pointers of the fields in which a combination differs from the minimal request. */
const fieldsOf = ({ body }: AcceptCase, minimal: JsonObject): string[] =>
  Object.keys(body)
    .filter(name => !same(body[name] ?? null, minimal[name] ?? null))
    .map(name => `/${name}`)
    .slice(0, mostFields);

/**
 * Finds out whether a field is locked: a plan, a permission or a state forbids it whatever its value, so its refusal is
 * no defect. Tries its present value first, as an answer has shown it, then others that must be accepted. A field that
 * is accepted at one value is not locked. Each field is looked at once.
 */
export function lockedFields(context: CheckContext, send: Send): LockedField {
  const { row, minimal, target } = context;
  const template = minimal.body ?? {};
  const known = new Map<string, Promise<NotExercised | null>>();
  let enumerated: readonly AcceptCase[] | undefined;

  /** Bodies with other values of the field: the present one, then those of the cases that vary it, or a part of it. */
  function others({ body, value, level }: AcceptCase, pointer: string, shown: Json): readonly JsonObject[] {
    const present = at(shown, pointer);
    enumerated ??= row.body === null ? [] : acceptCases(row.body, template, target).cases;
    const related = enumerated.filter(
      one =>
        (one.level === 'MUST' || one.level === level) &&
        (`${one.pointer}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${one.pointer}/`)),
    );
    const bodies = [
      ...(present === undefined ? [] : [putMember(body, pointer, present)]),
      ...related.map(one => one.body).filter(one => at(one, pointer) !== undefined),
    ];
    const byValue = new Map(bodies.map(one => [JSON.stringify(at(one, pointer)), one]));
    byValue.delete(JSON.stringify(value));
    if (level === 'SHOULD') for (const known of [present, at(template, pointer)]) byValue.delete(JSON.stringify(known));
    return [...byValue.values()].slice(0, mostValues);
  }

  async function lockOf(
    input: AcceptCase,
    pointer: string,
    session: Session,
    refused: Answer,
    shown: Json,
    isUntried: boolean,
  ): Promise<NotExercised | null> {
    // What the minimal request carries was accepted with it. Of what may be refused anyway that is no counterexample.
    const isCertain = input.level === 'MUST';
    if (isCertain && at(template, pointer) !== undefined) return null;
    // A setting that can only be on or off has no other value but the one that it has.
    const isSwitch = !isCertain && typeof input.value === 'boolean';
    const bodies = isSwitch ? [] : others(input, pointer, shown);
    for (const body of [...(isUntried ? [input.body] : []), ...bodies]) {
      const answer = await send(session, body);
      if (!isCircumstantial(answer)) return null;
    }
    const field = steps(pointer).join('.');
    const because = `is refused at every value (${refusalInWords(refused)})`;
    return { field, because, remedy: 'nothing in the target file can change that' };
  }

  return async (input, session, refused, shown) => {
    const isCombined = input.pointer === '';
    for (const pointer of isCombined ? fieldsOf(input, template) : [input.pointer]) {
      const kept = keptByState.find(one => one.resource === row.resource && one.field === steps(pointer)[0]);
      if (kept !== undefined && !isCombined) {
        const because = `may not change in the state that the ${kept.resource} is in (${refusalInWords(refused)})`;
        return { field: kept.field, because, remedy: `a fixture whose ${kept.field} may change` };
      }
      const value = at(input.body, pointer) ?? null;
      // Of a combination each field is tried alone: beside others its refusal would not say which of them is locked.
      const one = isCombined ? { ...input, body: putMember(template, pointer, value), value } : input;
      if (!known.has(pointer)) known.set(pointer, lockOf(one, pointer, session, refused, shown, isCombined));
      const lock = (await known.get(pointer)) ?? null;
      if (lock !== null) return lock;
    }
    return null;
  };
}
