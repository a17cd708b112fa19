import { membersOf } from '../../../contracts/json.ts';

const words = 'redacted|filtered|omitted|removed|masked|hidden|elided|stripped|scrubbed|sanitized|censored';

/** What tools, this one among them, write in the place of what they keep back: `[REDACTED]`, `<omitted>`, `***`, `xxxxx`. */
const keptBack = new RegExp(`^redacted$|^[[<({*_«-]+\\s*(${words})\\s*[\\])}>*_»-]+$|^[*•█]{3,}$|^x{5,}$`, 'i');

/** What tools write behind what they cut: `…`, `... (truncated)`, `[+312 bytes]`. */
const cutOff =
  /(…|\.{3}|[[(<])\s*(truncated|trimmed|cut( off)?|snip(ped)?|omitted|\+?\d+ (more )?(bytes?|chars?|characters?)[^"{}]{0,20})\s*[\])>]?\s*$|(…|\.{3})\s*$/i;

/** True of a text that stands for another one, which the recording keeps back. */
export const isKeptBack = (text: string): boolean => text.length <= 40 && keptBack.test(text.trim());

/** True of the beginning of a JSON text that says of itself that it was cut. */
export const isCutOff = (text: string): boolean => /^\s*[{[]/.test(text) && cutOff.test(text.slice(-120));

/** So many values of a body are looked at. */
const mostLooked = 20_000;

/** True of a parsed body in which a value is kept back: what it was is not known. */
export function holdsKeptBack(value: unknown): boolean {
  const waiting: unknown[] = [value];
  for (let looked = 0; waiting.length > 0 && looked < mostLooked; looked += 1) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      if (isKeptBack(next)) return true;
    } else if (Array.isArray(next)) for (const one of next.slice(0, mostLooked)) waiting.push(one);
    else for (const one of Object.values(membersOf(next))) waiting.push(one);
  }
  return false;
}
