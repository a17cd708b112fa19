import { boundingKeywords } from '../../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { same, steps } from '../../../contracts/pointer.ts';
import { needsOf } from '../../generators/context.ts';
import { type AcceptCase, type NearChange, nearChanges, nodeOf } from '../../generators/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { changed } from '../../protocol/base.ts';
import { type CheckContext, type CheckResult, covering, type Session, violation } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { namedBy, seekAccepted } from '../../sut/nearest.ts';
import { isRefusal } from './judged-base.ts';

/** A member of a closed set that must be sent with a field, because the field means nothing without it. */
interface Company {
  readonly name: string;
  readonly member: Json;
  /** Another member of the set. */
  readonly other: Json;
  /** The fields that must accompany the member. */
  readonly needs: readonly string[];
}

/** Returns the set members that the field of a case brought into the request. */
function companyOf({ pointer, body }: AcceptCase, { row, minimal }: CheckContext): readonly Company[] {
  const properties = row.body?.properties ?? {};
  const { beside = [] } = properties[steps(pointer)[0] ?? '']?.annotation ?? {};
  return beside.flatMap((need): Company[] => {
    const [name = '', value] = need.split('=');
    const schema = properties[name];
    const node = schema === undefined ? undefined : nodeOf(schema);
    if (value === undefined || node?.kind !== 'enum' || body[name] !== value || minimal.body?.[name] === value)
      return [];
    const needs = (schema && needsOf(schema, value)) ?? [];
    const fields = needs.flatMap(one => one.split('=')[0] ?? []);
    return node.schema.enum
      .filter(member => member !== value)
      .slice(0, 1)
      .map(other => ({ name, member: value, other, needs: fields }));
  });
}

/** Returns an entity's values for the accompanying fields; undefined if no list shows such an entity. */
const shownBeside = ({ discovered }: CheckContext, { name, member, needs }: Company): JsonObject | undefined =>
  [...discovered.qualifyingEvents.values()].flatMap(entity =>
    same(entity[name], member) && needs.every(need => typeof entity[need] === 'string')
      ? [Object.fromEntries(needs.map(need => [need, entity[need] ?? null])) as JsonObject]
      : [],
  )[0];

/**
 * Judges whether a member of a closed set was refused, rather than the field sent with it (section 2.6, sourceType).
 * The member is at fault if the request is accepted with another member; otherwise returns null. Its accompanying
 * values may name what does not exist. The refusal is therefore a violation only with values that the target itself
 * shows, else a warning.
 */
export async function judgeCompany(
  input: AcceptCase,
  context: CheckContext,
  session: Session,
  refused: Answer,
): Promise<CheckResult | null> {
  const sent = refused.request.body as JsonObject;
  for (const company of companyOf(input, context)) {
    const { name, member, other, needs } = company;
    const send = (body: JsonObject) =>
      unlessWithheld(
        session.send({
          ...refused.request,
          body,
          about: { title: `${name}: ${inWords(member)}`, pointer: `/${name}`, sent: member },
        }),
      );
    const without = Object.fromEntries(Object.entries(sent).filter(([field]) => field !== steps(input.pointer)[0]));
    const shown = shownBeside(context, company);
    const least = { ...without, ...Object.fromEntries(needs.map(need => [need, sent[need] ?? null])), ...shown };
    const answer = await send(least);
    if (!isRefusal(answer) || (await send({ ...least, [name]: other }))?.success !== true) continue;
    const again = await send(least);
    if (!isRefusal(again)) continue;
    const requirement = shown === undefined ? 'accept.combination' : 'accept.stated-boundary';
    const beside = needs.map(need => `${need} ${inWords(least[need])}`).join(' and ');
    const expected = `a success, as with ${inWords(other)}, beside ${beside}`;
    const found = violation(again, requirement, 'status', expected, refusalInWords(again));
    return covering([{ ...found, seen: { times: 2, of: 2 } }], []);
  }
  return null;
}

/** True of a stated length, number or form: no other field makes one wrong. */
const isBound = (keyword: string): boolean =>
  keyword !== 'enum' && (boundingKeywords as readonly string[]).includes(keyword);

/**
 * Judges a value that is refused as long as the request lacks an optional field, or has one of the minimal request's:
 * no clause says what the two have to do with one another, so that is a warning. Returns null for any other refusal, for
 * a combination, of which each refusal is one, and at a stated bound.
 */
export async function judgeRelation(
  { pointer, body, keyword }: AcceptCase,
  { row, minimal, target }: CheckContext,
  refused: Answer,
  send: (body: JsonObject) => Promise<Answer>,
): Promise<CheckResult | null> {
  if (row.body === null || keyword === 'combination' || isBound(keyword)) return null;
  const [own = ''] = steps(pointer);
  const { [own]: schema } = row.body.properties ?? {};
  const needed = (schema?.annotation?.beside ?? []).map(need => need.split('=')[0]);
  const isOther = ({ field }: NearChange): boolean => field !== own && !field.includes('.') && !needed.includes(field);
  const { more, less } = nearChanges(row.body, body, target);
  const isOfMinimal = ({ field }: NearChange): boolean => Object.hasOwn(minimal.body ?? {}, field);
  const sendWith = (some: readonly NearChange[]) => unlessWithheld(send(changed(body, some)));
  const none = { more: [], less: [], other: [] };
  // Of further fields only those that the refusal names are sent: all of them could change what cannot be put back.
  const named = await seekAccepted(refused, { ...none, more: more.filter(isOther) }, sendWith, []);
  // A service that takes a field alone, and with no other, refuses it in any company, and names none.
  const optional = namedBy(
    refused,
    less.filter(one => isOther(one) && isOfMinimal(one)),
  );
  const changes = named.changes ?? (await seekAccepted(refused, { ...none, less: optional }, sendWith, [1])).changes;
  if (changes === null) return null;
  const relation = changes.map(({ field, becomes }) => `${becomes === undefined ? 'without' : 'with'} ${field}`);
  const expected = `a success, as ${relation.join(' and ')}`;
  const found = violation(refused, 'accept.combination', 'status', expected, refusalInWords(refused));
  return covering([{ ...found, seen: { times: 2, of: 2 } }], []);
}
