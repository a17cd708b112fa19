import { isObject, type Members } from '../../contracts/json.ts';
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

/** The members in which refusals list what is wrong beside their reason, the most telling first. */
const lists = ['details', 'errors', 'violations', 'invalid_params', 'invalidParams', 'fields', 'issues'] as const;

/** Returns the first text of a list or an object of details, after the member that holds it: `name: "is taken"`. */
function firstDetail(value: unknown, depth = 0): string | undefined {
  const reason = reasonIn(value);
  if (reason !== undefined || depth > 2) return reason;
  if (Array.isArray(value)) return firstDetail(value[0], depth + 1);
  if (!isObject(value)) return undefined;
  for (const [name, member] of Object.entries(value).slice(0, mostMembers)) {
    const detail = firstDetail(member, depth + 1);
    if (detail !== undefined)
      return Array.isArray(member) || typeof member === 'string' ? `${name}: ${detail}` : detail;
  }
  return undefined;
}

/** Maximum number of members of details to look at. */
const mostMembers = 20;

/** Returns what a refusal says of the first thing that is wrong, beside its reason; undefined if it says no more. */
function detailIn(value: unknown, reason: string): string | undefined {
  if (!isObject(value)) return undefined;
  for (const holder of [value, value.error])
    for (const list of isObject(holder) ? lists : []) {
      const detail = firstDetail((holder as Members)[list]);
      if (detail !== undefined && detail !== reason) return detail;
    }
  return undefined;
}

/** Returns a text of the target in quotes, on one bounded line. */
const quoted = (text: string): string => JSON.stringify(clip(text.replace(/\s+/g, ' '), longest));

/**
 * Returns a refusal with the target's reason alone, without its details: refusals of one kind have the same. One bounded
 * line; the caller redacts and escapes it.
 */
export function refusalReason(answer: Answer): string {
  const reason = reasonIn(answer.value);
  return reason === undefined ? outcomeOf(answer) : `${outcomeOf(answer)}: ${quoted(reason)}`;
}

/**
 * Returns a refusal with the target's reason and the first of its details, if they stand in usual places: `status 402:
 * "Your plan allows 60 metrics"`, `status 422: "Validation failed", "team is unknown"`. One bounded line; the caller
 * redacts and escapes it. For an answer that never came, says why.
 */
export function refusalInWords(answer: Answer): string {
  const detail = detailIn(answer.value, reasonIn(answer.value) ?? '');
  return detail === undefined ? refusalReason(answer) : `${refusalReason(answer)}, ${quoted(detail)}`;
}
