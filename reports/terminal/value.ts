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
 * In what the case differs from its accepted twin, on one line: `description: 1001 characters, accepted with 1000 characters`. Undefined where the
 * case names no value.
 */
export function differenceText({ pointer, ...values }: Counterexample): string | undefined {
  const field = pointer === '' ? 'the request' : pointer.replace(/^\//, '').replaceAll('/', '.');
  const has = (side: 'sent' | 'twin') => Object.hasOwn(values, side) && values[side] !== undefined;
  if (!has('sent')) return has('twin') ? `${field}: left out, accepted with ${valueText(values.twin)}` : undefined;
  if (!has('twin')) return `${field}: ${valueText(values.sent)}`;
  const [sent, twin] = lengths(values.sent, values.twin) ?? [valueText(values.sent), valueText(values.twin)];
  return `${field}: ${sent}, accepted with ${twin}`;
}

/** Where two long texts differ in length, their lengths say more than their beginnings. */
function lengths(sent: unknown, twin: unknown): [string, string] | undefined {
  if (typeof sent !== 'string' || typeof twin !== 'string') return undefined;
  const [a, b] = [Array.from(sent).length, Array.from(twin).length];
  return a !== b && Math.max(a, b) > mostCharacters ? [`${a} characters`, `${b} characters`] : undefined;
}
