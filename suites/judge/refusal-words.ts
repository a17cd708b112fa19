import { isObject } from '../../contracts/json.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';

/** Maximum number of characters of the target's own words to keep. */
const longest = 120;

/** The members in which refusals give their reason, the most telling first (section 7 shows none). */
const places = ['message', 'detail', 'error', 'error_description', 'title', 'reason'] as const;

/** Returns the reason that the body of a refusal gives in a usual place; undefined if it gives none. */
export function reasonIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (Array.isArray(value)) return reasonIn(value[0], depth + 1);
  if (!isObject(value) || depth > 2) return undefined;
  for (const place of places) {
    const reason = reasonIn(value[place], depth + 1);
    if (reason !== undefined) return reason;
  }
  return reasonIn(value.errors, depth + 1);
}

/**
 * Returns a refusal with the target's reason, if it stands in a usual place: `status 402: "Your plan allows 60
 * metrics"`. One bounded line; the caller redacts and escapes it. For an answer that never came, says why.
 */
export function refusalInWords(answer: Answer): string {
  const reason = reasonIn(answer.value)?.replace(/\s+/g, ' ');
  return reason === undefined ? outcomeOf(answer) : `${outcomeOf(answer)}: ${JSON.stringify(clip(reason, longest))}`;
}
