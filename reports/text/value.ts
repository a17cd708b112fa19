import { steps } from '../../contracts/pointer.ts';
import type { Counterexample } from '../../contracts/report/evidence.ts';
import { safeText } from './safe-text.ts';

const mostCharacters = 60;

/** Returns a value in a few words: as JSON if it is short, else its beginning and its length. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') {
    const characters = Array.from(value);
    if (characters.length <= mostCharacters) return JSON.stringify(value);
    return `${JSON.stringify(`${characters.slice(0, 20).join('')}…`)} (${characters.length} characters)`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) return 'nothing';
  if (text.length <= mostCharacters) return text;
  const length = Array.isArray(value) ? `list of ${value.length}: ` : '';
  return `${length}${safeText(text, mostCharacters)}`;
}

/**
 * Returns how a case differs from its accepted control, on one line:
 * `description: 1001 characters, its accepted control: 1000 characters`. Undefined if it has no control.
 */
export function differenceText({ pointer, sent, control }: Counterexample): string | undefined {
  if (control === undefined) return undefined;
  const field = pointer === '' ? 'the request' : steps(pointer).join('.');
  if (sent === undefined) return `${field}: left out, its accepted control: ${valueText(control)}`;
  const [one, other] = lengths(sent, control) ?? [valueText(sent), valueText(control)];
  return `${field}: ${one}, its accepted control: ${other}`;
}

/** The lengths of two long texts that differ in length: they say more than the beginnings of the texts. */
function lengths(sent: unknown, control: unknown): [string, string] | undefined {
  if (typeof sent !== 'string' || typeof control !== 'string') return undefined;
  const [a, b] = [Array.from(sent).length, Array.from(control).length];
  return a !== b && Math.max(a, b) > mostCharacters ? [`${a} characters`, `${b} characters`] : undefined;
}
