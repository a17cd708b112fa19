import { isObject, membersOf } from '../../contracts/json.ts';
import type { Answer } from '../protocol/answer.ts';
import { weightOf } from '../protocol/text-bounds.ts';

/** Lighter answers (see `weightOf`) are judged whole. */
const lightAnswer = 262_144;
/** Maximum number of list items judged per answer, at all depths together: each could violate every requirement. */
const mostItems = 5_000;
/** Maximum number of items judged of one list. */
export const mostOfOneList = 200;

/** Returns a value with every list cut to a bounded length, otherwise unchanged. */
function clip(value: unknown, left: { items: number }): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, Math.min(mostOfOneList, left.items));
    left.items -= kept.length;
    return kept.map(item => clip(item, left));
  }
  if (!isObject(value)) return value;
  // Use entries, not assignment: a member called __proto__ must stay a member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clip(member, left)]));
}

const countOf = (data: unknown): number => (Array.isArray(data) ? data.length : 0);

/** Returns an answer with another value. */
function withValue(answer: Answer, value: unknown): Answer {
  const { data } = membersOf(value);
  return { ...answer, value, data, ...(countOf(data) < countOf(answer.data) && { isCut: true }) };
}

/**
 * Returns an answer as the passive checks judge it: the first items of a very long page, or of every list in a very
 * heavy answer. Positions do not change. A walk with smaller pages shows the omitted items again.
 */
export function clipped(answer: Answer): Answer {
  const { value, data } = answer;
  const { body } = answer.reply;
  if (body.kind !== 'json') return answer;
  if (weightOf(body.text) > lightAnswer) return withValue(answer, clip(value, { items: mostItems }));
  if (!Array.isArray(data) || data.length <= mostOfOneList) return answer;
  return withValue(answer, { ...(value as object), data: data.slice(0, mostOfOneList) });
}
