import type { Counterexample } from '../../contracts/report/evidence.ts';
import { safeText } from './safe-text.ts';

const mostCharacters = 60;

/** A value in a few words: as JSON where it is short; a long text by its beginning and its length, a long list by its number of items. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') {
    const length = Array.from(value).length;
    if (length <= mostCharacters) return JSON.stringify(value);
    return `${JSON.stringify(`${Array.from(value).slice(0, 20).join('')}…`)} (${length} characters)`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) return 'nothing';
  if (text.length <= mostCharacters) return text;
  const whole = Array.isArray(value) ? `list of ${value.length}: ` : '';
  return `${whole}${safeText(text, mostCharacters)}`;
}

/**
 * In what the case differs from its accepted twin, on one line: `description: 1001 characters, its accepted twin: 1000 characters`. Undefined where it
 * has no twin to differ from.
 */
export function differenceText({ pointer, sent, twin }: Counterexample): string | undefined {
  if (twin === undefined) return undefined;
  const field = pointer === '' ? 'the request' : fieldName(pointer);
  if (sent === undefined) return `${field}: left out, its accepted twin: ${valueText(twin)}`;
  const [one, other] = lengths(sent, twin) ?? [valueText(sent), valueText(twin)];
  return `${field}: ${one}, its accepted twin: ${other}`;
}

/** A JSON Pointer (RFC 6901) as members joined by dots. */
function fieldName(pointer: string): string {
  const members = pointer.replace(/^\//, '').split('/');
  return members.map(member => member.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

/** Where two long texts differ in length, their lengths say more than their beginnings. */
function lengths(sent: unknown, twin: unknown): [string, string] | undefined {
  if (typeof sent !== 'string' || typeof twin !== 'string') return undefined;
  const [a, b] = [Array.from(sent).length, Array.from(twin).length];
  return a !== b && Math.max(a, b) > mostCharacters ? [`${a} characters`, `${b} characters`] : undefined;
}
