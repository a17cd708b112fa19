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
 * In what the case differs from its accepted control, on one line: `description: 1001 characters, its accepted control: 1000 characters`. Undefined where it
 * has no control to differ from.
 */
export function differenceText({ pointer, sent, control }: Counterexample): string | undefined {
  if (control === undefined) return undefined;
  const field = pointer === '' ? 'the request' : fieldName(pointer);
  if (sent === undefined) return `${field}: left out, its accepted control: ${valueText(control)}`;
  const [one, other] = lengths(sent, control) ?? [valueText(sent), valueText(control)];
  return `${field}: ${one}, its accepted control: ${other}`;
}

/** A JSON Pointer (RFC 6901) as members joined by dots. */
function fieldName(pointer: string): string {
  const members = pointer.replace(/^\//, '').split('/');
  return members.map(member => member.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

/** Where two long texts differ in length, their lengths say more than their beginnings. */
function lengths(sent: unknown, control: unknown): [string, string] | undefined {
  if (typeof sent !== 'string' || typeof control !== 'string') return undefined;
  const [a, b] = [Array.from(sent).length, Array.from(control).length];
  return a !== b && Math.max(a, b) > mostCharacters ? [`${a} characters`, `${b} characters`] : undefined;
}
