import { Eta } from 'eta/core';
import { safeText } from './safe-text.ts';

const escapeHtml = new Eta().config.escapeFunction;

/**
 * Returns a value as markup for an element or a quoted attribute, of HTML or SVG. First writes out characters that
 * would not show as themselves (`\u{202e}`), then escapes it.
 */
export function escapedHtml(value: unknown): string {
  return escapeHtml(safeText(value === undefined || value === null ? '' : String(value), Number.POSITIVE_INFINITY));
}
