import { isObject, membersOf } from '../../contracts/json.ts';
import type { Answer } from '../protocol/answer.ts';
import { weightOf } from '../protocol/text-bounds.ts';

/** Lighter answers are judged whole, see `weightOf`. */
const lightAnswer = 262_144;
/** Items of lists that are judged of one answer, at all depths together: each could break every requirement. */
const mostItems = 5_000;
const mostOfOneList = 200;

/** A value with every list cut to a bounded length, and otherwise unchanged. */
function clip(value: unknown, left: { items: number }): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, Math.min(mostOfOneList, left.items));
    left.items -= kept.length;
    return kept.map(item => clip(item, left));
  }
  if (!isObject(value)) return value;
  // Through entries, never by assignment: a member called __proto__ must stay a member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clip(member, left)]));
}

/** The answer with another value. */
const withValue = (answer: Answer, value: unknown): Answer => ({ ...answer, value, data: membersOf(value).data });

/**
 * An answer as the passive checks judge it: of a very long page the first items, of a very heavy answer the first items
 * of each list. Positions stay what they are. The items that are left out come again where a walk takes smaller pages.
 */
export function clipped(answer: Answer): Answer {
  const { value, data } = answer;
  const { body } = answer.reply;
  if (body.kind !== 'json') return answer;
  if (weightOf(body.text) > lightAnswer) return withValue(answer, clip(value, { items: mostItems }));
  if (!Array.isArray(data) || data.length <= mostOfOneList) return answer;
  return withValue(answer, { ...(value as object), data: data.slice(0, mostOfOneList) });
}
