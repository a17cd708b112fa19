import { weightOf } from '../client/depth.ts';
import type { Answer } from '../protocol/answer.ts';

/** Lighter answers cannot hold enough to be a burden, see `weightOf`. */
const harmless = 262_144;
/** So many items of lists, at all depths together, are judged of one answer; each of them could break every rule there is. */
const mostItems = 5_000;
const mostOfOneList = 200;

/** A value with every list cut to a bounded length; what comes after the bound is left out, and nothing else is changed. */
function clip(value: unknown, left: { items: number }): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, Math.min(mostOfOneList, left.items));
    left.items -= kept.length;
    return kept.map(item => clip(item, left));
  }
  if (typeof value !== 'object' || value === null) return value;
  // Through entries, never by assignment: a member called __proto__ must stay a member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clip(member, left)]));
}

/** The answer with another value. */
function withValue(answer: Answer, value: unknown): Answer {
  const holds = typeof value === 'object' && value !== null && !Array.isArray(value);
  return { ...answer, value, data: holds ? (value as Record<string, unknown>).data : undefined };
}

/**
 * An answer as the passive checks see it: of a very long page the first items, of a very heavy answer the first items of each list. Positions stay what they are.
 * The items of a page after them come again where a walk takes smaller pages.
 */
export function clipped(answer: Answer): Answer {
  const { value, data } = answer;
  const { body } = answer.reply;
  if (body.kind !== 'json') return answer;
  if (weightOf(body.text) > harmless) return withValue(answer, clip(value, { items: mostItems }));
  if (!Array.isArray(data) || data.length <= mostOfOneList) return answer;
  return withValue(answer, { ...(value as object), data: data.slice(0, mostOfOneList) });
}
